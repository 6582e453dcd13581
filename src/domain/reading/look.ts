/**
 * What all rows of a file show of its columns, as far as a question needs it. Collected in the one pass over the
 * rows, bounded whatever the file holds.
 *
 * Why:     a pass over a million rows must cost hardly more with it, so columns that hold a field are looked at less.
 */
import { isFixColumn } from '../reporting/report-columns.ts';
import type { FileColumns } from '../rows/column-names.ts';
import { usedColumns } from '../rows/column-names.ts';
import type { Field, WrittenRow } from '../rows/row.ts';
import type { DateOrder } from '../text/written-date.ts';
import type { Answer } from './answer.ts';
import { columnCalled, nameOfColumn } from './column-called.ts';
import { leftOutBefore } from './leave-out.ts';
import { type LineBetween, lineBetween } from './lines-between.ts';
import { LaterDates, saysWhenToPay } from './pay-date.ts';
import { stopColumn, stopWordOf } from './stop-words.ts';

/** At most so many different texts of a column are counted. */
export const MOST_WORDS = 24;

export interface SeenColumn {
  /** Index into the headers. */
  readonly at: number;
  readonly header: string;
  /** Its header, or its letter if another column has the same one: for answers. */
  readonly name: string;
  /** What payfile uses the column for; undefined: nothing. */
  readonly field: Field | undefined;
  /** A person said so, now or in a remembered reading. */
  readonly isSaid: boolean;
  /** A person said that it is not used, or it holds what a fix file told them: no question is about it. */
  readonly isIgnored: boolean;
  /** Rows with text in it. */
  readonly filled: number;
  /** The first different texts as written, at most three. Mask accounts before you show them. */
  readonly examples: readonly string[];
  /**
   * Each different text as written, with the number of rows. undefined: more than MOST_WORDS, a long text, or a column that
   * holds a field other than note, country, institution, currency and reference.
   */
  readonly words: ReadonlyMap<string, number> | undefined;
  /** Rows whose cell can be read as a number; for a column that holds a field, of the rows that cannot be paid alone. */
  readonly numbers: number;
  /** Of these, numbers that are zero. */
  readonly zeros: number;
  /** Cells with digits of other scripts than the Latin one, counted as `numbers` are. */
  readonly otherDigits: number;
  /** Every text in it has letters and a number of two digits or more, as names with employee numbers have. */
  readonly isNumbered: boolean;
  /**
   * Of a column without few `words`: rows that say that they are not to be paid, by what they say (`stopWordOf`). Only
   * where no field is held, in the note and in names.
   */
  readonly stops: ReadonlyMap<string, Counted>;
  /** Rows that the last file left out, by the words that a kept reading has for this column. */
  readonly before: ReadonlyMap<string, Counted>;
  /** What a text says of these words, for an answer; undefined: nothing. */
  readonly saysAgain: SaysAgain;
  /** Rows with a date after today, in a column that says when to pay; `order`: what its dates prove. */
  readonly later: (Counted & { readonly order?: DateOrder }) | undefined;
}

type SaysAgain = (text: string) => string | undefined;

export interface Counted {
  readonly rows: number;
  /** As written, the first one. */
  readonly example: string;
}

export interface Look {
  /** Rows below the header that may be payments. */
  readonly rows: number;
  readonly columns: readonly SeenColumn[];
  /** Currencies that the rows pay in: code → rows. Rows that cannot be paid are not counted. */
  readonly currencies: ReadonlyMap<string, number>;
  /** Empty for a file without sheets. */
  readonly sheet: string;
  readonly file: string;
  /** Texts above the header, such as the title of the table. */
  readonly above: readonly string[];
  /** Lines among the rows and below them that say what the rows are, the first ones. */
  readonly between: readonly SeenLine[];
  /** `2026-11-27`, in the person's time zone. */
  readonly today: string;
}

export interface SeenLine extends LineBetween {
  readonly row: number;
  /** Rows below it that may be payments, up to the next one; where that follows at once, the rows below both. */
  readonly below: number;
  /** Not even a line that is no payment stands below it, up to the next one. */
  readonly isAlone: boolean;
}

interface SaidColumns {
  readonly isSaid: (field: Field) => boolean;
  readonly ignored: ReadonlySet<number>;
  readonly sheet?: string | undefined;
  readonly file?: string;
  readonly above?: readonly string[];
  /** What a kept reading left out: asked again. */
  readonly proposed?: readonly Answer[];
  readonly today: string;
}

