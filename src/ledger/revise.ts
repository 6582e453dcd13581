/**
 * Revisions: a new file takes the place of a batch's current one. Rows are matched by their row keys, equal rows one
 * to one, those already agreed to first (match.ts). What was decided stays; the rest follows the new file.
 *
 * The work goes in short commits and can be taken up again after a crash: a row that has its place in the new
 * range is done. One that stopped half-way is finished by whatever file comes next, also by the old one. Each commit makes
 * sure that the batch still belongs to this revision: a process that slept for long may find that another one took the
 * batch over, and its pairs of rows are out of date.
 */
import { asBatchId, type BatchId } from '../domain/payouts/instruction.ts';
import { isIn, type Payout, type Status, WAITING, type Withdrawal } from '../domain/payouts/payout.ts';
import { advance } from '../domain/payouts/payout-machine.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ImportLedger, Revision } from '../ports/ledger/imports.ts';
import { changeBatch, factsOf } from './batches.ts';
import { apply } from './begin.ts';
import type { Commit } from './chain.ts';
import { encodeBody } from './codec-json.ts';
import { pauseUncompared } from './comparison.ts';
import { importing, sealedFile } from './imports.ts';
import {
  gavePlaceAway,
  type Match,
  matchRows,
  type Pair,
  type Places,
  paysAgainBeside,
  placesOf,
  stays,
} from './match.ts';
import type { LedgerParts } from './parts.ts';
import { payoutById, turnOfOthers } from './payouts.ts';
import { batchNumber, COLUMNS, payoutsOf } from './rows.ts';
import { columns, given, ids, inGroups, numberOf, q, type Sql, thenJoin, type Value } from './sql.ts';

const CHUNK_ROWS = 500;

export function revising(parts: LedgerParts): Pick<ImportLedger, 'revise'> {
  return {
    async revise(batchId, importId, revision) {
      // A crash after the last commit: the work is done.
      if ((await factsOf(parts.read, batchNumber(importId))).mergedInto === batchId) return;
      await begin(parts, batchId, importId, revision);
      const { places, match } = await parts.still(async (sql) => {
        const at = await placesOf(sql, batchId, importId);
        return { places: at, match: await matchRows(sql, at) };
      });
      const work = { parts, places, match, revision };
      await inChunks(work, match.pairs, keep);
      await inChunks(work, match.joining, join);
      await inChunks(work, match.leaving, leaveOut);
      await finish(work, batchId);
    },
  };
}

interface Work {
  readonly parts: LedgerParts;
  readonly places: Places;
  readonly match: Match;
  readonly revision: Revision;
}

async function begin(
  { writer, holding }: LedgerParts,
  batchId: BatchId,
  importId: BatchId,
  { at, by }: Revision,
): Promise<void> {
  const id = batchNumber(batchId);
  await writer.write(async (commit) => {
    const { sql } = commit;
    if (!(await holding.mayBegin(sql, id))) throw takenOver(id);
    const facts = await factsOf(sql, id);
    if (facts.state !== 'open')
      throw new RangeError(`Batch ${batchId} is ${facts.state} and cannot be revised`);
    await importing(sql, batchNumber(importId));
    if (await paysAgainBeside(sql, await placesOf(sql, batchId, importId))) throw changedMeanwhile(id);
    await pauseUncompared(commit, id, at);
    if (facts.merging === importId) return;
    const set = { merging: importId, range: facts.range + 1 };
    await changeBatch(commit, { id, at, kind: 'revision_begun', set, more: { by } });
  });
}

async function finish({ parts, places, revision: { at, by, seal } }: Work, batchId: BatchId): Promise<void> {
  const { batch, importId, range } = places;
  await parts.writer.write(async (commit) => {
    await requireOurs(commit.sql, parts, places);
    const { revision } = await factsOf(commit.sql, batch);
    const file = sealedFile((await factsOf(commit.sql, importId)).file, seal);
    const set = { revision: revision + 1, digest: seal.digest, file, merging: undefined, range };
    const more = { by, import: String(importId) };
    await changeBatch(commit, { id: batch, at, kind: 'revised', set, more });
    const merged = { state: 'merged', mergedInto: batchId, digest: seal.digest, file } as const;
    await changeBatch(commit, { id: importId, at, kind: 'merged', set: merged });
  });
}

async function requireOurs(sql: Sql, { holding }: LedgerParts, { batch, importId }: Places): Promise<void> {
  const isOurs =
    (await holding.mayBegin(sql, batch)) &&
    (await factsOf(sql, batch)).merging === asBatchId(String(importId)) &&
    (await factsOf(sql, importId)).state === 'importing';
  if (!isOurs) throw takenOver(batch);
}

/** One chunk per commit. */
async function inChunks<T>(
  work: Work,
  rows: readonly T[],
  run: (commit: Commit, work: Work, chunk: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
    const chunk = rows.slice(at, at + CHUNK_ROWS);
    await work.parts.writer.write(async (commit) => {
      await requireOurs(commit.sql, work.parts, work.places);
      await run(commit, work, chunk);
    });
    await turnOfOthers();
  }
}

const PAIRS = columns('old fresh');
const PLACES = columns('payout place line cells:text');

