/**
 * A row as it was written: its number and its cells as text, with marks on cells that are not plain text.
 */

export interface WrittenRow {
  /** Spreadsheet row (header counts); record number in CSV. */
  readonly rowNumber: number;
  /** As many as headers, as displayed text, exactly as they were. */
  readonly cells: readonly string[];
  /** Marks on single cells: a number where text was due, a formula, an error value. Absent for most rows. */
  readonly marks?: readonly WrittenMark[];
}

export interface WrittenMark {
  /** Index into headers; −1 for a mark on the whole row. */
  readonly column: number;
  readonly kind:
    | 'number'
    | 'formula'
    | 'formula_without_value'
    /** Its value comes from another workbook. */
    | 'formula_external'
    | 'error_value'
    | 'boolean'
    | 'date'
    /** Its row or column is hidden, or the format of the cell shows nothing. */
    | 'hidden'
    /** The text of the cell, or a part of it, is struck through. */
    | 'struck'
    /** It is merged with other cells; `words` is the range. */
    | 'merged'
    /** The number format leaves out thousands, or all but the first digits. */
    | 'shown_scaled'
    /** The number format leaves out decimals that the number has. */
    | 'shown_rounded'
    /** The number format puts words around the number, such as a currency. */
    | 'shown_words'
    /** The number format shows another text than the one in the cell. */
    | 'shown_text';
  /** Of `hidden`: the whole column is. */
  readonly isWholeColumn?: boolean;
  readonly words?: string;
}

/** Fields that decide whom a row pays, and how much: nobody pays by what they could not see, or saw struck through. */
const PAYING: ReadonlySet<Field> = new Set<Field>([
  'country',
  'institution',
  'account',
  'amount',
  'name',
  'source',
  'replaces',
]);

export function isHeldIfUnseen(field: Field): boolean {
  return PAYING.has(field);
}

const OF_WORDS: ReadonlySet<Field> = new Set(['country', 'institution', 'name', 'currency', 'source']);

/** A long number there is an account, because columns were swapped. */
export const isOfWords = (field: Field): boolean => OF_WORDS.has(field);

/**
 * An issue: one thing wrong with one row, for a person to read beside the cell.
 */

export const FIELDS = [
  'reference',
  'country',
  'institution',
  'account',
  'name',
  'phone',
  'amount',
  'currency',
  'note',
  'source',
  'replaces',
] as const;
export type Field = (typeof FIELDS)[number];

export interface RowIssue {
  /** A stable word for machines, e.g. `amount_too_precise`. */
  readonly kind: string;
  readonly field: Field;
  /** The user's own column header; undefined when the file has no such column. */
  readonly column: string | undefined;
  /** Spreadsheet letters of the column (`F`), when the file has the column. */
  readonly columnLetter: string | undefined;
  /** What stands in the cell; account cells are masked beyond their last four characters. */
  readonly seen: string;
  /** What was expected, in words that finish the sentence "expected …". */
  readonly expected: string;
  /** What to do, one sentence; undefined when nothing better than `expected` can be said. */
  readonly suggestion: string | undefined;
}

/** What is wrong with one row. */
export interface RowIssues {
  readonly rowNumber: number;
  readonly issues: readonly RowIssue[];
}

/**
 * The cells of one row by field, with outer space removed, and the marks that matter to each.
 *
 * One object is filled again for every row: this runs a million times.
 */

export interface RowCells {
  readonly rowNumber: number;
  /** Empty when the file has no such column or the cell is empty. */
  readonly texts: Readonly<Record<Field, string>>;
  /** Fields that the file has a column for. */
  readonly fields: readonly Field[];
  readonly hasMarks: boolean;
  /** What of the row is hidden or struck through. Usually nothing. */
  readonly unseen: readonly WrittenMark[];
  isMarked(field: Field, kind: WrittenMark['kind']): boolean;
  /** Text that the number format of the cell puts around its number. */
  wordsAround(field: Field): string | undefined;
  /** The columns that the name is joined from, each with what stands in it; empty where one column holds it whole. */
  readonly nameParts: readonly NamePart[];
  /** The range of merged cells that the cell belongs to: `B5:B9`. */
  mergedRange(field: Field): string | undefined;
}

interface NamePart {
  readonly column: number;
  readonly text: string;
  /** The cell has a mark that makes it no text of its own. */
  readonly isOdd: boolean;
}

const HARMLESS: ReadonlySet<WrittenMark['kind']> = new Set<WrittenMark['kind']>([
  'formula',
  'hidden',
  'number',
  'struck',
]);

/** The name that a row holds in these columns, joined in their order. */
export function nameIn(cells: readonly string[], columns: readonly number[]): string {
  return columns
    .map((at) => namePartIn(cells[at]))
    .filter((part) => part !== '')
    .join(' ');
}

/** Without a dash that stands for nothing, as for no middle name. */
function namePartIn(cell = ''): string {
  const text = cell.trim();
  return /^[-\u2010-\u2015]+$/.test(text) ? '' : text;
}

/** Use the cells of one row before asking for the next. `nameColumns`: the parts of a name, if it stands in several. */
export function createCellReader(
  columns: ReadonlyMap<Field, number>,
  nameColumns: readonly number[] = [],
): (row: WrittenRow) => RowCells {
  const whole = FIELDS.filter((field) => columns.has(field));
  const indexes = whole.map((field) => columns.get(field) ?? -1);
  const fields = nameColumns.length === 0 ? whole : ([...whole, 'name'] as const);
  const texts = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Record<Field, string>;
  let row: WrittenRow = { rowNumber: 0, cells: [] };
  const isOf = (field: Field, column: number) =>
    columns.get(field) === column || (field === 'name' && nameColumns.includes(column));
  const wordsOf = (field: Field, kind: WrittenMark['kind']) =>
    row.marks?.find((mark) => mark.kind === kind && isOf(field, mark.column))?.words;
  const cells: RowCells = {
    get rowNumber() {
      return row.rowNumber;
    },
    texts,
    fields,
    get hasMarks() {
      return row.marks !== undefined;
    },
    get unseen() {
      return row.marks?.filter(({ kind }) => kind === 'hidden' || kind === 'struck') ?? [];
    },
    isMarked: (field, kind) =>
      row.marks?.some((mark) => mark.kind === kind && isOf(field, mark.column)) === true,
    wordsAround: (field) => wordsOf(field, 'shown_words'),
    get nameParts() {
      return nameColumns.map((column) => ({
        column,
        text: namePartIn(row.cells[column]),
        isOdd: row.marks?.some((mark) => mark.column === column && !HARMLESS.has(mark.kind)) === true,
      }));
    },
    mergedRange: (field) => wordsOf(field, 'merged'),
  };
  return (next) => {
    row = next;
    for (let at = 0; at < whole.length; at += 1) {
      texts[whole[at] as Field] = (row.cells[indexes[at] as number] ?? '').trim();
    }
    if (nameColumns.length > 0) texts.name = nameIn(row.cells, nameColumns);
    return cells;
  };
}
