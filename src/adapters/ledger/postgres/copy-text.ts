/**
 * Rows in the words of COPY, as the server itself writes them.
 *
 * Source:  the text format of COPY in PostgreSQL's documentation.
 */
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
  if (typeof value === 'string')
    return IS_SPECIAL.test(value) ? value.replace(SPECIAL, (sign) => ESCAPED[sign] ?? sign) : value;
  if (typeof value !== 'object') return String(value);
  const { buffer, byteOffset, byteLength } = value;
  return `\\\\x${Buffer.from(buffer, byteOffset, byteLength).toString('hex')}`;
}
