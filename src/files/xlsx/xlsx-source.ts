/**
 * A workbook as a source of rows.
 *
 * Our own reader over unzipper and saxes instead of exceljs's streaming one: that one keeps only the last run
 * of an inline text, reads TRUE behind a formula as 1 and an ISO date as its year, passes over sheets whose
 * part has an unusual name, ends silently where the XML is cut off, and puts sheets in temporary files.
 */

import { WAS_HIDDEN } from '../../domain/reporting/report-columns.ts';
import { COMMENTS_COLUMN, columnLetters } from '../../domain/rows/column-names.ts';
import { HeaderlessColumns } from '../../domain/rows/no-header.ts';
import { type Field, isHeldIfUnseen, type WrittenMark, type WrittenRow } from '../../domain/rows/row.ts';
import { cutText, printable } from '../../domain/text/printable.ts';
import { maskedWords } from '../../domain/text/sensitive.ts';
import { FileRefused, type OpenRowsOptions, type RowSource } from '../../ports/row-source.ts';
import { surveyBytes } from '../csv/encoding.ts';
import {
  HEADER_WITHIN,
  type Header,
  type HeaderChoice,
  type HeaderRow,
  headerNotes,
  headerPlace,
  lettersHeader,
  MOST_COLUMNS,
  noHeader,
  readHeader,
} from '../header-map.ts';
import { chunked, LONGEST_CELL, type PayoutFile } from '../opened-file.ts';
import { readCellComments } from './cell-comments.ts';
import { chooseSheet, sheetNote } from './choose-sheet.ts';
import { addressesOf, mergedMarks, mergedRefusal, mergesAmong } from './merged-cells.ts';
import { rowsBeside } from './sheet-beside.ts';
import { type SheetPlace, sheetRows } from './sheet-reading.ts';
import type { MergedRange, SheetFacts, SheetRow } from './sheet-rows.ts';
import { readWorkbook, type SheetPart } from './workbook-parts.ts';
import { openZip, type ZipArchive } from './zip-entries.ts';

export async function openXlsx(file: PayoutFile, options: OpenRowsOptions): Promise<RowSource> {
  const { sha256 } = await surveyBytes(file, 'not_text');
  const zip = await openZip(file);
  const workbook = await readWorkbook(zip, file.name);
  const { headerRow, words, asked } = options;
  const choice: HeaderChoice = { headerRow, words, asked };
  const rowsOf = (part: SheetPart) => sheetRows({ zip, workbook, part, name: file.name });
  const { sheets } = workbook;
  const chosen = await chooseSheet({ sheets, wanted: options.sheet, choice, name: file.name, rowsOf });
  const where = `${file.name}, sheet “${chosen.sheet.name}”`;
  const rows: readonly HeaderRow[] =
    chosen.header === undefined
      ? (await fullRows(rowsOf(chosen.sheet).rows)).map((each) => withoutEmptyTail(each))
      : chosen.rows;
  const row = chosen.header ?? lettersHeader(rows, choice);
  if (row === undefined)
    throw rows.length === 0
      ? new FileRefused(`${where} is empty: there is nothing to pay.`)
      : noHeader(where, choice, rows);
  const header = readHeader(withoutEmptyTail(row), choice, where);
  const part = chosen.sheet;
  const { notes } = chosen;
  const firstRows = rows.slice(0, HEADER_WITHIN).map(withoutEmptyTail);
  const isPayouts = words === undefined;
  const all = isPayouts ? await readCellComments(zip, part, file.name) : [];
  const comments = new Map([...all].filter(([at]) => at > header.rowNumber));
  const headComments = [...all].flatMap(([at, text]) => (at > header.rowNumber ? [] : [text]));
  const place = { file, zip, workbook, part, name: file.name, where };
  return sourceOf(
    { ...place, header, used: header.used, isPayouts, comments, headComments, notes, firstRows },
    sha256,
  );
}

/** Those that are not empty. */
async function fullRows(rows: AsyncGenerator<SheetRow[]>): Promise<readonly SheetRow[]> {
  for await (const some of rows) {
    const full = some.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
    if (full.length > 0) return full;
  }
  return [];
}

function withoutEmptyTail<Row extends { readonly cells: readonly string[] }>(row: Row): Row {
  const last = row.cells.findLastIndex((cell) => cell.trim() !== '');
  return { ...row, cells: row.cells.slice(0, last + 1) };
}

