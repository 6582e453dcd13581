/**
 * Payments by which other batches paid failed rows of this one again. The row and the payment mostly have one account and
 * one amount, so a line without a tag fits both. The payment is known to be made, so the line is the payment's. Each
 * payment takes one line.
 */
import type { PayoutId } from '../payouts/instruction.ts';
import { meaningOf, type Words } from '../payouts/service-status.ts';
import type { WrittenDate } from '../text/written-date.ts';
import { mayBeBooked } from './dates.ts';
import { isCalledUnpaid, type StatementEntry } from './entry.ts';
import { isShownWhole } from './figures.ts';
import type { StatementLine } from './line.ts';

export interface PaymentElsewhere {
  readonly entry: StatementEntry;
  /** The payments of this batch that it replaces, or that are of its row otherwise. */
  readonly rows: readonly PayoutId[];
}

export class PaidElsewhere {
  readonly #byRow = new Map<PayoutId, StatementEntry[]>();
  readonly #byName = new Map<string, StatementEntry>();
  readonly #haveLine = new Set<StatementEntry>();
  readonly #words: Words;

  constructor(payments: readonly PaymentElsewhere[], words: Words) {
    this.#words = words;
    for (const { entry, rows } of payments) {
      for (const name of [entry.tag, entry.transferId?.toLowerCase()])
        if (name !== undefined) this.#byName.set(name, entry);
      for (const row of rows) this.#byRow.set(row, [...(this.#byRow.get(row) ?? []), entry]);
    }
  }

  /** The first reading: a payment that a line names, or seems to name, takes no other. */
  placeNamed({ tags, ids, words }: StatementLine): void {
    if (this.#byName.size === 0) return;
    for (const name of [...tags, ...[...ids, ...words].map((id) => id.toLowerCase())]) {
      const entry = this.#byName.get(name);
      if (entry !== undefined) this.#haveLine.add(entry);
    }
  }

  /**
   * The second reading. True: the line is one of these payments. `fitting`: the rows of this batch that it may be as well;
   * it is left to them unless that payment is all of theirs, paid again.
   */
  takes(line: StatementLine, fitting: readonly StatementEntry[], date: WrittenDate | undefined): boolean {
    const [first] = fitting;
    const known = first && this.#byRow.get(first.payoutId);
    if (known === undefined || !fitting.every(isCalledUnpaid)) return false;
    if (!this.#isPayment(line) || line.cutTags.length > 0) return false;
    const taking = known.find(
      (entry) =>
        !this.#haveLine.has(entry) &&
        fitting.every(({ payoutId }) => this.#byRow.get(payoutId)?.includes(entry)) &&
        isShownWhole(entry, line) &&
        entry.window !== undefined &&
        mayBeBooked(date, entry.window),
    );
    if (taking !== undefined) this.#haveLine.add(taking);
    return taking !== undefined;
  }

  #isPayment({ direction, status }: StatementLine): boolean {
    const meaning = meaningOf(status, this.#words);
    return direction === 'out' && meaning !== 'failed' && meaning !== 'returned';
  }
}
