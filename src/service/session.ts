/**
 * Being logged in: one token for everyone who shares the login (shared-session.ts), in this process and others.
 *
 * A refused login is never repeated. Where the zone of the service's stamps is not proven, the token is
 * renewed by age (token-lifetime.ts); the proof comes from questions, never from a transfer.
 * Errors:  CredentialsRefused, from then on for every caller; an abort rejects that one caller only.
 */

import { SessionWire } from '../contract/wire.ts';
import { counted } from '../domain/text/printable.ts';
import { type Echo, echoesOfAccount, echoesOfSecret, maskOf, Sensitive } from '../domain/text/sensitive.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { CredentialsRefused } from '../ports/payment-service.ts';
import { parseHttpDate } from './http-date.ts';
import { readLoginAnswer } from './read-answer.ts';
import type { Exchange, ExchangeOnce, Reply } from './read-client.ts';
import { printableWithout } from './service-text.ts';
import type { Held, LoginResult, SharedSession } from './shared-session.ts';
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
  readonly shared: SharedSession;
}

export class Session {
  readonly #settings: SessionSettings;
  readonly #parts: SessionParts;
  readonly #closing = new AbortController();
  #current: Token | undefined;
  /** The newest grant that we had, and whether it was refused before its time. */
  #last = { epoch: 0, isLost: false };
  #asking: Promise<TokenResult> | undefined;
  #refusal: CredentialsRefused | undefined;
  #zoneMinutes: number | undefined;

  constructor(settings: SessionSettings, parts: SessionParts) {
    this.#settings = settings;
    this.#parts = parts;
  }

