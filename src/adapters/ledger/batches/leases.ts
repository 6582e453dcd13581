/**
 * One runner per batch: a lease kept by heartbeat. A dead holder's lease is taken over in one commit, so of two
 * processes that start at the same moment exactly one gets it. A holder may hand parts of its batch out: each part is
 * leased like a batch, for as long as the whole is held, and the whole is taken over only when no part is at work.
 *
 * A holder counts as dead when its process is gone (same host), or after 15 s without a heartbeat (another host, whose
 * clock is its own: 30 s).
 * Units:   instants and times in milliseconds.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { timestampOf } from '../../../domain/timestamp.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import {
  type Lease,
  type LeaseBusy,
  type LeaseHolder,
  LeaseStopped,
  type NotHandedOut,
  type Part,
  type PartLease,
} from '../../../ports/ledger/leases.ts';
import type { WriteQueue } from '../storage/group-commit.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import type { Machine } from '../storage/this-machine.ts';

const HEARTBEAT_MS = 2_000;
const SILENT_MS = 15_000;
const SILENT_ELSEWHERE_MS = 30_000;
/** After this long without a successful heartbeat another process may soon take over: nothing more is begun. */
const UNSURE_MS = 10_000;
const TAKEN_OVER = 'Another process took this batch over; this one stopped sending.';
const STOPPED = 'Somebody stopped this work.';
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
  /** `now` is the same clock for all machines. */
  readonly isOneClock: boolean;
}

interface Held {
  readonly batch: number;
  readonly part: Part | undefined;
  readonly token: string;
  readonly lost: AbortController;
  stopBeating: () => void;
  beatAt: number;
}

type Taken = { busy: LeaseBusy } | { tookOver: boolean } | NotHandedOut;

export class Leases {
  readonly #parts: LeasesParts;
  /** Also what was lost: this process may begin nothing more there until it takes a new lease. */
  readonly #held = new Map<number, Held[]>();
  /** Whoever works on with a ledger that was closed, because its server had broken off, has no lease any more. */
  #isOver = false;

  constructor(parts: LeasesParts) {
    this.#parts = parts;
  }

