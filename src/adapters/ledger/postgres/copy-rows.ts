/**
 * The only door of pg-copy-streams: rows go into a table of a server, in one stream, and come out again to be compared.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from, to } from 'pg-copy-streams';
import type { Database, StoredValue } from '../storage/database.ts';
import { copyLine } from './copy-text.ts';
import type { Client } from './pg-client.ts';

const CHUNK = 64 * 1024;

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** In which its rows are told apart, and so have one order. */
  readonly key: readonly string[];
}

interface CopyOptions {
  readonly signal: AbortSignal | undefined;
  /** Called with how many rows were handed over so far. */
  readonly copied: (rows: number) => void;
}

/** `lines`: in the words of COPY. All of them or none. */
export async function sendLines(client: Client, copy: string, lines: string): Promise<void> {
  await pipeline(Readable.from([lines]), client.query(from(copy)));
}

const selected = ({ name, columns, key }: Table) =>
  `SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`;

/** What was written, as a digest. */
export async function copyRows(
  source: Database,
  client: Client,
  table: Table,
  { signal, copied }: CopyOptions,
): Promise<string> {
  const rows = source.prepare(selected(table));
  rows.setReturnArrays(true);
  const stream = client.query(from(`COPY ${table.name} (${table.columns.join(', ')}) FROM STDIN`));
  const hash = createHash('sha256');
  const lines = linesOf(rows.iterate() as Iterable<unknown> as Rows, (text, count) => {
    hash.update(text);
    copied(count);
  });
  await pipeline(Readable.from(lines), stream, signal === undefined ? {} : { signal });
  return hash.digest('hex');
}

/** What stands there, in the same words and order. */
export async function digestThere(client: Client, table: Table): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of client.query(to(`COPY (${selected(table)}) TO STDOUT`)))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

type Rows = Iterable<readonly StoredValue[]>;

function* linesOf(rows: Rows, handed: (text: string, rows: number) => void): Generator<string> {
  let [text, count] = ['', 0];
  for (const row of rows) {
    count += 1;
    text += copyLine(row);
    if (text.length < CHUNK) continue;
    handed(text, count);
    yield text;
    text = '';
  }
  handed(text, count);
  yield text;
}
