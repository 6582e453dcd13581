/**
 * Payments by which one batch paid failed rows of another one again. The row and the payment mostly have one account and
 * one amount, so a line without a tag fits both. The payment is known to be made, so the line is the payment's. Each
 * payment takes one line. The payment's batch may be compared too.
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
  /** The payments of other batches that it replaces, or that are of its row otherwise. */
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
   * The second reading. Gives the one of these payments that the line is. `fitting`: what the line may be as well; it is
   * left to them unless that payment is all of theirs, paid again.
   */
  takerOf(
    line: StatementLine,
    fitting: readonly StatementEntry[],
    date: WrittenDate | undefined,
  ): StatementEntry | undefined {
    const rows = fitting.filter(isCalledUnpaid);
    const known = rows[0] && this.#byRow.get(rows[0].payoutId);
    if (known === undefined || !this.#isPayment(line) || line.cutTags.length > 0) return undefined;
    const made = fitting.filter((entry) => !rows.includes(entry));
    const taking = known.find(
      (entry) =>
        !this.#haveLine.has(entry) &&
        rows.every(({ payoutId }) => this.#byRow.get(payoutId)?.includes(entry)) &&
        made.every(({ payoutId }) => payoutId === entry.payoutId) &&
        isShownWhole(entry, line) &&
        entry.window !== undefined &&
        mayBeBooked(date, entry.window),
    );
    if (taking !== undefined) this.#haveLine.add(taking);
    return taking;
  }

  #isPayment({ direction, status }: StatementLine): boolean {
    const meaning = meaningOf(status, this.#words);
    return direction === 'out' && meaning !== 'failed' && meaning !== 'returned';
  }
}
