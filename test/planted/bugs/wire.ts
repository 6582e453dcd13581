/** Bugs on the wire: a transfer sent twice, an answer taken for more than it is, a token, a secret printed. */
import type { PlantedBug } from '../planted-bug.ts';

const READY = 'src/adapters/payment-service/one-use-connections.ts';
const POST = 'src/adapters/payment-service/post-transfer.ts';
const WIRE = 'test/adapters/payment-service/transfer-wire.test.ts';
/** The request once more, to the same place, over whatever connection Node opens. */
const onceMore = (onAnswer: string) =>
  [
    '      http',
    '        .request(',
    '          {',
    '            ...requestOptions(order),',
    '            createConnection: undefined,',
    '            host: socket.remoteAddress,',
    '            port: socket.remotePort,',
    '          },',
    `          ${onAnswer},`,
    '        )',
    "        .on('error', () => undefined)",
    '        .end(order.body);',
  ].join('\n');
const followedOn = (status: number) => ({
  file: POST,
  find: "    request.once('response', (incoming) => {\n      phase = 'answer';",
  replace: [
    "    request.once('response', (incoming) => {",
    "      phase = 'answer';",
    `      if (incoming.statusCode === ${status}) {`,
    '        response = incoming;',
    onceMore(
      '(second) => collect(second, { chunks, cut, bytesWritten: () => socket.bytesWritten, finish: end.finish })',
    ),
    '        return;',
    '      }',
  ].join('\n'),
});
const SERVICE = 'src/adapters/payment-service/http-payment-service.ts';
const TABLE = 'src/adapters/payment-service/outcome-of-answer.ts';
const FIRST_ROW = "  { when: (facts) => !facts.complete, means: () => doubt('answer_incomplete') },";
/** A row put on top of the table: this status proves that nothing was executed. */
const turnedAwayOn = (status: number) => ({
  file: TABLE,
  find: FIRST_ROW,
  replace: `  { when: (facts) => facts.httpStatus === ${status}, means: () => ({ kind: 'turned_away', why: 'rate_limited' }) },\n${FIRST_ROW}`,
});
const EVERY_ANSWER = 'test/adapters/payment-service/every-answer.test.ts';
const OUTCOME = 'test/adapters/payment-service/outcome-of-answer.test.ts';
const ENVELOPE = 'src/contract/wire.ts';
const ENVELOPE_TEST = 'test/contract/envelope.test.ts';
const EXACT = 'src/contract/exact-json.ts';
const EXACT_TEST = 'test/contract/exact-json.test.ts';
const FACTS = 'src/adapters/payment-service/outcome-of-answer.ts';
const DATE = 'src/contract/wire-date.ts';
const SHARED_SESSION = 'test/adapters/ledger/postgres-session.test.ts';
const LIFETIME_TEST = 'test/adapters/payment-service/token-lifetime.test.ts';
const DATE_TEST = 'test/contract/wire-date.test.ts';
const LIFETIME = 'src/adapters/payment-service/token-lifetime.ts';
const CHECK = 'src/adapters/payment-service/token-check.ts';
const SEND = 'src/adapters/payment-service/send-transfer.ts';
const CANARY = 'test/adapters/payment-service/canary.test.ts';
const CLIENT = 'src/adapters/payment-service/read-client.ts';
const QUESTIONS = 'test/adapters/payment-service/questions.test.ts';

