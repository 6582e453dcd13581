/**
 * Importing a file: rows are staged chunk by chunk under a batch that nothing else touches, until it is sealed or dropped.
 * Fast enough for a million rows: no index with random keys, one digest a row.
 */
import type { BatchFile } from '../domain/batches/batch.ts';
import { asBatchId, type BatchId, type Instruction } from '../domain/payouts/instruction.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ImportHeader, ImportLedger, Seal, StagedRow } from '../ports/ledger/imports.ts';
import { changeBatch, createBatch, factsOf, isIdOfAnother, isNameTaken } from './batches.ts';
import type { Commit } from './chain.ts';
import { encodeState, PLANNED, stateText } from './codec.ts';
import type { BatchFacts } from './codec-batches.ts';
import { encodeBody } from './codec-json.ts';
import { pauseUncompared } from './comparison.ts';
import type { Machine } from './machine.ts';
import type { LedgerParts } from './parts.ts';
import { turnOfOthers } from './payouts.ts';
import { RowKeys } from './row-keys.ts';
import { batchNumber, beginRow, IN_FILE, NEW_ROWS, payoutNumber, positionOf } from './rows.ts';
import { nextIds } from './schema.ts';
import { jsonText, mayDelete, numberOf, optionalNumber, q, type Sql, type Value } from './sql.ts';

const DROP_ROWS = 1_000;
const MINOR_MAX = 2n ** 63n - 1n;

type Own = Pick<ImportLedger, 'beginImport' | 'stage' | 'seal' | 'dropImport' | 'rowKeys'>;

export function importsOf(parts: LedgerParts): Own {
  const { read, writer, clock } = parts;
  /** Row keys of imports that this process reads. */
  const staged = new Map<number, RowKeys>();
  return {
    async beginImport(header) {
      await dropLeft(parts, header);
      const id = await writer.write((commit) =>
        createBatch(commit, newFacts(header), processOf(header, parts.machine)),
      );
      staged.set(id, new RowKeys());
      return asBatchId(String(id));
    },
    async stage(importId, rows) {
      if (rows.length === 0) return;
      const id = batchNumber(importId);
      for (const row of rows) checkRow(row);
      await writer.write((commit) => stage(commit, parts, id, rows));
      const kept = staged.get(id);
      for (const { keys } of rows) kept?.add(keys.rowKey);
    },
    seal: (importId, seal) =>
      writer.write(async (commit) => {
        const [id, { digest, at }] = [batchNumber(importId), seal];
        const { name, file } = await importing(commit.sql, id);
        if (await isNameTaken(commit.sql, name)) return 'name_taken';
        if (await isIdOfAnother(commit.sql, name, id)) return 'name_is_id';
        const set = { state: 'open', digest, file: sealedFile(file, seal) } as const;
        await changeBatch(commit, { id, at, kind: 'sealed', set });
        await pauseUncompared(commit, id, at);
        return 'sealed';
      }),
    async dropImport(importId) {
      const id = batchNumber(importId);
      staged.delete(id);
      await writer.write(async (commit) => {
        await importing(commit.sql, id);
        await drop(commit, id, clock.now());
      });
      await deleteRows(parts, id);
    },
    rowKeys(batchId: BatchId) {
      const id = batchNumber(batchId);
      const kept = staged.get(id);
      staged.delete(id);
      return kept === undefined ? rowKeysOf(read, id) : pagesOf(kept);
    },
  };
}

/** A batch that is being read. Errors: LedgerError `ledger_busy` when another process gave it up. */
export async function importing(sql: Sql, id: number): Promise<BatchFacts> {
  const facts = await factsOf(sql, id);
  // It was dropped as left behind: on another machine and a day old, or a clock was wrong.
  if (facts.state === 'dropped')
    throw new LedgerError(
      'ledger_busy',
      'Another process gave up this reading of the file, because it looked a day old to it (are the clocks right?). ' +
        'Nothing of the file was kept. Run the same command again.',
    );
  if (facts.state !== 'importing') throw new RangeError(`Batch ${id} is ${facts.state}, not being imported`);
  return facts;
}

