/**
 * One runner per batch: a lease kept by heartbeat. A dead holder's lease is taken over in one commit, so of two processes
 * that start at the same moment exactly one gets it. A holder may hand parts of its batch out: each part is leased like a
 * batch, for as long as the whole is held, and the whole is taken over only when no part is at work.
 *
 * A holder counts as dead when its process is gone (same host), or after 15 s without a heartbeat (another host, whose
 * clock is its own: 30 s).
 * Units:   instants and times in milliseconds.
 */
import { randomUUID } from 'node:crypto';
import type { BatchId } from '../domain/payouts/instruction.ts';
import { timestampOf } from '../domain/timestamp.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import {
  type Lease,
  type LeaseBusy,
  type LeaseHolder,
  type LeaseLedger,
  LeaseStopped,
  type NotHandedOut,
  type Part,
} from '../ports/ledger/leases.ts';
import type { Holding, LedgerParts } from './parts.ts';
import { batchNumber } from './rows.ts';
import { LEDGER_CHAIN, WHOLE } from './schema.ts';
import { type Database, jsonText, numberOf, type Query, q, type Row, type Sql } from './sql.ts';

const HEARTBEAT_MS = 2_000;
const SILENT_MS = 15_000;
const SILENT_ELSEWHERE_MS = 30_000;
/** After this long without a successful heartbeat another process may soon take over: nothing more is begun. */
const UNSURE_MS = 10_000;
const TAKEN_OVER = 'Another process took this batch over; this one stopped sending.';
const STOPPED = 'Somebody stopped this work.';
const UNREACHED =
  'The ledger could not be written for 10 s, so another process may take this batch over; this one stopped sending.';

export interface LeasesParts extends Pick<LedgerParts, 'read' | 'writer' | 'clock' | 'machine'> {
  /** Asked for each lease and before each heartbeat: why nothing may be begun with this ledger now. */
  readonly objection?: (() => string | undefined) | undefined;
  /** Called when a lease was given back, to remember how far the ledger has come. */
  readonly released?: (() => void | Promise<void>) | undefined;
  /** Beside whatever the writer waits for; undefined: the writer waits for nobody long. */
  readonly pulse?: Database['pulse'];
  /** `clock` is the same for all machines. */
  readonly isOneClock?: boolean | undefined;
}

interface Held {
  readonly batch: number;
  readonly part: Part | undefined;
  readonly token: string;
  /** Its row among the leases. */
  readonly own: Query;
  readonly lost: AbortController;
  stopBeating: () => void;
  beatAt: number;
}

interface Wanted {
  readonly batch: number;
  readonly part?: Part;
  readonly holder: LeaseHolder;
}
type Refused = LeaseBusy | NotHandedOut;

export class Leases implements Holding, LeaseLedger {
  readonly #parts: LeasesParts;
  /** Also what was lost: this process may begin nothing more there until it takes a new lease. */
  readonly #held = new Map<number, Held[]>();
  /** Whoever works on with a ledger that was closed, because its server had broken off, has no lease any more. */
  #isOver = false;

  constructor(parts: LeasesParts) {
    this.#parts = parts;
  }

  lease: LeaseLedger['lease'] = (id, holder) => this.#takeWhole(batchNumber(id), holder);
  approvalTurn: LeaseLedger['approvalTurn'] = (user) => {
    const { pid, host } = this.#parts.machine;
    return this.#takeWhole(LEDGER_CHAIN, { pid, host, user, command: 'approval' });
  };
  leasePart: LeaseLedger['leasePart'] = (id, part, holder) =>
    this.#take({ batch: batchNumber(id), part, holder });

  stopWork: LeaseLedger['stopWork'] = async (id, work) => {
    const ofWork = q`batch = ${batchNumber(id)} AND ${jsonText('holder', 'work')} = ${work}`;
    await this.#parts.writer.write(({ sql }) => sql.run(q`UPDATE leases SET stopped = 1 WHERE ${ofWork}`));
  };

