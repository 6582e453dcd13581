/**
 * Did payfile write this file, and as an output of this kind? The answer is in what the file says, so that a report
 * is replaced by the next one of its kind and nothing else is. Files of earlier versions are recognised too.
 */
import { constants, type FileHandle, open } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import type { OutputKind } from '../../ports/report-sink.ts';

/** The beginning of a file that is looked at: a header row of 256 columns fits. */
const HEAD_BYTES = 65_536;

const CSV_FIELD = '(?:"[^"]*(?:""[^"]*)*"|[^",\\r\\n]*)';

/** What each kind of output has near its beginning. Workbooks say it in a part of their own. */
const MARKERS: Readonly<Partial<Record<OutputKind, RegExp>>> = {
  csv: new RegExp(`^\\ufeff?(?:${CSV_FIELD},)*?payfile_row,payfile_status,payfile_reason,`),
  // Reports of earlier versions say nothing of the file.
  json: /^\{"schemaVersion":\d+,\n"batch":(?:null,\n"period":)?\{.*\},\n(?:"file":.*,\n)?"environment":"(?:live|sandbox)",\n"rows":\[/,
  // Pages of earlier versions have no generator.
  html: /^<!doctype html>\n(?:.*\n){0,20}?(?:<meta name="generator" content="payfile">|<meta name="robots" content="noindex">\n<title>Payments of )/,
  pain002: /^<\?xml [^>]*>\n<Document xmlns="[^"]*:pain\.002\.[^"]*">\n<CstmrPmtStsRpt>\n<GrpHdr><MsgId>PF-/,
  metrics: /^# HELP payfile_/,
};

/** The title tells a report from a template, a fix file and a file of rows to be paid again. */
const WORKBOOK = /<dc:creator>payfile<\/dc:creator>.*<dc:title>Payments of /s;

export async function isOwnOutput(path: string, kind: OutputKind): Promise<boolean> {
  const marker = kind === 'xlsx' ? WORKBOOK : MARKERS[kind];
  const look = kind === 'xlsx' ? propertiesOf : headOf;
  return marker?.test((await onFile(path, look)).toString('utf8')) === true;
}

const DATABASES = ['SQLite format 3\0', '\x37\x7f\x06\x82', '\x37\x7f\x06\x83'];

/** A database or its log: perhaps a ledger that this machine does not know. */
export async function isDatabase(path: string): Promise<boolean> {
  const head = (await onFile(path, headOf)).toString('latin1', 0, 16);
  return DATABASES.some((magic) => head.startsWith(magic));
}

type Look = (file: FileHandle) => Promise<Buffer>;

/** What cannot be read is empty here, and so is not known to be ours. */
async function onFile(path: string, look: Look): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return await look(file);
  } catch {
    return Buffer.alloc(0);
  } finally {
    await file?.close();
  }
}

const headOf: Look = (file) => bytesAt(file, 0, HEAD_BYTES);

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, Math.max(0, position));
  return buffer.subarray(0, bytesRead);
}

const PROPERTIES = 'docProps/core.xml';
const PROPERTIES_MAX_BYTES = 65_536;
const DIRECTORY_MAX_BYTES = 1_048_576;
/** Of a zip archive: its last record, an entry of its list, and the entry's own header. Their fixed lengths. */
const [END_BYTES, ENTRY_BYTES, HEADER_BYTES] = [22, 46, 30];

/**
 * One small part of a workbook, found by the list at its end: a report may be larger than what payfile reads as input.
 * Throws RangeError where the file is no such archive.
 */
const propertiesOf: Look = async (file) => {
  const { size } = await file.stat();
  const tail = await bytesAt(file, size - HEAD_BYTES, HEAD_BYTES);
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06'));
  if (end < 0 || end + END_BYTES > tail.length) throw new RangeError('no zip archive');
  const length = Math.min(tail.readUInt32LE(end + 12), DIRECTORY_MAX_BYTES);
  const list = await bytesAt(file, tail.readUInt32LE(end + 16), length);
  for (let at = 0; at + ENTRY_BYTES <= list.length; ) {
    const nameLength = list.readUInt16LE(at + 28);
    const name = list.toString('latin1', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength);
    if (name === PROPERTIES) return inflated(file, list.subarray(at));
    at += ENTRY_BYTES + nameLength + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }
  throw new RangeError(`no ${PROPERTIES}`);
};

async function inflated(file: FileHandle, entry: Buffer): Promise<Buffer> {
  const start = entry.readUInt32LE(42);
  const header = await bytesAt(file, start, HEADER_BYTES);
  const data = start + HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const bytes = await bytesAt(file, data, Math.min(entry.readUInt32LE(20), PROPERTIES_MAX_BYTES));
  return entry.readUInt16LE(10) === 0
    ? bytes
    : inflateRawSync(bytes, { maxOutputLength: PROPERTIES_MAX_BYTES });
}
