/**
 * One runner per batch: a lease kept by heartbeat. A dead holder's lease is taken over in one commit, so of two
 * processes that start at the same moment exactly one gets it.
 *
 * A holder counts as dead when its process is gone (same host), or after 15 s without a heartbeat (another host: 30 s).
 * Units:   instants and times in milliseconds.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { timestampOf } from '../../../domain/timestamp.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Lease, LeaseBusy, LeaseHolder } from '../../../ports/ledger/leases.ts';
import type { WriteQueue } from '../storage/group-commit.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import type { Machine } from '../storage/this-machine.ts';

const HEARTBEAT_MS = 2_000;
const SILENT_HERE_MS = 15_000;
const SILENT_ELSEWHERE_MS = 30_000;
/** After this long without a successful heartbeat another process may soon take over: nothing more is begun. */
const UNSURE_MS = 10_000;
const TAKEN_OVER = 'Another process took this batch over; this one stopped sending.';
const UNREACHED =
  'The ledger could not be written for 10 s, so another process may take this batch over; this one stopped sending.';

interface LeasesParts {
  readonly sql: Sql;
  readonly queue: WriteQueue;
  readonly now: () => number;
  readonly machine: Machine;
  /** Asked for each lease and before each heartbeat: why nothing may be begun with this ledger now. */
  readonly objection: (() => string | undefined) | undefined;
  /** Called when a lease was given back, to remember how far the ledger has come. */
  readonly released: () => void;
}

interface Held {
  readonly token: string;
  readonly lost: AbortController;
  stopBeating: () => void;
  beatAt: number;
}

export class Leases {
  readonly #parts: LeasesParts;
  readonly #held = new Map<number, Held>();

  constructor(parts: LeasesParts) {
    this.#parts = parts;
  }

