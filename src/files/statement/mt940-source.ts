/**
 * SWIFT MT940 statements as rows. Read are the fields that a comparison needs: 25, 28, 60, 61, 62 and 86.
 *
 * Reason:  the parsers on npm turn amounts into floating point numbers and dates into the machine's zone, and the last
 *          release of each is years old. Six fields are less code than a check of what such a parser lost.
 * Source:  the published descriptions of MT940 by SWIFT and by banks.
 * Limits:  32 MB. A line that cannot be read is a row with its text as the amount, so that nobody rules by it.
 * Errors:  FileRefused.
 */
import { createHash } from 'node:crypto';
import type { WrittenRow } from '../../domain/rows/row.ts';
import type { StatementPart } from '../../domain/statement/balances.ts';
import { printable } from '../../domain/text/printable.ts';
import { FileRefused, type RowSource } from '../../ports/row-source.ts';
import type { PayoutFile } from '../opened-file.ts';
import { type BankEntry, type Part, rowOf, statementSource } from './statement-rows.ts';

const LARGEST = 32 * 1024 * 1024;

export function isMt940(head: Buffer): boolean {
  const text = head.toString('latin1');
  return /(?:^|[\n{:]|\xef\xbb\xbf)\s*:20:/.test(text) && /\n:(?:25|28C?|60[FM]|61):/.test(text);
}

export async function openMt940(file: PayoutFile): Promise<RowSource> {
  if (file.size > LARGEST)
    throw new FileRefused(`${file.name} is an MT940 file of more than 32 MB. Export a shorter time.`);
  let sha256 = '';
  const read = async function* (parts: StatementPart[]) {
    const chunks: Buffer[] = [];
    for await (const chunk of file.read()) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    sha256 = createHash('sha256').update(bytes).digest('hex');
    yield readStatements(fieldsIn(textOf(bytes)), parts);
  };
  return statementSource(file, { format: 'MT940', read, fileSha256: () => sha256 });
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

interface SwiftField {
  readonly tag: string;
  /** The lines below the first one too. */
  readonly lines: readonly string[];
}

/** Headers of messages, such as `{1:F01…}` and `-}`, are left out. */
function fieldsIn(text: string): readonly SwiftField[] {
  const fields: { tag: string; lines: string[] }[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, tag, first = ''] = /^(?:\{.*\{4:\s*)?:(\d{2}[A-Z]?):(.*)$/.exec(line) ?? [];
    if (tag !== undefined) fields.push({ tag, lines: [first] });
    else if (/^(?:-\}?|\{.*)$/.test(line.trim())) fields.push({ tag: '', lines: [] });
    else fields.at(-1)?.lines.push(line);
  }
  return fields.filter(({ tag }) => tag !== '');
}

function readStatements(fields: readonly SwiftField[], parts: StatementPart[]): WrittenRow[] {
  const rows: WrittenRow[] = [];
  let part: Part | undefined;
  for (const [at, { tag, lines }] of fields.entries()) {
    const [first = ''] = lines;
    // A file that lost its beginning has entries before the first reference.
    if (tag === '20' || part === undefined) {
      part = {
        ...{ name: `statement ${parts.length + 1}`, account: '', currency: '', firstRow: rows.length + 1 },
        ...{ opening: undefined, closing: undefined, dates: [] },
      };
      parts.push(part);
    }
    if (tag === '25') part.account = first.trim();
    else if (tag === '28C' || tag === '28') part.name = `statement ${printable(first.trim())}`;
    else if (tag === '60F' || tag === '60M') readBalance(first, 'opening', part);
    else if (tag === '62F' || tag === '62M') readBalance(first, 'closing', part);
    else if (tag === '61') {
      const next = fields[at + 1];
      const information = next?.tag === '86' ? next.lines : [];
      rows.push(rowOf(rows.length + 1, entryOf(lines, information, part.currency)));
    }
  }
  return rows;
}

/** `C261130GBP1234,50`. The day of the opening balance is often the one before the statement. */
function readBalance(text: string, which: 'opening' | 'closing', part: Part): void {
  const [, mark, date = '', currency = '', amount = ''] =
    /^([CD])(\d{6})([A-Z]{3})(\d{1,15},\d{0,6})\s*$/.exec(text) ?? [];
  if (mark === undefined) return;
  part.currency = currency;
  part[which] = `${mark === 'D' ? '-' : ''}${decimalOf(amount)}`;
  if (which === 'closing') part.dates = [...part.dates, isoDay(date)];
  else part.openedOn ??= isoDay(date);
}

/** `1234,` and `1234,5`. */
function decimalOf(amount: string): string {
  return amount.replace(/,$/, '').replace(',', '.');
}

function isoDay(date: string): string {
  return `20${date.slice(0, 2)}-${date.slice(2, 4)}-${date.slice(4, 6)}`;
}

// Value date, day of the entry, mark, third letter of the currency, amount, kind, reference, the bank's reference.
const ENTRY =
  /^(\d{6})(\d{4})?(R[CD]|E[CD]|[CD])([A-Z])?(\d{1,15},\d{0,6})([A-Z][A-Z0-9]{3})(.{0,16}?)(?:\/\/(.{0,16}))?$/;

function entryOf(
  [first = '', ...supplement]: readonly string[],
  information: readonly string[],
  currency: string,
): BankEntry {
  const [, value = '', booked, mark = '', , amount = '', , reference = '', bankReference = ''] =
    ENTRY.exec(first.trimEnd()) ?? [];
  const valueOn = value === '' ? '' : isoDay(value);
  const { texts, endToEndId, account, name } = detailsOf(information);
  // A reversal of a credit goes out.
  const isOut = mark === 'D' || mark === 'RC' || mark === 'ED';
  return {
    ...{ valueOn, bookedOn: booked === undefined ? valueOn : bookedDay(valueOn, booked) },
    amount: amount === '' ? first.trim() : decimalOf(amount),
    side: mark === '' ? '' : isOut ? 'D' : 'C',
    ...{ currency, account, name },
    narration: [...texts, ...supplement].join(''),
    details: [reference, ...texts, ...supplement].join(' ').trim(),
    endToEndId,
    bankReference,
    status: mark.startsWith('E') ? 'PDNG' : '',
    count: '',
  };
}

/** `1130`, around the end of a year of the year that is nearer to the value date. */
function bookedDay(valueOn: string, monthDay: string): string {
  const [year, month] = [Number(valueOn.slice(0, 4)), Number(valueOn.slice(5, 7))];
  const booked = Number(monthDay.slice(0, 2));
  const shift = booked - month > 6 ? -1 : month - booked > 6 ? 1 : 0;
  return `${year + shift}-${monthDay.slice(0, 2)}-${monthDay.slice(2)}`;
}

interface Information {
  /** As they follow one another: a word may go on in the next one. */
  readonly texts: readonly string[];
  readonly endToEndId: string;
  readonly account: string;
  readonly name: string;
}

/** With numbered parts (`?20EREF+…?31…`), with words between strokes (`/EREF/…/REMI/…`), or as plain text. */
function detailsOf(lines: readonly string[]): Information {
  const joined = lines.join('');
  const numbered = [...joined.matchAll(/\?(\d{2})([^?]*)/g)].map(([, code = '', text = '']) => ({
    code,
    text,
  }));
  const isNumbered = /^\d{3}\?/.test(joined) || joined.startsWith('?');
  const ofCodes = (codes: RegExp) => numbered.filter(({ code }) => codes.test(code)).map(({ text }) => text);
  const texts = isNumbered ? ofCodes(/^(?:00|2\d|6[0-3])$/) : lines;
  const whole = texts.join('');
  const id = /(?:EREF\+|\/EREF\/)\s*([^/+?\s]+?)(?=[A-Z]{4}\+|[/?\s]|$)/.exec(whole)?.[1] ?? '';
  const account = isNumbered ? ofCodes(/^31$/).join('') : (/\/(?:IBAN|CNTP)\/([^/]+)/.exec(whole)?.[1] ?? '');
  const name = isNumbered ? ofCodes(/^3[23]$/).join('') : (/\/NAME\/([^/]+)/.exec(whole)?.[1] ?? '');
  return { texts, endToEndId: id, account, name };
}