  async take(batch: number, holder: LeaseHolder): Promise<Lease | LeaseBusy> {
    const { sql, queue, now, machine } = this.#parts;
    this.#requireNoObjection();
    const token = randomUUID();
    const taken = await queue.write((): { busy: LeaseBusy } | { tookOver: boolean } => {
      const row = sql('SELECT * FROM leases WHERE batch = ?').get(batch);
      if (row !== undefined && this.#isAlive(batch, row, holder)) return { busy: busyOf(row) };
      const parts = sql('SELECT * FROM part_leases WHERE batch = ?').all(batch);
      const atWork = parts.find((part) => this.#isAlive(batch, part, holder));
      if (atWork !== undefined) return { busy: busyOf(atWork) };
      sql('DELETE FROM part_leases WHERE batch = ?').run(batch);
      sql(
        `INSERT INTO leases(batch, token, holder, started, taken_at, heartbeat_at) VALUES (?,?,?,?,?,?)
         ON CONFLICT(batch) DO UPDATE SET token = excluded.token, holder = excluded.holder, started = excluded.started,
           taken_at = excluded.taken_at, heartbeat_at = excluded.heartbeat_at, parts = 0, stopped = 0`,
      ).run(batch, token, JSON.stringify(holder), machine.processStart(holder.pid), now(), now());
      return { tookOver: row !== undefined || parts.length > 0 };
    });
    if ('busy' in taken) return taken.busy;
    const { lost, release } = this.#keep(batch, undefined, token);
    const handOut = async (parts: number) => {
      const handed = 'UPDATE leases SET parts = ? WHERE batch = ? AND token = ?';
      await queue.write(() => sql(handed).run(parts, batch, token));
    };
    return { kind: 'leased', tookOver: taken.tookOver, lost, handOut, release };
  }

  async takePart(
    batch: number,
    part: Part,
    holder: LeaseHolder,
  ): Promise<PartLease | LeaseBusy | NotHandedOut> {
    const { sql, queue, now, machine } = this.#parts;
    this.#requireNoObjection();
    const token = randomUUID();
    const taken = await queue.write((): Taken => {
      const whole = sql(
        'SELECT 1 FROM leases WHERE batch = ? AND parts = ? AND heartbeat_at > ? AND stopped = 0',
      );
      if (whole.get(batch, part.of, now() - UNSURE_MS) === undefined) return { kind: 'not_handed_out' };
      const row = sql('SELECT * FROM part_leases WHERE batch = ? AND part = ?').get(batch, part.index);
      if (row !== undefined && this.#isAlive(batch, row, holder)) return { busy: busyOf(row) };
      sql(
        `INSERT INTO part_leases(batch, part, parts, token, holder, started, taken_at, heartbeat_at) VALUES (?,?,?,?,?,?,?,?)
         ON CONFLICT(batch, part) DO UPDATE SET token = excluded.token, holder = excluded.holder, started = excluded.started,
           taken_at = excluded.taken_at, heartbeat_at = excluded.heartbeat_at, stopped = 0`,
      ).run(
        ...[batch, part.index, part.of, token, JSON.stringify(holder), machine.processStart(holder.pid)],
        ...[now(), now()],
      );
      return { tookOver: row !== undefined };
    });
    if ('busy' in taken) return taken.busy;
    if ('kind' in taken) return taken;
    return { kind: 'leased', tookOver: taken.tookOver, ...this.#keep(batch, part, token) };
  }

  async stopWork(batch: number, work: string): Promise<void> {
    const { sql, queue } = this.#parts;
    await queue.write(() => {
      for (const table of ['leases', 'part_leases'])
        for (const row of sql(`SELECT token, holder FROM ${table} WHERE batch = ?`).all(batch))
          if (holderOf(row).work === work)
            sql(`UPDATE ${table} SET stopped = 1 WHERE batch = ? AND token = ?`).run(
              batch,
              String(row.token),
            );
    });
  }

  #requireNoObjection(): void {
    const why = this.#parts.objection?.();
    if (why !== undefined) throw new LedgerError('ledger_unsupported', why);
  }

  /**
   * Inside a commit: false when this process held the batch, or the payout's part of it, and somebody else has it now, or
   * stopped the work; and when it holds other parts alone.
   */
  mayBegin(batch: number, payout?: number): boolean {
    if (this.#isOver) return false;
    const held = this.#heldFor(batch, payout);
    if (held === undefined) return !this.#held.has(batch);
    const row = this.#rowOf(held);
    // What is in flight still has to end, so the lease is kept by heartbeat.
    if (row !== undefined && numberOf(row.stopped) === 1) held.lost.abort(new LeaseStopped(STOPPED));
    else if (row !== undefined && !this.#isLost(held)) return true;
    else this.#lose(held, TAKEN_OVER);
    return false;
  }

  /** Who works with the ledger, for a message; empty when nobody does. */
  describe(): string {
    return describeHolders(this.#parts.sql);
  }

  /** The living process that has the batch now, or a part of it, as far as this machine can tell. */
  holderOf(batch: number): LeaseBusy | undefined {
    const { sql } = this.#parts;
    const rows = [
      ...sql('SELECT * FROM leases WHERE batch = ?').all(batch),
      ...sql('SELECT * FROM part_leases WHERE batch = ? ORDER BY part').all(batch),
    ];
    const row = rows.find((each) => this.#isAlive(batch, each, holderHere('', '')));
    return row && busyOf(row);
  }

  async releaseAll(): Promise<void> {
    this.#isOver = true;
    // Parts before what they are parts of.
    for (const held of [...this.#held.values()].flat().reverse()) await this.#release(held);
  }

  #keep(batch: number, part: Part | undefined, token: string): Pick<Lease, 'lost' | 'release'> {
    const { machine } = this.#parts;
    const beatAt = machine.monotonicMs();
    const held: Held = {
      batch,
      part,
      token,
      lost: new AbortController(),
      stopBeating: () => undefined,
      beatAt,
    };
    const others = (this.#held.get(batch) ?? []).filter((other) => other.part?.index !== part?.index);
    this.#held.set(batch, [...others, held]);
    held.stopBeating = machine.every(HEARTBEAT_MS, () => void this.#beat(held));
    return { lost: held.lost.signal, release: () => this.#release(held) };
  }

  async #beat(held: Held): Promise<void> {
    const { queue, machine, isOneClock } = this.#parts;
    try {
      const why = this.#parts.objection?.();
      if (why !== undefined) return this.#lose(held, why);
      // On a server one statement is a commit, and need not keep the others from theirs.
      const changes = isOneClock ? this.#beatNow(held) : await queue.write(() => this.#beatNow(held));
      if (changes === 0) this.#lose(held, TAKEN_OVER);
      else held.beatAt = machine.monotonicMs();
    } catch {
      if (this.#isUnsure(held)) this.#lose(held, UNREACHED);
    }
  }

  /** A part is kept only while somebody keeps the whole: nobody else would end what goes wrong. */
  #beatNow({ batch, part, token }: Held): number {
    const { sql, now } = this.#parts;
    if (part === undefined)
      return Number(
        sql('UPDATE leases SET heartbeat_at = ? WHERE batch = ? AND token = ?').run(now(), batch, token)
          .changes,
      );
    const beat = sql(
      `UPDATE part_leases SET heartbeat_at = ? WHERE batch = ? AND token = ? AND EXISTS (
         SELECT 1 FROM leases whole WHERE whole.batch = part_leases.batch AND whole.parts = part_leases.parts
           AND whole.heartbeat_at > ?)`,
    );
    return Number(beat.run(now(), batch, token, now() - UNSURE_MS).changes);
  }

  async #release(held: Held): Promise<void> {
    const { batch, part, token } = held;
    const all = this.#held.get(batch) ?? [];
    if (!all.includes(held)) return;
    held.stopBeating();
    this.#held.set(
      batch,
      all.filter((other) => other !== held),
    );
    if (all.length === 1) this.#held.delete(batch);
    const { sql, queue, released } = this.#parts;
    await queue.write(() => {
      if (part !== undefined)
        return sql('DELETE FROM part_leases WHERE batch = ? AND token = ?').run(batch, token);
      if (this.#rowOf(held) !== undefined) sql('DELETE FROM part_leases WHERE batch = ?').run(batch);
      return sql('DELETE FROM leases WHERE batch = ? AND token = ?').run(batch, token);
    });
    released();
  }

  #lose(held: Held, why: string): void {
    if (this.#held.get(held.batch)?.includes(held) !== true) return;
    held.stopBeating();
    if (!held.lost.signal.aborted) held.lost.abort(new Error(why));
  }

  /** The part that the payout is in, where this process has it; else the whole. */
  #heldFor(batch: number, payout: number | undefined): Held | undefined {
    const all = this.#held.get(batch);
    const part =
      payout === undefined
        ? undefined
        : all?.find((held) => held.part !== undefined && payout % held.part.of === held.part.index);
    return part ?? all?.find((held) => held.part === undefined);
  }

  #isLost(held: Held): boolean {
    return held.lost.signal.aborted || this.#isUnsure(held);
  }

  /** After so long without a heartbeat another process may have it, whether or not this one was told. */
  #isUnsure({ beatAt }: Held): boolean {
    return this.#parts.machine.monotonicMs() - beatAt > UNSURE_MS;
  }

  #isAlive(batch: number, row: Record<string, unknown>, holder: LeaseHolder): boolean {
    const isHere = this.#held
      .get(batch)
      ?.some(({ token, lost }) => token === row.token && !lost.signal.aborted);
    return isHere === true || !isDead(row, { ...this.#parts, holder, now: this.#parts.now() });
  }

  /** undefined: somebody else has it. */
  #rowOf({ batch, part, token }: Held): Record<string, unknown> | undefined {
    const { sql } = this.#parts;
    const row =
      part === undefined
        ? sql('SELECT * FROM leases WHERE batch = ?').get(batch)
        : sql('SELECT * FROM part_leases WHERE batch = ? AND part = ?').get(batch, part.index);
    return row?.token === token ? row : undefined;
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
  {
    holder,
    now,
    machine,
    isOneClock,
  }: { holder: LeaseHolder; now: number; machine: Machine; isOneClock: boolean },
): boolean {
  const other = holderOf(row);
  const isHere = other.host === holder.host;
  if (isHere && !machine.isRunning(other.pid, row.started)) return true;
  return now - numberOf(row.heartbeat_at) > (isHere || isOneClock ? SILENT_MS : SILENT_ELSEWHERE_MS);
}
