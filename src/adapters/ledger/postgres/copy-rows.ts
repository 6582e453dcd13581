/**
 * The only door of pg-copy-streams: rows of an open database go into a table of a server, in one stream.
 *
 * Source:  the text format of COPY in PostgreSQL's documentation.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from } from 'pg-copy-streams';
import type { Database, StoredValue } from '../storage/database.ts';
import type { Client } from './pg-client.ts';

const CHUNK = 64 * 1024;

interface CopyOptions {
  readonly table: string;
  readonly columns: readonly string[];
  readonly signal: AbortSignal | undefined;
  /** Called with how many rows were handed over so far. */
  readonly copied: (rows: number) => void;
}

/** How many rows the server took. */
export async function copyRows(
  source: Database,
  client: Client,
  { table, columns, signal, copied }: CopyOptions,
): Promise<number> {
  const list = columns.join(', ');
  const rows = source.prepare(`SELECT ${list} FROM ${table}`);
  rows.setReturnArrays(true);
  const stream = client.query(from(`COPY ${table} (${list}) FROM STDIN`));
  await pipeline(
    Readable.from(linesOf(rows.iterate() as Iterable<unknown> as Rows, copied)),
    stream,
    signal === undefined ? {} : { signal },
  );
  return stream.rowCount;
}

type Rows = Iterable<readonly StoredValue[]>;

function* linesOf(rows: Rows, copied: (rows: number) => void): Generator<string> {
  let [text, count] = ['', 0];
  for (const row of rows) {
    count += 1;
    text += `${row.map(textOf).join('\t')}\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
    copied(count);
  }
  yield text;
}

const SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function textOf(value: StoredValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return value.replace(SPECIAL, (sign) => ESCAPED[sign] ?? sign);
  return typeof value === 'object' ? `\\\\x${Buffer.from(value).toString('hex')}` : String(value);
}
