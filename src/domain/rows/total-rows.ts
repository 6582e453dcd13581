/**
 * Totals that a sheet writes itself, compared with the amounts above them: a control sum that came with the file.
 *
 * A total stands for all amounts above it, for those since any total before it, or for those below its heading.
 * Amounts are added as numbers, whatever their currencies, as the sheet adds them.
 */
import { type CurrencyCode, decimalsOf } from '../money/currency.ts';
import { amountParts } from '../money/currency-words.ts';
import { formatMoney, type Money } from '../money/money.ts';
import { readAmount } from '../money/read-amount.ts';
import { rowsText } from '../text/printable.ts';

/**
 * What the label of a row says. `certain`: a total. `likely`: `Total` in the column of names; it is one if it can be
 * compared. `possible`: it may be a name, such as `Total Energies` or `Soma`; it is one if it is the sum.
 */
export type TotalLabel = 'certain' | 'likely' | 'possible';

// Four is the most that ISO 4217 gives a currency; a total may be written with more zeros.
const SCALE = 12;
const MOST_NOTES = 20;
/** A total reaches back to one of so many before it, to the first row, or to one of so many headings. */
const MOST_REMEMBERED = 1_000;

export type TotalRows = ReturnType<typeof createTotalRows>;

interface Start {
  readonly sum: bigint;
  /** Of rows that a person left out, which the sheet may have added. */
  readonly left: bigint;
  readonly at: number;
}

export function createTotalRows() {
  let [sum, left] = [0n, 0n];
  let unknown: { readonly row: number; readonly at: number } | undefined;
  /** The last row that cannot be paid, and whose amount is known. */
  let unpaid: number | undefined;
  let read = 0;
  const start: Start = { sum: 0n, left: 0n, at: 0 };
  const before: Start[] = [];
  const headings = new Map<string, Start>();
  const notes: string[] = [];
  const faults: string[] = [];
  const agrees = (written: bigint | undefined, heading?: string, rows = 0) =>
    [start, ...before, headings.get(heading ?? '') ?? start]
      .filter(({ at }) => unknown === undefined || unknown.at <= at)
      .filter(({ at }) => read - at >= rows)
      .some((from) => [0n, left - from.left].includes((written ?? -1n) - (sum - from.sum)));
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
    /** A row that cannot be paid as written, with the text of its amount: a total is the sum of such rows as well. */
    addUnpaid(rowNumber: number, text: string): void {
      read += 1;
      const amount = amountIn(text);
      if (amount === undefined) unknown = { row: rowNumber, at: read };
      else sum += amount;
      unpaid = rowNumber;
    },
    /** A row that a person left out, with the text of its amount: a total may count it or not. */
    passOver(rowNumber: number, text: string): void {
      if (text === '') return;
      read += 1;
      const amount = amountIn(text);
      if (amount === undefined) unknown = { row: rowNumber, at: read };
      else left += amount;
    },
    /** A total of this name sums what comes from here on. */
    head(heading: string): void {
      if (headings.size < MOST_REMEMBERED) headings.set(heading, { sum, left, at: read });
    },
    isHeading: (text: string) => headings.has(text),
    /** Whether a number is the sum of rows above, and of how many at least. */
    agrees,
    /** Whether it is the sum of all of them. */
    isWhole: (written: bigint | undefined) =>
      unknown === undefined && read > 0 && (written === sum || written === sum + left),
    /** False: it is no total, as far as is known, but a row that may be about somebody. `heading`: what it is the total of. */
    total(rowNumber: number, plain: string, label: TotalLabel = 'certain', heading?: string): boolean {
      const written = scaled(plain);
      const isSum = agrees(written, heading);
      const notKnown = unknown?.row ?? unpaid;
      if (!isSum && (label === 'possible' || (label === 'likely' && notKnown !== undefined))) return false;
      if (isSum)
        note(notes, `row ${rowNumber} is a total, ${shown(written)}; it agrees with the amounts above it`);
      else if (notKnown !== undefined) note(notes, notCompared(rowNumber, written, notKnown));
      else note(faults, differs(rowNumber, written, sum, before.at(-1)));
      before.push({ sum, left, at: read });
      if (before.length > MOST_REMEMBERED) before.shift();
      return true;
    },
  };
}

function note(to: string[], text: string): void {
  if (to.length < MOST_NOTES) to.push(text);
}

/** undefined: it cannot be read in one way. */
function amountIn(text: string): bigint | undefined {
  const reading = readAmount(amountParts(text)?.number ?? text);
  return reading.kind === 'one_way' ? scaled(reading.plain) : undefined;
}

function notCompared(row: number, written: bigint | undefined, unknown: number): string {
  return `row ${row} is a total, ${shown(written)}, not compared because row ${unknown} cannot be paid as written`;
}

function differs(row: number, written: bigint | undefined, sum: bigint, last: Start | undefined): string {
  const since = last === undefined ? '' : ` (since the total before: ${shown(sum - last.sum)})`;
  return `row ${row} says that the total is ${shown(written)}, but the amounts above it add up to ${shown(sum)}${since}`;
}

/** What one minor unit of a currency with so many decimals counts. */
const POWERS: readonly bigint[] = Array.from({ length: 5 }, (_, decimals) => 10n ** BigInt(SCALE - decimals));

/** A plain decimal as a number that can be compared; undefined: it has too many decimals. */
export function scaled(plain: string): bigint | undefined {
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