  /** A token good for a transfer begun now. */
  async token(signal?: AbortSignal): Promise<TokenResult> {
    signal?.throwIfAborted();
    if (this.#refusal !== undefined) throw this.#refusal;
    const token = this.#current;
    if (token !== undefined && !this.#isDue(token)) return { kind: 'token', token };
    // What a login gives is handed out without asking whether it is due: each token is used at least once,
    // whatever its expiry says.
    this.#asking ??= this.#newerToken().finally(() => {
      this.#asking = undefined;
    });
    return untilAborted(this.#asking, signal);
  }

  /** The service said that this token is not valid; the next caller gets a newer one, unless that happens too often. */
  invalidate(refused: Token): void {
    if (this.#current !== refused) return;
    this.#current = undefined;
    this.#last = { epoch: refused.epoch, isLost: !this.#isDue(refused) };
  }

  /** Whether somebody logged in after this token was given; undefined: nobody can say now. */
  async isReplaced(token: Token): Promise<boolean | undefined> {
    const newest = await this.#parts.shared.newestEpoch();
    return newest === undefined ? undefined : newest > token.epoch;
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
    if (proven === undefined || proven === this.#zoneMinutes) return;
    this.#zoneMinutes = proven;
    this.#parts.log.write('debug', 'service_zone_proven', { reason: `${proven} minutes east of UTC` });
  }

  close(): void {
    this.#closing.abort(new Error('The client was closed.'));
  }

  async #newerToken(): Promise<TokenResult> {
    const { clock, shared } = this.#parts;
    const { password, postTimeoutMs } = this.#settings;
    const isDue = (held: Held) =>
      tokenOf(held, { clock, password }).isDue(this.#zoneMinutes ?? held.zoneMinutes, postTimeoutMs);
    const asked = { ...this.#last, zoneMinutes: this.#zoneMinutes, isDue };
    const result = await shared.newerThan(asked, () => this.#logIn(), this.#closing.signal);
    switch (result.kind) {
      case 'held': {
        const token = tokenOf(result.held, { clock, password });
        this.#zoneMinutes ??= result.held.zoneMinutes;
        this.#last = { epoch: token.epoch, isLost: false };
        this.#current = token;
        return { kind: 'token', token };
      }
      case 'refused':
        throw this.giveUp(result.text);
      case 'lost_too_often':
        throw this.giveUp(lostText(result.againAfterMs));
      default:
        return result;
    }
  }

  #isDue(token: Token): boolean {
    return token.isDue(this.#zoneMinutes, this.#settings.postTimeoutMs);
  }

  async #logIn(): Promise<LoginResult> {
    const { clock, log, exchange } = this.#parts;
    const reply = await exchange(loginExchange(this.#settings), this.#closing.signal);
    const answer = readLoginAnswer(reply);
    if (answer.kind === 'refused') return { kind: 'refused', text: refusalText(this.#settings, answer) };
    if (answer.kind === 'unavailable') {
      log.write('warn', 'login_unavailable', { reason: answer.reason });
      return answer;
    }
    log.write('info', 'logged_in');
    const session = new Sensitive(JSON.stringify(answer.session));
    return { kind: 'granted', grant: { session, grantedAtMs: instantOf(reply, clock) } };
  }
}

function lostText(againAfterMs: number | undefined): string {
  const text =
    'The service ended our session three times within ten minutes. Somebody else may be logged in with the same id: ' +
    'stop the other program, or give this one an id of its own.';
  if (againAfterMs === undefined) return text;
  return `${text} payfile logs in again in ${counted(Math.ceil(againAfterMs / 60_000), 'minute', 'minutes')} at the earliest.`;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function loginExchange(settings: SessionSettings) {
  return {
    endpoint: 'login',
    method: 'POST',
    url: settings.loginUrl,
    headers: JSON_TYPE,
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

interface TokenParts {
  readonly clock: Clock;
  /** What it was granted for; a service that repeats it must not bring it into a message. */
  readonly password: Sensitive;
}

function tokenOf(held: Held, parts: TokenParts): Token {
  return new Token(SessionWire.parse(JSON.parse(held.session.reveal())), held, parts);
}

export class Token {
  readonly epoch: number;
  readonly #session: SessionWire;
  readonly #held: Pick<Held, 'grantedAtMs' | 'ageMs'>;
  readonly #clock: Clock;
  readonly #password: Sensitive;
  readonly #wallMs: number;
  readonly #monotonicMs: number;
  #echoes: readonly Echo[] | undefined;

  constructor(session: SessionWire, held: Omit<Held, 'session'>, { clock, password }: TokenParts) {
    this.epoch = held.epoch;
    this.#session = session;
    this.#held = held;
    this.#clock = clock;
    this.#password = password;
    this.#wallMs = clock.now();
    this.#monotonicMs = clock.monotonicMs();
  }

  headers(): Record<'id' | 'token' | 'expiry', string> {
    const { id, token, expiry } = this.#session;
    return { id, token, expiry };
  }

  /** What must not be shown anywhere. */
  echoes(): readonly Echo[] {
    this.#echoes ??= [this.#session.token, this.#password.reveal()].flatMap(echoesOfSecret);
    return this.#echoes;
  }

  /** Whether it is time for another. Not asked of a token just granted: whoever waited for the login uses it. */
  isDue(offsetMinutes: number | undefined, postTimeoutMs: number): boolean {
    const { expiry } = this.#session;
    const lifetime = lifetimeOf({ expiry, grantedAtMs: this.#held.grantedAtMs, offsetMinutes });
    return this.#ageMs() >= renewalAgeOf(lifetime, postTimeoutMs);
  }

  /** The wall clock may be set back, the monotonic one may sleep with the machine: the older reading counts. */
  #ageMs(): number {
    const sinceMs = Math.max(this.#clock.now() - this.#wallMs, this.#clock.monotonicMs() - this.#monotonicMs);
    return this.#held.ageMs + sinceMs;
  }
}

/** A question that goes with a token's headers. Only the profile is asked with a body. */
export function requestOf({ endpoint, url }: Pick<Exchange, 'endpoint' | 'url'>, token: Token): Exchange {
  const asked = { endpoint, method: 'GET', url } as const;
  if (endpoint !== 'profile') return { ...asked, headers: token.headers(), body: undefined };
  return { ...asked, headers: { ...token.headers(), ...JSON_TYPE }, body: '{}' };
}
