/** New ledgers for tests, in a file and on a server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { asPayoutId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { Head } from '../../src/ledger/chain.ts';
import { encodeBody } from '../../src/ledger/codec-json.ts';
import { type Machine, THIS_MACHINE } from '../../src/ledger/machine.ts';
import { type Assembled, ledgerOf, partsOf } from '../../src/ledger/open.ts';
import type { Holding } from '../../src/ledger/parts.ts';
import { pgDatabase } from '../../src/ledger/pg.ts';
import { connectPg, shownPlace } from '../../src/ledger/pg-connection.ts';
import { FORMAT, LEDGER_CHAIN, schemaText } from '../../src/ledger/schema.ts';
import { type Database, type Dialect, q } from '../../src/ledger/sql.ts';
import { connectSqlite, sqliteDatabase } from '../../src/ledger/sqlite.ts';
import type { StagedRow } from '../../src/ports/ledger/imports.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { batchOf, row, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';

export interface Opened {
  readonly db: Database;
  readonly parts: Assembled;
  readonly ledger: Ledger;
  readonly heads: readonly Head[];
}

export interface OpenOptions {
  readonly machine?: Partial<Machine>;
  readonly holding?: Holding;
  readonly clock?: typeof CLOCK;
  readonly db?: (db: Database) => Database;
}

export interface Place {
  readonly dialect: Dialect;
  /** One more process on the same ledger. */
  open(options?: OpenOptions): Promise<Opened>;
  /** Runs statements of an owner who is none of the ledger's processes. */
  exec(words: string): Promise<void>;
  readonly path: string;
  readonly server: ServerPlace | undefined;
}

const IDENTITY = {
  id: 'test',
  environment: 'sandbox',
  baseUrl: 'https://pay.example',
  loginId: 'ama',
  salt: 'salt',
  timeZone: 'UTC',
} as const;
const CLOCK = { now: () => timestampOf(Date.now()) };

export async function filePlace(ends: (() => Promise<unknown>)[]): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-new-ledger-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'ledger.db');
  const exec = async (words: string) => {
    const db = connectSqlite(path);
    db.exec(words);
    db.close();
  };
  await exec(`${schemaText('sqlite')}; ${ownerText()}`);
  return { ...fileAt(path, ends), exec };
}

/** One that is there. */
export function fileAt(path: string, ends: (() => Promise<unknown>)[]): Omit<Place, 'exec'> {
  return {
    ...{ dialect: 'sqlite', path, server: undefined },
    async open(options = {}) {
      const reader = () => connectSqlite(path, { readOnly: true });
      const db = sqliteDatabase({ path, writer: connectSqlite(path), open: reader });
      return openOn(db, path, options, ends);
    },
  };
}

export async function serverPlace(server: ServerPlace, ends: (() => Promise<unknown>)[]): Promise<Place> {
  const exec = async (words: string) => {
    const client = await connectPg(server);
    await client.query(words);
    await client.end();
  };
  const schema = pg.escapeIdentifier(server.schema);
  await exec(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}; ${schemaText('pg')}; ${ownerText()}`);
  return { ...serverAt(server, ends), exec };
}

export function serverAt(server: ServerPlace, ends: (() => Promise<unknown>)[]): Omit<Place, 'exec'> {
  const path = shownPlace(server);
  return {
    ...{ dialect: 'pg', path, server },
    open: async (options = {}) => openOn(pgDatabase({ place: server, format: FORMAT }), path, options, ends),
  };
}

const ownerText = () => {
  const { id, environment, baseUrl, loginId, salt, timeZone } = IDENTITY;
  return `INSERT INTO ledger VALUES (1, '${id}', '${environment}', '${baseUrl}', '${loginId}', '${salt}', '${timeZone}', ${NOW})`;
};

function openOn(
  opened: Database,
  path: string,
  { machine, holding, clock = CLOCK, db: changed = (db) => db }: OpenOptions,
  ends: (() => Promise<unknown>)[],
): Opened {
  const db = changed(opened);
  const heads: Head[] = [];
  const parts = {
    ...partsOf({
      ...{ db, identity: { ...IDENTITY, path }, clock, machine: { ...THIS_MACHINE, ...machine } },
      committed: (head) => heads.push(head),
    }),
    ...(holding && { holding }),
  };
  ends.push(async () => {
    await parts.writer.idle();
    await db.close();
  });
  return { db, parts, ledger: ledgerOf(parts), heads };
}

/** A sealed batch; the ledger names its service before its first one. */
export async function batchIn(
  { parts, ledger }: Opened,
  rows: readonly StagedRow[],
  name = 'may',
): Promise<BatchId> {
  await parts.writer.write(async ({ sql, add }) => {
    if ((await sql.get(q`SELECT 1 AS it FROM journal LIMIT 1`)) !== undefined) return;
    add({ batch: LEDGER_CHAIN, payout: null, at: NOW, kind: 'created', ...encodeBody('created', IDENTITY) });
  });
  return batchOf(ledger, rows, name);
}

export async function payoutsIn({ ledger }: Opened, id: BatchId): Promise<readonly Payout[]> {
  const found: Payout[] = [];
  for await (const page of ledger.payouts(id)) found.push(...page);
  return found;
}

/** One of three processes that settled the rows of a batch at the same time. */
export async function settledSideBySide({ open }: Place, rows: number): Promise<Opened> {
  const one = await open();
  const processes = [one, await open(), await open()];
  const id = await batchIn(
    one,
    Array.from({ length: rows }, (_, n) => row(n + 1)),
  );
  const payouts = await payoutsIn(one, id);
  await Promise.all(
    payouts.map((payout, n) => walkedTo((processes[n % 3] ?? one).ledger, payout, 'settled')),
  );
  return one;
}

export const payoutAt = async ({ ledger }: Opened, id: string) => ledger.payout(asPayoutId(id));
