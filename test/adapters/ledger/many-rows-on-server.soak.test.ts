/**
 * Many rows on a server: what goes there by COPY is what a file gets by INSERT, all of it or nothing; and answers come a
 * block at a time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PostgresDatabase } from '../../../src/adapters/ledger/postgres/connection.ts';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';
import { openPostgresLedger } from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import type { Database } from '../../../src/adapters/ledger/storage/database.ts';
import type { Ledger } from '../../../src/ports/ledger/ledger.ts';
import { startProxy } from '../../builders/cutting-proxy.ts';
import { batchOf, HEADER, invalidRow, row } from '../../builders/ledger-batches.ts';
import { NOW } from '../../builders/payouts.ts';
import { aPostgres } from './a-postgres.ts';
import { BINDING, openAt } from './ledger-files.ts';

const ODD = "tab\tline\r\nback\\slash \\N \\. “quoted” ' 😀";
/** More than go into one statement, of all kinds. */
const ROWS = [
  ...Array.from({ length: 45 }, (_, n) => row(n + 1)),
  row(60, { name: ODD, reference: ODD, note: ODD, phone: undefined }),
  invalidRow(61),
  row(62, { reference: undefined, name: undefined }),
];

const server = aPostgres();
const clock = { now: () => NOW };
let folder: string;
let place: ServerPlace;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-many-'));
  place = server.place();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const onServer = (at = place) => openPostgresLedger({ place: at, binding: BINDING, create: true, clock });

function using<T>(db: Database, read: (db: Database) => T): T {
  try {
    return read(db);
  } finally {
    db.close();
  }
}
const asked = <T>(read: (db: Database) => T) => using(new PostgresDatabase(place), read);

async function staged(ledger: Ledger): Promise<void> {
  const other = await ledger.beginImport(HEADER);
  await ledger.stage(other, ROWS);
  await ledger.dropImport(other);
  await batchOf(ledger, ROWS, 'may');
  expect((await ledger.verify()).problems).toEqual([]);
  await ledger.close();
}

const TABLES = ['batches', 'routes', 'payouts', 'sums', 'journal', 'commits', 'sqlite_sequence'];

function contentOf(db: Database) {
  // What is about the ledger itself names its place.
  const where = (table: string) => (['journal', 'commits'].includes(table) ? 'WHERE batch <> 0' : '');
  return TABLES.map((table) => {
    const rows = db.prepare(`SELECT * FROM ${table} ${where(table)} ORDER BY 1, 2`).all();
    return [table, rows.map(({ shard: _shard, share: _share, ...one }) => one)];
  });
}

describe('rows of a file', () => {
  it('are the same on a server as in a file: rows, sums, ids, journal and heads', async () => {
    const path = join(folder, 'ledger.db');
    await staged(await openAt(path, { clock }));
    await staged(await onServer());
    const inFile = using(new DatabaseSync(path, { readBigInts: true }), contentOf);
    expect(asked(contentOf)).toEqual(inFile);
  });

  it('leave nothing when the line breaks in the middle of them', async () => {
    const proxy = await startProxy(place.port);
    const ledger = await onServer({ ...place, port: proxy.port });
    const id = await ledger.beginImport(HEADER);
    await proxy.swallowAnswerTo('COPY payouts');
    await expect(ledger.stage(id, ROWS)).rejects.toMatchObject({ code: 'ledger_unwritable' });
    await ledger.close().catch(() => undefined);
    expect(await proxy.cuts()).toBe(1);
    await proxy.close();
    const kept = 'SELECT (SELECT count(*) FROM payouts) AS payouts, (SELECT count(*) FROM sums) AS sums';
    expect(asked((db) => db.prepare(kept).get())).toEqual({ payouts: 0n, sums: 0n });
    const again = await onServer();
    await batchOf(again, ROWS, 'may');
    expect((await again.verify()).problems).toEqual([]);
    await again.close();
  });

  it('leave nothing when the server refuses one of them, and their commit is refused too', () =>
    asked((db) => {
      db.exec(
        'CREATE SCHEMA many; SET search_path TO many; CREATE TABLE few(id bigint PRIMARY KEY, name text)',
      );
      db.exec('BEGIN');
      db.addRows?.('few', ['id', 'name'], [[1, 'one']]);
      const many = Array.from({ length: 10_000 }, (_, n) => [n === 9_000 ? 2 : n + 2, ODD] as const);
      expect(() => db.addRows?.('few', ['id', 'name'], many)).toThrow('few_pkey');
      expect(() => db.exec('COMMIT')).toThrow('the commit came to nothing');
      expect(db.prepare('SELECT count(*) AS n FROM few').get()).toEqual({ n: 0n });
    }));
});

describe('a large answer of a server', () => {
  const failing = 'SELECT n, 1 / (?::bigint - n) AS one FROM generate_series(1, 20000) n';
  const counting = (db: Database) => db.prepare('SELECT count(*) AS n FROM pg_cursors').get()?.n;

  it('comes a block at a time, before the server has all of it', () =>
    asked((db) => {
      db.exec('BEGIN');
      let last: unknown;
      const read = () => {
        for (const { n } of db.prepare(failing).iterate(12_000)) last = n;
      };
      expect(read).toThrow('division by zero');
      expect(last).toBe(10_000n);
      db.exec('ROLLBACK');
    }));

  it('is forgotten when whoever reads it stops', () =>
    asked((db) => {
      for (const isInside of [true, false]) {
        if (isInside) db.exec('BEGIN');
        const seen: unknown[] = [];
        for (const { n } of db.prepare('SELECT n FROM generate_series(1, ?::bigint) n').iterate(20_000)) {
          seen.push(n);
          if (seen.length === 2) expect(counting(db)).toBe(1n);
          if (seen.length === 3) break;
        }
        expect(seen).toEqual([1n, 2n, 3n]);
        expect(counting(db)).toBe(0n);
        if (isInside) db.exec('COMMIT');
      }
    }));

  it('is of one moment, whatever is written while it is read', () =>
    asked((db) => {
      db.exec('CREATE TEMP TABLE growing AS SELECT n FROM generate_series(1, 12000) n');
      let count = 0;
      for (const _row of db.prepare('SELECT n FROM growing').iterate()) {
        if (count % 4_000 === 0)
          db.exec('BEGIN; INSERT INTO growing SELECT * FROM generate_series(1, 9); COMMIT');
        count += 1;
      }
      expect(count).toBe(12_000);
    }));
});