/** Looks at rows one by one; `look` says what was seen. */
export class Looker {
  readonly #columns: readonly ColumnLooker[];
  readonly #said: SaidColumns;
  readonly #currencies = new Map<string, number>();
  readonly #headers: readonly string[];
  readonly #between: { line: LineBetween; row: number; below: number; isAlone: boolean }[] = [];
  #rows = 0;

  constructor(file: FileColumns, said: SaidColumns) {
    const used = usedColumns(file);
    this.#said = said;
    this.#headers = file.headers;
    this.#columns = file.headers.map((header, at) => {
      const words = (said.proposed ?? []).flatMap((answer) =>
        answer.kind === 'leave_out' && columnCalled(file.headers, answer.header) === at ? answer.words : [],
      );
      return new ColumnLooker({ at, header, field: used.get(at), words, today: said.today });
    });
  }

  /** `currency`: what the row pays in; undefined: it cannot be paid, or nobody validated it. */
  see(row: WrittenRow, currency: string | undefined): void {
    const { cells } = row;
    this.#rows += 1;
    const line = this.#between.at(-1);
    if (line !== undefined && mayPay(cells)) line.below += 1;
    if (currency !== undefined) this.#currencies.set(currency, (this.#currencies.get(currency) ?? 0) + 1);
    for (const column of this.#columns) {
      const cell = cells[column.at];
      if (cell !== undefined && cell !== '') column.see(cell, currency);
    }
    if (currency === undefined) this.seeLine(row);
  }

  /** A line that is no payment, or may be none. */
  seeLine({ cells, rowNumber: row }: WrittenRow): void {
    const line = this.#between.length < MOST_LINES ? lineBetween(cells, this.#headers) : undefined;
    const last = this.#between.at(-1);
    if (line !== undefined) this.#between.push({ line, row, below: 0, isAlone: true });
    else if (last !== undefined) last.isAlone = false;
  }

  look(): Look {
    const { isSaid, ignored, sheet = '', file = '', above = [], today } = this.#said;
    return {
      rows: this.#rows,
      columns: this.#columns.map((column) => ({
        ...column.seen(),
        name: nameOfColumn(this.#headers, column.at),
        isSaid: column.field !== undefined && isSaid(column.field),
        isIgnored: ignored.has(column.at) || isFixColumn(column.header),
      })),
      currencies: this.#currencies,
      ...{ sheet, file, above },
      between: this.#between.map(({ line, row, below, isAlone }, at, all) => ({
        ...{ ...line, row, isAlone },
        below: below === 0 ? (all[at + 1]?.below ?? 0) : below,
      })),
      today,
    };
  }
}

