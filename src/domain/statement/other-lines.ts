/**
 * Lines of a statement that are no payment of payfile, added up for whoever posts them: charges of the bank, what else went
 * out, and what came in.
 */
import { millionthsOf, textOf } from './balances.ts';
import { speaksOfFee } from './figures.ts';
import type { StatementLine } from './line.ts';

const KINDS = ['charges', 'out', 'in'] as const;

export interface OtherSum {
  readonly what: (typeof KINDS)[number];
  /** Empty where the lines name none. */
  readonly currency: string;
  readonly lines: number;
  /** A decimal without a sign. */
  readonly sum: string;
}

export class OtherLines {
  readonly #sums = new Map<string, { lines: number; sum: bigint }>();

  /** Lines whose amount or direction is not known are in no sum. */
  add(line: StatementLine): void {
    const { direction, amounts, currency = '', isPending } = line;
    const size = amounts[0] === undefined ? undefined : millionthsOf(amounts[0]);
    if (size === undefined || direction === 'open' || isPending) return;
    const what = direction === 'out' && speaksOfFee(line) ? 'charges' : direction;
    const key = `${what} ${currency}`;
    const { lines, sum } = this.#sums.get(key) ?? { lines: 0, sum: 0n };
    this.#sums.set(key, { lines: lines + 1, sum: sum + size });
  }

  result(): readonly OtherSum[] {
    return KINDS.flatMap((what) =>
      [...this.#sums]
        .filter(([key]) => key.startsWith(`${what} `))
        .map(([key, { lines, sum }]) => ({
          ...{ what, currency: key.slice(what.length + 1) },
          ...{ lines, sum: textOf(sum) },
        })),
    );
  }
}