export const WIRE_BUGS: readonly PlantedBug[] = [
  {
    id: 'certificate-not-checked',
    bug: 'Any certificate will do.',
    file: READY,
    find: 'rejectUnauthorized: true,',
    replace: 'rejectUnauthorized: false,',
    caughtBy: [{ test: 'test/wire/connecting.test.ts', title: '[N7]' }],
  },
  {
    id: 'half-a-request-is-unsent',
    bug: 'A request that was not written to its end is taken for one that was not read.',
    file: POST,
    find: "      if (phase === 'ready') return {",
    replace: "      if (phase === 'ready' || socket.bytesWritten < 100_000) return {",
    caughtBy: [{ test: 'test/wire/sweep.test.ts', title: '[N11]' }],
  },
  {
    id: 'proxy-of-the-environment',
    bug: 'Questions and passwords go through whatever proxy the environment names.',
    file: 'src/adapters/payment-service/read-client.ts',
    find: 'const shared = { keepAlive: true,',
    replace: 'const shared = { proxyEnv: process.env, keepAlive: true,',
    caughtBy: [{ test: 'test/wire/fault-server.test.ts', title: '[N9]' }],
  },
  {
    id: 'follows-307',
    mustCatch: 'follows_307',
    bug: 'A 307 is followed: the body is posted again to where it points.',
    ...followedOn(307),
    caughtBy: [{ test: WIRE, title: '307' }],
  },
  {
    id: 'follows-421',
    mustCatch: 'fetch_with_421',
    bug: 'A 421 makes the transport post again on a new connection, as fetch does.',
    ...followedOn(421),
    caughtBy: [{ test: WIRE, title: '421' }],
  },
  {
    id: 'retry-on-reset',
    mustCatch: 'retry_on_reset',
    bug: 'A reset is taken for proof that nothing was executed, so the row is sent again.',
    file: POST,
    find: "      if (phase === 'ready') return {",
    replace: "      if (phase === 'ready' || errorCode === 'ECONNRESET') return {",
    caughtBy: [{ test: WIRE, title: 'nothing, then a reset' }],
  },
  {
    id: 'retry-on-timeout',
    mustCatch: 'retry_on_timeout',
    bug: 'A time-out that ran out is taken for proof that nothing was executed.',
    file: POST,
    find: "      if (phase === 'ready') return {",
    replace: "      if (phase === 'ready' || errorCode === 'timeout') return {",
    caughtBy: [{ test: WIRE, title: 'nothing for ever' }],
  },
  {
    id: 'post-retried-by-the-adapter',
    mustCatch: 'post_retried',
    bug: 'Transfers are tried again like questions when no answer came.',
    file: SERVICE,
    find: '      prepared instanceof PreparedSend ? sendTransfer(order, prepared, sendParts) : notOurs(prepared),',
    replace: [
      '      prepared instanceof PreparedSend',
      '        ? sendTransfer(order, prepared, sendParts).then(async (outcome) => {',
      "            if (outcome.kind !== 'in_doubt') return outcome;",
      '            const again = await prepareSend({ pace, session, connections, clock }, undefined);',
      '            return again instanceof PreparedSend ? sendTransfer(order, again, sendParts) : outcome;',
      '          })',
      '        : notOurs(prepared),',
    ].join('\n'),
    caughtBy: [
      { test: WIRE, title: '502' },
      { test: WIRE, title: 'half a head' },
    ],
  },
  {
    id: 'agent-false',
    mustCatch: 'agent_false',
    bug: 'With agent: false Node ignores the prepared socket and opens a connection of its own.',
    file: POST,
    find: '    createConnection: () => order.connection.socket,',
    replace: [
      '    createConnection: () => order.connection.socket,',
      '    agent: false,',
      '    port: order.connection.socket.remotePort,',
    ].join('\n'),
    caughtBy: [{ test: WIRE, title: 'is the order, digit by digit, in one request' }],
  },
  {
    id: 'keep-alive-reuse',
    mustCatch: 'keep_alive_reuse',
    bug: 'Transfers go through an agent that keeps connections alive and uses them again.',
    file: POST,
    find: '    createConnection: () => order.connection.socket,',
    replace: [
      '    agent: http.globalAgent,',
      '    hostname: order.connection.socket.remoteAddress,',
      '    port: order.connection.socket.remotePort,',
    ].join('\n'),
    also: [{ file: POST, find: "      connection: 'close',", replace: "      connection: 'keep-alive'," }],
    caughtBy: [{ test: WIRE, title: 'comes on a connection of its own for each transfer' }],
  },
  {
    id: 'truncated-accepted',
    mustCatch: 'truncated_accepted',
    bug: 'An answer that only the end of the connection closes is taken for whole.',
    file: POST,
    find: "  return isChunked || headers['content-length'] !== undefined;",
    replace: '  return true;',
    caughtBy: [{ test: WIRE, title: 'a whole body that only the end closes' }],
  },
  {
    id: 'close-is-the-end',
    bug: 'An answer whose connection closes before its end is taken for whole.',
    file: POST,
    find: "  incoming.on('close', () => cut('answer_cut'));",
    replace: [
      "  incoming.on('close', () =>",
      '    finish({',
      "      kind: 'answer',",
      '      bytesWritten: bytesWritten(),',
      '      httpStatus: incoming.statusCode ?? 0,',
      '      complete: isFramed(incoming),',
      "      retryAfter: incoming.headers['retry-after'],",
      '      body: Buffer.concat(chunks),',
      '    }),',
      '  );',
    ].join('\n'),
    also: [
      {
        file: POST,
        find: "  incoming.on('error', (error) => cut(networkReason(error)));",
        replace: "  incoming.on('error', () => undefined);",
      },
    ],
    caughtBy: [
      { test: WIRE, title: '[N17]' },
      { test: WIRE, title: '[N15] half a body, then the end' },
    ],
  },
  {
    id: 'retry-on-502',
    mustCatch: 'retry_on_502',
    bug: 'A 502 is taken for proof that the service did not get the request.',
    ...turnedAwayOn(502),
    caughtBy: [{ test: WIRE, title: '502' }],
  },
  {
    id: 'inconclusive-is-refused',
    bug: 'A failed envelope on 408, 409, 421, 425 or 431 is taken for a refusal.',
    file: TABLE,
    find: 'const INCONCLUSIVE_4XX = [408, 409, 411, 421, 425, 431];',
    replace: 'const INCONCLUSIVE_4XX: number[] = [];',
    caughtBy: [
      { test: WIRE, title: '408' },
      { test: EVERY_ANSWER, title: 'means what the contract says' },
    ],
  },
  {
    id: 'accepted-on-any-status',
    bug: 'A success envelope counts on whatever status it comes.',
    file: TABLE,
    find: "when: (facts) => is2xx(facts) && facts.word === 'success' && facts.codeIsZero && facts.id !== undefined,",
    replace: "when: (facts) => facts.word === 'success' && facts.codeIsZero && facts.id !== undefined,",
    caughtBy: [{ test: OUTCOME, title: 'is in doubt' }],
  },
  {
    id: 'empty-code-is-zero',
    mustCatch: 'empty_code_is_zero',
    bug: 'A code is compared as a number, so an empty one is zero.',
    file: ENVELOPE,
    find: "  return code === '0';",
    replace: '  return Number(code) === 0;',
    caughtBy: [
      { test: ENVELOPE_TEST, title: 'the code' },
      { test: OUTCOME, title: 'a transfer is accepted only when the service says so and names it' },
    ],
  },
  {
    id: 'id-precision',
    mustCatch: 'id_precision',
    bug: 'A number of the service goes through a double, so a long id is another id.',
    file: EXACT,
    find: 'return new NumberText(value.toString());',
    replace: 'return new NumberText(String(Number(value.toString())));',
    caughtBy: [
      { test: EXACT_TEST, title: 'keeps every digit of every number' },
      { test: EVERY_ANSWER, title: 'keeps every digit of an id' },
    ],
  },
  {
    id: 'mentioned-id-overlooked',
    bug: 'An id in a failed answer is overlooked, and the row called refused.',
    file: FACTS,
    find: '    mentionsId: mentionsId(data) || namesId(envelope),',
    replace: '    mentionsId: false,',
    caughtBy: [{ test: OUTCOME, title: 'an id in a failed answer' }],
  },
  {
    id: 'data-null-is-empty',
    bug: 'Whatever data holds, a failed answer is a refusal.',
    file: TABLE,
    find: "isConclusive(facts) && facts.word === 'failed' && facts.codeIsNonZero && facts.dataIsEmpty,",
    replace: "isConclusive(facts) && facts.word === 'failed' && facts.codeIsNonZero,",
    caughtBy: [{ test: OUTCOME, title: 'a transfer is refused only by a whole, well-formed, consistent no' }],
  },
  {
    id: 'page-is-a-refusal',
    bug: 'The page of a firewall on a 4xx is taken for a refusal of the service.',
    file: TABLE,
    find: "{ when: (facts) => facts.document === 'none', means: () => doubt('answer_unreadable') },",
    replace: "{ when: (facts) => facts.document === 'none' && isConclusive(facts), means: refused },",
    caughtBy: [{ test: WIRE, title: '403 of a firewall' }],
  },
  {
    id: 'day-and-month-swapped',
    mustCatch: 'day_and_month_swapped',
    bug: 'A date of the service is read as month, then day.',
    file: DATE,
    find: 'const [, day, month, year, hour, minute, second] = match;',
    replace: 'const [, month, day, year, hour, minute, second] = match;',
    caughtBy: [
      { test: DATE_TEST, title: 'of every day from 2024 to 2040 puts the day first' },
      { test: LIFETIME_TEST, title: 'reads 05/03 as the fifth of March' },
    ],
  },
  {
    id: 'nan-expiry',
    mustCatch: 'nan_expiry',
    bug: 'An expiry that cannot be read becomes NaN, and no age is ever greater than that.',
    file: LIFETIME,
    find: '  if (expiry === undefined) return LIFETIME_MS_UNKNOWN;',
    replace: '  if (expiry === undefined) return Number.NaN;',
    caughtBy: [{ test: LIFETIME_TEST, title: 'is always positive and at most a day' }],
  },
  {
    id: 'old-verdict-on-token',
    bug: 'What was known of the token before a transfer decides about the transfer.',
    file: CHECK,
    find: '{ notBeforeMs: parts.endedMs, signal: undefined }',
    replace: '{ notBeforeMs: undefined, signal: undefined }',
    caughtBy: [{ test: WIRE, title: 'is judged by a profile asked after the transfer' }],
  },
  {
    id: 'post-repeated-without-proof',
    mustCatch: 'token_renewed_in_post_loop',
    bug: 'A refused token is renewed and the transfer repeated although nothing proves that it was the token.',
    file: SEND,
    find: "  if (verdict === 'refused') {",
    replace: "  if (verdict !== 'good') {",
    caughtBy: [{ test: WIRE, title: '401, profile down' }],
  },
  {
    id: 'secrets-in-refusals',
    bug: 'What the service says is shown as it is, with the token and the account in it.',
    file: SEND,
    find: 'const message = printableWithout(echoesOf(posted), answer.message);',
    replace: 'const { message } = answer;',
    caughtBy: [{ test: WIRE, title: 'code 1, token good' }],
  },
  {
    id: 'account-in-evidence',
    bug: 'The answer is kept as it came, and a line on the standard error output shows the whole account.',
    file: 'src/adapters/payment-service/send-transfer.ts',
    find: 'const fragment = fragmentOf(result.body, echoes,',
    replace: 'const fragment = fragmentOf(result.body, posted.prepared.token.echoes(),',
    caughtBy: [{ test: CANARY, title: 'keeps what the service repeats' }],
  },
  {
    id: 'questions-follow-redirects',
    bug: 'A question goes where a redirect says, with the token.',
    file: CLIENT,
    find: 'followRedirect: false,',
    replace: 'followRedirect: true,',
    caughtBy: [{ test: QUESTIONS, title: 'a redirect' }],
  },
  {
    id: 'login-per-process',
    bug: 'Each process logs in for itself, and where the service keeps one session they end each other’s.',
    file: 'src/adapters/ledger/postgres/access/server-access.ts',
    find: 'const session = new SessionOnServer(client, login, clock);',
    replace:
      "const session = login.name === '' ? new SessionOnServer(client, login, clock) : createOwnAccess(clock).session;",
    caughtBy: [
      { test: SHARED_SESSION, title: 'is begun by one login, however many ask at once' },
      { test: SHARED_SESSION, title: 'is begun by nobody while the server gives no answer' },
    ],
  },
  {
    id: 'session-in-the-clear',
    bug: 'The session stands beside the ledger as the service gave it, so that each copy of the ledger can pay.',
    file: 'src/adapters/ledger/postgres/access/session-on-server.ts',
    find: '[name, epoch, sealed, zoneMinutes ?? null]',
    replace: '[name, epoch, Buffer.from(text), zoneMinutes ?? null]',
    caughtBy: [{ test: SHARED_SESSION, title: 'stands in no copy of the ledger' }],
  },
  {
    id: 'pace-per-process',
    bug: 'A pause that the service asks for is kept by the process that was told, and the others go on.',
    file: 'src/adapters/payment-service/with-rate-limit.ts',
    find: '    shared.pause(delay);\n',
    replace: '',
    caughtBy: [{ test: 'test/adapters/ledger/postgres-pace.test.ts', title: 'pauses all who share it' }],
  },
];
