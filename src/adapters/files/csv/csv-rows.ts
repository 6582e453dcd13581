/**
 * The door to csv-parse: UTF-8 bytes → records of text, in flat memory.
 *
 * Quotes are read strictly (RFC 4180): a stray quote could hide a shifted column.
 * Errors:  CsvFault with the record it happened in.
 */
import { CsvError, type InfoRecord, type Options, Parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';

export interface CsvShape {
  readonly delimiter: string;
  /** With a CR anywhere in the file all three line ends count; without, the parser is a third faster. */
  readonly hasCarriageReturn: boolean;
}

export type CsvRecord = readonly string[];

export class CsvFault extends Error {
  override readonly name = 'CsvFault';
  readonly code: string;
  /** Records that came before the one with the fault. */
  readonly recordsBefore: number;
  readonly line: number | undefined;
  constructor(cause: CsvError, recordsBefore: number, linesBefore: number) {
    super(cause.message, { cause });
    this.code = cause.code;
    this.recordsBefore = recordsBefore;
    this.line = typeof cause.lines === 'number' ? linesBefore + cause.lines : undefined;
  }
}

/** Records as they come out of each chunk of bytes. csv-parse begins at the first record with a quote. */
export async function* recordsOf(bytes: AsyncIterable<Buffer>, shape: CsvShape): AsyncGenerator<CsvRecord[]> {
  const plain = new PlainRecords(shape);
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      const records = plain.read(next.value);
      if (records.length > 0) yield records;
      if (plain.rest === undefined) continue;
      yield* parsed(following(plain.rest, chunks), shape, plain.count);
      return;
    }
    const last = plain.end();
    if (last !== undefined) yield [last];
  } finally {
    await chunks.return?.();
  }
}

async function* following(first: Buffer, others: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await others.next(); next.done !== true; next = await others.next()) yield next.value;
}

const [QUOTE, LINE_FEED, CARRIAGE_RETURN] = [0x22, 0x0a, 0x0d];
/** Whether a longer record is too long, csv-parse says. */
const LONGEST_PLAIN = 1024 * 1024;

/** Splits lines that hold no quote, which is five times as fast as csv-parse. */
class PlainRecords {
  /** What is left for csv-parse, from the beginning of a record; undefined: nothing yet. */
  rest: Buffer | undefined;
  count = 0;
  readonly #shape: CsvShape;
  #carried: Buffer = Buffer.alloc(0);

  constructor(shape: CsvShape) {
    this.#shape = shape;
  }

  read(chunk: Buffer): string[][] {
    const bytes = this.#carried.length === 0 ? chunk : Buffer.concat([this.#carried, chunk]);
    const records: string[][] = [];
    const { delimiter, hasCarriageReturn } = this.#shape;
    let start = 0;
    // The last byte may be a carriage return whose line feed comes only now.
    for (let at = Math.max(0, this.#carried.length - 1); at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte > QUOTE) continue;
      if (byte === QUOTE) break;
      const isReturn = hasCarriageReturn && byte === CARRIAGE_RETURN;
      if (isReturn && at + 1 === bytes.length) break;
      if (byte !== LINE_FEED && !isReturn) continue;
      // Line by line: cells cut from a larger text would keep all of it in memory.
      records.push(bytes.toString('utf8', start, at).split(delimiter));
      if (isReturn && bytes[at + 1] === LINE_FEED) at += 1;
      start = at + 1;
    }
    this.count += records.length;
    const left = bytes.subarray(start);
    if (left.length > LONGEST_PLAIN || left.includes(QUOTE)) this.rest = left;
    else this.#carried = Buffer.from(left);
    return records;
  }

  /** The last record, if no line end follows it. */
  end(): string[] | undefined {
    if (this.#carried.length === 0) return undefined;
    const text = this.#carried.toString('utf8');
    const { delimiter, hasCarriageReturn } = this.#shape;
    return (hasCarriageReturn && text.endsWith('\r') ? text.slice(0, -1) : text).split(delimiter);
  }
}

/** By csv-parse, after `before` records of one line each. */
async function* parsed(
  bytes: AsyncIterable<Buffer>,
  shape: CsvShape,
  before: number,
): AsyncGenerator<CsvRecord[]> {
  const parser = new Parser(optionsOf(shape));
  let count = before;
  let records: CsvRecord[] = [];
  let failure: Error | undefined;
  parser.on('data', (record: string[]) => records.push(record));
  parser.on('error', (error) => {
    failure ??= error;
  });
  try {
    for await (const chunk of bytes) {
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
    if (failure)
      throw failure instanceof CsvError ? new CsvFault(failure, count + records.length, before) : failure;
    if (records.length > 0) yield records;
  } finally {
    parser.destroy();
  }
}

/** The first records of a text that may be cut off at its end. */
export function firstRecords(text: string, shape: CsvShape, most: number): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  const keep = (record: string[]) => {
    records.push(record);
    return null;
  };
  try {
    parse(text, { ...optionsOf(shape), to: most, on_record: keep });
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
  for await (const chunk of bytes) {
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

const LARGEST_RECORD = 8 * 1024 * 1024;

function optionsOf({ delimiter, hasCarriageReturn }: CsvShape): Options {
  return {
    delimiter,
    record_delimiter: hasCarriageReturn ? ['\r\n', '\n', '\r'] : ['\n'],
    relax_column_count: true,
    max_record_size: LARGEST_RECORD,
  };
}
