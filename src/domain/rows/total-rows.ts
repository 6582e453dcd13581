/**
 * Totals that a sheet writes itself, compared with the amounts above them: a control sum that came with the file.
 *
 * A total stands for all amounts above it, for those since any total before it, or for those below its heading.
 * Amounts are added as numbers, whatever their currencies, as the sheet adds them; and those of each currency alone.
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

interface Start {
  readonly sum: bigint;
  readonly byCurrency: ReadonlyMap<CurrencyCode, bigint>;
  /** Of rows that a person left out, which the sheet may have added. */
  readonly left: bigint;
  readonly at: number;
}

export class TotalRows {
  /** What was found, for the person, in file order. */
  readonly notes: string[] = [];
  /** The totals that are not the sum of what stands above them. */
  readonly faults: string[] = [];
  #sum = 0n;
  readonly #byCurrency = new Map<CurrencyCode, bigint>();
  #left = 0n;
  #read = 0;
  #unknown: { readonly row: number; readonly at: number } | undefined;
  /** The last row that cannot be paid as written, and whose amount is known. */
  #unpaid: number | undefined;
  readonly #before: Start[] = [{ sum: 0n, byCurrency: new Map(), left: 0n, at: 0 }];
  readonly #headings = new Map<string, Start>();

  add({ minor, currency }: Money): void {
    this.#read += 1;
    const amount = minor * (POWERS[decimalsOf(currency)] ?? 0n);
    this.#sum += amount;
    this.#byCurrency.set(currency, (this.#byCurrency.get(currency) ?? 0n) + amount);
  }

  /** A row whose amount is not known, so that later totals cannot be compared. */
  leaveOut(rowNumber: number): void {
    this.#read += 1;
    this.#unknown = { row: rowNumber, at: this.#read };
  }

  /** A row that cannot be paid as written, with the text of its amount: a total is the sum of such rows as well. */
  addUnpaid(rowNumber: number, text: string): void {
    this.#unpaid = rowNumber;
    this.#sum += this.#amountOf(rowNumber, text);
  }

  /** A row that a person left out, with the text of its amount: a total may count it or not. */
  passOver(rowNumber: number, text: string): void {
    if (text !== '') this.#left += this.#amountOf(rowNumber, text);
  }

  /** A total of this name sums what comes from here on. */
  head(heading: string): void {
    if (this.#headings.size < MOST_REMEMBERED) this.#headings.set(heading, this.#here());
  }

  isHeading(text: string): boolean {
    return this.#headings.has(text);
  }

  /** Whether a number is the sum of rows above, and of how many at least. */
  agrees(written: bigint | undefined, heading = '', rows = 0): boolean {
    const from = [...this.#before, ...[this.#headings.get(heading) ?? []].flat()];
    return from
      .filter(({ at }) => (this.#unknown?.at ?? 0) <= at && this.#read - at >= rows)
      .some(
        ({ sum, left, byCurrency }) =>
          [0n, this.#left - left].includes((written ?? -1n) - (this.#sum - sum)) ||
          [...this.#byCurrency].some(([of, all]) => written === all - (byCurrency.get(of) ?? 0n)),
      );
  }

  /** Whether it is the sum of all of them. */
  isWhole(written: bigint | undefined): boolean {
    if (this.#unknown !== undefined || this.#read === 0) return false;
    return written === this.#sum || written === this.#sum + this.#left;
  }

  /** False: it is no total, as far as is known, but a row that may be about somebody. `heading`: what it is the total of. */
  total(rowNumber: number, plain: string, label: TotalLabel = 'certain', heading?: string): boolean {
    const written = scaled(plain);
    const isSum = this.agrees(written, heading);
    const notKnown = this.#unknown?.row ?? this.#unpaid;
    if (!isSum && (label === 'possible' || (label === 'likely' && notKnown !== undefined))) return false;
    if (isSum && this.#unpaid === undefined)
      note(this.notes, `row ${rowNumber} is a total, ${shown(written)}; it agrees with the amounts above it`);
    else if (notKnown !== undefined) note(this.notes, notCompared(rowNumber, written, notKnown));
    else note(this.faults, differs(rowNumber, written, this.#sum, this.#before.slice(1).at(-1)));
    this.#before.push(this.#here());
    // The first row stays.
    if (this.#before.length > MOST_REMEMBERED) this.#before.splice(1, 1);
    return true;
  }

  #here(): Start {
    return { sum: this.#sum, byCurrency: new Map(this.#byCurrency), left: this.#left, at: this.#read };
  }

  #amountOf(rowNumber: number, text: string): bigint {
    const amount = amountIn(text);
    if (amount === undefined) this.leaveOut(rowNumber);
    else this.#read += 1;
    return amount ?? 0n;
  }
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