interface XlsxReading extends SheetPlace {
  readonly file: PayoutFile;
  readonly header: Header;
  readonly where: string;
  readonly used: UsedColumns;
  /** The columns of other files than payout files are not known here. */
  readonly isPayouts: boolean;
  /** By row, below the header. */
  readonly comments: ReadonlyMap<number, string>;
  /** On the header and above it. */
  readonly headComments: readonly string[];
  readonly notes: readonly string[];
  readonly firstRows: readonly HeaderRow[];
}

/** In bytes, packed: a smaller workbook is read before another thread has begun. */
const BESIDE_FROM = 1024 * 1024;

/** The columns that hold fields, by their place. */
type UsedColumns = ReadonlyMap<number, Field>;

function sourceOf(opened: XlsxReading, sha256: string): RowSource {
  let reading = opened;
  const { header, file, part, comments } = reading;
  let headerless = new HeaderlessColumns(header.headers);
  let blank = 0;
  let merged: readonly MergedRange[] | undefined;
  let mustReadAgain = false;
  const isBeside = besideFrom(file);
  const notes = firstNotes(reading);
  const remark = (note: string) => {
    if (!notes.includes(note)) notes.push(note);
  };
  return {
    format: 'xlsx',
    fileSha256: () => sha256,
    get headers() {
      const { headers } = reading.header;
      return comments.size === 0 ? headers : [...headers, COMMENTS_COLUMN];
    },
    columns: header.columns,
    notes,
    usualNotes: [headerPlace(header), sheetNote(part)],
    sheet: part.name,
    sheets: reading.workbook.sheets.map(({ name }) => name),
    headerRow: header.rowNumber,
    firstRows: reading.firstRows,
    headComments: reading.headComments,
    reading: header.reading,
    useColumns(used) {
      reading = { ...reading, used };
    },
    async *rows(signal) {
      blank = 0;
      headerless = new HeaderlessColumns(reading.header.headers);
      const onBlank = () => {
        blank += 1;
      };
      const known = merged;
      mustReadAgain = false;
      const onMerged = (found: readonly MergedRange[]) => {
        mustReadAgain = known === undefined;
        merged = found;
      };
      const listeners = { onBlank, remark, onMerged, headerless, merged: known ?? [] };
      yield* chunked(dataRows(reading, { ...listeners, isBeside: isBeside() }), signal, file);
    },
    nameColumns() {
      const before = reading.header.headers;
      const headers = opened.isPayouts ? headerless.headers() : before;
      reading = { ...reading, header: { ...header, headers } };
      return headers !== before;
    },
    blankRows: () => blank,
    mustReadAgain: () => mustReadAgain,
    close: () => file.close(),
  };
}

/** Of a large file, but not in the first pass, which is only about the first rows. */
function besideFrom({ size }: PayoutFile): () => boolean {
  let passes = 0;
  return () => {
    passes += 1;
    return passes > 1 && size >= BESIDE_FROM;
  };
}

function firstNotes({ notes, zip, header, headComments }: XlsxReading): string[] {
  return [
    ...notes,
    ...headComments.map(
      (text) => `comment above the rows: “${cutText(printable(maskedWords(text)), COMMENT_SHOWN)}”`,
    ),
    ...(hasLinks(zip) ? ['it has links to other workbooks, which are not followed'] : []),
    ...headerNotes(header),
    ...(header.isOwnReport ? ['this is a report of ours; its payfile_ columns are kept'] : []),
  ];
}

/** In characters. */
const COMMENT_SHOWN = 80;

