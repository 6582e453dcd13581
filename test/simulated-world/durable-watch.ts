/**
 * Sees what is durable, by a connection of its own, after every commit: replays each payout's journal through the
 * payout machine and compares it with what is stored, and remembers what the other checkers ask about.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  decodeEvent,
  decodeState,
  encodeState,
  PLANNED,
} from '../../src/adapters/ledger/payouts/payout-codec.ts';
import { type PayoutRow, payoutOf, Routes } from '../../src/adapters/ledger/payouts/stored-payout.ts';
import { prepareOnce, type Sql } from '../../src/adapters/ledger/storage/sql-statements.ts';
import { type Payout, type PayoutState, STATUSES, type Status } from '../../src/domain/payouts/payout.ts';
import { EVENT_KINDS, type EventKind } from '../../src/domain/payouts/payout-event.ts';
import { advance } from '../../src/domain/payouts/payout-machine.ts';

export interface Moved {
  readonly payout: number;
  readonly kind: EventKind;
  readonly from: Status;
  readonly to: Status;
  readonly before: PayoutState;
  readonly at: number;
}

export interface Known {
  readonly id: number;
  readonly root: number;
  batch: number;
  payout: Payout;
  /** In the batch's file of now. */
  isInFile: boolean;
  /** Somebody ruled that it was not paid. */
  isRuledUnpaid: boolean;
  isRuledPaid: boolean;
  /** The service was believed when it said that the transfer failed. */
  wasCalledFailed: boolean;
  isReleased: boolean;
}

export interface DurableEyes {
  readonly moved: (moved: Moved, known: Known) => void;
  readonly violation: (text: string) => void;
}

const KINDS: ReadonlySet<string> = new Set(EVENT_KINDS);
/** What a newer file, or a payment that is made again, does to a row's place. */
const FILED: ReadonlySet<string> = new Set([
  'joined',
  'kept',
  'rewritten',
  'left_out',
  'replaced',
  'put_back',
]);
const NAMED: ReadonlySet<string> = new Set(STATUSES);

export class DurableWatch {
  readonly payouts = new Map<number, Known>();
  /** Every transfer id that the journal names, in whatever entry. */
  readonly idsNamed = new Set<string>();
  /** Rows whose state somebody wrote by hand: the journal does not tell it. */
  readonly forged = new Set<number>();
  readonly #eyes: DurableEyes;
  readonly #sql: Sql;
  readonly #routes: Routes;
  readonly #byTag = new Map<string, number>();
  readonly #importOf = new Map<number, number>();
  readonly #revisingTo = new Map<number, number>();
  #seq = 1;

  constructor(db: DatabaseSync, eyes: DurableEyes) {
    this.#eyes = eyes;
    this.#sql = prepareOnce(db);
    this.#routes = new Routes(this.#sql);
  }

  ofTag(tag: string): Known | undefined {
    const id = this.#byTag.get(tag);
    return id === undefined ? undefined : this.payouts.get(id);
  }

  /**
   * The imports whose rows may be a batch's now, by what is durable and not by who says so when: the one that the
   * batch was last made of, and the one of a revision that was begun since and not ended.
   */
  importsOf(batch: number): number[] {
    return [this.#importOf.get(batch), this.#revisingTo.get(batch)].filter((id) => id !== undefined);
  }

  /** A revision was begun, and the journal does not say that it ended. */
  isHalfRead(batch: number): boolean {
    return this.#revisingTo.has(batch);
  }

  /** What the file says now, past every cache. */
  storedOf(id: number): { status: string; attempts: number } | undefined {
    const row = this.#sql('SELECT status, attempts FROM payouts WHERE id = ?').get(id);
    return row === undefined ? undefined : { status: String(row.status), attempts: Number(row.attempts) };
  }

  /** Reads what was committed since the last look. */
  look(): void {
    const lines = this.#sql(
      'SELECT seq, batch, payout, at, kind, body FROM journal WHERE seq > ? ORDER BY seq',
    );
    const touched = new Set<number>();
    for (const line of lines.all(this.#seq)) {
      this.#seq = Number(line.seq);
      const [kind, body] = [String(line.kind), String(line.body)];
      for (const [id] of body.matchAll(/\btr-\d+\b/g)) this.idsNamed.add(id);
      if (line.payout === null) {
        this.#placed(Number(line.batch), kind, body);
        continue;
      }
      const id = Number(line.payout);
      touched.add(id);
      if (kind === 'imported' || kind === 'replacement') this.#born(id, body);
      else if (FILED.has(kind)) this.#filed(this.#known(id), Number(line.batch), kind, body);
      else if (KINDS.has(kind)) this.#happened(id, kind as EventKind, Number(line.at), body);
    }
    for (const id of touched) this.#compare(id);
  }

  #filed(known: Known, batch: number, kind: string, text: string): void {
    const { row = known.payout.rowNumber } = JSON.parse(text) as { row?: number };
    known.batch = batch;
    known.payout = { ...known.payout, rowNumber: row };
    known.isInFile = kind !== 'left_out' && kind !== 'replaced';
  }

