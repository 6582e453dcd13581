/**
 * Being logged in: one token for everyone, one login at a time, at most one a second.
 *
 * A refused login is never repeated. Where the zone of the service's stamps is not proven, the token is
 * renewed by age (token-lifetime.ts); the proof comes from questions, never from a transfer.
 * Errors:  CredentialsRefused, from then on for every caller; an abort rejects that one caller only.
 */

import type { SessionWire } from '../../contract/wire.ts';
import {
  type Echo,
  echoesOfAccount,
  echoesOfSecret,
  maskOf,
  type Sensitive,
} from '../../domain/text/sensitive.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { CredentialsRefused } from '../../ports/payment-service.ts';
import { parseHttpDate } from './http-date.ts';
import { readLoginAnswer } from './read-answer.ts';
import type { ExchangeOnce, Reply } from './read-client.ts';
import { printableWithout } from './service-text.ts';
import { lifetimeOf, offsetOfStamp, renewalAgeOf } from './token-lifetime.ts';

type TokenResult =
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'unavailable'; readonly reason: string };

interface SessionSettings {
  readonly loginUrl: string;
  readonly id: string;
  readonly password: Sensitive;
  readonly postTimeoutMs: number;
}

interface SessionParts {
  readonly exchange: ExchangeOnce;
  readonly clock: Clock;
  readonly log: Log;
}

const LOGIN_SPACING_MS = 1_000;
const BACKOFF_MS_MAX = 30_000;
// A service that keeps one session per login ends ours when somebody else logs in; two who log each other out
// for ever would also keep each other from paying.
const TAKEN_AWAY_MAX = 2;
const TAKEN_AWAY_WINDOW_MS = 10 * 60_000;
const TAKEN_AWAY_TEXT =
  'The service ended our session three times within ten minutes. Somebody else may be logged in with the same id: ' +
  'stop the other program, or give this one an id of its own.';

export class Session {
  readonly #settings: SessionSettings;
  readonly #parts: SessionParts;
  readonly #closing = new AbortController();
  #current: Token | undefined;
  #login: Promise<TokenResult> | undefined;
  #refusal: CredentialsRefused | undefined;
  #offsetMinutes: number | undefined;
  #nextLoginMs = Number.NEGATIVE_INFINITY;
  #failuresInARow = 0;
  /** When valid tokens were refused recently. */
  #takenAwayMs: readonly number[] = [];

  constructor(settings: SessionSettings, parts: SessionParts) {
    this.#settings = settings;
    this.#parts = parts;
  }