  holderOf = async (id: BatchId): Promise<LeaseBusy | undefined> => {
    const rows = await leasesIn(this.#parts.read, batchNumber(id));
    const row = rows.find((each) => this.#isAlive(each, this.#parts.machine));
    return row && busyOf(row);
  };

  tokenFor(batch: number, payout: number): string | null | 'lost' {
    if (this.#isOver) return 'lost';
    const held = this.#heldFor(batch, payout);
    if (held === undefined) return this.#held.has(batch) ? 'lost' : null;
    return this.#isLost(held) ? 'lost' : held.token;
  }

  /**
   * Inside a commit: false when this process held the batch, or the payout's part of it, and somebody else has it now, or
   * stopped the work; and when it holds other parts alone.
   */
  async mayBegin(sql: Sql, batch: number, payout?: number): Promise<boolean> {
    if (this.#isOver) return false;
    const held = this.#heldFor(batch, payout);
    if (held === undefined) return !this.#held.has(batch);
    const row = await sql.get(q`SELECT stopped FROM leases WHERE ${held.own}`);
    // What is in flight still has to end, so the lease is kept by heartbeat.
    if (row !== undefined && numberOf(row['stopped']) === 1) held.lost.abort(new LeaseStopped(STOPPED));
    else if (row !== undefined && !this.#isLost(held)) return true;
    else this.#lose(held, 'ledger_busy', TAKEN_OVER);
    return false;
  }

  async releaseAll(): Promise<void> {
    this.#isOver = true;
    // Parts before what they are parts of.
    for (const held of [...this.#held.values()].flat().reverse()) await this.#release(held);
  }

  async #takeWhole(batch: number, holder: LeaseHolder): Promise<Lease | LeaseBusy> {
    const taken = await this.#take({ batch, holder });
    if (taken.kind === 'not_handed_out') throw new TypeError('A whole is taken as it is');
    return taken;
  }

  async #take(wanted: Wanted): Promise<Lease | Refused> {
    const { writer, objection } = this.#parts;
    const why = objection?.();
    if (why !== undefined) throw new LedgerError('ledger_unsupported', why);
    const token = randomUUID();
    const tookOver = await writer.write(
      async ({ sql }) => (await this.#refusal(sql, wanted)) ?? this.#write(sql, wanted, token),
    );
    if (typeof tookOver !== 'boolean') return tookOver;
    const held = this.#keep(wanted, token);
    return {
      ...{ kind: 'leased', tookOver, lost: held.lost.signal, release: () => this.#release(held) },
      handOut: async (parts) =>
        void (await writer.write(({ sql }) =>
          sql.run(q`UPDATE leases SET parts = ${parts} WHERE ${held.own} AND part = ${WHOLE}`),
        )),
    };
  }

  /** A part is given only while the whole is held, and handed out in so many parts. */
  async #refusal(sql: Sql, { batch, part, holder }: Wanted): Promise<Refused | undefined> {
    const rows = await leasesIn(sql, batch);
    const handsOut = (row: Row) =>
      numberOf(row['part']) === WHOLE &&
      numberOf(row['parts']) === part?.of &&
      numberOf(row['heartbeat_at']) > this.#sureSince() &&
      numberOf(row['stopped']) === 0;
    if (part !== undefined && !rows.some(handsOut)) return { kind: 'not_handed_out' };
    // Also a part may be at work yet, whose whole is not.
    const isWanted = (row: Row) => part === undefined || numberOf(row['part']) === part.index;
    const atWork = rows.find((row) => isWanted(row) && this.#isAlive(row, holder));
    return atWork && busyOf(atWork);
  }

  /** Whether somebody had it. Whoever takes the whole takes all parts of it, too. */
  async #write(sql: Sql, { batch, part, holder }: Wanted, token: string): Promise<boolean> {
    const { clock, machine } = this.#parts;
    const at = clock.now();
    const before = part === undefined ? q`batch = ${batch}` : q`batch = ${batch} AND part = ${part.index}`;
    const had = await sql.run(q`DELETE FROM leases WHERE ${before}`);
    await sql.run(q`INSERT INTO leases(batch, part, parts, token, holder, started, taken_at, heartbeat_at)
      VALUES (${batch}, ${part?.index ?? WHOLE}, ${part?.of ?? 0}, ${token}, ${JSON.stringify(holder)},
        ${machine.processStart(holder.pid)}, ${at}, ${at})`);
    return had > 0;
  }

  #keep({ batch, part }: Wanted, token: string): Held {
    const { machine } = this.#parts;
    const held: Held = {
      ...{ batch, part, token, own: q`batch = ${batch} AND token = ${token}`, lost: new AbortController() },
      ...{ stopBeating: () => undefined, beatAt: machine.monotonicMs() },
    };
    const others = (this.#held.get(batch) ?? []).filter((other) => other.part?.index !== part?.index);
    this.#held.set(batch, [...others, held]);
    held.stopBeating = machine.every(HEARTBEAT_MS, () => this.#beat(held));
    return held;
  }

  async #beat(held: Held): Promise<void> {
    const { writer, pulse, machine, objection } = this.#parts;
    try {
      const why = objection?.();
      if (why !== undefined) return this.#lose(held, 'ledger_unsupported', why);
      // One statement decides it, so it need not keep others from their commits.
      const changes = await (pulse === undefined
        ? writer.write(({ sql }) => sql.run(this.#beatNow(held)), 'beside')
        : pulse(this.#beatNow(held)));
      if (changes === 0) this.#lose(held, 'ledger_busy', TAKEN_OVER);
      else held.beatAt = machine.monotonicMs();
    } catch {
      if (this.#isUnsure(held)) this.#lose(held, 'ledger_unwritable', UNREACHED);
    }
  }

  /** A part is kept only while somebody keeps the whole: nobody else would end what goes wrong. */
  #beatNow({ own }: Held) {
    return q`UPDATE leases SET heartbeat_at = ${this.#parts.clock.now()} WHERE ${own} AND (part = ${WHOLE} OR EXISTS (
        SELECT 1 FROM leases whole WHERE whole.batch = leases.batch AND whole.part = ${WHOLE}
          AND whole.parts = leases.parts AND whole.heartbeat_at > ${this.#sureSince()}))`;
  }

  async #release(held: Held): Promise<void> {
    const { batch, token } = held;
    const all = this.#held.get(batch) ?? [];
    if (!all.includes(held)) return;
    held.stopBeating();
    const rest = all.filter((other) => other !== held);
    if (rest.length === 0) this.#held.delete(batch);
    else this.#held.set(batch, rest);
    // With the whole go its parts.
    await this.#parts.writer.write(({ sql }) =>
      sql.run(q`DELETE FROM leases WHERE batch = ${batch} AND (token = ${token} OR EXISTS (
        SELECT 1 FROM leases whole WHERE whole.batch = ${batch} AND whole.part = ${WHOLE} AND whole.token = ${token}))`),
    );
    await this.#parts.released?.();
  }

  #lose(held: Held, code: LedgerError['code'], why: string): void {
    if (this.#held.get(held.batch)?.includes(held) !== true) return;
    held.stopBeating();
    if (!held.lost.signal.aborted) held.lost.abort(new LedgerError(code, why));
  }

  /** The part that the payout is in, where this process has it; else the whole. */
  #heldFor(batch: number, payout: number | undefined): Held | undefined {
    const all = this.#held.get(batch);
    const isIn = ({ part }: Held) =>
      part !== undefined && payout !== undefined && payout % part.of === part.index;
    return all?.find(isIn) ?? all?.find(({ part }) => part === undefined);
  }

  #isLost(held: Held): boolean {
    return held.lost.signal.aborted || this.#isUnsure(held);
  }

  /** After so long without a heartbeat another process may have it, whether or not this one was told. */
  #isUnsure({ beatAt }: Held): boolean {
    return this.#parts.machine.monotonicMs() - beatAt > UNSURE_MS;
  }

  #sureSince(): number {
    return this.#parts.clock.now() - UNSURE_MS;
  }

  #isAlive(row: Row, holder: Pick<LeaseHolder, 'host'>): boolean {
    const { clock, machine, isOneClock = false } = this.#parts;
    const isOwn = ({ token, lost }: Held) => token === row['token'] && !lost.signal.aborted;
    if (this.#held.get(numberOf(row['batch']))?.some(isOwn) === true) return true;
    const other = holderOfRow(row);
    const isHere = other.host === holder.host;
    if (isHere && !machine.isRunning(other.pid, row['started'])) return false;
    const silentMs = isHere || isOneClock ? SILENT_MS : SILENT_ELSEWHERE_MS;
    return clock.now() - numberOf(row['heartbeat_at']) <= silentMs;
  }
}

/** The whole first, then its parts. */
const leasesIn = (sql: Sql, batch: number) =>
  sql.all(q`SELECT * FROM leases WHERE batch = ${batch} ORDER BY part`);

/** Who works with the ledger, for a message; empty when nobody does. */
export async function describeHolders(sql: Sql): Promise<string> {
  const rows = await sql.all(q`SELECT holder FROM leases WHERE part = ${WHOLE}`);
  const names = rows.map((row) => {
    const { pid, host, user, command } = holderOfRow(row);
    return `process ${pid} of ${user} on ${host} (${command})`;
  });
  return names.length === 0 ? '' : ` At work with it: ${names.join(', ')}.`;
}

function busyOf(row: Row): LeaseBusy {
  return { kind: 'busy', holder: holderOfRow(row), since: timestampOf(numberOf(row['taken_at'])) };
}

function holderOfRow(row: Row): LeaseHolder {
  return JSON.parse(String(row['holder'])) as LeaseHolder;
}
