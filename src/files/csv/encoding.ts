/**
 * Text encodings: bytes of any encoding → UTF-8 bytes, failing instead of guessing. And one quick pass over the raw bytes
 * of a file: its SHA-256, and whether they are text in the declared encoding.
 *
 * iconv-lite, because TextDecoder reads Windows-1252 wrongly in many releases of Node. Invalid bytes refuse the file
 * before a single row is read; a replacement character in a name or an account would be a silent change.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import iconv from 'iconv-lite';
import type { Choice, Question } from '../../domain/reading/question.ts';
import { fieldOfHeader } from '../../domain/rows/column-names.ts';
import { input, said } from '../../domain/text/message.ts';
import { printable } from '../../domain/text/printable.ts';
import { maskOf } from '../../domain/text/sensitive.ts';
import { FileRefused } from '../../ports/row-source.ts';
import { FROM_ITS_MAKER, type PayoutFile } from '../opened-file.ts';

export type Encoding = { readonly name: string; readonly isUtf8: boolean; readonly bomBytes: number };

const UTF8 = { name: 'utf-8', isUtf8: true };

/** By byte order mark, else as declared, else UTF-8; undefined when the declared name is not known. */
export function encodingOf(head: Buffer, declared: string | undefined): Encoding | undefined {
  if (head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return { ...UTF8, bomBytes: 3 };
  if (head.subarray(0, 2).equals(Buffer.from([0xff, 0xfe])))
    return { name: 'utf-16le', isUtf8: false, bomBytes: 2 };
  if (head.subarray(0, 2).equals(Buffer.from([0xfe, 0xff])))
    return { name: 'utf-16be', isUtf8: false, bomBytes: 2 };
  if (declared === undefined || /^utf-?8$/i.test(declared.trim())) return { ...UTF8, bomBytes: 0 };
  const name = declared.trim();
  return iconv.encodingExists(name) && !/^(?:base64|hex|binary|utf-?7)/i.test(name)
    ? { name, isUtf8: false, bomBytes: 0 }
    : undefined;
}

/** Decodes chunk by chunk. A character that the encoding does not have comes out as U+FFFD. */
export function createDecoder(encoding: Encoding): { write(chunk: Buffer): string; end(): string } {
  const decoder = iconv.getDecoder(encoding.name, { stripBOM: false });
  return { write: (chunk) => decoder.write(chunk), end: () => decoder.end() ?? '' };
}

interface ByteSurvey {
  readonly sha256: string;
  readonly hasCarriageReturn: boolean;
  /** `="` stands somewhere, in an encoding of one byte for such characters. */
  readonly hasTextFormulas: boolean;
  /** The text was declared to be in another encoding, but all its characters beyond ASCII are valid UTF-8. */
  readonly looksUtf8: boolean;
  /** The text was taken for UTF-8, and is none. */
  readonly notUtf8: OtherText | undefined;
}

export async function surveyBytes(
  file: PayoutFile,
  text: 'utf-8' | 'other' | 'not_text',
): Promise<ByteSurvey> {
  const hash = createHash('sha256');
  let hasCarriageReturn = false;
  let hasTextFormulas = false;
  let last: number | undefined;
  let offset = 0;
  let carried: Buffer = Buffer.alloc(0);
  const other = text === 'other' ? utf8Suspicion() : undefined;
  let notUtf8: OtherText | undefined;
  for await (const chunk of file.read()) {
    hash.update(chunk);
    hasCarriageReturn ||= chunk.includes(0x0d);
    hasTextFormulas ||= chunk.includes('="') || (last === EQUALS && chunk[0] === QUOTE);
    last = chunk.at(-1);
    other?.look(chunk);
    if (text === 'utf-8' && notUtf8 === undefined) {
      const nul = chunk.indexOf(0);
      if (nul !== -1) throw await refusedNul(file, offset + nul);
      const whole = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
      const end = whole.length - unfinishedBytes(whole);
      if (!isUtf8(whole.subarray(0, end)))
        notUtf8 ??= await otherText(file, offset - carried.length, whole.subarray(0, end));
      carried = Buffer.from(whole.subarray(end));
    }
    offset += chunk.length;
  }
  if (carried.length > 0) notUtf8 ??= await otherText(file, offset - carried.length, carried);
  return {
    sha256: hash.digest('hex'),
    hasCarriageReturn,
    hasTextFormulas,
    looksUtf8: other?.verdict() === true,
    notUtf8,
  };
}

const [EQUALS, QUOTE] = [0x3d, 0x22];

/** Text of another encoding is hardly ever valid UTF-8 by accident, and reading it wrongly would garble names. */
function utf8Suspicion() {
  let isValid = true;
  let isBeyondAscii = false;
  let carried: Buffer = Buffer.alloc(0);
  return {
    look(chunk: Buffer): void {
      if (!isValid) return;
      const whole = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
      const end = whole.length - unfinishedBytes(whole);
      const checked = whole.subarray(0, end);
      isValid = isUtf8(checked) && !checked.includes(0);
      isBeyondAscii ||= !isAscii(checked);
      carried = Buffer.from(whole.subarray(end));
    },
    verdict: () => isValid && isBeyondAscii && carried.length === 0,
  };
}

/** How many bytes at the end begin a character that the next chunk may finish; at most three. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}

/** What is known of a text that is not UTF-8. */
export interface OtherText {
  readonly question: Question;
  /** The likeliest encoding. */
  readonly likely: string;
  /** Where nobody is asked. */
  readonly refusal: FileRefused;
}

async function otherText(file: PayoutFile, start: number, bytes: Buffer): Promise<OtherText> {
  const at = firstInvalid(bytes);
  const line = await lineOf(file, start + at);
  const byte = (bytes[at] ?? 0).toString(16).padStart(2, '0').toUpperCase();
  const likely = likelyEncodings(await file.head(HEAD_BYTES), bytes[at] ?? 0);
  const read = likely.map((name) => ({ name, word: wordAround(bytes, at, name) }));
  const choices = read.map(
    ({ name, word }): Choice => ({
      label: said`Read the text as ${name}: “${word}”`,
      answers: [{ kind: 'encoding', name }],
    }),
  );
  const saved: Choice = { label: said`Save the file as “CSV UTF-8”, and read it again`, answers: [] };
  const what = `${file.name}, line ${line}: a character that is not UTF-8 text (byte 0x${byte}).`;
  const text = said`${what} How is the text written? Another encoding is named with ${input('encoding', 'NAME')}.`;
  const ways = read.flatMap(({ name, word }) => [` “${word}”: `, input('encoding', name), '.']);
  const refusal = new FileRefused(said`${what} Save the file as “CSV UTF-8”, or name its encoding.${ways}`, {
    onPage: `${what} Save the file as “CSV UTF-8” and bring it again.`,
  });
  const isGuess = likely.length > 1;
  const question = { code: 'text_encoding', text, headers: [], choices: [...choices, saved], isGuess };
  return { question, refusal, likely: likely[0] ?? 'windows-1252' };
}

const HEAD_BYTES = 16 * 1024;
/** What spreadsheets save where they do not save UTF-8. */
const USUAL = ['windows-1252', 'macintosh'];

/** The one in which most headers are known. Mac Roman has its accents where Windows has signs: then both may be meant. */
function likelyEncodings(head: Buffer, byte: number): readonly string[] {
  const known = USUAL.map((name) => {
    const cells = createDecoder({ name, isUtf8: false, bomBytes: 0 })
      .write(head)
      .split(/[,;\t|\r\n"]/);
    return { name, headers: cells.filter((cell) => fieldOfHeader(cell) !== undefined).length };
  });
  const most = Math.max(...known.map(({ headers }) => headers));
  const best = known.flatMap(({ name, headers }) => (headers === most ? [name] : []));
  return best.length > 1 && byte >= FIRST_ACCENT ? best.slice(0, 1) : best;
}

const FIRST_ACCENT = 0xa0;

const CELL_ENDS = new Set([0x22, 0x2c, 0x3b, 0x09, 0x7c, 0x0a, 0x0d]);
const MOST_AROUND = 30;

/** The cell, as an encoding would have it: a person sees at once whether that is what it is. */
function wordAround(bytes: Buffer, at: number, name: string): string {
  let start = at;
  let end = at + 1;
  while (start > 0 && at - start < MOST_AROUND && !CELL_ENDS.has(bytes[start - 1] ?? 0)) start -= 1;
  while (end < bytes.length && end - at < MOST_AROUND && !CELL_ENDS.has(bytes[end] ?? 0)) end += 1;
  const decoder = createDecoder({ name, isUtf8: false, bomBytes: 0 });
  const text = decoder.write(bytes.subarray(start, end)) + decoder.end();
  return printable(text.trim()).replace(/\d{7,}/g, maskOf);
}

/** Length of the longest valid beginning, found by halving; the invalid bytes come after it. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, middle - unfinishedBytes(part)))) valid = middle;
    else invalid = middle;
  }
  return valid - unfinishedBytes(bytes.subarray(0, valid));
}

async function refusedNul(file: PayoutFile, at: number): Promise<FileRefused> {
  // Latin letters in UTF-16 are every other byte; which of the two comes first shows in the first letter.
  const isText16 = at <= 1 && file.size % 2 === 0;
  const saved = 'save it again as “CSV UTF-8”.';
  const advice = isText16
    ? said`It looks like UTF-16 text: say so with ${input('encoding', at === 0 ? 'utf-16be' : 'utf-16le')}, or ${saved}`
    : said`The file is damaged or no text at all. ${FROM_ITS_MAKER}`;
  const line = await lineOf(file, at);
  const what = `${file.name}, line ${line}: a character of no kind (NUL), which no CSV file has.`;
  const onPage = isText16 ? { onPage: `${what} It looks like UTF-16 text: ${saved}` } : {};
  return new FileRefused(said`${what} ${advice.pieces}`, onPage);
}

async function lineOf(file: PayoutFile, at: number): Promise<number> {
  let line = 1;
  if (at === 0) return line;
  for await (const chunk of file.read(0, at)) {
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, end + 1)) line += 1;
  }
  return line;
}