  /** A token good for a transfer begun now. */
  async token(signal?: AbortSignal): Promise<TokenResult> {
    signal?.throwIfAborted();
    if (this.#refusal !== undefined) throw this.#refusal;
    const token = this.#current;
    if (token !== undefined && !token.isDue(this.#offsetMinutes, this.#settings.postTimeoutMs)) {
      return { kind: 'token', token };
    }
    // What the login gives is handed out without asking whether it is due: each token is used at least once,
    // whatever its expiry says.
    this.#login ??= this.#logIn().finally(() => {
      this.#login = undefined;
    });
    return untilAborted(this.#login, signal);
  }

  /** The service said that this token is not valid; the next caller logs in, unless that happens too often. */
  invalidate(refused: Token): void {
    if (this.#current !== refused) return;
    this.#current = undefined;
    const now = this.#parts.clock.monotonicMs();
    this.#takenAwayMs = [...this.#takenAwayMs.filter((at) => at > now - TAKEN_AWAY_WINDOW_MS), now];
    if (this.#takenAwayMs.length > TAKEN_AWAY_MAX) this.giveUp(TAKEN_AWAY_TEXT);
  }

  /** No further login for as long as this session lives. Returns what every caller is told. */
  giveUp(message: string): CredentialsRefused {
    if (this.#refusal === undefined) this.#parts.log.write('error', 'credentials_refused');
    this.#refusal ??= new CredentialsRefused(message);
    this.#current = undefined;
    return this.#refusal;
  }

  /** Takes a stamp that the service made just now, and the Date header beside it. */
  learnZone(stamp: string, date: string | undefined): void {
    const proven = offsetOfStamp(stamp, parseHttpDate(date) ?? this.#parts.clock.now());
    if (proven === undefined || proven === this.#offsetMinutes) return;
    this.#offsetMinutes = proven;
    this.#parts.log.write('debug', 'service_zone_proven', { reason: `${proven} minutes east of UTC` });
  }

  close(): void {
    this.#closing.abort(new Error('The client was closed.'));
  }

  async #logIn(): Promise<TokenResult> {
    const { clock, log, exchange } = this.#parts;
    const waitMs = this.#nextLoginMs - clock.monotonicMs();
    if (waitMs > 0) await clock.sleep(waitMs, this.#closing.signal);
    this.#nextLoginMs = clock.monotonicMs() + LOGIN_SPACING_MS;
    const reply = await exchange(loginExchange(this.#settings), this.#closing.signal);
    // Counted from the answer too: a login that waited its turn must not be followed by another at once.
    this.#nextLoginMs = clock.monotonicMs() + LOGIN_SPACING_MS;
    const answer = readLoginAnswer(reply);
    if (answer.kind === 'refused') throw this.giveUp(refusalText(this.#settings, answer));
    if (answer.kind === 'unavailable') {
      this.#failuresInARow += 1;
      this.#nextLoginMs += backoffMs(this.#failuresInARow, clock.random());
      log.write('warn', 'login_unavailable', { reason: answer.reason, count: this.#failuresInARow });
      return answer;
    }
    this.#failuresInARow = 0;
    const { password } = this.#settings;
    const grantedAtMs = instantOf(reply, clock);
    const token = new Token({ session: answer.session, grantedAtMs, clock, password });
    this.#current = token;
    log.write('info', 'logged_in');
    return { kind: 'token', token };
  }
}

function loginExchange(settings: SessionSettings) {
  return {
    endpoint: 'login',
    method: 'POST',
    url: settings.loginUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: settings.id, password: settings.password.reveal() }),
  } as const;
}

function instantOf(reply: Reply, clock: Clock): number {
  return (reply.kind === 'answer' ? parseHttpDate(reply.date) : undefined) ?? clock.now();
}

function refusalText(settings: SessionSettings, answer: { code: string; message: string }): string {
  const echoes = [...echoesOfSecret(settings.password.reveal()), ...echoesOfAccount(settings.id)];
  const words = printableWithout(echoes, answer.message);
  const said = words === '' ? '' : ` and said: “${words}”`;
  const who = maskOf(settings.id);
  return `The service refused the login of id ${who} (code ${answer.code})${said}. Check the id and the password.`;
}

function backoffMs(failures: number, chance: number): number {
  return Math.round(chance * Math.min(BACKOFF_MS_MAX, LOGIN_SPACING_MS * 2 ** Math.min(failures, 10)));
}

/** The same promise, left early when this caller's signal aborts. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * A session token: three headers, sent back exactly as they came, and its age.
 *
 * Printing one shows nothing: the text lives in private fields.
 */

interface TokenGrant {
  readonly session: SessionWire;
  /** When the login was answered, on the service's clock where its Date header showed one. */
  readonly grantedAtMs: number;
  readonly clock: Clock;
  /** What it was granted for; a service that repeats it must not bring it into a message. */
  readonly password: Sensitive;
}

export class Token {
  readonly #session: SessionWire;
  readonly #grantedAtMs: number;
  readonly #clock: Clock;
  readonly #echoes: readonly Echo[];
  readonly #wallMs: number;
  readonly #monotonicMs: number;

  constructor(grant: TokenGrant) {
    this.#session = grant.session;
    this.#grantedAtMs = grant.grantedAtMs;
    this.#clock = grant.clock;
    this.#echoes = [grant.session.token, grant.password.reveal()].flatMap(echoesOfSecret);
    this.#wallMs = grant.clock.now();
    this.#monotonicMs = grant.clock.monotonicMs();
  }

  headers(): Record<'id' | 'token' | 'expiry', string> {
    const { id, token, expiry } = this.#session;
    return { id, token, expiry };
  }

  /** What must not be shown anywhere. */
  echoes(): readonly Echo[] {
    return this.#echoes;
  }

  /** Whether it is time for another. Not asked of a token just granted: whoever waited for the login uses it. */
  isDue(offsetMinutes: number | undefined, postTimeoutMs: number): boolean {
    const { expiry } = this.#session;
    const lifetime = lifetimeOf({ expiry, grantedAtMs: this.#grantedAtMs, offsetMinutes });
    return this.#ageMs() >= renewalAgeOf(lifetime, postTimeoutMs);
  }

  /** The wall clock may be set back, the monotonic one may sleep with the machine: the older reading counts. */
  #ageMs(): number {
    return Math.max(this.#clock.now() - this.#wallMs, this.#clock.monotonicMs() - this.#monotonicMs);
  }
}

/** A question that goes with a token's headers; only one that has a body says of what type it is. */
export function requestOf(
  question: { readonly endpoint: string; readonly url: string; readonly body: string | undefined },
  token: Token,
) {
  return {
    endpoint: question.endpoint,
    method: 'GET',
    url: question.url,
    headers: {
      ...token.headers(),
      ...(question.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: question.body,
  } as const;
}
