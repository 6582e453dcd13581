/**
 * Decides which lines without an account and an institution are left out, and keeps which and why.
 *
 * Lines of a block without a header of its own wait until the table ends: they sum up the list if they add up to it, and
 * behind the total of the whole list they belong to something else if they name nobody.
 */
import { counted, cutText, printable, rowNumbers } from '../text/printable.ts';
import { maskedWords } from '../text/sensitive.ts';
import type { OtherLine } from './other-lines.ts';
import { scaled, type TotalRows } from './total-rows.ts';

export const REASONS_TO_LEAVE_OUT = ['no_payment', 'second_table', 'total', 'said', 'zero'] as const;

export interface LineLeftOut {
  readonly row: number;
  readonly why: (typeof REASONS_TO_LEAVE_OUT)[number];
  /** As they stand in the columns of name and amount; long numbers are masked. */
  readonly name?: string;
  readonly amount?: string;
  /** Where a word decided: `Status: Paid`. */
  readonly says?: string;
  /** Whose answer left it out. */
  readonly by?: string;
}

const WORDS: Readonly<Record<LineLeftOut['why'], string>> = {
  no_payment: 'no account, no institution and no amount',
  second_table: 'another table without accounts',
  total: 'a total',
  said: 'a person said to leave it out',
  zero: 'an amount of zero',
};

/** `a person said to leave it out (Status: Paid; ada)` */
export function leftOutText({ why, says, by }: LineLeftOut): string {
  const more = [says, by].filter((text) => text !== undefined).join('; ');
  return more === '' ? WORDS[why] : `${WORDS[why]} (${more})`;
}

export const whyLeftOut = (why: LineLeftOut['why']): string => WORDS[why];

/** The first thousand of them, and how many there are more. */
export interface LinesLeftOut {
  readonly rows: readonly LineLeftOut[];
  readonly more: number;
}

/** A line as it was read. */
export interface ReadLine {
  readonly rowNumber: number;
  readonly line: OtherLine;
  /** As a plain decimal; undefined: none, or one that cannot be read. */
  readonly plain: string | undefined;
  /** It names a person and a country, so the rest of it was forgotten. */
  readonly isUnfinished: boolean;
  /** What a report shows of it. */
  readonly texts: { readonly name: string; readonly amount: string };
}

interface Block<Line> {
  readonly isHeaded: boolean;
  readonly waiting: Line[];
  /** Of the lines; undefined: one of them cannot be read. */
  sum: bigint | undefined;
  /** Of lines that are a sum of rows above them, too. */
  ofTotals: bigint;
}

const MOST_NAMED = 1_000;
const MOST_WAITING = 1_000;
const SEVERAL = 2;
const NONE: readonly never[] = [];

export class OtherLines<Line extends ReadLine> {
  readonly #totals: TotalRows;
  readonly #left: LineLeftOut[] = [];
  #more = 0;
  #block: Block<Line> | undefined;
  /** The last of these lines with an amount was the total of the whole list. */
  #isListEnded = false;

  constructor(totals: TotalRows) {
    this.#totals = totals;
  }

