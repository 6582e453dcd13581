/**
 * Decides which lines without an account and an institution are left out, and keeps which and why.
 *
 * Lines of a block without a header of its own wait until the table ends: they sum up the list if they add up to it.
 */
import { rowNumbers } from '../text/printable.ts';
import type { OtherLine } from './other-lines.ts';
import { scaled, type TotalRows } from './total-rows.ts';

export interface LineLeftOut {
  readonly row: number;
  readonly why: keyof typeof WHY_LEFT_OUT;
}

/** Words that finish “left out: …”. */
export const WHY_LEFT_OUT = {
  no_payment: 'no account, no institution and no amount',
  total: 'a total',
  second_table: 'part of another table, without accounts',
} as const;

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
const NONE: readonly never[] = [];

export type OtherLines<Line extends ReadLine> = ReturnType<typeof createOtherLines<Line>>;

export function createOtherLines<Line extends ReadLine>(totals: TotalRows) {
  const left: LineLeftOut[] = [];
  let more = 0;
  let block: Block<Line> | undefined;
  const leaveOut = ({ rowNumber: row }: Line, why: LineLeftOut['why']) => {
    if (left.length < MOST_NAMED) left.push({ row, why });
    else more += 1;
  };
  const asIssues = (lines: readonly Line[]) => {
    for (const { line, rowNumber } of lines) if (line.hasAmount) totals.leaveOut(rowNumber);
    return lines;
  };
  const takeWaiting = () => block?.waiting.splice(0) ?? NONE;
  const endBlock = (): readonly Line[] => {
    const { sum, ofTotals = 0n } = block ?? {};
    const waiting = takeWaiting();
    block = undefined;
    if (sum === undefined || !(totals.agrees(sum) || totals.agrees(sum + ofTotals))) return asIssues(waiting);
    for (const line of waiting) leaveOut(line, 'second_table');
    return NONE;
  };
  const isTotal = ({ rowNumber, line, plain }: Line, written: bigint | undefined): boolean => {
    if (line.label === undefined || plain === undefined) return false;
    if (block?.isHeaded === true && block.sum === written) return true;
    const isNamed = totals.isHeading(line.heading);
    if (line.label === 'headed' && !isNamed) return false;
    const label = line.label === 'headed' || (line.label === 'possible' && isNamed) ? 'certain' : line.label;
    const isOne = totals.total(rowNumber, plain, label, line.heading);
    if (isOne && block !== undefined) block.ofTotals += written ?? 0n;
    return isOne;
  };
  return {
    /** The lines that are issues now, in file order. */
    see(read: Line): readonly Line[] {
      const { line, plain } = read;
      if (read.isUnfinished) return [...asIssues(takeWaiting()), ...asIssues([read])];
      const written = plain === undefined ? undefined : scaled(plain);
      if (!line.hasAmount) {
        const ended = line.isHeader ? endBlock() : NONE;
        block ??= { isHeaded: line.isHeader, waiting: [], sum: 0n, ofTotals: 0n };
        totals.head(line.heading);
        leaveOut(read, line.isHeader ? 'second_table' : 'no_payment');
        return ended;
      }
      // The total counts rows that were thought to be about nobody.
      const counted =
        line.label !== undefined && !totals.agrees(written, line.heading) ? takeWaiting() : NONE;
      asIssues(counted);
      if (isTotal(read, written)) {
        leaveOut(read, 'total');
        return counted;
      }
      if (block === undefined) return [...counted, ...asIssues([read])];
      block.sum = block.sum === undefined || written === undefined ? undefined : block.sum + written;
      if (block.isHeaded) leaveOut(read, 'second_table');
      else block.waiting.push(read);
      return block.waiting.length > MOST_WAITING ? [...counted, ...asIssues(takeWaiting())] : counted;
    },
    /** Before a row that is no such line: the lines that are issues now. */
    endBefore(): readonly Line[] {
      if (block === undefined) return NONE;
      const waiting = takeWaiting();
      block = undefined;
      return asIssues(waiting);
    },
    /** After the last row: the lines that are issues now. */
    end: endBlock,
    leftOut: (): LinesLeftOut => ({ rows: left.toSorted((one, other) => one.row - other.row), more }),
  };
}

/** For the person: which lines are left out, but for totals, which are said one by one. */
export function leftOutNotes({ rows, more }: LinesLeftOut): readonly string[] {
  const others = rows.flatMap(({ row, why }) => (why === 'total' ? [] : [row]));
  if (others.length === 0) return [];
  return [`left out, because no account and no institution stands there: ${rowNumbers(others, more)}`];
}
