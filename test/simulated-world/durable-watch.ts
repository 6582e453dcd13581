/**
 * Sees what is durable, by a connection of its own, after every commit: replays each payout's journal through the
 * payout machine and compares it with what is stored, and remembers what the other checkers ask about.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Payout, type PayoutState, STATUSES, type Status } from '../../src/domain/payouts/payout.ts';
import type { EventKind } from '../../src/domain/payouts/payout-event.ts';
import { advance, EVENT_KINDS } from '../../src/domain/payouts/payout-machine.ts';
import { decodeEvent, encodeState, inOrder, PLANNED } from '../../src/ledger/codec.ts';
import { bodyOf } from '../../src/ledger/codec-json.ts';
import type { Route } from '../../src/ledger/routes.ts';
import { payoutOf } from '../../src/ledger/rows.ts';
import type { Row } from '../../src/ledger/sql.ts';

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
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #routes = new Map<number, Route>();
  readonly #byTag = new Map<string, number>();
  readonly #importOf = new Map<number, number>();
  readonly #revisingTo = new Map<number, number>();
  #seq = 0;

  constructor(db: DatabaseSync, eyes: DurableEyes) {
    this.#eyes = eyes;
    this.#db = db;
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
      'SELECT seq, batch, payout, at, kind, body, personal, seal FROM journal WHERE seq > ? ORDER BY seq',
    );
    const touched = new Set<number>();
    for (const line of lines.all(this.#seq) as Row[]) {
      this.#seq = Number(line['seq']);
      const kind = String(line['kind']);
      for (const [id] of `${line['body']} ${line['personal']}`.matchAll(/\btr-\d+\b/g)) this.idsNamed.add(id);
      if (line['payout'] === null) {
        this.#placed(Number(line['batch']), kind, line);
        continue;
      }
      const id = Number(line['payout']);
      touched.add(id);
      if (kind === 'imported' || kind === 'replacement') this.#born(id, line);
      else if (FILED.has(kind)) this.#filed(this.#known(id), Number(line['batch']), kind, line);
      else if (KINDS.has(kind)) this.#happened(id, kind as EventKind, line);
    }
    for (const id of touched) this.#compare(id);
  }

  #filed(known: Known, batch: number, kind: string, line: Row): void {
    const { row = known.payout.rowNumber } = bodyOf(line) as { row?: number };
    known.batch = batch;
    known.payout = { ...known.payout, rowNumber: row };
    known.isInFile = kind !== 'left_out' && kind !== 'replaced';
  }

  #placed(batch: number, kind: string, line: Row): void {
    if (kind === 'route') {
      const { id, ...route } = bodyOf(line) as unknown as Route & { id: number };
      this.#routes.set(id, route);
    }
    if (kind === 'sealed') this.#importOf.set(batch, batch);
    if (kind === 'revision_begun')
      this.#revisingTo.set(batch, Number((bodyOf(line) as { set: { merging: string } }).set.merging));
    if (kind !== 'revised') return;
    this.#importOf.set(batch, Number(bodyOf(line)['import']));
    this.#revisingTo.delete(batch);
  }

  #born(id: number, line: Row): void {
    const row = this.#row(id);
    if (row === undefined) {
      this.#eyes.violation(`B: payout ${id} is in the journal and not stored`);
      return;
    }
    const body = bodyOf(line) as { status?: string; state?: unknown };
    const state = body.state === undefined ? PLANNED : JSON.stringify(body.state);
    const status = body.status ?? 'planned';
    const start = { ...row, status, state, version: 0n, attempts: 0n };
    const flags = {
      isInFile: true,
      isRuledUnpaid: false,
      isRuledPaid: false,
      wasCalledFailed: false,
      isReleased: false,
    };
    const payout = payoutOf(start, this.#way);
    this.payouts.set(id, { id, root: Number(row['root']), batch: Number(row['batch']), payout, ...flags });
  }

  #happened(id: number, kind: EventKind, line: Row): void {
    const known = this.#known(id);
    const before = known.payout.state;
    const at = Number(line['at']);
    try {
      known.payout = advance(known.payout, decodeEvent(line));
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
    const row = this.#row(known.id);
    if (row !== undefined) known.payout = payoutOf(row, this.#way);
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

  readonly #way = {
    byId: (id: number): Route => {
      const route = this.#routes.get(id);
      if (route === undefined) throw new RangeError(`The journal names no route ${id}`);
      return route;
    },
  };

  #row(id: number): Row | undefined {
    return this.#sql('SELECT * FROM payouts WHERE id = ?').get(id) as Row | undefined;
  }

  #sql(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
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
  return stored === replayed || inOrder(status, stored) === inOrder(status, replayed);
}
