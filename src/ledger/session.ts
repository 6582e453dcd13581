/**
 * The session of a login beside the ledger, for all processes that work on it: one of them logs in, and the others use what
 * it was given.
 *
 * Times are the server's. Whose turn it is says one statement: the time of the next login is set ahead by as long as a login
 * may take, and back to a second when it was answered. So no end of a process, and no lost answer, lets two logins follow each
 * other at once. Without the server nobody logs in.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { backoffMs, LOGIN_SPACING_MS, LOST_MAX, LOST_WINDOW_MS } from '../domain/login-rules.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import type { Clock } from '../ports/clock.ts';
import type {
  AskedSession,
  Held,
  LogIn,
  LoginResult,
  SessionResult,
  SharedSession,
} from '../ports/service-access.ts';
import { type Ask, ServerGone } from './asking.ts';
import type { Row } from './sql.ts';

/** How long the login of another process is waited for: longer than a login takes until it is given up. */
const WAIT_MS = 60_000;
/** So long a login has its turn: after that whoever had it is held for gone. */
const TURN_MS = 45_000;
const [POLL_MS, POLL_MS_MAX] = [50, 250];
/** How long a refused password is not tried again by anybody: services lock accounts after a few. */
const REFUSED_MS = 60_000;

const MS = '(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)';
const READ = `SELECT s.*, greatest(ms - granted_at, 0) AS age,
  least(greatest(login_after - ms, 0), ${TURN_MS}) AS wait, ms - refused_at AS refused_ago,
  (SELECT least(at + ${LOST_WINDOW_MS} - ms, ${LOST_WINDOW_MS}) FROM unnest(taken_away) AS at
     WHERE at > ms - ${LOST_WINDOW_MS} ORDER BY at DESC OFFSET ${LOST_MAX} LIMIT 1) AS lost_for
  FROM service_session AS s, (SELECT ${MS} AS ms) AS clock WHERE login = $1`;
const ADD = 'INSERT INTO service_session(login, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING';
const COUNT_LOST = `UPDATE service_session SET sealed_token = NULL,
  taken_away = array_append(array(SELECT at FROM unnest(taken_away) AS at WHERE at > ${MS} - ${LOST_WINDOW_MS}), ${MS})
  WHERE login = $1 AND epoch = $2 AND sealed_token IS NOT NULL`;
/** One of those who ask at a moment gets the turn, if nobody had one since it looked. */
const TAKE_TURN = `UPDATE service_session SET login_after = ${MS} + ${TURN_MS} WHERE login = $1 AND epoch = $2
  AND NOT login_after BETWEEN ${MS} + 1 AND ${MS} + ${TURN_MS} RETURNING epoch`;
const GRANTED = `UPDATE service_session SET epoch = $2, sealed_token = $3, zone_minutes = coalesce($4, zone_minutes),
  granted_at = ${MS}, login_after = ${MS} + ${LOGIN_SPACING_MS}, failures = 0, why = '',
  sealed_refusal = NULL, refused_at = NULL WHERE login = $1`;
const FAILED = `UPDATE service_session SET failures = failures + 1, why = $2,
  login_after = ${MS} + ${LOGIN_SPACING_MS} + $3 WHERE login = $1`;
