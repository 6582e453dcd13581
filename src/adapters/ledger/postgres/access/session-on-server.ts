/**
 * The session of a login beside the ledger, for all processes that work on it: one of them logs in, and the others use what
 * it was given.
 *
 * Times are the server's. Who logs in holds a lock; the time of the next login is written before the request leaves, so
 * that no end of a process, and no lost answer, lets two logins follow each other at once. Without the server nobody
 * logs in.
 */
import { randomBytes } from 'node:crypto';
import {
  BACKOFF_MS_MAX,
  backoffMs,
  LOGIN_SPACING_MS,
  LOST_MAX,
  LOST_WINDOW_MS,
} from '../../../../domain/login-rules.ts';
import { Sensitive } from '../../../../domain/text/sensitive.ts';
import type { Clock } from '../../../../ports/clock.ts';
import type {
  AskedSession,
  Held,
  LogIn,
  LoginResult,
  SessionResult,
  SharedSession,
} from '../../../../ports/service-access.ts';
import { type Ask, type LastingClient, type Row, ServerGone } from './lasting-client.ts';
import { SALT_BYTES, type Seal, sealOf } from './sealed-text.ts';

/** How long the login of another process is waited for: longer than a login takes until it is given up. */
const WAIT_MS = 60_000;
const POLL_MS = 50;
/** How long a refused password is not tried again by anybody: services lock accounts after a few. */
const REFUSED_MS = 60_000;

const READ = `SELECT s.*, greatest(ms - granted_at, 0) AS age,
  least(greatest(login_after - ms, 0), ${BACKOFF_MS_MAX + LOGIN_SPACING_MS}) AS wait, ms - refused_at AS refused_ago,
  (SELECT least(at + ${LOST_WINDOW_MS} - ms, ${LOST_WINDOW_MS}) FROM unnest(taken_away) AS at
     WHERE at > ms - ${LOST_WINDOW_MS} ORDER BY at DESC OFFSET ${LOST_MAX} LIMIT 1) AS lost_for
  FROM service_session AS s, (SELECT server_ms() AS ms) AS clock WHERE login = $1`;
const ADD = 'INSERT INTO service_session(login, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING';
const COUNT_LOST = `UPDATE service_session SET sealed_token = NULL,
  taken_away = array_append(array(SELECT at FROM unnest(taken_away) AS at WHERE at > server_ms() - ${LOST_WINDOW_MS}), server_ms())
  WHERE login = $1 AND epoch = $2 AND sealed_token IS NOT NULL`;
const BEGIN = `UPDATE service_session SET login_after = server_ms() + ${LOGIN_SPACING_MS} WHERE login = $1`;
const GRANTED = `UPDATE service_session SET epoch = $2, sealed_token = $3, zone_minutes = coalesce($4, zone_minutes),
  granted_at = server_ms(), login_after = server_ms() + ${LOGIN_SPACING_MS}, failures = 0, why = '',
  sealed_refusal = NULL, refused_at = NULL WHERE login = $1`;
const FAILED = `UPDATE service_session SET failures = failures + 1, why = $2,
  login_after = server_ms() + ${LOGIN_SPACING_MS} + $3 WHERE login = $1`;
const REFUSED = `UPDATE service_session SET sealed_refusal = $2, refused_at = server_ms(),
  login_after = server_ms() + ${LOGIN_SPACING_MS} WHERE login = $1`;

interface State {
  readonly epoch: number;
  readonly held: Held | undefined;
  readonly refusal: string | undefined;
  readonly waitMs: number;
  readonly lostForMs: number | undefined;
  readonly failures: number;
  readonly why: string;
}

export interface SessionLogin {
  /** Where and who; no secret. */
  readonly name: string;
  readonly password: Sensitive;
}

