/**
 * Totals that a sheet writes itself, compared with the amounts above them: a control sum that came with the file.
 *
 * A total stands for all amounts above it, or for those since the total before it. Amounts are added as numbers,
 * whatever their currencies, as the sheet adds them.
 */
import { type CurrencyCode, decimalsOf } from '../money/currency.ts';
import { formatMoney, type Money } from '../money/money.ts';
import { foldText } from '../text/fold.ts';
import { rowsText } from '../text/printable.ts';
import { isSameHeader } from './column-names.ts';
import type { FileColumns, IssueText } from './issue-writer.ts';
import type { RowCells, WrittenRow } from './row.ts';

export interface TotalRows {
  add(amount: Money): void;
  /** A row whose amount is not known, so that later totals cannot be compared. */
  leaveOut(rowNumber: number): void;
  total(rowNumber: number, plain: string): void;
  /** What was found, for the person, in file order. */
  readonly notes: readonly string[];
  /** The first total that is not the sum of what stands above it. */
  readonly fault: string | undefined;
}

// Four is the most that ISO 4217 gives a currency; a total may be written with more zeros.
const SCALE = 12;
const MOST_NOTES = 20;

export function createTotalRows(): TotalRows {
  const all = new Sum();
  const section = new Sum();
  const notes: string[] = [];
  let fault: string | undefined;
  const note = (text: string) => {
    if (notes.length < MOST_NOTES) notes.push(text);
  };
  return {
    notes,
    get fault() {
      return fault;
    },
    add(amount) {
      all.add(amount);
      section.add(amount);
    },
    leaveOut(rowNumber) {
      all.unknownRow ??= rowNumber;
      section.unknownRow ??= rowNumber;
    },
    total(rowNumber, plain) {
      const written = scaled(plain);
      const unknown = all.unknownRow;
      const agrees = [all, section].some((sum) => sum.unknownRow === undefined && sum.scaled === written);
      if (agrees) note(`row ${rowNumber} is a total, ${shown(written)}; it agrees with the amounts above it`);
      else if (unknown !== undefined)
        note(
          `row ${rowNumber} is a total, ${shown(written)}, not compared because row ${unknown} cannot be paid as written`,
        );
      else
        fault ??=
          `row ${rowNumber} says that the total is ${shown(written)}, but the amounts above it add up to ` +
          `${shown(all.scaled)}${section.scaled === all.scaled ? '' : ` (since the total before: ${shown(section.scaled)})`}`;
      section.clear();
    },
  };
}

class Sum {
  scaled = 0n;
  unknownRow: number | undefined;

  add({ minor, currency }: Money): void {
    this.scaled += minor * (POWERS[decimalsOf(currency)] ?? 0n);
  }

  clear(): void {
    this.scaled = 0n;
    this.unknownRow = undefined;
  }
}

/** What one minor unit of a currency with so many decimals counts. */
const POWERS: readonly bigint[] = Array.from({ length: 5 }, (_, decimals) => 10n ** BigInt(SCALE - decimals));

function scaled(plain: string): bigint | undefined {
  const [whole = '0', fraction = ''] = plain.split('.');
  const needed = fraction.replace(/0+$/, '');
  return needed.length > SCALE ? undefined : BigInt(whole + needed.padEnd(SCALE, '0'));
}

function shown(sum: bigint | undefined): string {
  if (sum === undefined) return 'a number with many decimals';
  const digits = sum.toString().padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -SCALE)}.${fraction}`;
}

/**
 * Rows below the header that pay nobody: the header again, a comment, the sheet's own total.
 *
 * None is left out silently: the first two are issues, and a total is compared with the amounts above it.
 */

type NotAPayment =
  | { readonly kind: 'issue'; readonly issue: IssueText }
  /** It stands for the sum of rows above it; its amount still has to be read. */
  | { readonly kind: 'total' };

/** undefined for every row that might pay somebody. */
export function notAPayment(cells: RowCells, row: WrittenRow, file: FileColumns): NotAPayment | undefined {
  const { country, institution, account, amount } = cells.texts;
  // A total's label may stand in the column of the country, where that is the first, or just before the amount.
  if (institution !== '' || [account, country].some((text) => text !== '' && !isTotalWord(text)))
    return country !== '' && isHeader(cells, file) ? REPEATED_HEADER(country) : undefined;
  if (amount !== '') return row.cells.some((cell) => isTotalWord(cell)) ? { kind: 'total' } : undefined;
  if (cells.fields.some((field) => cells.isMarked(field, 'formula_without_value'))) return undefined;
  const at = row.cells.findIndex((cell) => cell.trim() !== '');
  return {
    kind: 'issue',
    issue: {
      kind: 'row_without_payment',
      field: 'country',
      at: at === -1 ? undefined : at,
      seen: row.cells[at]?.trim() ?? '',
      expected: 'a payment; country, institution, account and amount are all empty',
      suggestion: 'Fill the row in, or take it out of the sheet.',
    },
  };
}

function isHeader({ texts }: RowCells, { columns, headers }: FileColumns): boolean {
  const header = (field: 'country' | 'account') => headers[columns.get(field) ?? -1] ?? '';
  // Equal first letters are cheap to see, and hardly any payment has them.
  if (texts.country[0] !== header('country')[0]) return false;
  return isSameHeader(texts.country, header('country')) && isSameHeader(texts.account, header('account'));
}

const REPEATED_HEADER = (seen: string): NotAPayment => ({
  kind: 'issue',
  issue: {
    kind: 'header_repeated',
    field: 'country',
    seen,
    expected: 'a payment; the row is the header once more',
    suggestion: 'Take the row out of the sheet.',
  },
});

const TOTAL_WORD =
  /^(?:grand|sub|sous|overall|net|page|batch|file|payroll)?(?:total|totals|totaux|totais)(?:general|geral|amount|payable|payroll|net|due|gross|topay|apagar|apayer)?$|^(?:sum|somme|soma)$/;

function isTotalWord(cell: string): boolean {
  const text = cell.trim();
  return text !== '' && text.length <= 40 && TOTAL_WORD.test(foldText(text));
}

/**
 * What a person declared of a file (so many rows, so much in a currency) against what was read.
 */

export interface Expected {
  readonly count: number | undefined;
  /** One per currency. */
  readonly totals: readonly Money[];
}

interface SeenTotals {
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
