/**
 * What a file is, by its first bytes and never by its name, and how to save it when it is nothing we read.
 */

import type { WrittenRow } from '../../domain/rows/row.ts';
import { FileRefused } from '../../ports/row-source.ts';
import type { PayoutFile } from './payout-file.ts';

export type FileKind = 'csv' | 'xlsx';

const ARCHIVE = Buffer.from('PK\x03\x04', 'latin1');
/**
 * For damage and for parts that disagree. Spreadsheet programs repair such a file without a word and may take the
 * other of two amounts: a workbook with a wrong checksum was saved again as one that pays 9,250.50 for 1,250.50.
 */
export const FROM_ITS_MAKER =
  'Get the file again from whoever made it. Do not open it and save it: a repaired copy may hold other amounts.';
const AS_XLSX = 'Open it in a spreadsheet program and save it as .xlsx or as CSV (UTF-8).';

/** `head` holds the first few kilobytes. */
export function kindOf(head: Buffer, name: string): FileKind {
  if (head.subarray(0, 4).equals(ARCHIVE)) return 'xlsx';
  if (head.subarray(0, 4).equals(Buffer.from('PK\x05\x06', 'latin1'))) {
    throw new FileRefused(`${name} is an empty zip archive: there is nothing to pay.`);
  }
  const archive = head.indexOf(ARCHIVE);
  if (archive !== -1 && head.includes(0)) {
    throw new FileRefused(
      `${name} has something in front of a zip archive, as no .xlsx file has. ${FROM_ITS_MAKER}`,
    );
  }
  const foreign = FOREIGN.find(({ magic }) => magic(head));
  if (foreign) throw new FileRefused(`${name} ${foreign.what}. ${foreign.advice ?? AS_XLSX}`);
  return 'csv';
}

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
// The streams of a password-protected workbook, named in UTF-16 inside the old container format.
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

interface Foreign {
  readonly magic: (head: Buffer) => boolean;
  readonly what: string;
  readonly advice?: string;
}

const begins =
  (...starts: readonly (string | Buffer)[]) =>
  (head: Buffer) =>
    starts.some((start) => {
      const bytes = typeof start === 'string' ? Buffer.from(start, 'latin1') : start;
      return head.subarray(0, bytes.length).equals(bytes);
    });

const FOREIGN: readonly Foreign[] = [
  {
    magic: (head) => begins(OLE)(head) && head.includes(ENCRYPTED),
    what: 'is protected with a password',
    advice: 'Save a copy without the password (File, Info, Protect Workbook) and try again.',
  },
  { magic: begins(OLE), what: 'is in the old .xls format' },
  { magic: begins('%PDF'), what: 'is a PDF', advice: 'Ask for the spreadsheet that it was made from.' },
  { magic: begins(Buffer.from([0x1f, 0x8b])), what: 'is compressed with gzip', advice: 'Unpack it first.' },
  { magic: begins('7z\xbc\xaf', 'Rar!'), what: 'is a compressed archive', advice: 'Unpack it first.' },
  { magic: begins('{\\rtf'), what: 'is a text document' },
  { magic: (head) => MARKUP.test(head.toString('latin1')), what: 'is a web page or XML, not a spreadsheet' },
];

const MARKUP = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|\?xml|table|body|head|meta|style|div)\b/i;

/**
 * What both formats share on the way out: chunks of even size, an early end, and the last checks.
 */

/** As in a spreadsheet. */
export const LONGEST_CELL = 32_767;
const CHUNK_ROWS = 1_000;

/** Ends without a word when the signal aborts; a reading that came to its end proves that the file stayed the same. */
export async function* chunked(
  rows: AsyncGenerator<WrittenRow[]>,
  signal: AbortSignal | undefined,
  file: PayoutFile,
): AsyncGenerator<readonly WrittenRow[]> {
  let waiting: WrittenRow[] = [];
  let isEmpty = true;
  for await (const some of rows) {
    if (signal?.aborted) return;
    waiting = waiting.length === 0 ? some : waiting.concat(some);
    isEmpty = false;
    let from = 0;
    for (; waiting.length - from >= CHUNK_ROWS; from += CHUNK_ROWS)
      yield waiting.slice(from, from + CHUNK_ROWS);
    waiting = waiting.slice(from);
  }
  if (signal?.aborted) return;
  await file.assertUnchanged();
  if (isEmpty)
    throw new FileRefused(`${file.name} has a header and no rows below it: there is nothing to pay.`);
  if (waiting.length > 0) yield waiting;
}
