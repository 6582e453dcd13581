/**
 * A workbook written as a stream: each row leaves memory once it is written. The only file of the report that
 * knows exceljs.
 *
 * Text stays text whatever it looks like; a formula is only what our own code asks for as a formula.
 * Determinism: zip entries carry one fixed time, and the document says the batch's time, not today's.
 */

import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createDeflate, createInflate } from 'node:zlib';
import ExcelJS from 'exceljs';
import { ReportUnwritable } from '../../../ports/outputs.ts';
import type { ReportFile } from '../report-file.ts';

export type CellStyle = Partial<ExcelJS.Style>;
export type CellValue = string | number | boolean | Date | ErrorValue | undefined;

/** A cell whose formula failed, such as `#REF!`. */
interface ErrorValue {
  readonly error: string;
}

export interface Cell {
  readonly value: CellValue | Formula;
  readonly style: CellStyle;
}

/**
 * In a report always with its result, so that viewers that do not calculate show something. In a template without one, so
 * that every program calculates on opening: LibreOffice trusts a result that it finds.
 */
export interface Formula {
  readonly formula: string;
  readonly result?: string | number;
}

export interface SheetSpec {
  readonly name: string;
  readonly widths: readonly number[];
  readonly frozen: { readonly rows: number; readonly columns: number };
  readonly columnStyle?: CellStyle;
  readonly tabColor?: string;
  /** The longest first. */
  readonly footers?: readonly string[];
  /** Number of the row that printing repeats on each page. */
  readonly repeatedRow?: number;
  /** `A:C`, repeated on each page where a sheet is printed several pages wide. */
  readonly repeatedColumns?: string;
  /** How many pages wide a sheet is printed; one unless told. */
  readonly pagesWide?: number;
}

/** A conditional format: what looks how where the formula, written for the first cell of the range, is true. */
export interface Rule {
  readonly formula: string;
  readonly style: CellStyle;
}

export interface Sheet {
  /** `lines`: how many lines of text tall. */
  addRow(cells: readonly (Cell | undefined)[], lines?: number): void;
  /** In this row of the sheet, further down than all before; rows between stay empty. */
  addRowAt(rowNumber: number, cells: readonly (Cell | undefined)[], lines?: number): void;
  readonly rowCount: () => number;
  filter(range: string): void;
  rule(range: string, rules: readonly Rule[]): void;
  /** Resolves when what was added has left memory far enough for more. */
  drained(): Promise<void>;
  close(): void;
}

export interface Workbook {
  addSheet(spec: SheetSpec): Sheet;
  /** Ends the file, its sheets shown in this order. */
  finish(order: readonly string[]): Promise<void>;
}

/** What a sheet of Excel can hold. */
const MAX_ROWS = 1_048_576;
const MAX_CELL = 32_767;
/** In points. */
export const LINE_HEIGHT = 15;
/** A row is at most 409 points tall. */
const MAX_LINES = 27;
const AT_RISK = /^\s|\n|\s$/;
const SHORT_WAIT_MS = 2;
/** Inches. */
const MARGINS = { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 } as const;
const ENTRY_TIME = new Date(Date.UTC(2000, 0, 1));

/** What of exceljs we lean on beyond its published types; pinned, and watched by the tests of this folder. */
interface Internals {
  readonly zip: { append: (source: unknown, data: Record<string, unknown>) => unknown };
  readonly _worksheets: (ExcelJS.Worksheet | undefined)[];
}
interface SheetInternals {
  /** A stream of an older kind, which does not say `writableNeedDrain`. */
  readonly stream: { readonly pipes: readonly (Writable & { _writableState: { needDrain: boolean } })[] };
  /** Every formula ever written, kept for formulas that refer to one another; ours never do. */
  _formulae: Record<string, unknown>;
}
type Writer = ExcelJS.stream.xlsx.WorkbookWriter & Internals;

const PlainWriter = ExcelJS.stream.xlsx.WorkbookWriter as unknown as new (
  options: Partial<ExcelJS.stream.xlsx.WorkbookStreamWriterOptions>,
) => Writer;

class FixedTimeWriter extends PlainWriter {
  /** The constructor's first step, taken before anything is zipped. */
  override addThemes(): Promise<void> {
    const append = this.zip.append.bind(this.zip);
    this.zip.append = (source, data) => append(source, { ...data, date: ENTRY_TIME });
    return super.addThemes();
  }
}

export function newWorkbook(
  file: ReportFile,
  about: { readonly title: string; readonly createdAt: number | undefined },
): Workbook {
  const writer = new FixedTimeWriter({ stream: file.stream, useStyles: true });
  const created = about.createdAt === undefined ? ENTRY_TIME : new Date(about.createdAt);
  Object.assign(writer, { creator: 'payfile', lastModifiedBy: 'payfile', title: about.title });
  Object.assign(writer, { created, modified: created });
  return {
    addSheet: (spec) => newSheet(writer, spec, file),
    finish: async (order) => {
      // Entries are zipped in the order they were begun; which sheet is shown first is told apart from that.
      const sheets = order.map((name) => writer.getWorksheet(name));
      writer._worksheets.length = 1;
      writer._worksheets.push(...sheets);
      await file.whileWritable(writer.commit());
    },
  };
}

