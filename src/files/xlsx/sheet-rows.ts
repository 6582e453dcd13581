/**
 * The XML of one sheet → rows of cells with their marks, chunk by chunk.
 *
 * Hidden rows and columns, and merged ranges, are seen here too: a row that nobody could see must not be paid
 * as if it had been, and a merged cell holds a value that its neighbours only seem to have.
 *
 * Where programs differ on what a workbook says, it is refused whole, also in columns that payfile does not use: a cell
 * with two values, an element of another namespace among the rows, a second list of rows.
 */
import { columnLetters } from '../../domain/rows/column-names.ts';
import type { WrittenMark } from '../../domain/rows/row.ts';
import { printable } from '../../domain/text/printable.ts';
import type { XmlHandlers } from '../xml-events.ts';
import { type Cell, type CellMeaning, cellText, isExternalFormula, RichText, strikes } from './read-cells.ts';

export interface SheetRow {
  readonly rowNumber: number;
  /** By column index; holes are empty strings. What stands further right than any table stands at its end. */
  readonly cells: string[];
  readonly marks: WrittenMark[];
  readonly isHidden: boolean;
}

export interface MergedRange {
  /** As the sheet writes it: `B5:B9`. */
  readonly address: string;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** What a sheet says outside its rows; complete when all rows were read. */
export interface SheetFacts {
  readonly merges: MergedRange[];
  readonly hiddenColumns: { readonly first: number; readonly last: number }[];
}

type SheetFault = (what: string) => Error;
type Attributes = Readonly<Record<string, string>>;

/**
 * What may stand where among the rows (ECMA-376 part 1, 18.3.1.80). Whatever else stands there, programs read in
 * different ways or not at all.
 */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  sheetData: ['row'],
  row: ['c', 'extLst'],
  c: ['v', 'f', 'is', 'extLst'],
  is: ['t', 'r', 'rPh', 'phoneticPr'],
  r: ['t', 'rPr'],
  rPh: ['t'],
  phoneticPr: [],
};
/** Data that programs keep for themselves, or that is only about looks. */
const PASSED_OVER = new Set(['extLst', 'rPr']);

interface OpenCell extends Cell {
  /** The text of its `<v>`. */
  stored: string | undefined;
  inline: RichText | undefined;
}

/** Handles the XML events of one sheet; `take` gives the rows since the last call. */
export class SheetReader implements XmlHandlers {
  readonly facts: SheetFacts = { merges: [], hiddenColumns: [] };
  readonly #workbook: CellMeaning;
  readonly #fault: SheetFault;
  #rows: SheetRow[] = [];
  #row: SheetRow | undefined;
  #cell: OpenCell | undefined;
  #lastRow = 0;
  #lastColumn = -1;
  /** Elements that are open outside of the rows; inside of them; and in what is passed over there. */
  #outer = 0;
  readonly #inData: string[] = [];
  #passedOver = 0;
  #hadData = false;
  /** Shared formulas that reach into another workbook; the other cells that share one only name it. */
  readonly #external = new Set<string>();
  #sharedFormula: string | undefined;

  constructor(workbook: CellMeaning, fault: SheetFault) {
    this.#workbook = workbook;
    this.#fault = fault;
  }

