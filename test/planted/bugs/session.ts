/** Bugs in logging in, in how long a token lasts, and in questions that move no money. */
import type { PlantedBug } from '../planted-bug.ts';

const TABLE = 'src/adapters/payment-service/outcome-of-answer.ts';
const SEND = 'src/adapters/payment-service/send-transfer.ts';
const OUTCOME = 'test/adapters/payment-service/outcome-of-answer.test.ts';
const DATE = 'src/contract/wire-date.ts';
const LIFETIME = 'src/adapters/payment-service/token-lifetime.ts';
const CANARY = 'test/adapters/payment-service/canary.test.ts';
const TOKEN = 'src/adapters/payment-service/token.ts';
const SESSION = 'src/adapters/payment-service/session.ts';
const LOGIN = 'src/adapters/payment-service/login-answer.ts';
const RETRY = 'src/adapters/payment-service/with-retry.ts';
const CLIENT = 'src/adapters/payment-service/read-client.ts';
const CHECK = 'src/adapters/payment-service/token-check.ts';
const LIFETIME_TEST = 'test/adapters/payment-service/token-lifetime.test.ts';
const SESSION_TEST = 'test/adapters/payment-service/session.test.ts';
const DATE_TEST = 'test/contract/wire-date.test.ts';
const QUESTIONS = 'test/adapters/payment-service/questions.test.ts';
const WIRE = 'test/adapters/payment-service/transfer-wire.test.ts';

