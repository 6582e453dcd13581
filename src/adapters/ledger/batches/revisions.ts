/**
 * Revisions: a new file takes the place of a batch's current one. Rows are matched by their row keys, equal rows one
 * to one, those already agreed to first. What was decided stays; the rest follows the new file.
 *
 * The work goes in short commits and can be taken up again after a crash: a row that has its place in the new
 * range is done. One that stopped half-way is finished by whatever file comes next, also by the old one. Each commit makes
 * sure that the batch still belongs to this revision: a process that slept for long may find that another one took the
 * batch over, and its pairs of rows are out of date.
 */
import { asBatchId, asPayoutId, type BatchId } from '../../../domain/payouts/instruction.ts';
import { isIn, WAITING, type Withdrawal } from '../../../domain/payouts/payout.ts';
import { advance } from '../../../domain/payouts/payout-machine.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Revision } from '../../../ports/ledger/imports.ts';
import { encodeEvent, encodeState } from '../payouts/payout-codec.ts';
import type { Payouts } from '../payouts/payouts.ts';
import type { ChainDraft } from '../proof/event-chain.ts';
import type { WriteQueue } from '../storage/group-commit.ts';
import { numberOf, type Sql, yieldToEvents } from '../storage/sql-statements.ts';
import { pauseUncompared } from '../trust/known-head.ts';
import type { Batches } from './batches.ts';
import { sealedFile } from './imports.ts';
import { type Match, MUST_STAY, notPlacedSql, type RowMatches } from './match-rows.ts';

const CHUNK_ROWS = 500;

interface RevisionsParts {
  readonly sql: Sql;
  readonly chain: ChainDraft;
  readonly queue: WriteQueue;
  readonly batches: Batches;
  readonly payouts: Payouts;
  /** A statement of its own: a text that names a temporary table is used once. */
  readonly fresh: Sql;
  /** Inside a commit: whether nobody has taken the batch over. */
  readonly mayBegin: (batch: number) => boolean;
}

export class Revisions {
  readonly #parts: RevisionsParts;
  readonly #matches: RowMatches;

  constructor(parts: RevisionsParts, matches: RowMatches) {
    this.#parts = parts;
    this.#matches = matches;
  }