  open(name: string, attributes: Attributes): void {
    const parent = this.#inData.at(-1);
    if (this.#passedOver > 0) {
      this.#passedOver += 1;
      if (this.#cell && strikes(name, attributes)) this.#cell.isStruckText = true;
    } else if (parent !== undefined) {
      if (WITHIN[parent]?.includes(name) !== true) throw this.#misplaced(name);
      if (PASSED_OVER.has(name)) this.#passedOver = 1;
      else {
        this.#inData.push(name);
        this.#openInData(name, attributes);
      }
    } else if (name === 'sheetData') this.#openData();
    else {
      this.#outer += 1;
      // Rows and cells elsewhere, in what other programs keep for themselves, are shown to nobody.
      this.#openFact(name, attributes);
    }
  }

  #openData(): void {
    if (this.#hadData || this.#outer !== 1) throw this.#fault('it has rows in more than one place');
    this.#hadData = true;
    this.#inData.push('sheetData');
  }

  #misplaced(name: string): Error {
    if (/(?:^|:)AlternateContent$/.test(name)) return this.#fault('it holds rows in two versions');
    const isValue = this.#cell !== undefined && /^(?:c|v|is|t|f)$/.test(name);
    return this.#fault(
      isValue
        ? `${this.#place()} ${TWO_VALUES}`
        : `${this.#place()} has an element “${printable(name)}” that belongs to no workbook`,
    );
  }

  /** For messages. */
  #place(): string {
    if (this.#cell !== undefined) return `cell ${columnLetters(this.#cell.column)}${this.#lastRow}`;
    return this.#row === undefined ? 'its list of rows' : `row ${this.#lastRow}`;
  }

  #openInData(name: string, attributes: Attributes): void {
    if (name === 'c') this.#openCell(attributes);
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'f') this.#openFormula(attributes);
    else if (name === 'v') this.#openStored();
    else if (name === 'is') this.#openInline();
    else this.#cell?.inline?.open(name);
  }

  #openFact(name: string, attributes: Attributes): void {
    const { merges, hiddenColumns } = this.facts;
    if (name === 'mergeCell') merges.push(mergedRange(attributes.ref ?? ''));
    else if (
      name === 'col' &&
      (isTrue(attributes.hidden) || Number.parseFloat(attributes.width ?? '1') < THINNEST_COLUMN)
    )
      hiddenColumns.push(columnRange(attributes));
    if (merges.length > MOST_MERGES) throw this.#fault(`it has more than ${MOST_MERGES} merged cells`);
    if (hiddenColumns.length > MOST_SHEET_COLUMNS)
      throw this.#fault('it hides more columns than a sheet has');
  }

  text(text: string): void {
    const at = this.#inData.at(-1);
    if (at === undefined || this.#passedOver > 0) return;
    const cell = this.#cell;
    if (cell !== undefined && at === 'v') cell.stored = this.#collected(cell.stored, text);
    else if (cell !== undefined && at === 'f') cell.formula = this.#collected(cell.formula, text);
    else if (cell?.inline !== undefined && at === 't') {
      cell.inline.add(text);
      this.#collected(cell.inline.text, '');
    } else if (text.trim() !== '') {
      throw this.#fault(
        cell === undefined
          ? `${this.#place()} has text outside of its cells`
          : `${this.#place()} ${TWO_VALUES}`,
      );
    }
  }

  #collected(before: string | undefined, text: string): string {
    if ((before?.length ?? 0) > MOST_COLLECTED)
      throw this.#fault(`${this.#place()} is longer than any cell may be`);
    return (before ?? '') + text;
  }

  close(name: string): void {
    if (this.#passedOver > 0) this.#passedOver -= 1;
    else if (this.#inData.pop() === undefined) this.#outer -= 1;
    else if (name === 'c') this.#closeCell();
    else if (name === 'f') this.#closeFormula();
    else if (name === 'row' && this.#row) {
      this.#rows.push(this.#row);
      this.#row = undefined;
    } else this.#cell?.inline?.close(name);
  }

  take(): SheetRow[] {
    const taken = this.#rows;
    this.#rows = [];
    return taken;
  }

  // A row that is written down is visible unless it says otherwise: `zeroHeight` speaks of the rows that are not.
  #openRow({ r, hidden, ht }: Attributes): void {
    const rowNumber = r === undefined ? this.#lastRow + 1 : rowOf(r);
    if (!(rowNumber > this.#lastRow && rowNumber <= MOST_ROWS)) {
      throw this.#fault(`its rows are out of order at row ${printable(r ?? String(rowNumber))}`);
    }
    // A row that was dragged shut has almost no height and is not marked as hidden.
    const isShut = ht !== undefined && Number.parseFloat(ht) < THINNEST_ROW;
    this.#row = { rowNumber, cells: [], marks: [], isHidden: isShut || isTrue(hidden) };
    this.#lastRow = rowNumber;
    this.#lastColumn = -1;
  }

  #openCell({ r, t = 'n', s = '0' }: Attributes): void {
    const address = r === undefined ? { column: this.#lastColumn + 1, row: this.#lastRow } : addressOf(r);
    if (address === undefined || address.column <= this.#lastColumn || address.row !== this.#lastRow)
      throw this.#wrongPlace(printable(r ?? ''), address);
    const { column } = address;
    this.#lastColumn = column;
    const style = Number.parseInt(s, 10);
    this.#cell = {
      column,
      type: t,
      style,
      value: undefined,
      stored: undefined,
      inline: undefined,
      ...NO_FORMULA,
    };
    if (!TYPES.has(t))
      throw this.#fault(`${this.#place()} has a value of the unknown kind “${printable(t)}”`);
  }

  #wrongPlace(written: string, address: Address | undefined): Error {
    if (address === undefined)
      return this.#fault(`row ${this.#lastRow} has a cell with the address “${written}”, which no sheet has`);
    if (address.column <= this.#lastColumn)
      return this.#fault(
        `its cells are out of order at ${written === '' ? `row ${this.#lastRow}` : written}`,
      );
    // Programs disagree whether such a cell stands in the one row or in the other.
    return this.#fault(`its cell ${written} stands inside of row ${this.#lastRow}`);
  }

  #openStored(): void {
    if (this.#cell?.stored !== undefined) throw this.#fault(`${this.#place()} ${TWO_VALUES}`);
    if (this.#cell) this.#cell.stored = '';
  }

  #openInline(): void {
    if (this.#cell?.inline !== undefined) throw this.#fault(`${this.#place()} ${TWO_VALUES}`);
    if (this.#cell) this.#cell.inline = new RichText();
  }

  #openFormula({ si }: Attributes): void {
    if (!this.#cell) return;
    if (this.#cell.formula !== undefined) throw this.#fault(`${this.#place()} has two formulas`);
    this.#cell.formula = '';
    this.#sharedFormula = si;
  }

  #closeFormula(): void {
    const shared = this.#sharedFormula;
    if (!this.#cell) return;
    const isExternal = isExternalFormula(this.#cell.formula ?? '', this.#workbook.sheets);
    if (isExternal && shared !== undefined) this.#external.add(shared);
    this.#cell.isExternal = isExternal || (shared !== undefined && this.#external.has(shared));
  }

  #closeCell(): void {
    const cell = this.#cell;
    const row = this.#row;
    if (!cell || !row) return;
    cell.value = this.#valueOf(cell);
    if (cell.value !== undefined || cell.formula !== undefined) this.#keep(cell, row);
    this.#cell = undefined;
  }

  /** The one value of the cell: of two, some programs show the text in `<is>`, some the one in `<v>`. */
  #valueOf({ type, stored, inline }: OpenCell): string | undefined {
    if (inline === undefined) return stored;
    if (inline.isTwo || (inline.text !== '' && (stored ?? '') !== ''))
      throw this.#fault(`${this.#place()} ${TWO_VALUES}`);
    if (type !== 'inlineStr' && inline.text !== '')
      throw this.#fault(`${this.#place()} has a text where cells of its kind have none`);
    return type === 'inlineStr' && inline.text !== '' ? inline.text : (stored ?? '');
  }

  #keep(cell: Cell, row: SheetRow): void {
    const text = cellText(cell, this.#workbook, row.marks);
    if (text === undefined)
      throw this.#fault(`${this.#place()} points at a text that the workbook does not have`);
    const column = Math.min(cell.column, FURTHEST_COLUMN);
    if (row.cells.length > column) return;
    while (row.cells.length < column) row.cells.push('');
    row.cells.push(text);
  }
}

/** ECMA-376 part 1, 18.18.11. */
const TYPES = new Set(['n', 's', 'str', 'inlineStr', 'b', 'd', 'e']);
const LAST_COLUMN = 'XFD';
const TWO_VALUES = 'has two values, and programs differ on which of them they show';
const NO_FORMULA = { formula: undefined, isExternal: false, isStruckText: false };
const MOST_ROWS = 1_048_576;
const MOST_SHEET_COLUMNS = 16_384;
/** In characters and points: less than a pixel. */
const THINNEST_COLUMN = 0.1;
const THINNEST_ROW = 0.5;
const MOST_MERGES = 100_000;
const MOST_COLLECTED = 1024 * 1024;
/** Beyond the widest table that is read; holes up to column XFD in every row would fill the memory. */
const FURTHEST_COLUMN = 511;

/** `AB12` → 27. */
export function columnOf(address: string): number {
  let column = 0;
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at) & ~0x20;
    if (code < 65 || code > 90) break;
    column = column * 26 + (code - 64);
  }
  return Math.min(column, MOST_SHEET_COLUMNS) - 1;
}

interface Address {
  readonly column: number;
  readonly row: number;
}

/** `AB12` → column 27 in row 12; undefined for `R1C1`, `A`, `A0` and columns beyond the last one. */
function addressOf(address: string): Address | undefined {
  const letters = /^[A-Za-z]{1,3}(?=[1-9]\d{0,6}$)/.exec(address)?.[0];
  if (letters === undefined || (letters.length === 3 && letters.toUpperCase() > LAST_COLUMN))
    return undefined;
  return { column: columnOf(letters), row: Number.parseInt(address.slice(letters.length), 10) };
}

/** NaN for what is no row's number. */
function rowOf(written: string): number {
  return /^\d{1,7}$/.test(written) ? Number.parseInt(written, 10) : Number.NaN;
}

function mergedRange(address: string): MergedRange {
  const [from = '', to = from] = address.split(':');
  const rowOf = (cell: string) => Number.parseInt(cell.replace(/^\$?[A-Za-z]+\$?/, ''), 10);
  const [firstColumn, lastColumn] = [columnOf(from), columnOf(to)];
  return { address, firstRow: rowOf(from), lastRow: rowOf(to), firstColumn, lastColumn };
}

function columnRange({ min = '1', max = min }: Readonly<Record<string, string>>) {
  return { first: Number.parseInt(min, 10) - 1, last: Number.parseInt(max, 10) - 1 };
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}
