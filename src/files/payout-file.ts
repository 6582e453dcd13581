/**
 * Opens a payout file by what it contains, whatever it is called.
 *
 * The first rows are read once while opening, so that a file with nothing to pay, or broken from the start, is
 * refused before anything is written down. `rows()` may be called again; it then reads the same open file anew.
 * Errors:  FileRefused.
 */
import type { Readable } from 'node:stream';
import { FileRefused, type OpenRows, type OpenRowsOptions, type RowSource } from '../ports/row-source.ts';
import { openCsv } from './csv/csv-source.ts';
import { FROM_ITS_MAKER, openPayoutFile, type PayoutFile } from './opened-file.ts';
import { isCamt, openCamt } from './statement/camt-source.ts';
import { isMt940, openMt940 } from './statement/mt940-source.ts';

const HEAD_BYTES = 64 * 1024;

export const openRows: OpenRows = (options) => openRowsFrom(options, process.stdin);

/** `stdin` is what `-` reads. */
export async function openRowsFrom(options: OpenRowsOptions, stdin: Readable): Promise<RowSource> {
  const file = await openPayoutFile(options.path, stdin);
  try {
    const source = await openAs(file, options);
    for await (const _firstChunk of source.rows()) break;
    return source;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openAs(file: PayoutFile, options: OpenRowsOptions): Promise<RowSource> {
  const head = await file.head(HEAD_BYTES);
  if (options.words?.isStatement === true) {
    if (isCamt(head)) return openCamt(file);
    if (isMt940(head)) return openMt940(file);
  }
  const kind = kindOf(head, file.name);
  if (kind === 'csv') return openCsv(file, options);
  // Its packages take as long to load as a small file to read.
  const { openXlsx } = await import('./xlsx/xlsx-source.ts');
  return openXlsx(file, options);
}

const ARCHIVE = Buffer.from('PK\x03\x04', 'latin1');
const AS_XLSX = 'Open it in a spreadsheet program and save it as .xlsx or as CSV (UTF-8).';

/**
 * What a file is, by its first bytes and never by its name, and how to save it when it is nothing we read. `head` holds
 * the first few kilobytes.
 */
function kindOf(head: Buffer, name: string): 'csv' | 'xlsx' {
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
