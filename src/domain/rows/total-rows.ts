/**
 * Totals that a sheet writes itself, compared with the amounts above them: a control sum that came with the file.
 *
 * A total stands for all amounts above it, or for those since any total before it: a section, or a group of sections.
 * Amounts are added as numbers, whatever their currencies, as the sheet adds them.
 */
import { type CurrencyCode, decimalsOf } from '../money/currency.ts';
import { formatMoney, type Money } from '../money/money.ts';
import { foldText } from '../text/fold.ts';
import { rowsText } from '../text/printable.ts';
import { type FileColumns, isSameHeader, REQUIRED_FIELDS } from './column-names.ts';
import type { IssueText } from './issue-writer.ts';
import type { Field, RowCells, WrittenRow } from './row.ts';

/**
 * What the label of a row says. `certain`: a total. `likely`: `Total` in the column of names; it is one if it can be
 * compared. `possible`: it may be a name, such as `Total Energies` or `Soma`; it is one if it is the sum.
 */
export type TotalLabel = 'certain' | 'likely' | 'possible';

// Four is the most that ISO 4217 gives a currency; a total may be written with more zeros.
const SCALE = 12;
const MOST_NOTES = 20;
/** A total reaches back to one of so many before it, or to the first row. */
const MOST_TOTALS = 1_000;

export type TotalRows = ReturnType<typeof createTotalRows>;

