/**
 * Rows in the words of COPY, as the server itself writes them.
 *
 * Errors:  LedgerError for a NUL, which no text of the server can hold.
 * Source:  the text format of COPY in PostgreSQL's documentation.
 */
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { SqlValue } from '../storage/database.ts';

export function copyLine(row: readonly SqlValue[]): string {
  return `${row.map(textOf).join('\t')}\n`;
}

const IS_SPECIAL = /[\\\b\t\n\v\f\r]/;
const SPECIAL = new RegExp(IS_SPECIAL, 'g');
const ESCAPED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
};

function textOf(value: SqlValue): string {
  if (value === null) return '\\N';
  refuseNul(value);
  if (typeof value === 'string')
    return IS_SPECIAL.test(value) ? value.replace(SPECIAL, (sign) => ESCAPED[sign] ?? sign) : value;
  if (typeof value !== 'object') return String(value);
  const { buffer, byteOffset, byteLength } = value;
  return `\\\\x${Buffer.from(buffer, byteOffset, byteLength).toString('hex')}`;
}

export function refuseNul(value: unknown): void {
  if (typeof value !== 'string' || !value.includes('\0')) return;
  const text =
    'A text holds a NUL, a character of no kind, which a ledger on a server cannot keep. Nothing of it was written. Take ' +
    'it out where the text comes from. A ledger file that holds one stays a file, and goes on as it is.';
  throw new LedgerError('ledger_unsupported', text);
}