function newFacts({ file, name, maker, at }: ImportHeader): BatchFacts {
  return {
    ...{ state: 'importing', name, maker, createdAt: at, file: { ...file, sha256: '' } },
    ...{
      isBound: false,
      revision: 1,
      range: 0,
      merging: undefined,
      mergedInto: undefined,
      digest: undefined,
    },
    ...{ pause: undefined, resumedAt: undefined, approval: undefined },
  };
}

/** What is known of a file once its last row was read. */
export function sealedFile(file: BatchFile, { fileSha256, corrected, amountStyle }: Seal): BatchFile {
  return { ...file, sha256: fileSha256, ...(corrected === undefined ? {} : { corrected }), amountStyle };
}

/** Whatever may be wrong with a row is found before the first one of its chunk is written. */
function checkRow({ rowNumber, state, instruction }: StagedRow): void {
  encodeState(state);
  if (instruction === undefined) {
    if (state.status === 'invalid') return;
    throw new RangeError(`Row ${rowNumber} is ${state.status} and has no instruction`);
  }
  const { minor } = instruction.amount;
  if (minor > MINOR_MAX || minor < -MINOR_MAX)
    throw new RangeError(`Row ${rowNumber}: the amount has too many digits`);
}

async function stage(
  commit: Commit,
  { routes }: LedgerParts,
  batch: number,
  rows: readonly StagedRow[],
): Promise<void> {
  const { sql } = commit;
  const { createdAt: at } = await importing(sql, batch);
  const first = await nextIds(sql, 'payouts', rows.length);
  const last = await sql.get(
    q`SELECT max(position) AS position FROM payouts WHERE batch = ${batch} AND ${IN_FILE}`,
  );
  const before = optionalNumber(last?.['position']) ?? 0;
  const newRoute = (instruction: Instruction) => routes.idIn(commit, instruction, { batch, at });
  const fresh: (readonly Value[])[] = [];
  for (const { instruction, rowNumber, state: asRead, keys, cells } of rows) {
    const id = first + fresh.length;
    const position = positionOf(0, before + fresh.length + 1);
    const state = stateText(asRead);
    const replaces = instruction?.replaces ?? null;
    const row = {
      id,
      batch,
      position,
      row_number: rowNumber,
      status: asRead.status,
      state,
      account: instruction?.account.reveal() ?? null,
      minor: instruction?.amount.minor ?? null,
      reference: instruction?.reference ?? null,
      name: instruction?.name ?? null,
      phone: instruction?.phone ?? null,
      note: instruction?.note ?? null,
      replaces,
      currency: instruction?.amount.currency ?? null,
      route: instruction === undefined ? null : (routes.known(instruction) ?? (await newRoute(instruction))),
      root: replaces === null ? id : await rootOf(sql, replaces, id),
      cells: JSON.stringify(cells),
      row_key: keys.rowKey,
      reference_key: keys.referenceKey ?? null,
      payment_key: keys.paymentKey ?? null,
    };
    // The usual row needs only its place; another state is carried by the entry.
    const body =
      state === PLANNED
        ? { body: `{"v":1,"row":${rowNumber},"position":${position}}` }
        : encodeBody('imported', {
            ...{ row: rowNumber, position, status: asRead.status },
            state: JSON.parse(state) as unknown,
          });
    fresh.push(beginRow(commit, row, { at, kind: 'imported', ...body }));
  }
  await sql.add(NEW_ROWS, fresh);
}

/** The first instruction of the family that `replaces` belongs to; the row itself when this ledger has no such payout. */
async function rootOf(sql: Sql, replaces: string, own: number): Promise<number> {
  const row = await sql.get(q`SELECT root FROM payouts WHERE id = ${payoutNumber(replaces)}`);
  return optionalNumber(row?.['root']) ?? own;
}

async function drop(commit: Commit, id: number, at: number): Promise<void> {
  await changeBatch(commit, { id, at, kind: 'import_dropped', set: { state: 'dropped' } });
}

