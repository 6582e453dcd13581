/** A migration brings a ledger to the next format in one commit. Every other format is refused. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { PostgresDatabase } from '../../../src/adapters/ledger/postgres/connection.ts';
import {
  migrate as migrateOnServer,
  openPostgresLedger,
  shownPlace,
} from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import { createTables, migrate } from '../../../src/adapters/ledger/storage/ledger-schema.ts';
import { FORMAT, type Migration } from '../../../src/adapters/ledger/storage/migrations.ts';
import { aPostgres } from './a-postgres.ts';
import { BINDING } from './ledger-files.ts';

const server = aPostgres();
const PLACE = '/pay/ledger.db';
const ADD = 'ALTER TABLE batches ADD COLUMN added TEXT';
const NEXT: readonly Migration[] = [{ to: FORMAT + 1, sqlite: ADD, postgres: ADD }];
const refusal = (path: string, format: number) =>
  `The ledger ${path} has format ${format}, and this payfile works with format ${FORMAT}: ` +
  'use the payfile version that wrote it.';

function newFile(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec('BEGIN');
  createTables(db, PLACE);
  db.exec('COMMIT');
  return db;
}

const formatOfFile = (db: DatabaseSync) => Number(db.prepare('PRAGMA user_version').get()?.['user_version']);

it('[L39] brings a ledger file to the format of the newest migration, once', () => {
  const db = newFile();
  expect(formatOfFile(db)).toBe(FORMAT);
  migrate(db, PLACE, NEXT);
  migrate(db, PLACE, NEXT);
  expect(formatOfFile(db)).toBe(FORMAT + 1);
  expect(db.prepare('SELECT added FROM batches').all()).toEqual([]);
  expect(() => migrate(db, PLACE)).toThrow(refusal(PLACE, FORMAT + 1));
});

it('leaves a ledger file as it was when a migration fails', () => {
  const db = newFile();
  const broken = [{ to: FORMAT + 1, sqlite: `${ADD}; no SQL`, postgres: '' }];
  expect(() => migrate(db, PLACE, broken)).toThrow('syntax error');
  expect(formatOfFile(db)).toBe(FORMAT);
  expect(() => db.prepare('SELECT added FROM batches')).toThrow('no such column');
});

it('brings a ledger on a server to the format of the newest migration, and refuses any other', async () => {
  const place = server.place();
  const [path, options] = [shownPlace(place), { place, binding: BINDING, create: true }];
  await (await openPostgresLedger(options)).close();
  const db = new PostgresDatabase(place);
  onTestFinished(() => db.close());
  migrateOnServer(db, path, NEXT);
  migrateOnServer(db, path, NEXT);
  expect(db.prepare('SELECT added FROM batches').all()).toEqual([]);
  for (const readOnly of [false, true])
    await expect(openPostgresLedger({ ...options, readOnly })).rejects.toMatchObject({
      code: 'ledger_unsupported',
      message: refusal(path, FORMAT + 1),
    });
});
