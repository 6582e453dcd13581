/**
 * One quick pass over the raw bytes: fingerprint, and whether they are the text that they should be.
 *
 * Invalid bytes refuse the file before a single row is read; a replacement character in a name or an account
 * would be a silent change.
 */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { FileRefused } from '../../ports/row-source.ts';
import type { PayoutFile } from './payout-file.ts';

export interface ByteSurvey {
  readonly sha256: string;
  readonly hasCarriageReturn: boolean;
}

export async function surveyBytes(
  file: PayoutFile,
  text: 'utf-8' | 'other' | 'not_text',
): Promise<ByteSurvey> {
  const hash = createHash('sha256');
  let hasCarriageReturn = false;
  let offset = 0;
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of file.read()) {
    hash.update(chunk);
    hasCarriageReturn ||= chunk.includes(0x0d);
    if (text === 'utf-8') {
      const nul = chunk.indexOf(0);
      if (nul !== -1) throw await refusedNul(file, offset + nul);
      const whole = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
      const end = whole.length - unfinishedBytes(whole);
      if (!isUtf8(whole.subarray(0, end)))
        throw await refusedBytes(file, offset - carried.length, whole.subarray(0, end));
      carried = Buffer.from(whole.subarray(end));
    }
    offset += chunk.length;
  }
  if (carried.length > 0) throw await refusedBytes(file, offset - carried.length, carried);
  return { sha256: hash.digest('hex'), hasCarriageReturn };
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

async function refusedBytes(file: PayoutFile, start: number, bytes: Buffer): Promise<FileRefused> {
  const at = firstInvalid(bytes);
  const line = await lineOf(file, start + at);
  const byte = (bytes[at] ?? 0).toString(16).padStart(2, '0').toUpperCase();
  return new FileRefused(
    `${file.name}, line ${line}: byte 0x${byte} is not UTF-8 text. Save the file as “CSV UTF-8”, or name its ` +
      'encoding, e.g. --encoding windows-1252.',
  );
}

/** The longest valid beginning, by halving; what stands behind it is the culprit. */
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
  return new FileRefused(
    `${file.name}, line ${await lineOf(file, at)}: a NUL character, which no CSV file has. If it is UTF-16 text, ` +
      'say so with --encoding utf-16le; else save it again as “CSV UTF-8”.',
  );
}

async function lineOf(file: PayoutFile, at: number): Promise<number> {
  let line = 1;
  if (at === 0) return line;
  for await (const chunk of file.read(0, at)) {
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, end + 1)) line += 1;
  }
  return line;
}
