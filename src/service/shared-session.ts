/**
 * The session of a login, for all processes that share it: one of them logs in, and the others use what it was given.
 *
 * Before a login the time of the next one is set ahead by as long as a login may take; the answer sets it back to a second.
 * So no end of a process, and no lost answer, lets two logins follow each other at once. Without the record nobody logs in.
 * Promises: no method rejects for what a network or a server can do; a rejection is an abort, or a bug.
 */
import { backoffMs, LOGIN_SPACING_MS, LOST_MAX, LOST_WINDOW_MS } from '../domain/login-rules.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import type { Clock } from '../ports/clock.ts';
import { RecordLost, type SharedRecord } from '../ports/service-access.ts';
import { NO_SEAL, newSalt, type Seal, sealWith } from './seal.ts';
import { Notes, type Seen } from './shared-notes.ts';

export interface AskedSession {
  /** The number of the grant that is no longer wanted; 0: any will do. */
  readonly epoch: number;
  /** The service refused that grant before its time was over. */
  readonly isLost: boolean;
  /** The zone of the service's stamps in minutes east of UTC, where it is proven: kept for the others. */
  readonly zoneMinutes: number | undefined;
  readonly isDue: (held: Held) => boolean;
}

export type LogIn = () => Promise<LoginResult>;

export type LoginResult =
  | { readonly kind: 'granted'; readonly grant: Grant }
  /** `text` may be shown to anybody. */
  | { readonly kind: 'refused'; readonly text: string }
  | Unavailable;

export interface Grant {
  /** What the service gave, as the adapter wrote it down. */
  readonly session: Sensitive;
  /** When the login was answered, on the service's clock where it showed one. */
  readonly grantedAtMs: number;
}

/** A grant as it stands now. Epochs count up with each login. */
export interface Held extends Grant {
  readonly epoch: number;
  readonly ageMs: number;
  readonly zoneMinutes: number | undefined;
}

export type SessionResult =
  | { readonly kind: 'held'; readonly held: Held }
  | { readonly kind: 'refused'; readonly text: string }
  /** Sessions were lost three times within ten minutes, by all who share together: nobody logs in for so long. */
  | { readonly kind: 'lost_too_often'; readonly againAfterMs: number | undefined }
  | Unavailable;

interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: string;
}

/** How long the login of another process is waited for: longer than a login takes until it is given up. */
const WAIT_MS = 60_000;
/** So long a login has its turn. After that its process counts as gone. */
const TURN_MS = 45_000;
const [POLL_MS, POLL_MS_MAX] = [50, 250];
/** How long no process tries a refused password again: services lock accounts after a few. */
const REFUSED_MS = 60_000;

interface Stored {
  readonly salt?: string;
  readonly epoch: number;
  readonly loginAfter: number;
  readonly failures: number;
  /** Of the last failure. */
  readonly why: string;
  readonly lostAt: readonly number[];
  readonly zoneMinutes?: number | undefined;
  readonly grant?: Sealed | undefined;
  readonly refusal?: Sealed | undefined;
}

interface Sealed {
  readonly sealed: string;
  readonly at: number;
}

const NEVER: Stored = { epoch: 0, loginAfter: 0, failures: 0, why: '', lostAt: [] };

/** A login that other processes have, too. `name`: at which service, and who; no secret. */
export interface CommonLogin {
  readonly name: string;
  readonly password: Sensitive;
}