const REFUSED = `UPDATE service_session SET sealed_refusal = $2, refused_at = ${MS},
  login_after = ${MS} + ${LOGIN_SPACING_MS} WHERE login = $1`;

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
  readonly #ask: Ask;
  readonly #login: SessionLogin;
  readonly #clock: Clock;
  #seal: Promise<Seal> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ask: Ask, login: SessionLogin, clock: Clock) {
    this.#ask = ask;
    this.#login = login;
    this.#clock = clock;
  }

  newerThan(asked: AskedSession, logIn: LogIn, signal: AbortSignal): Promise<SessionResult> {
    // Within a process, who asks waits here.
    const answer = this.#turn.then(() => this.#inTurn(asked, logIn, signal)).catch(unavailable);
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async newestEpoch(): Promise<number | undefined> {
    try {
      const [row] = await this.#ask('SELECT epoch FROM service_session WHERE login = $1', [this.#login.name]);
      return Number(row?.['epoch'] ?? 0);
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
      const state = await this.#read();
      first ??= state;
      const known = knownIn(state, asked, first);
      if (known !== undefined) return known;
      const result = await this.#tryTurn(state, asked, logIn);
      if (result !== undefined) return result;
      if (clock.monotonicMs() >= endMs)
        return { kind: 'unavailable', reason: 'login: another process has been logging in for a minute' };
      await clock.sleep(Math.max(POLL_MS, Math.min(state.waitMs, POLL_MS_MAX)), signal);
    }
  }

  /** undefined: not now, because somebody else logs in, or just did. */
  async #tryTurn(seen: State, asked: AskedSession, logIn: LogIn): Promise<SessionResult | undefined> {
    if (seen.waitMs > 0) return undefined;
    const { name } = this.#login;
    if (asked.isLost) await this.#ask(COUNT_LOST, [name, asked.epoch]);
    const state = await this.#read();
    const known = knownIn(state, asked, seen);
    if (known !== undefined || state.waitMs > 0) return known;
    const [turn] = await this.#ask(TAKE_TURN, [name, state.epoch]);
    return turn && this.#kept(await logIn(), asked, state);
  }

  async #kept(result: LoginResult, asked: AskedSession, state: State): Promise<SessionResult> {
    const { name } = this.#login;
    const seal = await this.#sealed(undefined);
    if (result.kind === 'unavailable') {
      await this.#ask(FAILED, [name, result.reason, backoffMs(state.failures + 1, this.#clock.random())]);
      return result;
    }
    if (result.kind === 'refused') {
      await this.#ask(REFUSED, [name, seal.close(result.text, `refusal ${name}`)]);
      return result;
    }
    const { session, grantedAtMs } = result.grant;
    // Higher than any that somebody has, also where the server forgot its last writes.
    const epoch = Math.max(state.epoch, asked.epoch) + 1;
    const text = JSON.stringify({ session: session.reveal(), grantedAtMs });
    const { zoneMinutes = state.held?.zoneMinutes } = asked;
    const sealed = seal.close(text, `session ${epoch} ${name}`);
    await this.#ask(GRANTED, [name, epoch, sealed, zoneMinutes ?? null]);
    return { kind: 'held', held: { ...result.grant, epoch, ageMs: 0, zoneMinutes } };
  }

  async #read(): Promise<State> {
    const { name } = this.#login;
    let [row] = await this.#ask(READ, [name]);
    if (row === undefined) {
      await this.#ask(ADD, [name, randomBytes(SALT_BYTES)]);
      [row] = await this.#ask(READ, [name]);
    }
    if (row === undefined) throw new ServerGone(undefined);
    return stateOf(row, name, await this.#sealed(row['salt'] as Uint8Array));
  }

  #sealed(salt: Uint8Array | undefined): Promise<Seal> {
    if (salt !== undefined) this.#seal ??= sealWith(this.#login.password, salt);
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
  const epoch = Number(row['epoch']);
  const refusedAgo = number(row['refused_ago']);
  const isRefused = refusedAgo !== undefined && refusedAgo >= 0 && refusedAgo < REFUSED_MS;
  const opened = (sealed: unknown, about: string) =>
    sealed instanceof Uint8Array ? seal.open(sealed, about) : undefined;
  const text = opened(row['sealed_token'], `session ${epoch} ${name}`);
  return {
    epoch,
    held:
      text === undefined
        ? undefined
        : heldOf(text, { epoch, age: row['age'], zone: number(row['zone_minutes']) }),
    refusal: isRefused ? opened(row['sealed_refusal'], `refusal ${name}`) : undefined,
    waitMs: Number(row['wait']),
    lostForMs: number(row['lost_for']),
    failures: Number(row['failures']),
    why: String(row['why']),
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

/** Text that only who knows the service's password can read: a copy of the ledger gives nobody a session. */
interface Seal {
  /** `about` is no secret, and must be the same when it is opened. */
  close(text: string, about: string): Uint8Array;
  /** undefined: sealed with another password, about something else, or changed. */
  open(sealed: Uint8Array, about: string): string | undefined;
}

const SALT_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES, KEY_BYTES] = [12, 16, 32];
// About a tenth of a second and 32 MB, once a process: who has a copy must not try passwords fast.
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

async function sealWith(password: Sensitive, salt: Uint8Array): Promise<Seal> {
  const key = await new Promise<Buffer>((resolve, reject) =>
    scrypt(password.reveal(), salt, KEY_BYTES, COST, (error, made) =>
      error === null ? resolve(made) : reject(error),
    ),
  );
  return {
    close(text, about) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open(sealed, about) {
      const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
      try {
        const options = { authTagLength: TAG_BYTES };
        const decipher = createDecipheriv(CIPHER, key, iv, options)
          .setAAD(Buffer.from(about))
          .setAuthTag(tag);
        const body = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