  #placed(batch: number, kind: string, body: string): void {
    if (kind === 'sealed') this.#importOf.set(batch, batch);
    if (kind === 'revision_begun') this.#revisingTo.set(batch, Number(JSON.parse(body).set.merging));
    if (kind !== 'revised') return;
    this.#importOf.set(batch, Number(JSON.parse(body).import));
    this.#revisingTo.delete(batch);
  }

  #born(id: number, text: string): void {
    const row = this.#sql('SELECT * FROM payouts WHERE id = ?').get(id);
    if (row === undefined) {
      this.#eyes.violation(`B: payout ${id} is in the journal and not stored`);
      return;
    }
    const body = JSON.parse(text) as { status?: string; state?: unknown };
    const state = body.state === undefined ? PLANNED : JSON.stringify(body.state);
    const status = body.status ?? 'planned';
    const start = { ...row, status, state, version: 0n, attempts: 0n } as unknown as PayoutRow;
    const flags = {
      isInFile: true,
      isRuledUnpaid: false,
      isRuledPaid: false,
      wasCalledFailed: false,
      isReleased: false,
    };
    const payout = payoutOf(start, this.#routes);
    this.payouts.set(id, { id, root: Number(row.root), batch: Number(row.batch), payout, ...flags });
  }

  #happened(id: number, kind: EventKind, at: number, body: string): void {
    const known = this.#known(id);
    const before = known.payout.state;
    try {
      known.payout = advance(known.payout, decodeEvent(kind, at, body));
    } catch (error) {
      if (this.forged.has(id)) this.#readForged(known);
      else this.#eyes.violation(`payout ${id}: its journal cannot be replayed: ${String(error)}`);
      return;
    }
    const { state } = known.payout;
    if ('tag' in state) this.#byTag.set(state.tag, id);
    known.isRuledUnpaid ||= kind === 'rule_not_paid';
    known.isRuledPaid ||= kind === 'rule_paid';
    known.wasCalledFailed ||= kind === 'fail';
    known.isReleased ||= kind === 'release';
    this.#eyes.moved({ payout: id, kind, from: before.status, to: state.status, before, at }, known);
  }

  #readForged(known: Known): void {
    const row = this.#sql('SELECT * FROM payouts WHERE id = ?').get(known.id);
    known.payout = payoutOf({ ...row } as unknown as PayoutRow, this.#routes);
  }

  #compare(id: number): void {
    const { payout } = this.#known(id);
    if (this.forged.has(id)) return;
    const row = this.#sql('SELECT status, version, attempts, state FROM payouts WHERE id = ?').get(id);
    const status = String(row?.status);
    if (!NAMED.has(status)) this.#eyes.violation(`B: payout ${id} is in no named state: ${status}`);
    const isEqual =
      status === payout.state.status &&
      Number(row?.version) === payout.version &&
      Number(row?.attempts) === payout.attempts &&
      isSameState(status as Status, String(row?.state), payout);
    if (!isEqual)
      this.#eyes.violation(`payout ${id}: stored ${status}, its journal says ${payout.state.status}`);
  }

  #known(id: number): Known {
    const known = this.payouts.get(id);
    if (known === undefined) throw new RangeError(`Payout ${id} was never born`);
    return known;
  }
}

function isSameState(status: Status, stored: string, { state }: Payout): boolean {
  const replayed = encodeState(state);
  // One that was read before it changed may have its members in another order.
  const inOrder = (text: string) => encodeState(decodeState(status, text));
  return stored === replayed || inOrder(stored) === inOrder(replayed);
}
