/**
 * The door to csv-parse: UTF-8 bytes → records of text, in flat memory.
 *
 * Quotes are read strictly (RFC 4180): a stray quote could hide a shifted column. One habit is read too: exports write
 * `="0123"`, in quotes or not, so that a spreadsheet keeps the zeros. It is the text 0123.
 * Errors:  CsvFault with the record it happened in.
 */
import { CsvError, type InfoRecord, type Options, Parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';

export interface CsvShape {
  readonly delimiter: string;
  /** With a CR anywhere in the file all three line ends count; without, the parser is a third faster. */
  readonly hasCarriageReturn: boolean;
  /** `="` stands somewhere; without, nobody looks for such cells. */
  readonly hasTextFormulas: boolean;
}

export type CsvRecord = readonly string[];

export class CsvFault extends Error {
  override readonly name = 'CsvFault';
  readonly code: string;
  /** Records that came before the one with the fault. */
  readonly recordsBefore: number;
  readonly line: number | undefined;
  constructor(cause: CsvError, recordsBefore: number) {
    super(cause.message, { cause });
    this.code = cause.code;
    this.recordsBefore = recordsBefore;
    this.line = typeof cause.lines === 'number' ? cause.lines : undefined;
  }
}

/** Records as they come out of each chunk of bytes. */
export async function* recordsOf(bytes: AsyncIterable<Buffer>, shape: CsvShape): AsyncGenerator<CsvRecord[]> {
  const parser = new Parser(optionsOf(shape));
  let count = 0;
  let records: CsvRecord[] = [];
  let failure: Error | undefined;
  const read = shape.hasTextFormulas ? withoutTextFormulas : (record: string[]) => record;
  parser.on('data', (record: string[]) => records.push(read(record)));
  parser.on('error', (error) => {
    failure ??= error;
  });
  try {
    for await (const chunk of quoted(bytes, shape)) {
      await new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
      if (failure) break;
      count += records.length;
      if (records.length > 0) yield records;
      records = [];
    }
    if (!failure)
      await new Promise<void>((resolve) =>
        parser
          .once('end', resolve)
          .once('error', () => resolve())
          .end(),
      );
    if (failure) throw failure instanceof CsvError ? new CsvFault(failure, count + records.length) : failure;
    if (records.length > 0) yield records;
  } finally {
    parser.destroy();
  }
}

/** The first records of a text that may be cut off at its end. */
export function firstRecords(text: string, shape: CsvShape, most: number): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  const keep = (record: string[]) => {
    records.push(withoutTextFormulas(record));
    return null;
  };
  try {
    parse(quotedText(text, shape.delimiter), { ...optionsOf(shape), to: most, on_record: keep });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return records;
}

/** Record and line numbers of the first records of another width. A slow second reading, for the message only. */
export async function findOtherWidths(
  bytes: AsyncIterable<Buffer>,
  shape: CsvShape,
  question: { readonly after: number; readonly width: number; readonly most: number },
): Promise<readonly { readonly record: number; readonly line: number; readonly width: number }[]> {
  const found: { record: number; line: number; width: number }[] = [];
  const parser = new Parser({ ...optionsOf(shape), info: true });
  let record = 0;
  parser.on('data', (each: { info: InfoRecord; record: string[] }) => {
    record += 1;
    const { length } = each.record;
    const isBlank = each.record.every((cell) => cell.trim() === '');
    if (record <= question.after || length === question.width || isBlank) return;
    if (found.length < question.most) found.push({ record, line: each.info.lines, width: length });
  });
  parser.on('error', () => parser.destroy());
  for await (const chunk of quoted(bytes, shape)) {
    if (found.length >= question.most || parser.destroyed) break;
    await new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
  }
  if (!parser.destroyed) {
    await new Promise<void>((resolve) =>
      parser
        .once('end', resolve)
        .once('error', () => resolve())
        .end(),
    );
  }
  parser.destroy();
  return found;
}

/**
 * Puts quotes around cells `="0123"` that have none, line by line. Behind `="` no quoted cell goes on with a character of
 * its own, so nothing is touched that could be read otherwise.
 */
async function* quoted(bytes: AsyncIterable<Buffer>, shape: CsvShape): AsyncIterable<Buffer> {
  if (!shape.hasTextFormulas) {
    yield* bytes;
    return;
  }
  // One character a byte: UTF-8 comes out as it went in.
  const delimiter = Buffer.from(shape.delimiter).toString('latin1');
  let rest = '';
  for await (const chunk of bytes) {
    const text = rest + chunk.toString('latin1');
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    const whole = end === -1 && text.length < LARGEST_RECORD ? 0 : end === -1 ? text.length : end;
    rest = text.slice(whole);
    yield Buffer.from(quotedText(text.slice(0, whole), delimiter), 'latin1');
  }
  yield Buffer.from(quotedText(rest, delimiter), 'latin1');
}

function quotedText(text: string, delimiter: string): string {
  const mark = RegExp.escape(delimiter);
  const cell = new RegExp(`(^|[\\r\\n]|${mark})="((?:(?!${mark})[^"\\r\\n])*)"(?=$|[\\r\\n]|${mark})`, 'g');
  return text.includes('="') ? text.replace(cell, '$1"=""$2"""') : text;
}

const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

function withoutTextFormulas(record: readonly string[]): string[] {
  return record.map((cell) => TEXT_FORMULA.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell);
}

const LARGEST_RECORD = 8 * 1024 * 1024;

function optionsOf({ delimiter, hasCarriageReturn }: CsvShape): Options {
  return {
    delimiter,
    record_delimiter: hasCarriageReturn ? ['\r\n', '\n', '\r'] : ['\n'],
    relax_column_count: true,
    max_record_size: LARGEST_RECORD,
  };
}
