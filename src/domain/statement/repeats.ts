/**
 * Entries that a statement shows again, because it was loaded twice or two exports overlap. Lines with the same transfer id
 * or bank reference, date, amount and narration are one entry. Without either, the balance after the line decides. Two ids
 * stay two payments, and so do two lines without an id.
 */
import { hash } from 'node:crypto';
import type { StatementLine } from './line.ts';

interface Seen {
  readonly rowNumber: number;
  /** Its place among the lines. */
  readonly place: number;
}

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
  readonly #seen = new Map<string, Seen>();
  readonly #ranges: Range[] = [];
  readonly #rows = new Set<number>();
  readonly #isOff: boolean;
  #place = 0;

  /** `isOff`: the balances of the statement prove that equal lines are entries of their own. */
  constructor({ isOff = false }: { readonly isOff?: boolean } = {}) {
    this.#isOff = isOff;
  }

  /** The first reading, in the order of the file. */
  add(line: StatementLine): boolean {
    this.#place += 1;
    const key = this.#isOff ? undefined : keyOf(line);
    if (key === undefined) return false;
    const before = this.#seen.get(key);
    if (before === undefined) {
      this.#seen.set(key, { rowNumber: line.rowNumber, place: this.#place });
      return false;
    }
    this.#rows.add(line.rowNumber);
    this.#note(line.rowNumber, before);
    return true;
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

  #note(rowNumber: number, { rowNumber: of, place }: Seen): void {
    const last = this.#ranges.at(-1);
    if (last?.at === this.#place - 1 && last.ofAt === place - 1) {
      Object.assign(last, { last: rowNumber, ofLast: of, at: this.#place, ofAt: place });
      return;
    }
    const ends = { first: rowNumber, last: rowNumber, ofFirst: of, ofLast: of };
    this.#ranges.push({ ...ends, at: this.#place, ofAt: place });
  }
}

function rangeText({ first, last, ofFirst, ofLast }: Range): string {
  return first === last
    ? `Line ${first} repeats line ${ofFirst}: it is one entry.`
    : `Lines ${first} to ${last} repeat lines ${ofFirst} to ${ofLast}: the export overlaps.`;
}

/** undefined where nothing tells two entries apart. */
function keyOf(line: StatementLine): string | undefined {
  const { ids, bankReference, dateTexts, amountText, sign, direction, narration, balanceText } = line;
  const names = [...ids, bankReference].filter((name) => name !== '');
  if (names.length === 0 && balanceText === '') return undefined;
  const facts = [names, dateTexts, amountText, sign, direction, narration, balanceText];
  // A million keys are held at once.
  return hash('sha1', JSON.stringify(facts), 'base64');
}