/** A person with an amount alone is paid in another way. */
const LEAST_CELLS = 3;
const mayPay = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length >= LEAST_CELLS;
const MOST_LINES = 1_000;
const LONGEST_WORD = 60;
const EXAMPLES = 3;
/** Of these first rows a column of other texts than numbers and dates is looked at. */
const MOST_TEXTS = 1_000;
const DIGIT = /\p{Nd}/u;
const OTHER_DIGIT = /[^\P{Nd}0-9]/u;
const NUMBERED = /^(?=.*\p{L}).*\p{Nd}{2}/su;
/** A number with at most a few letters or signs of money around it. */
const NUMBER =
  /^[-+(]?\s*(?:\p{Sc}|\p{L}{1,4}\.?)?\s*[-+]?\p{Nd}[\p{Nd}\s.,'’٫٬]*\)?\s*(?:\p{Sc}|\p{L}{1,4}\.?|\/[=-])?$/u;
const NO_COUNTS: ReadonlyMap<string, Counted> = new Map();
/** Fields whose few words are counted. */
const COUNTED: ReadonlySet<Field> = new Set<Field>(['country', 'institution', 'currency', 'reference']);
const BESIDE_NAME = /[([{*]|\s[-–—]/;
/** Numbers and the like say nothing. */
const LETTERS = /\p{L}{3}/u;

const SAYS_NOTHING: SaysAgain = () => undefined;

interface LookedAt extends Pick<SeenColumn, 'at' | 'header' | 'field'> {
  /** Of rows that the last file left out. */
  readonly words: readonly string[];
  readonly today: string;
}

class ColumnLooker {
  readonly at: number;
  readonly header: string;
  readonly field: Field | undefined;
  words: Map<string, number> | undefined;
  #filled = 0;
  #numbers = 0;
  #zeros = 0;
  #otherDigits = 0;
  #isNumbered: boolean;
  #isDone = false;
  readonly #examples: string[] = [];
  readonly #stops: Counts | undefined;
  readonly #before = new Counts();
  readonly #saysAgain: SaysAgain | undefined;
  readonly #later: LaterDates | undefined;

  constructor({ at, header, field, words, today }: LookedAt) {
    this.at = at;
    this.header = header;
    this.field = field;
    const isOpen = field === undefined || field === 'note';
    this.words = isOpen || COUNTED.has(field) ? new Map() : undefined;
    const mayStop = field === 'name' || (isOpen && stopColumn(header, []) !== undefined);
    this.#stops = mayStop ? new Counts() : undefined;
    this.#later = field === undefined && saysWhenToPay(header) ? new LaterDates(today) : undefined;
    this.#isNumbered = field === undefined || field === 'name';
    this.#saysAgain = words.length === 0 ? undefined : leftOutBefore(words);
  }

  see(cell: string, currency: string | undefined): void {
    this.#filled += 1;
    if (this.#examples.length < EXAMPLES) this.#addExample(cell.trim());
    if (this.#isNumbered && !NUMBERED.test(cell)) this.#isNumbered = false;
    if (this.words !== undefined) this.#count(cell.trim());
    else if (this.field === 'name') this.#seeName(cell);
    else if (this.#stops !== undefined && LETTERS.test(cell)) this.#stops.add(stopWordOf(cell), cell);
    this.#before.add(this.#saysAgain?.(cell), cell);
    this.#later?.see(cell);
    const isCounted = this.field === undefined ? !this.#isDone : currency === undefined;
    if (isCounted && DIGIT.test(cell)) this.#seeNumber(cell.trim());
  }

  /** People are called Hold: beside a name it stands in brackets or behind a dash. */
  #seeName(cell: string): void {
    if (BESIDE_NAME.test(cell)) this.#stops?.add(stopWordOf(cell), cell);
  }

  seen(): Omit<SeenColumn, 'name' | 'isSaid' | 'isIgnored'> {
    const { at, header, field, words } = this;
    return {
      ...{ at, header, field, filled: this.#filled, examples: this.#examples },
      ...{ words, numbers: this.#numbers, zeros: this.#zeros, otherDigits: this.#otherDigits },
      isNumbered: this.#isNumbered && this.#filled > 0,
      stops: this.#stops?.counts ?? NO_COUNTS,
      before: this.#before.counts,
      saysAgain: this.#saysAgain ?? SAYS_NOTHING,
      later: this.#later?.found(),
    };
  }

  #addExample(text: string): void {
    if (text !== '' && !this.#examples.includes(text)) this.#examples.push(text);
  }

  #count(word: string): void {
    const { words } = this;
    if (words === undefined || word === '') return;
    const rows = words.get(word);
    if (rows !== undefined) words.set(word, rows + 1);
    else if (words.size < MOST_WORDS && word.length <= LONGEST_WORD) words.set(word, 1);
    else this.#stopCounting(word, words);
  }

  /** What was counted so far says perhaps that its rows are not to be paid, and so does each text from here on. */
  #stopCounting(word: string, words: ReadonlyMap<string, number>): void {
    this.words = undefined;
    this.#stops?.add(stopWordOf(word), word);
    for (const [before, rows] of words) this.#stops?.add(stopWordOf(before), before, rows);
  }

  #seeNumber(text: string): void {
    if (OTHER_DIGIT.test(text)) this.#otherDigits += 1;
    if (NUMBER.test(text)) {
      this.#numbers += 1;
      if (!/[\p{Nd}--0]/v.test(text)) this.#zeros += 1;
    } else if (this.#filled > MOST_TEXTS && this.#numbers === 0 && this.words === undefined)
      this.#isDone = true;
  }
}

class Counts {
  readonly counts = new Map<string, Counted>();

  add(said: string | undefined, example: string, rows = 1): void {
    if (said === undefined) return;
    const before = this.counts.get(said);
    this.counts.set(said, { rows: (before?.rows ?? 0) + rows, example: before?.example ?? example.trim() });
  }
}