function hasLinks({ names }: ZipArchive): boolean {
  for (const name of names) if (/(?:^|\/)externalLinks\//.test(name)) return true;
  return false;
}

interface Listeners {
  readonly onBlank: () => void;
  readonly remark: (note: string) => void;
  readonly headerless: HeaderlessColumns;
  /** Called behind the last row, if cells that hold fields are merged. */
  readonly onMerged: (found: readonly MergedRange[]) => void;
  /** What is known of them from reading the rows before. */
  readonly merged: readonly MergedRange[];
  /** The XML is read by another thread. */
  readonly isBeside: boolean;
}

async function* dataRows(reading: XlsxReading, listeners: Listeners): AsyncGenerator<WrittenRow[]> {
  const { header, where, used } = reading;
  const { onBlank, remark, merged, isBeside } = listeners;
  const { rows, facts } = isBeside ? rowsBeside(reading) : sheetRows(reading);
  const marksOf = mergedMarks(merged, [...used.keys()], where);
  let lastRow = header.rowNumber;
  for await (const some of rows) {
    const hidden = hiddenColumns(used, facts);
    for (const column of hidden)
      if (!isPaying(used, column))
        remark(`column ${columnLetters(column)} “${header.headers[column]}” is hidden in the sheet`);
    const paying = hidden.filter((column) => isPaying(used, column));
    const read: WrittenRow[] = [];
    for (const row of some) {
      if (row.rowNumber <= header.rowNumber) continue;
      if (isBlank(row, header)) {
        onBlank();
        continue;
      }
      lastRow = row.rowNumber;
      if (reading.workbook.isUncalculated && isCalculated(row, used)) remark(UNCALCULATED);
      row.marks.push(...marksOf(row.rowNumber));
      read.push(sourceRow(row, reading, paying, listeners));
    }
    if (read.length > 0) yield read;
  }
  tellMerged(mergesAmong(facts.merges, header, lastRow), reading, listeners);
}

function tellMerged(
  found: readonly MergedRange[],
  { where, used, isPayouts }: XlsxReading,
  to: Listeners,
): void {
  if (found.length > 0 && !isPayouts) throw mergedRefusal(found, where);
  const isUsed = ({ firstColumn, lastColumn }: MergedRange) =>
    [...used.keys()].some((column) => firstColumn <= column && column <= lastColumn);
  const others = found.filter((range) => !isUsed(range));
  if (others.length > 0) to.remark(`merged cells in columns that are not used: ${addressesOf(others)}`);
  if (others.length < found.length) to.onMerged(found.filter(isUsed));
}

function sourceRow(
  row: SheetRow,
  { header, where, used, comments, isPayouts }: XlsxReading,
  hidden: readonly number[],
  { remark, headerless }: Pick<Listeners, 'remark' | 'headerless'>,
): WrittenRow {
  const width = header.headers.length;
  const cells = row.cells;
  // Only payout files give names to columns without a header.
  const last = isPayouts ? MOST_COLUMNS : width;
  const beyond =
    cells.length > last ? cells.findIndex((cell, index) => index >= last && cell.trim() !== '') : -1;
  if (beyond !== -1) {
    const far = isPayouts ? 'far ' : '';
    remark(
      `values ${far}to the right of the last header, from column ${columnLetters(beyond)} on, are no part of the table`,
    );
  }
  if (cells.length > last) cells.length = last;
  headerless.see(cells);
  if (cells.length > width) cells.length = width;
  while (cells.length < width) cells.push('');
  const long = cells.findIndex((cell) => cell.length > LONGEST_CELL);
  if (long !== -1) {
    throw new FileRefused(
      `${where}, cell ${columnLetters(long)}${row.rowNumber}: more than ${LONGEST_CELL} characters. Shorten it.`,
    );
  }
  // A value that its format hides or strikes through only counts where it would be used.
  const marks = row.marks.filter(
    (mark) =>
      mark.column < width &&
      ((mark.kind !== 'hidden' && mark.kind !== 'struck') || isPaying(used, mark.column)),
  );
  const wasHidden = header.fixColumn !== undefined && cells[header.fixColumn]?.includes(WAS_HIDDEN);
  if (row.isHidden || wasHidden === true) marks.push({ column: -1, kind: 'hidden' });
  for (const column of hidden) marks.push({ column, kind: 'hidden', isWholeColumn: true });
  const { rowNumber } = row;
  if (comments.size > 0) cells.push(comments.get(rowNumber) ?? '');
  return marks.length === 0 ? { rowNumber, cells } : { rowNumber, cells, marks };
}

const UNCALCULATED =
  'results of formulas may be old: the workbook asks to be calculated anew. Open it in a spreadsheet program and save it';

function isCalculated({ marks }: SheetRow, used: UsedColumns): boolean {
  return marks.some((mark) => mark.kind === 'formula' && used.has(mark.column));
}

/** Whether what is hidden or struck through there changes whom or how much a row pays. */
function isPaying(used: UsedColumns, column: number): boolean {
  const field = used.get(column);
  return field !== undefined && isHeldIfUnseen(field);
}

const isUnseenValue = (kind: WrittenMark['kind']): boolean =>
  kind === 'formula_without_value' || kind === 'formula_external' || kind === 'error_value';

/** A formula that shows nothing leaves its row blank; one that failed, or was never calculated, does not. */
function isBlank(row: SheetRow, { fixColumn }: Header): boolean {
  if (row.cells.some((cell, at) => at !== fixColumn && cell.trim() !== '')) return false;
  return !row.marks.some((mark) => isUnseenValue(mark.kind));
}

function hiddenColumns(used: UsedColumns, facts: SheetFacts): readonly number[] {
  if (facts.hiddenColumns.length === 0) return [];
  return [...used.keys()].filter((column) =>
    facts.hiddenColumns.some((range) => range.first <= column && column <= range.last),
  );
}
