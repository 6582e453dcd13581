/**
 * A server is looked at every two seconds while a process works with it: what it promises (what it acknowledged survives its
 * own end, and no copy of it goes on without), what time it has, and whether it still has the newest commit that was seen and
 * goes on from the same history. A standby or an archive that takes a server's place begins a timeline of its own: it may have
 * forgotten what nobody who is still alive had seen, unless the server waited for it.
 *
 * Time is the server's, so that machines whose clocks differ agree on who is silent. Between two looks it goes on by this
 * machine's steady clock.
 */
import { timestampOf } from '../domain/timestamp.ts';
import type { Clock } from '../ports/clock.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Head } from './chain.ts';
import type { Machine } from './machine.ts';
import { numberOf, optionalNumber, q, type Row, type Sql } from './sql.ts';

const LOOK_MS = 2_000;
/** When the machine's two clocks differ by more, one of them was set or stood still. */
const STEP_MS = 1_000;
const VERSION_MIN = 150_000;

/** Replicas of the server. A backup that is taken now is none: it has a connection for the files and one for the log. */
const REPLICAS = q`SELECT sync_state FROM pg_stat_replication follower WHERE state IS DISTINCT FROM 'backup'
  AND NOT EXISTS (SELECT 1 FROM pg_replication_slots
    WHERE active_pid = follower.pid AND temporary AND slot_name LIKE 'pg\\_basebackup\\_%')`;

/** `lagging`: replicas that the server does not wait for; `hidden`: those of which this user may not see whether it does. */
const LOOK = q`SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
  current_setting('synchronous_standby_names') AS standbys,
  (SELECT count(*) FROM (${REPLICAS}) one)
    + (SELECT count(*) FROM pg_replication_slots WHERE slot_type = 'physical' AND NOT temporary) AS replicas,
  (SELECT count(*) FROM (${REPLICAS}) one WHERE sync_state = 'async') AS lagging,
  (SELECT count(*) FROM (${REPLICAS}) one WHERE sync_state IS NULL) AS hidden,
  CASE WHEN NOT pg_is_in_recovery() THEN
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`;

export interface History {
  readonly timeline: number;
  /** A replica that takes the server's place has all that the server acknowledged. */
  readonly isWaited: boolean;
}

/** undefined: nothing speaks against it. */
export function whyOther(before: History | undefined, now: History | undefined): string | undefined {
  if (before === undefined || now === undefined || now.timeline === before.timeline) return undefined;
  if (now.timeline > before.timeline && before.isWaited) return undefined;
  return `its server goes on from timeline ${now.timeline} instead of ${before.timeline}: an older state took its place`;
}

export interface WatchParts {
  readonly sql: Sql;
  readonly path: string;
  readonly machine: Machine;
  /** This machine's; undefined: the system's. */
  readonly ownClock?: { now(): number; monotonicMs(): number } | undefined;
  /** Learns how far the server's clock is ahead of this machine's, in milliseconds. */
  readonly setAheadMs?: ((ms: number) => void) | undefined;
}

export class Watch {
  readonly #parts: WatchParts;
  readonly #own: { now(): number; monotonicMs(): number };
  #time = { at: 0, wallMs: 0, steadyMs: 0 };
  #seen: Head | undefined;
  #history: History | undefined;
  #objection: string | undefined;
  #isLooking = false;
  #end: () => void = () => undefined;

  constructor(parts: WatchParts) {
    const { machine, ownClock = { now: Date.now, monotonicMs: machine.monotonicMs } } = parts;
    this.#parts = parts;
    this.#own = ownClock;
  }

  /** For a move of a ledger to it. */
  static async requireSafe(sql: Sql, path: string): Promise<void> {
    const why = whyUnsafe((await sql.get(LOOK)) ?? {});
    if (why !== undefined) throw unkept(path, why);
  }