export const SESSION_BUGS: readonly PlantedBug[] = [
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
    id: 'dates-roll-over',
    bug: 'The 31st of February is the third of March.',
    file: DATE,
    find: '  return isCalendarDate ? (at as WallTime) : undefined;',
    replace: '  return (isCalendarDate || at > 0) ? (at as WallTime) : undefined;',
    caughtBy: [{ test: DATE_TEST, title: '31/02' }],
  },
  {
    id: 'zone-assumed-utc',
    bug: 'The zone of an expiry is taken for UTC although nobody proved it.',
    file: LIFETIME,
    find: '      ? shortestLifetime(expiry, grant.grantedAtMs)',
    replace: '      ? lifetimeAt(expiry, 0, grant.grantedAtMs)',
    caughtBy: [{ test: LIFETIME_TEST, title: 'is never longer than granted while the zone' }],
  },
  {
    id: 'lifetime-without-bound',
    bug: 'A token is trusted for as long as the service says, a hundred years if need be.',
    file: LIFETIME,
    find: '  return Math.min(lifetime, LIFETIME_MS_MAX);',
    replace: '  return lifetime;',
    caughtBy: [{ test: LIFETIME_TEST, title: 'is always positive and at most a day' }],
  },
  {
    id: 'past-expiry-used',
    bug: 'An expiry in the past gives a negative lifetime.',
    file: LIFETIME,
    find: '  if (lifetime === undefined || lifetime <= 0) return LIFETIME_MS_UNKNOWN;',
    replace: '  if (lifetime === undefined) return LIFETIME_MS_UNKNOWN;',
    caughtBy: [{ test: LIFETIME_TEST, title: 'is always positive and at most a day' }],
  },
  {
    id: 'no-renewal-margin',
    bug: 'A token is used to its last second, so it can end while a transfer is on its way.',
    file: LIFETIME,
    find: '  return lifetimeMs - Math.min(postTimeoutMs + MINUTE, lifetimeMs * 0.2);',
    replace: '  return lifetimeMs;',
    caughtBy: [{ test: LIFETIME_TEST, title: 'leaves room for a whole transfer' }],
  },
  {
    id: 'age-by-wall-clock',
    bug: 'The age of a token is read off the wall clock alone, which may be set back.',
    file: TOKEN,
    find: 'return Math.max(this.#clock.now() - this.#wallMs, this.#clock.monotonicMs() - this.#monotonicMs);',
    replace: 'return this.#clock.now() - this.#wallMs;',
    caughtBy: [
      { test: 'test/planted/guards.test.ts', title: 'renews a token although the wall clock was set back' },
    ],
  },
  {
    id: 'age-by-monotonic-clock',
    bug: 'The age of a token is read off a clock that may sleep with the machine.',
    file: TOKEN,
    find: 'return Math.max(this.#clock.now() - this.#wallMs, this.#clock.monotonicMs() - this.#monotonicMs);',
    replace: 'return this.#clock.monotonicMs() - this.#monotonicMs;',
    caughtBy: [{ test: SESSION_TEST, title: 'is renewed once when the wall clock is set forward' }],
  },
  {
    id: 'login-per-caller',
    bug: 'Everybody who finds the token ended logs in.',
    file: SESSION,
    find: '    this.#login ??= this.#logIn().finally(() => {',
    replace: '    this.#login = this.#logIn().finally(() => {',
    caughtBy: [{ test: SESSION_TEST, title: 'is shared by fifty who ask at once' }],
  },
  {
    id: 'logins-without-spacing',
    bug: 'Nothing keeps logins apart.',
    file: SESSION,
    find: '    if (waitMs > 0) await clock.sleep(waitMs, this.#closing.signal);\n',
    replace: '    void waitMs;\n',
    caughtBy: [{ test: SESSION_TEST, title: 'and logins are at least a second apart' }],
  },
  {
    id: 'wrong-password-tried-again',
    bug: 'A password that was refused is tried again with the next question.',
    file: SESSION,
    find: '    if (this.#refusal !== undefined) throw this.#refusal;\n',
    replace: '',
    caughtBy: [{ test: SESSION_TEST, title: '[T10]' }],
  },
  {
    id: 'login-refusal-is-an-outage',
    bug: 'A plain no to a login is taken for a service that is down, and tried for ever.',
    file: LOGIN,
    find: '  if (isPlainNo && (is2xx || isPlain4xx(httpStatus))) {',
    replace: '  if (isPlainNo && httpStatus < 0) {',
    caughtBy: [{ test: SESSION_TEST, title: '[T10]' }],
  },
  {
    id: 'outage-is-a-refusal',
    bug: 'A login that finds the service down is taken for wrong credentials.',
    file: LOGIN,
    find: "if (reply.kind === 'no_answer') return { kind: 'unavailable', reason:",
    replace: "if (reply.kind === 'no_answer') return { kind: 'refused', code: '', message:",
    caughtBy: [{ test: SESSION_TEST, title: 'that finds no service keeps the order unsent' }],
  },
  {
    id: 'revoked-token-kept',
    bug: 'A token that the service refused stays in use.',
    file: SESSION,
    find: '    if (this.#current !== refused) return;\n    this.#current = undefined;',
    replace: '    if (this.#current !== refused) return;',
    caughtBy: [{ test: WIRE, title: 'a refused token is replaced before the next transfer' }],
  },
  {
    id: 'sessions-fought-over',
    bug: 'Two programs that end each other’s session do so for ever.',
    file: SESSION,
    find: 'const TAKEN_AWAY_MAX = 2;',
    replace: 'const TAKEN_AWAY_MAX = 2_000;',
    caughtBy: [{ test: 'test/wire/session-faults.test.ts', title: '[T11] is begun anew twice' }],
  },
  {
    id: 'dates-in-the-zone-here',
    bug: 'A date of the service is read on the clock of this machine, which skips and repeats hours.',
    file: DATE,
    find: '  const at = Date.UTC(year, month - 1, day, hour, minute, second);',
    replace: '  const at = new Date(year, month - 1, day, hour, minute, second).getTime();',
    caughtBy: [{ test: LIFETIME_TEST, title: '[T4]' }],
  },
  {
    id: 'old-verdict-on-token',
    bug: 'What was known of the token before a transfer decides about the transfer.',
    file: CHECK,
    find: '{ notBeforeMs: world.endedMs, signal: undefined }',
    replace: '{ notBeforeMs: undefined, signal: undefined }',
    caughtBy: [{ test: WIRE, title: 'is judged by a profile asked after the transfer' }],
  },
  {
    id: 'questions-asked-once',
    bug: 'A question that got no answer is not asked again.',
    file: RETRY,
    find: '        if (retriesConsumed + 1 >= schedule.triesMax) return false;',
    replace: '        return false;',
    caughtBy: [{ test: QUESTIONS, title: 'a question is asked again while that can help' }],
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
    id: 'answers-without-limit',
    bug: 'The answer to a question may be of any size.',
    file: CLIENT,
    find: "      if (size > BODY_BYTES_MAX) return { kind: 'no_answer', reason: 'answer_too_large' };\n",
    replace: '',
    caughtBy: [{ test: QUESTIONS, title: 'an answer of any size is read no further than four megabytes' }],
  },
  {
    id: 'code-one-is-a-refusal',
    bug: 'Code 1 is a refusal without asking whether the token was good.',
    file: TABLE,
    find: "means: (facts) => askToken(facts, facts.dataIsEmpty ? 'refused' : 'in_doubt'),",
    replace: 'means: refused,',
    caughtBy: [
      { test: WIRE, title: 'code 1, token refused' },
      { test: OUTCOME, title: 'what may be about the token is asked, never assumed' },
    ],
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
    id: 'unauthorized-is-a-refusal',
    bug: 'A 401 with a good token is called a refusal of the payment.',
    file: SEND,
    find: "  if (verdict === 'good' && outcome.thenIfGood === 'refused') return refused(",
    replace: "  if (verdict === 'good') return refused(",
    caughtBy: [{ test: WIRE, title: '401, token good' }],
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
    file: 'src/adapters/payment-service/send-evidence.ts',
    find: 'const fragment = fragmentOf(result.body, echoes,',
    replace: 'const fragment = fragmentOf(result.body, posted.prepared.token.echoes(),',
    caughtBy: [{ test: CANARY, title: 'keeps what the service repeats' }],
  },
  {
    id: 'password-end-shown',
    bug: 'A password that a refused login repeats is masked as an account is, with its end to be seen.',
    file: 'src/domain/without-echoes.ts',
    find: "return spellings(secret, SECRET_MIN, maskOf(''));",
    replace: 'return spellings(secret, SECRET_MIN, maskOf(secret));',
    caughtBy: [{ test: CANARY, title: 'shows nothing of a password' }],
  },
  {
    id: 'echo-escaped',
    bug: 'What the service repeats with escapes is not recognised.',
    file: 'src/domain/without-echoes.ts',
    find: 'const next = decoded(layer);',
    replace: 'const next = layer;',
    caughtBy: [{ test: CANARY, title: 'in JSON escapes' }],
  },
];