async function keep(commit: Commit, { places, revision }: Work, chunk: readonly Pair[]): Promise<void> {
  for (const group of inGroups(chunk)) {
    const pairs = group.map(({ old, fresh }) => [old, fresh]);
    const found =
      await commit.sql.all(q`SELECT o.id AS id, o.cells AS was, n.cells AS cells, n.position AS position,
        n.row_number AS row_number, n.status AS status, n.state AS state,
        ${gavePlaceAway('o')} AS is_replaced
      FROM ${given('m', PAIRS, pairs)} ${thenJoin} payouts o ON o.id = m.old ${thenJoin} payouts n ON n.id = m.fresh`);
    if (found.length < group.length) throw takenOver(places.batch);
    // Replaced while the revision was under way: its newest instruction has the place now and keeps it.
    const kept = found
      .filter((row) => Number(row['is_replaced']) === 0)
      .map((row) => ({ ...row, place: places.base + numberOf(row['position']) }) as Kept);
    const values = kept.map(({ id, place, row_number, cells }) => [id, place, row_number, cells]);
    for (const some of inGroups(values))
      await commit.sql.run(q`UPDATE payouts AS p SET position = m.place, row_number = m.line, cells = m.cells
        FROM ${given('m', PLACES, some)} WHERE p.id = m.payout AND p.batch = ${places.batch}`);
    for (const row of kept) addKept(commit, places, row, revision.at);
  }
}

type Kept = Readonly<Record<'id' | 'was' | 'cells' | 'row_number' | 'status' | 'state', Value>> & {
  readonly place: number;
};

function addKept({ add }: Commit, { batch }: Places, row: Kept, at: number): void {
  const isRewritten = row.was !== row.cells;
  const kind = isRewritten ? 'rewritten' : 'kept';
  const read = (stored: Value) => JSON.parse(String(stored)) as unknown;
  const body = encodeBody(kind, {
    ...{ row: numberOf(row.row_number), position: row.place },
    ...(isRewritten ? { before: read(row.was), after: read(row.cells) } : {}),
    // Of this row as this file has it: a payment that takes its place begins so.
    ...(row.status === 'held' ? { status: 'held', state: read(row.state) } : {}),
  });
  add({ batch, payout: numberOf(row.id), at, kind, ...body });
}

async function join(
  commit: Commit,
  { parts, places, match, revision: { at } }: Work,
  chunk: readonly number[],
): Promise<void> {
  const { sql, add } = commit;
  const { batch, base, importId } = places;
  const ofImport = q`batch = ${importId} AND id IN ${ids(chunk)}`;
  const rows = await sql.all(q`SELECT id, position FROM payouts WHERE ${ofImport} ORDER BY position`);
  const moved = await sql.run(
    q`UPDATE payouts SET batch = ${batch}, position = ${base} + position WHERE ${ofImport}`,
  );
  if (moved !== chunk.length) throw takenOver(batch);
  for (const row of rows) {
    const body = encodeBody('joined', {
      position: base + numberOf(row['position']),
      import: String(importId),
    });
    add({ batch, payout: numberOf(row['id']), at, kind: 'joined', ...body });
  }
  for (const id of chunk) {
    const old = match.asWritten.get(id);
    const withdrawn = old === undefined ? undefined : await payoutById(sql, old, parts.routes);
    const payout = withdrawn && (await payoutById(sql, id, parts.routes));
    if (payout !== undefined && withdrawn !== undefined && isIn(withdrawn, 'canceled'))
      await cancel(commit, payout, { ...withdrawn.state, at });
  }
}

/** Never touches a row that since the comparison has come to stand for a payment: it stays in the file. */
async function leaveOut(
  commit: Commit,
  { parts, places, revision: { at, by } }: Work,
  chunk: readonly number[],
): Promise<void> {
  const { sql, add } = commit;
  const { batch } = places;
  const ofChunk = q`WHERE id IN ${ids(chunk)}`;
  const staying = await sql.all(q`SELECT id FROM payouts ${ofChunk} AND ${stays(places, ofChunk)}`);
  const stay = new Set(staying.map(({ id }) => String(id)));
  const rows = await sql.all(q`SELECT ${COLUMNS} FROM payouts ${ofChunk} ORDER BY position`);
  const revision = (await factsOf(sql, batch)).revision + 1;
  const gone = (await payoutsOf(rows, sql, parts.routes)).filter(
    ({ id, state: { status } }) => !stay.has(id) && LEAVE.includes(status),
  );
  const why = { by, reason: `left out of revision ${revision}`, at, leftOut: true } as const;
  for (const payout of gone) {
    await cancel(commit, payout, why);
    // The next entry: it tells this withdrawal from that of a person (decisions.ts).
    add({ batch, payout: Number(payout.id), at, kind: 'left_out', ...encodeBody('left_out', { revision }) });
  }
  await sql.run(q`UPDATE payouts SET position = NULL WHERE id IN ${ids(gone.map(({ id }) => id))}`);
}

const LEAVE: readonly Status[] = [...WAITING, 'invalid', 'canceled'];

/** Not of a row that cannot be paid as written: nobody has to withdraw it. */
async function cancel(
  commit: Commit,
  payout: Payout,
  { by, reason, at, leftOut }: Withdrawal,
): Promise<void> {
  if (!WAITING.includes(payout.state.status)) return;
  const event = { kind: 'cancel', by, reason, at, ...(leftOut && { leftOut }) } as const;
  const moved = await apply({ before: payout, event, after: advance(payout, event) }, commit);
  if (moved.kind !== 'recorded') throw takenOver(Number(payout.batchId));
}

const changedMeanwhile = (batch: number) =>
  busy(`Batch ${batch} changed after the file was compared with it. Nothing was kept of the file.`);

const takenOver = (batch: number) =>
  busy(
    `Another process took batch ${batch} over while this one stood still; this one has changed no more of it.`,
  );

const busy = (text: string) => new LedgerError('ledger_busy', `${text} Run the same command again.`);