  readonly clock: Pick<Clock, 'now'> = {
    now: () => {
      const { at, wallMs, steadyMs } = this.#time;
      const [wall, steady] = [this.#own.now() - wallMs, this.#own.monotonicMs() - steadyMs];
      // The steady clock of a machine that was suspended stood still: until it is asked again, the later time counts.
      if (Math.abs(wall - steady) > STEP_MS) void this.#lookAgain();
      return timestampOf(Math.floor(at + Math.max(steady, wall - steady > STEP_MS ? wall : steady)));
    },
  };

  /** Why nothing may be begun with the ledger now. */
  get objection(): string | undefined {
    return this.#objection && unkept(this.#parts.path, this.#objection).message;
  }

  /** undefined: it was not asked yet. */
  get history(): History | undefined {
    return this.#history;
  }

  requireSafe(): void {
    if (this.#objection !== undefined) throw unkept(this.#parts.path, this.#objection);
  }

  /** Errors: LedgerError of a server that gives no answer. */
  async look(): Promise<void> {
    const { sql, setAheadMs } = this.#parts;
    const row = await sql.get(LOOK);
    const [wallMs, steadyMs] = [this.#own.now(), this.#own.monotonicMs()];
    this.#time = { at: numberOf(row?.['now']), wallMs, steadyMs };
    setAheadMs?.(this.#time.at - wallMs);
    this.#objection =
      whyUnsafe(row ?? {}) ?? this.#whyOther(historyOf(row ?? {})) ?? (await this.#whySetBack());
  }

  /** From now on until `end`. `saw` gets the newest commit of any process, and so it is remembered when that process ended. */
  begin(saw: (head: Head) => void): void {
    this.#end = this.#parts.machine.every(LOOK_MS, () => void this.#lookAgain(saw));
  }

  end(): void {
    this.#end();
  }

  async #lookAgain(saw: (head: Head) => void = () => undefined): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    // The next question of the ledger reports a server that gives no answer.
    await this.look().catch(() => undefined);
    this.#isLooking = false;
    if (this.#seen !== undefined && this.#objection === undefined) saw(this.#seen);
  }

  /** Once it is said, it is not taken back. */
  #whyOther(now: History | undefined): string | undefined {
    const why = whyOther(this.#history, now);
    if (why === undefined) this.#history = now ?? this.#history;
    return why && `${why}, and may have forgotten payments. Run payfile verify.`;
  }

  /** It has all that was seen, and more; who was set back has it no more. Once it is said, it is not taken back. */
  async #whySetBack(): Promise<string | undefined> {
    const seen = this.#seen;
    const rows = await this.#parts.sql.all(
      q`(SELECT seq, head FROM commits WHERE seq = ${seen?.commits ?? 0})
        UNION ALL (SELECT seq, head FROM commits ORDER BY seq DESC LIMIT 1)`,
    );
    if (
      seen !== undefined &&
      !rows.some(({ seq, head }) => Number(seq) === seen.commits && head === seen.hash)
    )
      return 'the server was set back to an older state, and has forgotten payments. Run payfile verify.';
    const last = rows.at(-1);
    this.#seen = last && { commits: numberOf(last['seq']), hash: String(last['head']) };
    return undefined;
  }
}

function historyOf(row: Row): History | undefined {
  const timeline = optionalNumber(row['timeline']);
  return timeline === undefined ? undefined : { timeline, isWaited: String(row['standbys']).trim() !== '' };
}

function unkept(path: string, why: string): LedgerError {
  return new LedgerError('ledger_unsupported', `The ledger ${path} cannot be kept: ${why}`);
}

function whyUnsafe(row: Row): string | undefined {
  const said = (column: string) => String(row[column]);
  const [version, replicas, lagging, hidden] = ['version', 'replicas', 'lagging', 'hidden'].map((column) =>
    Number(row[column]),
  ) as [number, number, number, number];
  if (version < VERSION_MIN)
    return `PostgreSQL ${Math.floor(version / 10_000)} is too old; expected 15 or newer.`;
  if (Number(row['standby']) === 1)
    return 'the server is a standby, which only reads. Name the server that the standby follows.';
  if (said('fsync') !== 'on' || said('pages') !== 'on')
    return 'fsync or full_page_writes is off, so a crash could forget payments. Switch both on.';
  if (lagging > 0 || (replicas > 0 && said('standbys').trim() === ''))
    return (
      'the server has a replica that lags behind it. If the replica took over, payments would be forgotten and made ' +
      'again. Name the replica in synchronous_standby_names on the server, or remove the replica and its slot.'
    );
  if (hidden > 0)
    return (
      'the server has replicas, and the user of the ledger may not see whether the server waits for them. On the ' +
      'server: GRANT pg_read_all_stats TO that user.'
    );
  return undefined;
}