/**
 * Where this user of the server may only add and move payments, they stay until its owner reads a file: they are in no batch,
 * nobody sees them, and nothing is compared with them.
 */
async function deleteRows({ read, writer }: LedgerParts, batch: number): Promise<void> {
  const asked = await read.get(q`SELECT ${mayDelete('payouts')} AS may`);
  if (asked?.['may'] !== 1n) return;
  for (let deleted = DROP_ROWS; deleted === DROP_ROWS; await turnOfOthers())
    deleted = await writer.write(({ sql }) =>
      sql.run(q`DELETE FROM payouts WHERE id IN
        (SELECT id FROM payouts WHERE batch = ${batch} AND ${IN_FILE} ORDER BY position LIMIT ${DROP_ROWS})`),
    );
}

async function* pagesOf(keys: RowKeys): AsyncGenerator<readonly Uint8Array[]> {
  yield* keys.pages();
}

/** Of the rows of its file as they are stored, in ascending order. */
export async function* rowKeysOf(sql: Sql, batch: number): AsyncGenerator<readonly Uint8Array[]> {
  const keys = q`SELECT row_key FROM payouts WHERE batch = ${batch} AND ${IN_FILE} ORDER BY row_key`;
  for await (const block of sql.each(keys)) yield block.map((row) => row['row_key'] as Uint8Array);
}

const SURELY_OVER_MS = 24 * 3_600_000;

/** Who reads a file, as the journal keeps it. */
function processOf({ holder }: ImportHeader, machine: Machine): Readonly<Record<string, unknown>> {
  if (holder === undefined) return {};
  const { pid, host } = holder;
  return { process: { pid, host, started: machine.processStart(pid) } };
}

/**
 * Drops imports that a killed process left behind: no batch, and never to be finished. And the rows of all that were
 * dropped, also where a crash left them.
 */
async function dropLeft(parts: LedgerParts, header: ImportHeader): Promise<void> {
  const { read, writer, machine } = parts;
  for (const { id } of await read.all(q`SELECT id FROM batches WHERE state = 'importing'`)) {
    const batch = numberOf(id);
    await writer.write(async (commit) => {
      // Another process may have dropped it just now, or begun to move its rows into a batch.
      const { state } = await factsOf(commit.sql, batch);
      if (state === 'importing' && (await isLeft(commit.sql, batch, header, machine)))
        await drop(commit, batch, header.at);
    });
  }
  const emptied = await read.all(q`SELECT b.id AS id FROM batches b WHERE b.state = 'dropped'
    AND (SELECT 1 FROM payouts p WHERE p.batch = b.id AND p.${IN_FILE} LIMIT 1) IS NOT NULL`);
  for (const { id } of emptied) await deleteRows(parts, numberOf(id));
}

/**
 * An import under way is never touched: it is left only when its process is gone on this machine, or, where nobody can
 * tell, after a day. One that a revision took rows from stays, because its chain proves those rows.
 */
async function isLeft(
  sql: Sql,
  id: number,
  { at: now, holder }: ImportHeader,
  machine: Machine,
): Promise<boolean> {
  const begun = await sql.get(q`SELECT at, ${jsonText('body', 'process', 'pid')} AS pid,
      ${jsonText('body', 'process', 'host')} AS host, ${jsonText('body', 'process', 'started')} AS started
    FROM journal WHERE batch = ${id} AND payout IS NULL AND kind = 'import_begun'
    AND NOT EXISTS (SELECT 1 FROM journal r WHERE r.payout IS NULL AND r.kind = 'revision_begun'
      AND ${jsonText('r.body', 'set', 'merging')} = ${String(id)})`);
  if (begun === undefined) return false;
  const { at, pid, host, started } = begun;
  const isOld = now - numberOf(at) > SURELY_OVER_MS;
  if (pid === null || host !== holder?.host) return isOld;
  if (!machine.isRunning(Number(pid), started)) return true;
  // Where the system does not show when a process began, the number alone may be another one's by now.
  return started === null && isOld;
}