export class SharedSession {
  readonly #notes: Notes<Stored>;
  /** undefined: no other process has it. */
  readonly #login: CommonLogin | undefined;
  readonly #clock: Clock;
  #seal: Promise<Seal> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(record: SharedRecord, login: CommonLogin | undefined, clock: Clock) {
    this.#notes = new Notes(record, NEVER, clock);
    this.#login = login;
    this.#clock = clock;
  }

  /**
   * The grant in force where it is newer than the one that was asked with, and not due. Else what `logIn` gives: one login
   * at a time, and at most one a second, by all who share. All of them learn of a plain no.
   */
  newerThan(asked: AskedSession, logIn: LogIn, signal: AbortSignal): Promise<SessionResult> {
    // Within a process, callers wait here.
    const answer = this.#turn.then(() => this.#inTurn(asked, logIn, signal)).catch(unavailable);
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  /** The number of the newest grant; 0: there was none; undefined: it cannot be known now. */
  async newestEpoch(): Promise<number | undefined> {
    try {
      return (await this.#notes.read()).state.epoch;
    } catch (error) {
      if (error instanceof RecordLost) return undefined;
      throw error;
    }
  }

  async #inTurn(asked: AskedSession, logIn: LogIn, signal: AbortSignal): Promise<SessionResult> {
    const clock = this.#clock;
    const endMs = clock.monotonicMs() + WAIT_MS;
    let failures: number | undefined;
    for (;;) {
      signal.throwIfAborted();
      const seen = await this.#notes.read();
      const { state, nowMs, replace } = seen;
      const isLost = asked.isLost && state.epoch === asked.epoch && state.grant !== undefined;
      if (isLost) {
        await replace({ ...state, grant: undefined, lostAt: [...lately(state, nowMs), nowMs] });
        continue;
      }
      failures ??= state.failures;
      const known = await this.#known(seen, asked, failures);
      if (known !== undefined) return known;
      const waitMs = waitOf(state, nowMs);
      if (waitMs === 0) {
        const isOurs = await replace({ ...state, loginAfter: nowMs + TURN_MS });
        if (isOurs) return this.#kept(await logIn(), asked, state);
        continue;
      }
      if (clock.monotonicMs() >= endMs)
        return { kind: 'unavailable', reason: 'login: another process has been logging in for a minute' };
      // Another process may have logged in before that.
      const pollMs = this.#login === undefined ? waitMs : Math.min(waitMs, POLL_MS_MAX);
      await clock.sleep(Math.max(POLL_MS, pollMs), signal);
    }
  }

  /** What needs no login; `failures`: how many this caller saw when it began to wait. */
  async #known(
    { state, nowMs }: Seen<Stored>,
    asked: AskedSession,
    failures: number,
  ): Promise<SessionResult | undefined> {
    const { refusal, grant, epoch, zoneMinutes } = state;
    const refusedMs = this.#login === undefined ? Number.POSITIVE_INFINITY : REFUSED_MS;
    const isRefused = refusal !== undefined && nowMs >= refusal.at && nowMs - refusal.at < refusedMs;
    const no = isRefused ? await this.#opened(state, refusal, 'refusal') : undefined;
    if (no !== undefined) return { kind: 'refused', text: no };
    const text = grant && (await this.#opened(state, grant, `session ${epoch}`));
    const held = grant && text && heldOf(text, { epoch, ageMs: Math.max(nowMs - grant.at, 0), zoneMinutes });
    if (held && epoch > asked.epoch && !asked.isDue(held)) return { kind: 'held', held };
    // Another process logged in meanwhile and found no service: each caller decides for itself whether to ask again.
    if (state.failures > failures) return { kind: 'unavailable', reason: state.why };
    const third = lately(state, nowMs).at(-1 - LOST_MAX);
    if (held || third === undefined) return undefined;
    const againAfterMs = this.#login && Math.min(third + LOST_WINDOW_MS - nowMs, LOST_WINDOW_MS);
    return { kind: 'lost_too_often', againAfterMs };
  }

  async #kept(result: LoginResult, asked: AskedSession, before: Stored): Promise<SessionResult> {
    const { salt = newSalt() } = before;
    const seal = await this.#sealOf(salt);
    const delayMs = result.kind === 'unavailable' ? backoffMs(before.failures + 1, this.#clock.random()) : 0;
    // Higher than any other process has, also where the server forgot its last writes.
    const epoch = Math.max(before.epoch, asked.epoch) + 1;
    const { zoneMinutes = before.zoneMinutes } = asked;
    await this.#notes.change((state, nowMs) => {
      const next = { ...state, salt, loginAfter: nowMs + LOGIN_SPACING_MS + delayMs };
      if (result.kind === 'unavailable') return { ...next, failures: state.failures + 1, why: result.reason };
      const sealed = (text: string, about: string) => ({ sealed: seal.close(text, about), at: nowMs });
      if (result.kind === 'refused') return { ...next, refusal: sealed(result.text, this.#about('refusal')) };
      const { session, grantedAtMs } = result.grant;
      const text = JSON.stringify({ session: session.reveal(), grantedAtMs });
      const grant = sealed(text, this.#about(`session ${epoch}`));
      return { ...next, ...{ epoch, zoneMinutes, grant }, failures: 0, why: '', refusal: undefined };
    });
    if (result.kind !== 'granted') return result;
    return { kind: 'held', held: { ...result.grant, epoch, ageMs: 0, zoneMinutes } };
  }

  async #opened({ salt = '' }: Stored, { sealed }: Sealed, about: string): Promise<string | undefined> {
    return (await this.#sealOf(salt)).open(sealed, this.#about(about));
  }

  #about(what: string): string {
    return `${what} ${this.#login?.name}`;
  }

  #sealOf(salt: string): Promise<Seal> {
    if (this.#login === undefined) return Promise.resolve(NO_SEAL);
    this.#seal ??= sealWith(this.#login.password, salt);
    return this.#seal;
  }
}

const lately = ({ lostAt }: Stored, nowMs: number) => lostAt.filter((at) => at > nowMs - LOST_WINDOW_MS);

/** A time further ahead than a turn comes from a clock that was set back. */
function waitOf({ loginAfter }: Stored, nowMs: number): number {
  const waitMs = loginAfter - nowMs;
  return waitMs > TURN_MS ? 0 : Math.max(waitMs, 0);
}

function heldOf(text: string, stands: Pick<Held, 'epoch' | 'ageMs' | 'zoneMinutes'>): Held {
  const { session, grantedAtMs } = JSON.parse(text) as { session: string; grantedAtMs: number };
  return { session: new Sensitive(session), grantedAtMs, ...stands };
}

/** Nothing is sent without a session, so no answer of the server costs no more than a wait. */
function unavailable(error: unknown): SessionResult {
  if (!(error instanceof RecordLost)) throw error;
  return { kind: 'unavailable', reason: `login: ${error.message}` };
}