export function createTotalRows() {
  let sum = 0n;
  let unknown: { readonly row: number; readonly at: number } | undefined;
  let read = 0;
  const start = { sum: 0n, at: 0 };
  const before: { readonly sum: bigint; readonly at: number }[] = [];
  const notes: string[] = [];
  const faults: string[] = [];
  const note = (to: string[], text: string) => {
    if (to.length < MOST_NOTES) to.push(text);
  };
  return {
    /** What was found, for the person, in file order. */
    notes: notes as readonly string[],
    /** The totals that are not the sum of what stands above them. */
    faults: faults as readonly string[],
    add({ minor, currency }: Money): void {
      read += 1;
      sum += minor * (POWERS[decimalsOf(currency)] ?? 0n);
    },
    /** A row whose amount is not known, so that later totals cannot be compared. */
    leaveOut(rowNumber: number): void {
      read += 1;
      unknown = { row: rowNumber, at: read };
    },
    /** False: it is no total, as far as is known, but a row that may be about somebody. */
    total(rowNumber: number, plain: string, label: TotalLabel = 'certain'): boolean {
      const written = scaled(plain);
      const known = [start, ...before].filter(({ at }) => unknown === undefined || unknown.at <= at);
      const last = before.at(-1);
      const agrees = known.some((from) => sum - from.sum === written);
      if (!agrees && (label === 'possible' || (label === 'likely' && unknown !== undefined))) return false;
      if (agrees)
        note(notes, `row ${rowNumber} is a total, ${shown(written)}; it agrees with the amounts above it`);
      else if (unknown !== undefined)
        note(
          notes,
          `row ${rowNumber} is a total, ${shown(written)}, not compared because row ${unknown.row} cannot be paid as written`,
        );
      else
        note(
          faults,
          `row ${rowNumber} says that the total is ${shown(written)}, but the amounts above it add up to ` +
            `${shown(sum)}${last === undefined ? '' : ` (since the total before: ${shown(sum - last.sum)})`}`,
        );
      before.push({ sum, at: read });
      if (before.length > MOST_TOTALS) before.shift();
      return true;
    },
  };
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
 * Rows below the header that pay nobody: the header again, a comment or a signature, the sheet's own total.
 *
 * None is left out silently: the first two are issues, and a total is compared with the amounts above it.
 */

type NotAPayment =
  | { readonly kind: 'issue'; readonly issue: IssueText }
  /** It stands for the sum of rows above it; its amount still has to be read. `issue` is its fault if it is none. */
  | { readonly kind: 'total'; readonly label: TotalLabel; readonly issue: IssueText };

/** undefined for every row that might pay somebody. */
export function notAPayment(cells: RowCells, row: WrittenRow, file: FileColumns): NotAPayment | undefined {
  const { country, institution, account, amount, name } = cells.texts;
  // A total's label may stand in the column of the country, where that is the first, or just before the amount.
  const isLabel = account === '' ? isTotalText : isTotalWord;
  const mayBeTotal = institution === '' && [account, country].every((text) => text === '' || isLabel(text));
  if (mayBeTotal && amount !== '' && (name === '' || isTotalWord(name)) && row.cells.some(isLabel)) {
    const issue = withoutPayment(['amount'], row, file);
    const suggestion = `${issue.suggestion} ${IF_TOTAL}`;
    return { kind: 'total', label: labelOf(row, name), issue: { ...issue, suggestion } };
  }
  if (country !== '' && isHeader(cells, file)) return REPEATED_HEADER(country);
  // Nearly every row has these two, and is done here.
  if (institution !== '' && account !== '') return undefined;
  const filled = REQUIRED_FIELDS.filter((field) => cells.texts[field] !== '');
  if (filled.length > 1) return undefined;
  if (cells.fields.some((field) => cells.isMarked(field, 'formula_without_value'))) return undefined;
  return { kind: 'issue', issue: withoutPayment(filled, row, file) };
}

const IF_TOTAL = 'If it is a total, correct the rows above it first: it has to be their sum.';

function labelOf({ cells }: WrittenRow, name: string): TotalLabel {
  if (!cells.some(isCertainTotal)) return 'possible';
  return name === '' ? 'certain' : 'likely';
}

/** One issue for the whole row, and not one for each of its empty cells. */
function withoutPayment(filled: readonly Field[], row: WrittenRow, { columns }: FileColumns): IssueText {
  const [field] = filled;
  const at =
    field === undefined ? row.cells.findIndex((cell) => cell.trim() !== '') : (columns.get(field) ?? -1);
  const empty = REQUIRED_FIELDS.filter((each) => each !== field);
  return {
    kind: 'row_without_payment',
    field: field ?? 'country',
    at: at === -1 ? undefined : at,
    seen: row.cells[at]?.trim() ?? '',
    expected: `a payment; ${empty.slice(0, -1).join(', ')} and ${empty.at(-1)} are all empty`,
    suggestion: 'Fill the row in, take it out of the sheet, or leave it out when you plan.',
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

const SUM = /^(?:sum|somme|soma)$/;
const BARE_TOTAL = /^(?:total|totals|totaux|totais|sum|somme|soma)$/;

function isTotalWord(cell: string): boolean {
  const text = cell.trim();
  return text !== '' && text.length <= LONGEST_LABEL && TOTAL_WORD.test(foldText(text));
}

/** `Total`, and with what it is the total of: `Sub-total Sales`, `Ghana total`. */
function isTotalText(cell: string): boolean {
  return isTotalWord(cell) || totalIn(cell) !== undefined;
}

/** No name: `Total`, `Sub-total Sales`; not `Total Energies`, and not `Soma`, which is one. */
function isCertainTotal(cell: string): boolean {
  if (isTotalWord(cell)) return !SUM.test(foldText(cell.trim()));
  const found = totalIn(cell);
  return found !== undefined && !BARE_TOTAL.test(foldText(found));
}

/** The words of a longer label that say total. */
function totalIn(cell: string): string | undefined {
  if (cell.length > LONGEST_LABEL || !HAS_TOTAL.test(cell)) return undefined;
  const words = cell.trim().split(/\s+/);
  const more = Math.min(MOST_WORDS, words.length - 1);
  return Array.from({ length: more }, (_, at) => at + 1)
    .flatMap((count) => [words.slice(0, -count).join(' '), words.slice(count).join(' ')])
    .find(isTotalWord);
}

const LONGEST_LABEL = 40;
const MOST_WORDS = 3;
const HAS_TOTAL = /tota[li]|totaux|sum|som[ma]/i;

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
      `The file has ${rowsText(seen.rows)}; expected ${rowsText(count)}: ` +
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
    `The payable rows come to ${formatMoney({ currency, minor })}; expected ${formatMoney(expected)}: ` +
      `${formatMoney({ currency, minor: apart })} ${minor > expected.minor ? 'too much' : 'too little'}.`,
  ];
}
