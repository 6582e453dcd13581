/**
 * A CSV file as a source of rows.
 *
 * Row numbers are record numbers, blank lines included, so that they agree with what a spreadsheet shows.
 */

import { DELIMITER_WORDS } from '../../domain/batches/batch.ts';
import { answersFor, NOTHING_SAID } from '../../domain/reading/reading.ts';
import { WAS_HIDDEN } from '../../domain/reporting/report-columns.ts';
import { HeaderlessColumns } from '../../domain/rows/no-header.ts';
import type { WrittenMark, WrittenRow } from '../../domain/rows/row.ts';
import { input, said } from '../../domain/text/message.ts';
import { counted } from '../../domain/text/printable.ts';
import { FileRefused, type OpenRowsOptions, type RowSource } from '../../ports/row-source.ts';
import { unescapeFormulas } from '../escape-text.ts';
import {
  countFields,
  HEADER_WITHIN,
  type Header,
  type HeaderChoice,
  type HeaderRow,
  headerNotes,
  headerPlace,
  lettersHeader,
  likelyHeader,
  maybeHeader,
  noHeader,
  readHeader,
} from '../header-map.ts';
import { chunked, LONGEST_CELL, type PayoutFile } from '../opened-file.ts';
import {
  CsvFault,
  type CsvRecord,
  type CsvShape,
  findOtherWidths,
  firstRecords,
  recordsOf,
} from './csv-rows.ts';
import { createDecoder, type Encoding, encodingOf, surveyBytes } from './encoding.ts';

const HEAD_BYTES = 256 * 1024;
const MOST_ROWS = 5_000_000;

export async function openCsv(file: PayoutFile, options: OpenRowsOptions): Promise<RowSource> {
  const head = await file.head(HEAD_BYTES);
  const encoding = encodingOf(head, options.encoding);
  if (encoding === undefined) {
    throw new FileRefused(
      said`${input('encoding', options.encoding)} is not an encoding we know; such as windows-1252 or utf-16le.`,
    );
  }
  const survey = await surveyBytes(file, encoding.isUtf8 ? 'utf-8' : 'other');
  if (survey.looksUtf8) throw alreadyUtf8(file.name, encoding.name);
  const opened = (name?: string) => {
    const now = name === undefined ? encoding : encodingOf(head, name);
    return openText({ file, head, encoding: now ?? encoding, survey }, options);
  };
  if (survey.notUtf8 === undefined) return opened();
  const { likely, question, refusal } = survey.notUtf8;
  if (options.words !== undefined) throw refusal;
  const guessed = guess(() => opened(likely), refusal);
  const answers = answersFor(guessed.reading, options.asked ?? NOTHING_SAID);
  const name = answers.findLast((answer) => answer.kind === 'encoding')?.name;
  if (name !== undefined) return opened(name);
  const { rows } = guessed;
  return Object.assign(guessed, {
    question,
    async *rows(signal?: AbortSignal) {
      try {
        yield* rows(signal);
      } catch (error) {
        throw error instanceof FileRefused ? refusal : error;
      }
    },
  });
}

/** What is wrong with a text in an encoding that is only guessed may be wrong with the guess. */
function guess(open: () => RowSource, refusal: FileRefused): RowSource {
  try {
    return open();
  } catch (error) {
    throw error instanceof FileRefused ? refusal : error;
  }
}

interface CsvText {
  readonly file: PayoutFile;
  readonly head: Buffer;
  readonly encoding: Encoding;
  readonly survey: Awaited<ReturnType<typeof surveyBytes>>;
}

function openText({ file, head, encoding, survey }: CsvText, options: OpenRowsOptions): RowSource {
  const decoded = createDecoder(encoding).write(head.subarray(encoding.bomBytes));
  const text = head.length < file.size ? wholeLines(decoded) : decoded;
  const { hasCarriageReturn } = survey;
  const hasTextFormulas = survey.hasTextFormulas || !encoding.isUtf8;
  const { headerRow, words, asked, delimiter: declared } = options;
  const choice = { headerRow, words, asked };
  const start = { text, hasCarriageReturn, hasTextFormulas, declared, choice, name: file.name };
  const found = findShape(start);
  const row = found.header ?? lettersHeader(found.rows, choice);
  if (row === undefined)
    throw text.trim() === '' && head.length === file.size
      ? new FileRefused(`${file.name} is empty: there is nothing to pay.`)
      : noHeader(file.name, choice, found.rows);
  const header = readHeader(row, choice, file.name);
  const shape = { delimiter: found.delimiter, hasCarriageReturn, hasTextFormulas };
  const reading = { file, encoding, header, shape, firstRows: found.rows.slice(0, HEADER_WITHIN) };
  return sourceOf(reading, survey.sha256);
}