  /** The lines that are issues now, in file order. */
  see(read: Line): readonly Line[] {
    const { line, plain } = read;
    if (read.isUnfinished) return [...this.#asIssues(this.#takeWaiting()), ...this.#asIssues([read])];
    if (!line.hasAmount) return this.#seeText(read);
    const written = plain === undefined ? undefined : scaled(plain);
    // A total that counts the lines above it says that they are payments.
    const isOther = line.label !== undefined && !this.#totals.agrees(written, line.heading);
    if (isOther && this.#sumsOutside(written)) {
      this.#block?.waiting.push(read);
      return NONE;
    }
    const counted = this.#asIssues(isOther ? this.#takeWaiting() : NONE);
    const block = this.#block;
    const isWhole = line.heading === '' && this.#totals.isWhole(written);
    if (this.#isTotal(read, written)) {
      this.#isListEnded ||= isWhole;
      if (block !== undefined) block.ofTotals += written ?? 0n;
      this.#leaveOut(read, 'total');
      return counted;
    }
    if (block === undefined) return [...counted, ...this.#asIssues([read])];
    block.sum = block.sum === undefined || written === undefined ? undefined : block.sum + written;
    if (block.isHeaded) this.#leaveOut(read, 'second_table');
    else block.waiting.push(read);
    return block.waiting.length > MOST_WAITING
      ? [...counted, ...this.#asIssues(this.#takeWaiting())]
      : counted;
  }

  /** Before a row that is no such line: the lines that are issues now. */
  endBefore(): readonly Line[] {
    this.#isListEnded = false;
    if (this.#block === undefined) return NONE;
    const waiting = this.#takeWaiting();
    this.#block = undefined;
    return this.#asIssues(waiting);
  }

  /** After the last row, or where another table begins: the lines that are issues now. */
  end(): readonly Line[] {
    const { sum, ofTotals = 0n } = this.#block ?? {};
    const waiting = this.#takeWaiting();
    this.#block = undefined;
    const isSum = sum !== undefined && (this.#totals.agrees(sum) || this.#totals.agrees(sum + ofTotals));
    const isOutside = this.#isListEnded && waiting.every(({ line }) => line.namesNobody);
    if (!isSum && !isOutside) return this.#asIssues(waiting);
    for (const line of waiting) this.#leaveOut(line, 'second_table');
    return NONE;
  }

  /** As it was read; what is kept of it is masked. */
  leaveOut(line: LineLeftOut): void {
    if (this.#left.length < MOST_NAMED) this.#left.push(asKept(line));
    else this.#more += 1;
  }

  leftOut(): LinesLeftOut {
    return { rows: this.#left.toSorted((one, other) => one.row - other.row), more: this.#more };
  }

  #seeText(read: Line): readonly Line[] {
    const { isHeader, heading } = read.line;
    const ended = isHeader ? this.end() : NONE;
    this.#block ??= { isHeaded: isHeader, waiting: [], sum: 0n, ofTotals: 0n };
    this.#totals.head(heading);
    this.#leaveOut(read, isHeader ? 'second_table' : 'no_payment');
    return ended;
  }

  /** Behind the total of the list, it sums lines that name nobody. */
  #sumsOutside(written: bigint | undefined): boolean {
    const { waiting = [], sum, isHeaded } = this.#block ?? {};
    const isSum = isHeaded === false && waiting.length > 0 && sum === written;
    return isSum && this.#isListEnded && waiting.every(({ line }) => line.namesNobody);
  }

  #isTotal({ rowNumber, line, plain }: Line, written: bigint | undefined): boolean {
    if (line.label === undefined || plain === undefined) return false;
    if (this.#block?.isHeaded === true && this.#block.sum === written) return true;
    const isNamed = line.heading !== '' && this.#totals.isHeading(line.heading);
    // `Total Energies` may be somebody, but hardly with the sum of several rows above.
    if (line.label === 'headed' && !isNamed && !this.#totals.agrees(written, line.heading, SEVERAL))
      return false;
    const label = line.label === 'headed' || (line.label === 'possible' && isNamed) ? 'certain' : line.label;
    return this.#totals.total(rowNumber, plain, label, line.heading);
  }

  #leaveOut({ rowNumber: row, texts }: Line, why: LineLeftOut['why']): void {
    this.leaveOut({ row, why, ...texts });
  }

  #asIssues(lines: readonly Line[]): readonly Line[] {
    for (const { line, rowNumber } of lines) if (line.hasAmount) this.#totals.leaveOut(rowNumber);
    return lines;
  }

  #takeWaiting(): readonly Line[] {
    return this.#block?.waiting.splice(0) ?? NONE;
  }
}

/** Short, masked, and without what is empty. */
function asKept({ row, why, ...texts }: LineLeftOut): LineLeftOut {
  const shown = Object.entries(texts).flatMap(([key, text]) =>
    text.trim() === '' ? [] : [[key, cutText(printable(maskedWords(text.trim())), LONGEST)] as const],
  );
  return { row, why, ...Object.fromEntries(shown) };
}

const LONGEST = 80;

/** For the person: which lines are left out, but for totals, which are said one by one. */
export function leftOutNotes({ rows, more }: LinesLeftOut): readonly string[] {
  const these = (...reasons: readonly LineLeftOut['why'][]) =>
    rows.flatMap(({ row, why }) => (reasons.includes(why) ? [row] : []));
  const groups = [
    ['left out, because no account and no institution stands there', these('no_payment', 'second_table')],
    ['left out, because a person said so', these('said')],
    ['left out, because the amount is zero', these('zero')],
  ] as const;
  const told = groups.filter(([, group]) => group.length > 0);
  return told.map(([text, group], at) => `${text}: ${rowNumbers(group, at === told.length - 1 ? more : 0)}`);
}

/** `rows 2, 6: no account, no institution and no amount; row 9: a total`; empty for none. */
export function linesLeftOutText({ rows, more }: LinesLeftOut): string {
  const said = REASONS_TO_LEAVE_OUT.flatMap((why) => {
    const these = rows.flatMap((each) => (each.why === why ? [each.row] : []));
    return these.length === 0 ? [] : [`${rowNumbers(these)}: ${WORDS[why]}`];
  });
  return [...said, ...(more === 0 ? [] : [`${counted(more, 'more row')}`])].join('; ');
}