export class SessionOnServer implements SharedSession {
  readonly #client: LastingClient;
  readonly #login: SessionLogin;
  readonly #clock: Clock;
  #seal: Promise<Seal> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(client: LastingClient, login: SessionLogin, clock: Clock) {
    this.#client = client;
    this.#login = login;
    this.#clock = clock;
  }

  newerThan(asked: AskedSession, logIn: LogIn, signal: AbortSignal): Promise<SessionResult> {
    // The lock is that of the connection: within a process, who asks waits here.
    const answer = this.#turn.then(() => this.#inTurn(asked, logIn, signal)).catch(unavailable);
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async newestEpoch(): Promise<number | undefined> {
    try {
      const [row] = await this.#client.rows('SELECT epoch FROM service_session WHERE login = $1', [
        this.#login.name,
      ]);
      return Number(row?.epoch ?? 0);
    } catch (error) {
      if (error instanceof ServerGone) return undefined;
      throw error;
    }
  }

  async #inTurn(asked: AskedSession, logIn: LogIn, signal: AbortSignal): Promise<SessionResult> {
    const clock = this.#clock;
    const endMs = clock.monotonicMs() + WAIT_MS;
    let first: State | undefined;
    for (;;) {
      signal.throwIfAborted();
      const state = await this.#read(this.#client.rows);
      first ??= state;
      const known = knownIn(state, asked, first);
      if (known !== undefined) return known;
      const result = await this.#tryAlone(state, asked, logIn);
      if (result !== undefined) return result;
      if (clock.monotonicMs() >= endMs)
        return { kind: 'unavailable', reason: 'login: another process has been logging in for a minute' };
      await clock.sleep(Math.max(POLL_MS, Math.min(state.waitMs, LOGIN_SPACING_MS)), signal);
    }
  }

  /** undefined: not now, because somebody else logs in, or just did. */
  #tryAlone(seen: State, asked: AskedSession, logIn: LogIn): Promise<SessionResult | undefined> {
    if (seen.waitMs > 0) return Promise.resolve(undefined);
    const { name } = this.#login;
    return this.#client.alone(`login ${name}`, async (ask) => {
      if (asked.isLost) await ask(COUNT_LOST, [name, asked.epoch]);
      const state = await this.#read(ask);
      const known = knownIn(state, asked, seen);
      if (known !== undefined || state.waitMs > 0) return known;
      await ask(BEGIN, [name]);
      return this.#kept(await logIn(), { ask, asked, state });
    });
  }

  async #kept(
    result: LoginResult,
    { ask, asked, state }: { readonly ask: Ask; readonly asked: AskedSession; readonly state: State },
  ): Promise<SessionResult> {
    const { name } = this.#login;
    const seal = await this.#sealed(undefined);
    if (result.kind === 'unavailable') {
      await ask(FAILED, [name, result.reason, backoffMs(state.failures + 1, this.#clock.random())]);
      return result;
    }
    if (result.kind === 'refused') {
      await ask(REFUSED, [name, seal.close(result.text, `refusal ${name}`)]);
      return result;
    }
    const { session, grantedAtMs } = result.grant;
    // Higher than any that somebody has, also where the server forgot its last writes.
    const epoch = Math.max(state.epoch, asked.epoch) + 1;
    const text = JSON.stringify({ session: session.reveal(), grantedAtMs });
    const { zoneMinutes = state.held?.zoneMinutes } = asked;
    const sealed = seal.close(text, `session ${epoch} ${name}`);
    await ask(GRANTED, [name, epoch, sealed, zoneMinutes ?? null]);
    return { kind: 'held', held: { ...result.grant, epoch, ageMs: 0, zoneMinutes } };
  }

  async #read(ask: Ask): Promise<State> {
    const { name } = this.#login;
    let [row] = await ask(READ, [name]);
    if (row === undefined) {
      await ask(ADD, [name, randomBytes(SALT_BYTES)]);
      [row] = await ask(READ, [name]);
    }
    if (row === undefined) throw new ServerGone(undefined);
    return stateOf(row, name, await this.#sealed(row.salt as Uint8Array));
  }

  #sealed(salt: Uint8Array | undefined): Promise<Seal> {
    if (salt !== undefined) this.#seal ??= sealOf(this.#login.password, salt);
    return this.#seal ?? Promise.reject(new ServerGone(undefined));
  }
}

/** What needs no login; `before`: what this caller saw when it began to wait. */
function knownIn(state: State, asked: AskedSession, before: State): SessionResult | undefined {
  const { held, refusal, lostForMs } = state;
  if (refusal !== undefined) return { kind: 'refused', text: refusal };
  if (held !== undefined && held.epoch > asked.epoch && !asked.isDue(held)) return { kind: 'held', held };
  // Another process was waited for, and found no service: each caller decides for himself whether to ask again.
  if (state.failures > before.failures) return { kind: 'unavailable', reason: state.why };
  if (lostForMs !== undefined && held === undefined)
    return { kind: 'lost_too_often', againAfterMs: lostForMs };
  return undefined;
}

function stateOf(row: Row, name: string, seal: Seal): State {
  const number = (value: unknown) => (value === null ? undefined : Number(value));
  const epoch = Number(row.epoch);
  const refusedAgo = number(row.refused_ago);
  const isRefused = refusedAgo !== undefined && refusedAgo >= 0 && refusedAgo < REFUSED_MS;
  const opened = (sealed: unknown, about: string) =>
    sealed instanceof Uint8Array ? seal.open(sealed, about) : undefined;
  const text = opened(row.sealed_token, `session ${epoch} ${name}`);
  return {
    epoch,
    held:
      text === undefined ? undefined : heldOf(text, { epoch, age: row.age, zone: number(row.zone_minutes) }),
    refusal: isRefused ? opened(row.sealed_refusal, `refusal ${name}`) : undefined,
    waitMs: Number(row.wait),
    lostForMs: number(row.lost_for),
    failures: Number(row.failures),
    why: String(row.why),
  };
}

function heldOf(
  text: string,
  { epoch, age, zone }: { readonly epoch: number; readonly age: unknown; readonly zone: number | undefined },
): Held {
  const { session, grantedAtMs } = JSON.parse(text) as { session: string; grantedAtMs: number };
  return { session: new Sensitive(session), grantedAtMs, epoch, ageMs: Number(age), zoneMinutes: zone };
}

/** Nothing is sent without a session, so no answer of the server costs no more than a wait. */
function unavailable(error: unknown): SessionResult {
  if (!(error instanceof ServerGone)) throw error;
  return { kind: 'unavailable', reason: `login: ${error.message}` };
}