/** A header that was cut off might seem to say something else. */
function wholeLines(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

interface CsvReading {
  readonly file: PayoutFile;
  readonly encoding: Encoding;
  readonly header: Header;
  readonly shape: CsvShape;
  readonly firstRows: readonly HeaderRow[];
}

function sourceOf(opened: CsvReading, sha256: string): RowSource {
  const { file, encoding, header, shape, firstRows } = opened;
  let blank = 0;
  let reading = opened;
  let headerless = new HeaderlessColumns(header.headers);
  const layout = `cells separated by ${shownDelimiter(shape.delimiter)}, text in ${encoding.name}`;
  return {
    format: 'csv',
    fileSha256: () => sha256,
    get headers() {
      const { headers } = reading.header;
      return header.isOwnReport ? headers.map(unescapeFormulas) : headers;
    },
    columns: header.columns,
    notes: [
      ...headerNotes(header),
      layout,
      ...(header.isOwnReport ? ['this is a report of ours; its payfile_ columns are kept'] : []),
    ],
    usualNotes: [headerPlace(header), ...(encoding.isUtf8 ? [layout] : [])],
    sheet: undefined,
    headerRow: header.rowNumber,
    firstRows,
    reading: header.reading,
    async *rows(signal) {
      blank = 0;
      headerless = new HeaderlessColumns(reading.header.headers);
      const onBlank = () => {
        blank += 1;
      };
      yield* chunked(rowsOf(reading, { onBlank, headerless }), signal, file);
    },
    nameColumns() {
      const before = reading.header.headers;
      const headers = headerless.headers();
      reading = { ...reading, header: { ...header, headers } };
      return headers !== before;
    },
    blankRows: () => blank,
    close: () => file.close(),
  };
}

interface CsvListeners {
  readonly onBlank: () => void;
  readonly headerless: HeaderlessColumns;
}

async function* rowsOf(
  reading: CsvReading,
  { onBlank, headerless }: CsvListeners,
): AsyncGenerator<WrittenRow[]> {
  const { header, shape, file } = reading;
  const width = header.headers.length;
  // Only our own CSV reports put a ' before text that a spreadsheet would take for a formula.
  const read = (cells: CsvRecord) => (header.isOwnReport ? cells.map(unescapeFormulas) : cells);
  let rowNumber = 0;
  try {
    for await (const records of recordsOf(utf8Bytes(reading), shape)) {
      const rows: WrittenRow[] = [];
      for (const record of records) {
        rowNumber += 1;
        if (rowNumber <= header.rowNumber) continue;
        if (isBlank(record, header.fixColumn)) onBlank();
        else if (record.length !== width) throw await otherWidths(reading);
        else {
          const cells = read(checked(record, rowNumber, file.name));
          headerless.see(cells);
          const wasHidden = header.fixColumn !== undefined && cells[header.fixColumn]?.includes(WAS_HIDDEN);
          rows.push(wasHidden === true ? { rowNumber, cells, marks: HIDDEN } : { rowNumber, cells });
        }
      }
      if (rowNumber > MOST_ROWS) throw tooManyRows(file.name);
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    throw error instanceof CsvFault ? unreadable(file.name, error) : error;
  }
}

async function* utf8Bytes({ file, encoding }: CsvReading): AsyncGenerator<Buffer> {
  if (encoding.isUtf8) {
    yield* file.read(encoding.bomBytes);
    return;
  }
  const decoder = createDecoder(encoding);
  let line = 1;
  const checkedText = (text: string): Buffer => {
    const at = text.search(/[\0\ufffd]/);
    if (at !== -1) throw undecodable(file.name, encoding.name, line + linesIn(text.slice(0, at)));
    line += linesIn(text);
    return Buffer.from(text, 'utf8');
  };
  for await (const chunk of file.read(encoding.bomBytes)) yield checkedText(decoder.write(chunk));
  yield checkedText(decoder.end());
}

const HIDDEN: readonly WrittenMark[] = [{ column: -1, kind: 'hidden' }];

function isBlank(record: CsvRecord, fixColumn: number | undefined): boolean {
  return !record.some((cell, at) => cell !== '' && at !== fixColumn && cell.trim() !== '');
}

function checked(record: CsvRecord, rowNumber: number, name: string): CsvRecord {
  for (const cell of record) {
    if (cell.length > LONGEST_CELL) {
      throw new FileRefused(
        `${name}, row ${rowNumber}: a cell of ${cell.length} characters; at most ${LONGEST_CELL}. Shorten it, or close the quote that is missing.`,
      );
    }
  }
  return record;
}

async function otherWidths(reading: CsvReading): Promise<FileRefused> {
  const { header, shape, file } = reading;
  const width = header.headers.length;
  const found = await findOtherWidths(utf8Bytes(reading), shape, { after: header.rowNumber, width, most: 5 });
  const places = found.map((each) => `line ${each.line} (row ${each.record}) has ${each.width}`).join(', ');
  return new FileRefused(
    `${file.name}: the header has ${counted(width, 'column')} but ${places}${found.length === 5 ? ' …' : ''}. A row of another ` +
      'width may pay a wrong account, so nothing was taken. Look for a delimiter inside a cell without quotes.',
  );
}

function unreadable(name: string, fault: CsvFault): FileRefused {
  const row = fault.recordsBefore + 1;
  const line = fault.line === undefined ? '' : ` (near line ${fault.line})`;
  const what = FAULTS[fault.code] ?? 'cannot be read as CSV';
  return new FileRefused(`${name}, row ${row}${line}: ${what}.`, { cause: fault });
}

const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED:
    'a quote is opened and never closed. Close it, or double it if it belongs to the text',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote. Double the quotes that belong to the text',
  INVALID_OPENING_QUOTE:
    'there is a quote inside a cell without quotes. Put the cell in quotes and double those inside',
  CSV_MAX_RECORD_SIZE: 'the row is larger than 8 MB. Probably a quote is opened and never closed',
};

function alreadyUtf8(name: string, encoding: string): FileRefused {
  return new FileRefused(
    said`${name} is UTF-8 text; read as ${encoding} its names would be garbled. Run again without ${input('encoding')}.`,
  );
}

function undecodable(name: string, encoding: string, line: number): FileRefused {
  return new FileRefused(
    said`${name}, line ${line}: a character that ${encoding} does not have. Save the file as “CSV UTF-8”, or name its true encoding with ${input('encoding')}.`,
    {
      onPage: `${name}, line ${line}: a character that ${encoding} does not have. Save the file as “CSV UTF-8”.`,
    },
  );
}

function tooManyRows(name: string): FileRefused {
  return new FileRefused(
    `${name} has more than ${MOST_ROWS} rows. Split it into several files; nothing was taken.`,
  );
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}

/**
 * What separates the cells of a CSV file: declared, written in a `sep=` line, or found by its header.
 */

interface CsvHead {
  readonly delimiter: string;
  /** undefined: no row looks like a header. */
  readonly header: HeaderRow | undefined;
  /** The first ones. */
  readonly rows: readonly HeaderRow[];
}

interface CsvStart {
  /** The beginning of the file, decoded; it may be cut off. */
  readonly text: string;
  readonly hasCarriageReturn: boolean;
  readonly hasTextFormulas: boolean;
  readonly declared: string | undefined;
  readonly choice: HeaderChoice;
  readonly name: string;
}

const CANDIDATES = [',', ';', '\t', '|'];
const SEP_LINE = /^"?sep=([^\r\n])"?[\r\n]/i;

function findShape(start: CsvStart): CsvHead {
  const declared =
    start.declared === undefined ? SEP_LINE.exec(start.text)?.[1] : oneCharacter(start.declared);
  const heads = (declared === undefined ? CANDIDATES : [declared]).map((delimiter) =>
    headWith(delimiter, start),
  );
  const best = heads.reduce((left, right) => (right.score > left.score ? right : left));
  const rivals = heads.filter((head) => head.score === best.score && best.fields > 0);
  if (rivals.length > 1) {
    const marks = rivals.map((head) => shownDelimiter(head.delimiter)).join(' and ');
    const what = `${start.name}: the header reads equally well with ${marks} between the cells.`;
    throw new FileRefused(said`${what} Say which it is with ${input('delimiter')}.`, {
      onPage: `${what} Say which it is at “Mark between the cells”.`,
    });
  }
  return best;
}

function shownDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : `“${delimiter}”`;
}

function headWith(delimiter: string, { text, hasCarriageReturn, hasTextFormulas, choice }: CsvStart) {
  const most = Math.max(HEADER_WITHIN, choice.headerRow ?? 0);
  const records = firstRecords(text, { delimiter, hasCarriageReturn, hasTextFormulas }, most);
  const rows = records.map((cells, index) => ({ rowNumber: index + 1, cells }));
  const header = likelyHeader(rows, choice);
  const fields = header ? countFields(header, choice) : 0;
  // With no known header at all, the widest reading is shown to the user in the refusal.
  const width = (header ?? maybeHeader(rows) ?? lettersHeader(rows, choice))?.cells.length ?? 0;
  return { delimiter, header, rows, fields, score: fields * 1_000 + width };
}

function oneCharacter(declared: string): string {
  const delimiter = declared === '\\t' ? '\t' : (DELIMITER_WORDS.get(declared.toLowerCase()) ?? declared);
  if (delimiter.length === 1 && !/["\r\n\w]/.test(delimiter)) return delimiter;
  throw new FileRefused(
    said`${input('delimiter', JSON.stringify(declared))} is not a delimiter; expected one character, or comma, pipe, semicolon or tab.`,
  );
}
