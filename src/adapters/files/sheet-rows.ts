/**
 * The XML of one sheet → rows of cells with their marks, chunk by chunk.
 *
 * Hidden rows and columns, and merged ranges, are seen here too: a row that nobody could see must not be paid
 * as if it had been, and a merged cell holds a value that its neighbours only seem to have.
 */
import type { WrittenMark } from '../../domain/written-row.ts';
import { type Cell, type CellMeaning, cellText, isExternalFormula } from './cell-value.ts';
import type { XmlHandlers } from './xml-events.ts';

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
}

/** What a sheet says outside its rows; complete when all rows were read. */
export interface SheetFacts {
  readonly merges: MergedRange[];
  readonly hiddenColumns: { readonly first: number; readonly last: number }[];
}

export type SheetFault = (what: string) => Error;
type Attributes = Readonly<Record<string, string>>;

/** Handles the XML events of one sheet; `take` gives the rows since the last call. */
export class SheetReader implements XmlHandlers {
  readonly facts: SheetFacts = { merges: [], hiddenColumns: [] };
  readonly #workbook: CellMeaning;
  readonly #fault: SheetFault;
  #rows: SheetRow[] = [];
  #row: SheetRow | undefined;
  #cell: Cell | undefined;
  #lastRow = 0;
  #lastColumn = -1;
  #isHiddenByDefault = false;
  #isInPhonetic = false;
  #isInData = false;
  #collects: 'nothing' | 'value' | 'formula' = 'nothing';
  /** Shared formulas that reach into another workbook; the other cells that share one only name it. */
  readonly #external = new Set<string>();
  #sharedFormula: string | undefined;

  constructor(workbook: CellMeaning, fault: SheetFault) {
    this.#workbook = workbook;
    this.#fault = fault;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'sheetData') this.#isInData = true;
    // Rows and cells elsewhere, in what other programs keep for themselves, are shown to nobody.
    else if (!this.#isInData) this.#openFact(name, attributes);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'v' || name === 't') this.#openText(name);
    else if (name === 'f') this.#openFormula(attributes);
    else if (name === 'rPh') this.#isInPhonetic = true;
    else if (name === 'AlternateContent') throw this.#fault('it holds rows in two versions');
  }

  #openFact(name: string, attributes: Attributes): void {
    const { merges, hiddenColumns } = this.facts;
    if (name === 'mergeCell') merges.push(mergedRange(attributes.ref ?? ''));
    else if (
      name === 'col' &&
      (isTrue(attributes.hidden) || Number.parseFloat(attributes.width ?? '1') < THINNEST_COLUMN)
    )
      hiddenColumns.push(columnRange(attributes));
    else if (name === 'sheetFormatPr') this.#isHiddenByDefault = isTrue(attributes.zeroHeight);
    if (merges.length > MOST_MERGES) throw this.#fault(`it has more than ${MOST_MERGES} merged cells`);
    if (hiddenColumns.length > MOST_SHEET_COLUMNS)
      throw this.#fault('it hides more columns than a sheet has');
  }