  async take(batch: number, holder: LeaseHolder): Promise<Lease | LeaseBusy> {
    const { sql, queue, now, machine, objection } = this.#parts;
    const why = objection?.();
    if (why !== undefined) throw new LedgerError('ledger_unsupported', why);
    const token = randomUUID();
    const taken = await queue.write((): { busy: LeaseBusy } | { tookOver: boolean } => {
      const row = sql('SELECT * FROM leases WHERE batch = ?').get(batch);
      if (row !== undefined && (this.#isHere(batch, row) || !isDead(row, { holder, now: now(), machine })))
        return { busy: busyOf(row) };
      sql(
        `INSERT INTO leases(batch, token, holder, started, taken_at, heartbeat_at) VALUES (?,?,?,?,?,?)
         ON CONFLICT(batch) DO UPDATE SET token = excluded.token, holder = excluded.holder, started = excluded.started,
           taken_at = excluded.taken_at, heartbeat_at = excluded.heartbeat_at`,
      ).run(batch, token, JSON.stringify(holder), machine.processStart(holder.pid), now(), now());
      return { tookOver: row !== undefined };
    });
    if ('busy' in taken) return taken.busy;
    return this.#keep(batch, token, taken.tookOver);
  }

  /** Inside a commit: false when this process held the batch and somebody else has it now. */
  mayBegin(batch: number): boolean {
    const held = this.#held.get(batch);
    if (held === undefined) return true;
    if (!held.lost.signal.aborted && this.#isOurs(batch, held.token)) return true;
    this.#lose(batch, held, TAKEN_OVER);
    return false;
  }

  /** Of the lease that this process holds; of one that it lost, a token that nobody has. */
  tokenOf(batch: number): string | undefined {
    const held = this.#held.get(batch);
    return held?.lost.signal.aborted === true ? '' : held?.token;
  }

  /** Who works with the ledger, for a message; empty when nobody does. */
  describe(): string {
    return describeHolders(this.#parts.sql);
  }

  /** The living process that has the batch now, as far as this machine can tell. */
  holderOf(batch: number): LeaseBusy | undefined {
    const { sql, now, machine } = this.#parts;
    const row = sql('SELECT * FROM leases WHERE batch = ?').get(batch);
    if (row === undefined) return undefined;
    const isAlive =
      this.#isHere(batch, row) || !isDead(row, { holder: holderHere('', ''), now: now(), machine });
    return isAlive ? busyOf(row) : undefined;
  }

  async releaseAll(): Promise<void> {
    for (const [batch, held] of [...this.#held]) await this.#release(batch, held);
  }

  #keep(batch: number, token: string, tookOver: boolean): Lease {
    const { machine } = this.#parts;
    const beatAt = machine.monotonicMs();
    const held: Held = { token, lost: new AbortController(), stopBeating: () => undefined, beatAt };
    this.#held.set(batch, held);
    held.stopBeating = machine.every(HEARTBEAT_MS, () => void this.#beat(batch, held));
    return { kind: 'leased', tookOver, lost: held.lost.signal, release: () => this.#release(batch, held) };
  }

  async #beat(batch: number, held: Held): Promise<void> {
    const { sql, queue, now, machine, objection } = this.#parts;
    try {
      const why = objection?.();
      if (why !== undefined) {
        this.#lose(batch, held, why);
        return;
      }
      const beat = 'UPDATE leases SET heartbeat_at = ? WHERE batch = ? AND token = ?';
      const changes = await queue.write(() => sql(beat).run(now(), batch, held.token).changes);
      if (Number(changes) === 0) this.#lose(batch, held, TAKEN_OVER);
      else held.beatAt = machine.monotonicMs();
    } catch {
      if (machine.monotonicMs() - held.beatAt > UNSURE_MS) this.#lose(batch, held, UNREACHED);
    }
  }

  async #release(batch: number, held: Held): Promise<void> {
    if (this.#held.get(batch) !== held) return;
    held.stopBeating();
    this.#held.delete(batch);
    const { sql, queue, released } = this.#parts;
    await queue.write(() => sql('DELETE FROM leases WHERE batch = ? AND token = ?').run(batch, held.token));
    released();
  }

  /** Kept in the map: this process may begin nothing more in the batch until it takes a new lease. */
  #lose(batch: number, held: Held, why: string): void {
    if (this.#held.get(batch) !== held) return;
    held.stopBeating();
    if (!held.lost.signal.aborted) held.lost.abort(new Error(why));
  }

  /** Held by this process, which is alive. */
  #isHere(batch: number, row: Record<string, unknown>): boolean {
    const held = this.#held.get(batch);
    return held !== undefined && !held.lost.signal.aborted && row.token === held.token;
  }

  #isOurs(batch: number, token: string): boolean {
    return this.#parts.sql('SELECT token FROM leases WHERE batch = ?').get(batch)?.token === token;
  }
}

export function describeHolders(sql: Sql): string {
  const names = sql('SELECT holder FROM leases')
    .all()
    .map((row) => {
      const { pid, host, user, command } = holderOf(row);
      return `process ${pid} of ${user} on ${host} (${command})`;
    });
  return names.length === 0 ? '' : ` At work with it: ${names.join(', ')}.`;
}

/** This process, where nobody above said who it is. */
export function holderHere(user: string, command: string): LeaseHolder {
  return { pid: process.pid, host: hostname(), user, command };
}

function busyOf(row: Record<string, unknown>): LeaseBusy {
  return { kind: 'busy', holder: holderOf(row), since: timestampOf(numberOf(row.taken_at)) };
}

function holderOf(row: Record<string, unknown>): LeaseHolder {
  return JSON.parse(String(row.holder)) as LeaseHolder;
}

function isDead(
  row: Record<string, unknown>,
  { holder, now, machine }: { holder: LeaseHolder; now: number; machine: Machine },
): boolean {
  const other = holderOf(row);
  const isHere = other.host === holder.host;
  if (isHere && !machine.isRunning(other.pid, row.started)) return true;
  return now - numberOf(row.heartbeat_at) > (isHere ? SILENT_HERE_MS : SILENT_ELSEWHERE_MS);
}
