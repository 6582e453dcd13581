/**
 * What a person declared of a file (so many rows, so much in a currency) against what was read.
 */
import { rowsText } from './counted.ts';
import type { CurrencyCode } from './currency.ts';
import { formatMoney, type Money } from './money.ts';

export interface Expected {
  readonly count: number | undefined;
  /** One per currency. */
  readonly totals: readonly Money[];
}

export interface SeenTotals {
  /** All rows, also those that cannot be paid. */
  readonly rows: number;
  readonly invalid: number;
  /** Of the rows that can be paid, in minor units. */
  readonly sums: ReadonlyMap<CurrencyCode, bigint>;
}

/** One sentence for each number that differs, with both numbers and the difference; empty when all agree. */
export function unexpectedTotals({ count, totals }: Expected, seen: SeenTotals): readonly string[] {
  const found: string[] = [];
  if (count !== undefined && count !== seen.rows) {
    found.push(
      `The file has ${rowsText(seen.rows)}; expected ${rowsText(count)} (--expect-count): ` +
        `${rowsText(Math.abs(seen.rows - count))} ${seen.rows > count ? 'too many' : 'missing'}.`,
    );
  }
  const sums = totals.flatMap((expected) => differenceOf(expected, seen.sums.get(expected.currency) ?? 0n));
  if (seen.invalid > 0 && sums.length > 0)
    sums.push(`${rowsText(seen.invalid)} that cannot be paid as written: not counted in the sums.`);
  return [...found, ...sums];
}

function differenceOf(expected: Money, minor: bigint): string[] {
  if (minor === expected.minor) return [];
  const { currency } = expected;
  const apart = minor > expected.minor ? minor - expected.minor : expected.minor - minor;
  return [
    `The payable rows come to ${formatMoney({ currency, minor })}; expected ${formatMoney(expected)} ` +
      `(--expect-total): ${formatMoney({ currency, minor: apart })} ${minor > expected.minor ? 'too much' : 'too little'}.`,
  ];
}