  text(text: string): void {
    if (this.#collects === 'nothing' || !this.#cell) return;
    if (this.#collects === 'value') {
      if ((this.#cell.value?.length ?? 0) > MOST_COLLECTED)
        throw this.#fault(`a cell of row ${this.#lastRow} is longer than any cell may be`);
      this.#cell.value = (this.#cell.value ?? '') + text;
    } else this.#cell.formula = (this.#cell.formula ?? '') + text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#collects = 'nothing';
    else if (name === 'f') this.#closeFormula();
    else if (name === 'c') this.#closeCell();
    else if (name === 'rPh') this.#isInPhonetic = false;
    else if (name === 'sheetData') this.#isInData = false;
    else if (name === 'row' && this.#row) {
      this.#rows.push(this.#row);
      this.#row = undefined;
    }
  }

  take(): SheetRow[] {
    const taken = this.#rows;
    this.#rows = [];
    return taken;
  }

  #openRow({ r, hidden, ht }: Attributes): void {
    const rowNumber = r === undefined ? this.#lastRow + 1 : Number.parseInt(r, 10);
    if (!(rowNumber > this.#lastRow && rowNumber <= MOST_ROWS)) {
      throw this.#fault(`its rows are out of order at row ${rowNumber}`);
    }
    // Dragged shut, a row has no height to speak of and need not be called hidden.
    const isShut = ht !== undefined && Number.parseFloat(ht) < THINNEST_ROW;
    const isHidden = isShut || (hidden === undefined ? this.#isHiddenByDefault : isTrue(hidden));
    this.#row = { rowNumber, cells: [], marks: [], isHidden };
    this.#lastRow = rowNumber;
    this.#lastColumn = -1;
  }

  #openCell({ r, t = 'n', s = '0' }: Attributes): void {
    const column = r === undefined ? this.#lastColumn + 1 : columnOf(r);
    if (column <= this.#lastColumn)
      throw this.#fault(`its cells are out of order at ${r ?? `row ${this.#lastRow}`}`);
    // Programs disagree whether such a cell stands in the one row or in the other.
    if (this.#cell !== undefined || (r !== undefined && rowIn(r) !== this.#lastRow))
      throw this.#fault(`its cell ${r ?? ''} stands inside of row ${this.#lastRow}`);
    this.#lastColumn = column;
    this.#cell = { column, type: t, style: Number.parseInt(s, 10), value: undefined, ...NO_FORMULA };
  }

  // An inline text may come in several runs, each with a <t> of its own; they are one text.
  #openText(name: 'v' | 't'): void {
    if (this.#cell === undefined || this.#isInPhonetic) return;
    if (this.#cell.value !== undefined && (name === 'v' || this.#cell.type !== 'inlineStr'))
      throw this.#fault(`a cell of row ${this.#lastRow} has two values`);
    this.#collects = 'value';
    this.#cell.value ??= '';
  }

  #openFormula({ si }: Attributes): void {
    if (!this.#cell) return;
    this.#cell.formula = '';
    this.#sharedFormula = si;
    this.#collects = 'formula';
  }

  #closeFormula(): void {
    this.#collects = 'nothing';
    const shared = this.#sharedFormula;
    if (!this.#cell) return;
    const isExternal = isExternalFormula(this.#cell.formula ?? '');
    if (isExternal && shared !== undefined) this.#external.add(shared);
    this.#cell.isExternal = isExternal || (shared !== undefined && this.#external.has(shared));
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (!cell || !this.#row || (cell.value === undefined && cell.formula === undefined)) return;
    const row = this.#row;
    const text = cellText(cell, this.#workbook, row.marks);
    if (text === undefined)
      throw this.#fault(`row ${row.rowNumber} points at a text that the workbook does not have`);
    const column = Math.min(cell.column, FURTHEST_COLUMN);
    if (row.cells.length > column) return;
    while (row.cells.length < column) row.cells.push('');
    row.cells.push(text);
  }
}

const NO_FORMULA = { formula: undefined, isExternal: false };
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

/** `AB12` → 12. */
function rowIn(address: string): number {
  return Number.parseInt(address.replace(/^[A-Za-z]+/, ''), 10);
}

function mergedRange(address: string): MergedRange {
  const [from = '', to = from] = address.split(':');
  const rowOf = (cell: string) => Number.parseInt(cell.replace(/^\$?[A-Za-z]+\$?/, ''), 10);
  return { address, firstRow: rowOf(from), lastRow: rowOf(to), firstColumn: columnOf(from) };
}

function columnRange({ min = '1', max = min }: Readonly<Record<string, string>>) {
  return { first: Number.parseInt(min, 10) - 1, last: Number.parseInt(max, 10) - 1 };
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}