  async revise(batchId: BatchId, importId: BatchId, revision: Revision): Promise<void> {
    const { batches } = this.#parts;
    // A crash after the last commit: the work is done.
    if (batches.facts(batches.numberOf(importId)).mergedInto === batchId) return;
    await this.#begin(batchId, importId, revision);
    const match = this.#matches.match(batchId, importId);
    try {
      await this.#inChunks(
        match,
        `SELECT old AS cursor, new FROM ${match.table} WHERE old > ? ORDER BY old`,
        (row) => this.#keep(match, numberOf(row.cursor), numberOf(row.new), revision),
      );
      await this.#inChunks(
        match,
        `SELECT n.position AS cursor, n.id, w.old FROM payouts n LEFT JOIN ${match.asWritten} w ON w.new = n.id
         WHERE n.batch = ${match.importId} AND n.position > ? AND n.id NOT IN (SELECT new FROM ${match.table})
         AND ${notPlacedSql(match)} ORDER BY n.position`,
        (row) => this.#join(match, row, revision),
      );
      await this.#inChunks(
        match,
        `SELECT position AS cursor, id FROM payouts WHERE batch = ${match.batch} AND position > ? AND position < ${match.base}
         AND id NOT IN (SELECT old FROM ${match.table}) ORDER BY position`,
        (row) => this.#leaveOut(match, numberOf(row.id), revision),
      );
      await this.#finish(match, batchId, revision);
    } finally {
      this.#matches.drop(match);
    }
  }

  async #begin(batchId: BatchId, importId: BatchId, { at, by }: Revision): Promise<void> {
    const { batches, queue, mayBegin, sql } = this.#parts;
    const id = batches.numberOf(batchId);
    await queue.write(() => {
      if (!mayBegin(id)) throw takenOver(id);
      const facts = batches.facts(id);
      const imported = batches.facts(batches.numberOf(importId));
      if (facts.state !== 'open')
        throw new RangeError(`Batch ${batchId} is ${facts.state} and cannot be revised`);
      if (imported.state !== 'importing')
        throw new RangeError(`Batch ${importId} is ${imported.state}, no import`);
      if (this.#matches.paysAgainBeside(batchId, importId)) throw changedMeanwhile(id);
      pauseUncompared({ sql, batches }, id, at);
      if (facts.merging === importId) return;
      const set = { merging: importId, range: facts.range + 1 };
      batches.change({ id, at, kind: 'revision_begun', set, more: { by } });
    });
  }

  async #finish(match: Match, batchId: BatchId, { at, by, seal }: Revision): Promise<void> {
    const { batches, queue } = this.#parts;
    const { batch, importId, range } = match;
    await queue.write(() => {
      this.#stillOurs(match);
      const facts = batches.facts(batch);
      const imported = batches.facts(importId);
      const file = sealedFile(imported.file, seal);
      const set = { revision: facts.revision + 1, digest: seal.digest, file, merging: undefined, range };
      batches.change({ id: batch, at, kind: 'revised', set, more: { by, import: String(importId) } });
      const merged = { state: 'merged', mergedInto: batchId, digest: seal.digest, file } as const;
      batches.change({ id: importId, at, kind: 'merged', set: merged });
    });
  }

  #stillOurs({ batch, importId }: Match): void {
    const { batches, mayBegin } = this.#parts;
    const isOurs = mayBegin(batch) && batches.facts(batch).merging === asBatchId(String(importId));
    if (!isOurs || batches.facts(importId).state !== 'importing') throw takenOver(batch);
  }

  /** One chunk per commit, the cursor going on from the last row. */
  async #inChunks(match: Match, text: string, work: (row: Record<string, unknown>) => void): Promise<void> {
    const chunk = this.#parts.fresh(`${text} LIMIT ${CHUNK_ROWS}`);
    for (let cursor = -1; ; ) {
      const rows = chunk.all(cursor);
      if (rows.length === 0) return;
      await this.#parts.queue.write(() => {
        this.#stillOurs(match);
        for (const row of rows) work(row);
      });
      cursor = numberOf(rows.at(-1)?.cursor);
      await yieldToEvents();
    }
  }

  #keep({ batch, base }: Match, old: number, fresh: number, { at }: Revision): void {
    const { sql, chain } = this.#parts;
    const read = sql('SELECT row_number, position, cells, status, state FROM payouts WHERE id = ?');
    const [before, after] = [read.get(old), read.get(fresh)];
    if (before === undefined || after === undefined)
      throw new RangeError(`Payout ${old} or ${fresh} is gone`);
    // Replaced while the revision was under way: its newest instruction has the place now and keeps it.
    if (before.position === null && this.#isReplaced(old, batch)) return;
    const [row, position] = [numberOf(after.row_number), base + numberOf(after.position)];
    const update = sql(
      'UPDATE payouts SET position = ?, row_number = ?, cells = ? WHERE id = ? AND batch = ?',
    );
    update.run(position, row, after.cells ?? '', old, batch);
    const place = `{"v":1,"row":${row},"position":${position}`;
    const isRewritten = before.cells !== after.cells;
    const cells = isRewritten ? `,"before":${before.cells},"after":${after.cells}` : '';
    // Of this row as this file has it: a payment that takes its place begins so.
    const hold = after.status === 'held' ? `,"status":"held","state":${after.state}` : '';
    const body = `${place}${cells}${hold}}`;
    chain.add(batch, { payout: old, at, kind: isRewritten ? 'rewritten' : 'kept', body });
  }

  #isReplaced(id: number, batch: number): boolean {
    const { sql } = this.#parts;
    return (
      sql('SELECT 1 FROM payouts WHERE replaces = ? AND batch = ? LIMIT 1').get(String(id), batch) !==
      undefined
    );
  }

  #join(match: Match, row: Record<string, unknown>, { at }: Revision): void {
    const { sql, chain, payouts } = this.#parts;
    const { batch, base, importId } = match;
    const [id, position] = [numberOf(row.id), numberOf(row.cursor)];
    const move = sql('UPDATE payouts SET batch = ?, position = ? WHERE id = ? AND batch = ?');
    if (Number(move.run(batch, base + position, id, importId).changes) !== 1) throw takenOver(batch);
    const body = `{"v":1,"position":${base + position},"import":"${importId}"}`;
    chain.add(batch, { payout: id, at, kind: 'joined', body });
    const withdrawn = row.old === null ? undefined : payouts.byId(asPayoutId(String(row.old)));
    if (withdrawn !== undefined && isIn(withdrawn, 'canceled'))
      this.#cancel(batch, id, { ...withdrawn.state, at });
  }

  /** Never touches a row that since the comparison has come to stand for a payment: it stays in the file. */
  #leaveOut({ batch, namesNoPayment }: Match, id: number, { at, by }: Revision): void {
    const { sql, chain, payouts } = this.#parts;
    const payout = payouts.byId(asPayoutId(String(id)));
    const status = payout?.state.status;
    if (payout === undefined || status === undefined) return;
    if (sql(MUST_STAY).get(id, batch, namesNoPayment ? 1 : 0) !== undefined) return;
    const revision = this.#parts.batches.facts(batch).revision + 1;
    const reason = `left out of revision ${revision}`;
    if (WAITING.includes(status)) this.#cancel(batch, id, { by, reason, at, leftOut: true });
    else if (status !== 'invalid' && status !== 'canceled') return;
    sql('UPDATE payouts SET position = NULL WHERE id = ?').run(id);
    const body = `{"v":1,"revision":${revision}}`;
    chain.add(batch, { payout: id, at, kind: 'left_out', body });
  }

  /** Not of a row that cannot be paid as written: nobody has to withdraw it. */
  #cancel(batch: number, id: number, { by, reason, at, leftOut }: Withdrawal): void {
    const { sql, chain, payouts } = this.#parts;
    const payout = payouts.byId(asPayoutId(String(id)));
    if (payout === undefined || !WAITING.includes(payout.state.status)) return;
    const event = { kind: 'cancel', by, reason, at, ...(leftOut && { leftOut }) } as const;
    const { state, version } = advance(payout, event);
    // An unsent row has no transfer and does not live; a canceled one has no quote either.
    sql(
      `UPDATE payouts SET status = ?, version = ?, state = ?, quoted_at = NULL,
       due_at = NULL, look = NULL, due_check = 0 WHERE id = ?`,
    ).run(state.status, version, encodeState(state), id);
    chain.add(batch, { payout: id, at, kind: 'cancel', body: encodeEvent(event) });
  }
}

function changedMeanwhile(batch: number): LedgerError {
  return new LedgerError(
    'ledger_busy',
    `Batch ${batch} changed after the file was compared with it. Nothing was kept of the file. Run the same command again.`,
  );
}

function takenOver(batch: number): LedgerError {
  return new LedgerError(
    'ledger_busy',
    `Another process took batch ${batch} over while this one stood still; this one has changed no more of it. ` +
      'Run the same command again.',
  );
}
