/** Bugs in the one request that moves money: sent twice, sent elsewhere, or an answer taken for more than it is. */
import type { PlantedBug } from '../planted-bug.ts';

const POST = 'src/adapters/payment-service/post-transfer.ts';
const SEND = 'src/adapters/payment-service/send-transfer.ts';
const SERVICE = 'src/adapters/payment-service/http-payment-service.ts';
const READY = 'src/adapters/payment-service/ready-connection.ts';
const PREPARED = 'src/adapters/payment-service/prepared-send.ts';
const ONE_USE = 'src/adapters/payment-service/one-use-connections.ts';
const WIRE = 'test/adapters/payment-service/transfer-wire.test.ts';
const CONNECTIONS = 'test/adapters/payment-service/connections.test.ts';

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

export const TRANSPORT_BUGS: readonly PlantedBug[] = [
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
    bug: 'Patience that ran out is taken for proof that nothing was executed.',
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
    find: '      prepared instanceof PreparedSend ? sendTransfer(order, prepared, sendWorld) : notOurs(prepared),',
    replace: [
      '      prepared instanceof PreparedSend',
      '        ? sendTransfer(order, prepared, sendWorld).then(async (outcome) => {',
      "            if (outcome.kind !== 'in_doubt') return outcome;",
      '            const again = await prepareSend({ pace, session, connections, clock }, undefined);',
      '            return again instanceof PreparedSend ? sendTransfer(order, again, sendWorld) : outcome;',
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
    id: 'answer-without-limit',
    bug: 'An answer of any size is read to its end.',
    file: POST,
    find: "    if (size > BODY_BYTES_MAX) return cut('answer_too_large');\n",
    replace: '',
    caughtBy: [{ test: WIRE, title: 'a body of two megabytes' }],
  },
  {
    id: 'head-without-limit',
    bug: 'A head of any size is read to its end.',
    file: POST,
    find: 'maxHeaderSize: HEADER_BYTES_MAX,',
    replace: 'maxHeaderSize: 64 * HEADER_BYTES_MAX,',
    also: [
      {
        file: POST,
        find: 'const HEADER_BYTES_MAX = 16 * 1024;',
        replace: 'const HEADER_BYTES_MAX = 1024 * 1024;',
      },
    ],
    caughtBy: [{ test: WIRE, title: 'a head of a megabyte' }],
  },
  {
    id: 'compressed-answer-asked-for',
    bug: 'A compressed answer is asked for, which nothing here can read.',
    file: POST,
    find: "'accept-encoding': 'identity',",
    replace: "'accept-encoding': 'gzip',",
    caughtBy: [{ test: 'test/planted/guards.test.ts', title: 'asks for an answer that is not compressed' }],
  },
  {
    id: 'no-patience-limit',
    bug: 'The wait for an answer never ends.',
    file: POST,
    find: '      timer = setTimeout(listenOn, timeoutMs, soFar);',
    replace: '      timer = setTimeout(listenOn, timeoutMs * 1_000, soFar);',
    caughtBy: [{ test: WIRE, title: 'that drips slower than the patience is in doubt' }],
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
    id: 'silence-is-the-end',
    bug: 'What has come when the patience ends is taken for the whole answer.',
    file: POST,
    find: "    end.whenPatienceEnds(() => noAnswer('timeout'));",
    replace: [
      '    end.whenPatienceEnds(() => {',
      "      const nothing = noAnswer('timeout');",
      "      if (nothing.kind !== 'no_answer' || nothing.httpStatus === undefined) return nothing;",
      '      const { bytesWritten, httpStatus, body } = nothing;',
      "      return { kind: 'answer', bytesWritten, httpStatus, complete: true, retryAfter: undefined, body };",
      '    });',
    ].join('\n'),
    caughtBy: [{ test: WIRE, title: '[N14]' }],
  },
  {
    id: 'packed-answer-unpacked-loosely',
    bug: 'A compressed answer is unpacked as far as it goes.',
    file: SEND,
    find: 'const answer = { complete, httpStatus, body: textOf(result.body) };',
    replace: [
      "const zlib = process.getBuiltinModule('node:zlib');",
      '  const isPacked = result.body[0] === 0x1f && result.body[1] === 0x8b;',
      '  const flush = { finishFlush: zlib.constants.Z_SYNC_FLUSH };',
      '  const bytes = isPacked ? zlib.gunzipSync(result.body, flush) : result.body;',
      '  const answer = { complete, httpStatus, body: textOf(bytes) };',
    ].join('\n'),
    caughtBy: [
      { test: 'test/wire/executed-or-not.test.ts', title: '[N18] a packed acceptance that lost its end' },
    ],
  },
  {
    id: 'interim-is-the-answer',
    bug: 'An interim answer is taken for the answer.',
    file: POST,
    find: "    request.on('upgrade', () => cut('upgraded'));",
    replace:
      "    request.on('upgrade', () => cut('upgraded'));\n    request.on('information', () => cut('interim'));",
    caughtBy: [{ test: WIRE, title: '[N20]' }],
  },
  {
    id: 'content-type-demanded',
    bug: 'A good answer under the wrong content type is a doubt.',
    file: POST,
    find: "  return isChunked || headers['content-length'] !== undefined;",
    replace:
      "  return (isChunked || headers['content-length'] !== undefined) && headers['content-type'] !== 'text/html';",
    caughtBy: [{ test: WIRE, title: '[H15]' }],
  },
  {
    id: 'follows-302',
    bug: 'A 302 is followed: the body is posted again to where it points.',
    ...followedOn(302),
    caughtBy: [{ test: WIRE, title: '[H12] 302' }],
  },
  {
    id: 'used-connection-written-to',
    bug: 'A connection on which something came in before the request is written to.',
    file: READY,
    find: 'return !this.#isSpoilt && !socket.destroyed && socket.writable && socket.bytesWritten === 0;',
    replace: 'return !socket.destroyed && socket.writable;',
    caughtBy: [{ test: CONNECTIONS, title: '[N19]' }],
  },
  {
    id: 'old-connection-written-to',
    bug: 'A connection that was prepared long ago is written to.',
    file: PREPARED,
    find: 'const isFresh = clock.monotonicMs() - this.#sinceMs <= PREPARED_MS_MAX;',
    replace: 'const isFresh = true;',
    caughtBy: [{ test: WIRE, title: 'because it was prepared too long ago' }],
  },
  {
    id: 'idle-for-ever',
    bug: 'Connections opened ahead are kept however long they idle.',
    file: ONE_USE,
    find: 'const IDLE_MS_MAX = 2_000;',
    replace: 'const IDLE_MS_MAX = 200_000;',
    caughtBy: [{ test: CONNECTIONS, title: 'are thrown away after two seconds' }],
  },
  {
    id: 'dead-connection-handed-out',
    bug: 'A connection that the service closed meanwhile is handed out.',
    file: ONE_USE,
    find: '      if (isFresh && entry.connection.isUsable()) return entry.connection;',
    replace: '      if (isFresh) return entry.connection;',
    also: [
      {
        file: ONE_USE,
        find: '      if (this.#idle.delete(entry)) connection.discard();',
        replace: '      void entry;',
      },
    ],
    caughtBy: [{ test: CONNECTIONS, title: 'and closed by the service meanwhile are never handed out' }],
  },
];
