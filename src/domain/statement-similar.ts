/**
 * Lines of a statement that nothing ties to a row but the amount. A bank may cut the narration short, and with it
 * the tag, or show our own account in place of the beneficiary's; so such a line may be a payment in doubt, and
 * while it may, nobody can say that the statement lacks it.
 *
 * Limits:  only payouts in doubt are held, and a few lines of each.
 */
import type { PayoutId } from './instruction.ts';
import { formatDecimal, type Money } from './money.ts';
import { amountFits, type StatementEntry } from './statement-entry.ts';
import type { StatementLine } from './statement-line.ts';

const LINES_KEPT = 3;
/** Amounts that are up to 1 % apart lie in the same bucket or in neighbouring ones. */
const BUCKET = Math.log(1.02);

export class SimilarLines {
  readonly #byAmount = new Map<number, StatementEntry[]>();
  readonly #lines = new Map<PayoutId, StatementLine[]>();

  add(entry: StatementEntry): void {
    if (entry.status !== 'in_doubt' && entry.status !== 'sending') return;
    const moneys = [entry.amount, entry.debit].filter((money) => money !== undefined);
    for (const bucket of new Set(moneys.map((money: Money) => bucketOf(formatDecimal(money))))) {
      const others = this.#byAmount.get(bucket);
      if (others === undefined) this.#byAmount.set(bucket, [entry]);
      else others.push(entry);
    }
  }

  mayBe(line: StatementLine): boolean {
    return this.#entriesFor(line).length > 0;
  }

  keep(line: StatementLine, fits: (entry: StatementEntry) => boolean): void {
    for (const entry of this.#entriesFor(line)) {
      const lines = this.linesOf(entry);
      if (lines.length < LINES_KEPT && fits(entry)) this.#lines.set(entry.payoutId, [...lines, line]);
    }
  }

  linesOf(entry: StatementEntry): readonly StatementLine[] {
    return this.#lines.get(entry.payoutId) ?? [];
  }

  #entriesFor(line: StatementLine): readonly StatementEntry[] {
    if (this.#byAmount.size === 0 || line.direction === 'in') return [];
    const found = new Set<StatementEntry>();
    for (const amount of line.amounts) {
      const bucket = bucketOf(amount);
      for (const near of [bucket - 1, bucket, bucket + 1])
        for (const entry of this.#byAmount.get(near) ?? []) if (amountFits(entry, line)) found.add(entry);
    }
    return [...found];
  }
}

function bucketOf(decimal: string): number {
  return Math.floor(Math.log(Math.max(Number(decimal), Number.MIN_VALUE)) / BUCKET);
}