function newSheet(writer: Writer, spec: SheetSpec, file: ReportFile): Sheet {
  const { frozen } = spec;
  const sheet = writer.addWorksheet(spec.name, {
    properties: spec.tabColor === undefined ? {} : { tabColor: { argb: spec.tabColor } },
    views: [{ state: 'frozen', xSplit: frozen.columns, ySplit: frozen.rows }],
    pageSetup: pageSetupOf(spec),
    headerFooter: { oddFooter: `&L${footerText(spec.footers ?? [])}&RPage &P of &N` },
  });
  const style = spec.columnStyle;
  sheet.columns = spec.widths.map((width) => (style === undefined ? { width } : { width, style }));
  let rows = 0;
  const addRowAt: Sheet['addRowAt'] = (rowNumber, cells, lines = 1) => {
    if (rowNumber > MAX_ROWS) throw tooManyRows();
    rows = rowNumber;
    const row = sheet.getRow(rowNumber);
    for (const [at, cell] of cells.entries()) {
      if (cell === undefined) continue;
      const target = row.getCell(at + 1);
      target.value = cellValueOf(cell.value);
      target.style = cell.style;
    }
    if (lines > 1) row.height = Math.min(lines, MAX_LINES) * LINE_HEIGHT;
    row.commit();
  };
  return {
    addRow: (cells, lines) => addRowAt(rows + 1, cells, lines),
    addRowAt,
    rowCount: () => rows,
    filter: (range) => {
      sheet.autoFilter = range;
    },
    rule: (range, rules) =>
      sheet.addConditionalFormatting({
        ref: range,
        rules: rules.map(({ formula, style }) => ({
          type: 'expression',
          formulae: [formula],
          style,
          // The writer numbers them in order.
          priority: 0,
        })),
      }),
    drained: () => drained(sheet as unknown as SheetInternals, file),
    close: () => sheet.commit(),
  };
}

/** While the sheet before is still being zipped, this one has no pipe yet and would gather in memory. */
async function drained(sheet: SheetInternals, file: ReportFile): Promise<void> {
  sheet._formulae = {};
  while (sheet.stream.pipes.length === 0) await file.whileWritable(pause(SHORT_WAIT_MS));
  const pipe = sheet.stream.pipes[0];
  if (pipe?._writableState.needDrain) await file.whileWritable(once(pipe, 'drain'));
}

function pageSetupOf(spec: SheetSpec): Partial<ExcelJS.PageSetup> {
  const { repeatedRow: row, repeatedColumns: columns } = spec;
  return {
    paperSize: 9,
    orientation: 'landscape',
    fitToPage: true,
    fitToWidth: spec.pagesWide ?? 1,
    fitToHeight: 0,
    margins: MARGINS,
    ...(row === undefined ? {} : { printTitlesRow: `${row}:${row}` }),
    ...(columns === undefined ? {} : { printTitlesColumn: columns }),
  };
}

/** Excel refuses a file whose footer is longer than 255 characters, the number of the page included. */
const FOOTER_MAX = 230;

/** The first that fits: what is cut may be the name of something else. `&` begins a code in a footer. */
function footerText(texts: readonly string[]): string {
  const fitting = texts.map((text) => text.replaceAll('&', '&&'));
  return fitting.find((text) => text.length <= FOOTER_MAX) ?? '';
}

export function cellValueOf(value: Cell['value']): ExcelJS.CellValue {
  if (value === undefined) return null;
  if (typeof value === 'string') {
    const text = cellText(value);
    // As a run: plain text loses its line breaks in LibreOffice and the spaces at its ends in Excel.
    return AT_RISK.test(text) ? { richText: [{ text }] } : text;
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value instanceof Date) return value;
  if ('error' in value) return { error: value.error as ExcelJS.CellErrorValue['error'] };
  return { ...value, date1904: false };
}

/** Without what XML cannot carry, and no longer than a cell may be. */
function cellText(text: string): string {
  const clean = text.toWellFormed().replace(/[\ufffe\uffff]/g, '\ufffd');
  return clean.length > MAX_CELL ? `${clean.slice(0, MAX_CELL - 1)}…` : clean;
}

function tooManyRows(): ReportUnwritable {
  return new ReportUnwritable(
    `A workbook holds at most ${MAX_ROWS} rows and this batch has more. Write a .csv instead.`,
  );
}

const LEVEL = 3;

/**
 * Rows of plain JSON, kept packed until the sheet before theirs is written: sheets of a workbook go out one after the other,
 * and a ledger that moves must not be asked twice. A million rows take some tens of megabytes.
 */
export class DeflatedRows<Row> {
  readonly #pack = createDeflate({ level: LEVEL });
  readonly #chunks: Buffer[] = [];
  #waiting: string[] = [];
  #count = 0;

  constructor() {
    this.#pack.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
  }

  get count(): number {
    return this.#count;
  }

  add(row: Row): void {
    this.#count += 1;
    this.#waiting.push(JSON.stringify(row));
  }

  /** Packs what was added since; resolves when it has left memory. */
  async packed(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const text = `${this.#waiting.join('\n')}\n`;
    this.#waiting = [];
    await new Promise<void>((resolve, reject) => {
      this.#pack.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** In the order of adding. Can be read only once, because the rows leave memory. */
  async *rows(): AsyncGenerator<Row> {
    await this.packed();
    this.#pack.end();
    await once(this.#pack, 'end');
    const plain = Readable.from(forgetting(this.#chunks)).pipe(createInflate());
    plain.setEncoding('utf8');
    let rest = '';
    for await (const text of plain as AsyncIterable<string>) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      // Written by `add` above and by nobody else.
      for (const line of lines) yield JSON.parse(line) as Row;
    }
  }
}

function* forgetting(chunks: Buffer[]): Generator<Buffer> {
  for (let at = 0; at < chunks.length; at += 1) {
    const chunk = chunks[at];
    chunks[at] = Buffer.alloc(0);
    if (chunk !== undefined) yield chunk;
  }
}
