/**
 * New ledgers for tests, in a file and on a server. Batches are written into the tables as an import writes them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { batchDigest } from '../../src/domain/batches/batch.ts';
import { asBatchId, asPayoutId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { type Head, newSalt } from '../../src/ledger/chain.ts';
import { stateText } from '../../src/ledger/codec.ts';
import { encodeBody } from '../../src/ledger/codec-json.ts';
import { type Machine, THIS_MACHINE } from '../../src/ledger/machine.ts';
import { type Assembled, ledgerOf, partsOf } from '../../src/ledger/open.ts';
import type { Holding } from '../../src/ledger/parts.ts';
import { pgDatabase } from '../../src/ledger/pg.ts';
import { connectPg, type ServerPlace, shownPlace } from '../../src/ledger/pg-connection.ts';
import { insertRows, instructionColumns, payoutNumber, positionOf, rowSeal } from '../../src/ledger/rows.ts';
import { FORMAT, LEDGER_CHAIN, nextIds, schemaText } from '../../src/ledger/schema.ts';
import { type Database, type Dialect, numberOf, q, type Sql } from '../../src/ledger/sql.ts';
import { connectSqlite, sqliteDatabase } from '../../src/ledger/sqlite.ts';
import type { StagedRow } from '../../src/ports/ledger/imports.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { NOW } from '../builders/payouts.ts';

/** The methods of the port that are there. */
export type Own = ReturnType<typeof ledgerOf>;

export interface Opened {
  readonly db: Database;
  readonly parts: Assembled;
  /** The port, as far as it is there: a method that is not is undefined. */
  readonly ledger: Ledger & Own;
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
    open: async (options = {}) => openOn(fileDatabase(path), path, options, ends),
  };
}

export function fileDatabase(path: string, writer: DatabaseSync = connectSqlite(path)): Database {
  return sqliteDatabase({ path, writer, open: () => connectSqlite(path, { readOnly: true }) });
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
  const { id, environment, baseUrl, loginId, salt } = IDENTITY;
  return `INSERT INTO ledger VALUES (1, '${id}', '${environment}', '${baseUrl}', '${loginId}', '${salt}', ${NOW})`;
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
  return { db, parts, ledger: ledgerOf(parts) as Ledger & Own, heads };
}

/** A sealed batch, as an import writes it. */
export async function batchIn({ parts }: Opened, rows: readonly StagedRow[], name = 'may'): Promise<BatchId> {
  const { writer, routes } = parts;
  const batch = await writer.write(async ({ sql, add }) => {
    const id = await nextIds(sql, 'batches', 1);
    const facts = JSON.stringify({ v: 1, state: 'open', name, createdAt: NOW });
    await sql.run(q`INSERT INTO batches(id, state, name, facts) VALUES (${id}, 'open', ${name}, ${facts})`);
    if (id === 1)
      add({
        batch: LEDGER_CHAIN,
        payout: null,
        at: NOW,
        kind: 'created',
        ...encodeBody('created', IDENTITY),
      });
    const { body } = encodeBody('import_begun', { set: { state: 'open', name, createdAt: NOW } });
    add({ batch: id, payout: null, at: NOW, kind: 'import_begun', body });
    return id;
  });
  await writer.write(async (commit) => {
    const first = await nextIds(commit.sql, 'payouts', rows.length);
    const fresh = [];
    for (const [at, { instruction, keys, state, cells, rowNumber }] of rows.entries()) {
      const id = first + at;
      const route =
        instruction === undefined ? null : await routes.idIn(commit, instruction, { batch, at: NOW });
      const content = {
        ...{
          id,
          root: await rootOf(commit.sql, instruction?.replaces, id),
          cells: JSON.stringify(cells),
          row_key: keys.rowKey,
        },
        ...{ reference_key: keys.referenceKey ?? null, payment_key: keys.paymentKey ?? null },
        ...instructionColumns(instruction, route),
      };
      const salt = newSalt();
      const position = positionOf(0, at + 1);
      const words = encodeBody('imported', { row: rowNumber, position, ...otherThanPlanned(state) });
      const rowOf = rowSeal(salt, content);
      const born = commit.add({ batch, payout: id, at: NOW, kind: 'imported', ...words, rowSeal: rowOf });
      const stored = { status: state.status, state: stateText(state) };
      fresh.push({ content, batch, position, rowNumber, ...stored, born, salt });
    }
    await insertRows(commit.sql, fresh);
    const digest = await batchDigest(keysOf(rows));
    const facts = JSON.stringify({ v: 1, state: 'open', name, createdAt: NOW, digest });
    await commit.sql.run(q`UPDATE batches SET digest = ${digest}, facts = ${facts} WHERE id = ${batch}`);
    const { body } = encodeBody('sealed', { set: { digest } });
    commit.add({ batch, payout: null, at: NOW, kind: 'sealed', body });
  });
  return asBatchId(String(batch));
}

function otherThanPlanned(state: StagedRow['state']) {
  return state.status === 'planned' ? {} : { status: state.status, state: JSON.parse(stateText(state)) };
}

async function* keysOf(rows: readonly StagedRow[]) {
  yield rows.map(({ keys }) => keys.rowKey).sort(Buffer.compare);
}

async function rootOf(sql: Sql, replaces: string | undefined, own: number): Promise<number> {
  if (replaces === undefined) return own;
  const row = await sql.get(q`SELECT root FROM payouts WHERE id = ${payoutNumber(replaces)}`);
  return row === undefined ? own : numberOf(row['root']);
}

export async function payoutsIn({ ledger }: Opened, id: BatchId): Promise<readonly Payout[]> {
  const found: Payout[] = [];
  for await (const page of ledger.payouts(id)) found.push(...page);
  return found;
}

export const payoutAt = async ({ ledger }: Opened, id: string) => ledger.payout(asPayoutId(id));
