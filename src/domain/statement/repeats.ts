/**
 * Entries that a statement shows again, because it was loaded twice or two exports overlap. Lines with the same transfer id
 * or bank reference are one entry if all else agrees: whose it is, date, amount, narration and status. A bank may give all
 * payments of a batch one reference, and a dashboard shows a payment again when it failed. Without either, the balance after
 * the line decides. Two ids stay two payments, and so do two lines without an id.
 */
import { hash } from 'node:crypto';
import type { StatementLine } from './line.ts';

interface Range {
  readonly first: number;
  last: number;
  readonly ofFirst: number;
  ofLast: number;
  /** Place of the last line, and of the line that it repeats. */
  at: number;
  ofAt: number;
}

const RANGES_SAID = 3;

export class RepeatFinder {
  /** The place of each entry among the lines. A million are held at once, so each is a number alone. */
  readonly #seen = new Map<string, number>();
  /** By place. */
  readonly #rowNumbers: number[] = [];
  readonly #ranges: Range[] = [];
  readonly #rows = new Set<number>();
  readonly #isOff: boolean;

  /** `isOff`: the balances of the statement prove that equal lines are entries of their own. */
  constructor({ isOff = false }: { readonly isOff?: boolean } = {}) {
    this.#isOff = isOff;
  }

  /** The first reading, in the order of the file. */
  add(line: StatementLine): boolean {
    const place = this.#rowNumbers.push(line.rowNumber) - 1;
    const key = this.#isOff ? undefined : keyOf(line);
    if (key === undefined) return false;
    const before = this.#seen.get(key);
    if (before === undefined) this.#seen.set(key, place);
    else this.#note(place, before);
    return before !== undefined;
  }

  /** After the first reading. */
  has({ rowNumber }: StatementLine): boolean {
    return this.#rows.has(rowNumber);
  }

  get count(): number {
    return this.#rows.size;
  }

  /** `Lines 8 to 12 repeat lines 3 to 7: the export overlaps.` */
  sentences(): readonly string[] {
    const said = this.#ranges.slice(0, RANGES_SAID).map(rangeText);
    const left = this.#ranges.length - said.length;
    return left > 0 ? [...said, `${left} more parts of the statement repeat earlier lines.`] : said;
  }

  #note(at: number, ofAt: number): void {
    const [rowNumber = 0, of = 0] = [this.#rowNumbers[at], this.#rowNumbers[ofAt]];
    this.#rows.add(rowNumber);
    const last = this.#ranges.at(-1);
    if (last?.at === at - 1 && last.ofAt === ofAt - 1)
      Object.assign(last, { last: rowNumber, ofLast: of, at, ofAt });
    else this.#ranges.push({ first: rowNumber, last: rowNumber, ofFirst: of, ofLast: of, at, ofAt });
  }
}

function rangeText({ first, last, ofFirst, ofLast }: Range): string {
  return first === last
    ? `Line ${first} repeats line ${ofFirst}: it is one entry.`
    : `Lines ${first} to ${last} repeat lines ${ofFirst} to ${ofLast}: the export overlaps.`;
}

/** undefined where nothing tells two entries apart. */
function keyOf(line: StatementLine): string | undefined {
  const { ids, bankReference, account, receiver, dateTexts, amountText, currency, narration } = line;
  const { sign, direction, status, payments, balanceText } = line;
  const names = [...ids, bankReference].filter((name) => name !== '');
  if (names.length === 0 && balanceText === '') return undefined;
  const whose = [account?.text, receiver];
  const what = [dateTexts, amountText, currency, sign, direction, narration, status, payments, balanceText];
  return hash('sha1', JSON.stringify([names, whose, what]), 'binary');
}
