/**
 * Reading payouts: one, by key, page by page in file order. Every page is a short read of its own;
 * no read spans two of them, so a long report never makes others wait.
 */
import { asPayoutId, type BatchId, type PayoutId } from '../../../domain/payouts/instruction.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import type { Ledger } from '../../../ports/ledger/ledger.ts';
import type { JournalEntry, Page, PageQuestion, PayoutFilter } from '../../../ports/ledger/payouts.ts';
import type { ReportRow } from '../../../ports/ledger/reports.ts';
import { entryOf } from '../batches/batches.ts';
import { fileSlices, numberOf, OF_BATCH, type Sql, yieldToEvents } from '../storage/sql-statements.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutNumber, payoutOf, type Routes } from './stored-payout.ts';

const PAGE_ROWS = 500;
/** Made into rows of a report at once. Of more than a hundred, V8 keeps and copies too many: a report takes a third more time. */
const REPORT_ROWS = 80;

type ReplacedQuestion = Parameters<Ledger['replacedTransfers']>[1];

export interface PayoutsParts {
  readonly sql: Sql;
  /** A statement of its own, for reading row by row. */
  readonly fresh: Sql;
  readonly routes: Routes;
  readonly batchNumber: (id: BatchId) => number;
}

export class Payouts {
  readonly #parts: PayoutsParts;

  constructor(parts: PayoutsParts) {
    this.#parts = parts;
  }

  byId(id: PayoutId): Payout | undefined {
    return this.#one(`SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE id = ?`, payoutNumber(id) ?? 0);
  }

  byTransfer(transferId: string): Payout | undefined {
    const by = (column: string) =>
      this.#one(`SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE ${column} = ?`, transferId);
    return by('transfer_id') ?? by('other_id');
  }

  byTag(tag: string): Payout | undefined {
    return this.#one(`SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE tag = ?`, tag);
  }

  /** Found by way of their replacements: there are few of those, and they have an index. */
  replacedTransfers(batchId: BatchId, { dueBy, after, limit }: ReplacedQuestion): Payout[] {
    const sql = this.#parts.sql(
      `SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE id IN
         (SELECT CAST(replaces AS INTEGER) FROM payouts INDEXED BY payouts_replaces WHERE replaces IS NOT NULL)
       AND batch = ?1 AND position IS NULL AND status IN ('failed','returned','settled') AND transfer_id IS NOT NULL
       AND due_at <= ?2 AND id > ?3 ORDER BY id LIMIT ?4`,
    );
    const last = after === undefined ? 0 : (payoutNumber(after) ?? 0);
    const rows = sql.all(this.#parts.batchNumber(batchId), dueBy, last, limit);
    return rows.map((row) => this.#payoutOf(row));
  }

  replacementsOf(id: PayoutId): Payout[] {
    const sql = this.#parts.sql(`SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE replaces = ? ORDER BY id`);
    return sql.all(id).map((row) => this.#payoutOf(row));
  }

  waitingReplacements(batchId: BatchId): Payout[] {
    const sql = this.#parts.sql(
      `SELECT ${PAYOUT_COLUMNS} FROM payouts INDEXED BY payouts_replaces WHERE replaces IS NOT NULL
       AND batch = ? AND status = 'quoted' AND position IS NOT NULL ORDER BY position`,
    );
    return sql.all(this.#parts.batchNumber(batchId)).map((row) => this.#payoutOf(row));
  }

  /** By row number, reference or tag; walks the file in slices. */
  async find(batchId: BatchId, typed: string): Promise<Payout[]> {
    const text = typed.trim();
    const row = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    const sql = this.#parts.sql(
      `SELECT ${PAYOUT_COLUMNS} ${OF_BATCH} AND position >= ?2 AND position <= ?3 AND (row_number = ?4 OR reference = ?5 OR tag = ?6) ORDER BY position`,
    );
    const found: Payout[] = [];
    const batch = this.#parts.batchNumber(batchId);
    for await (const [from, to] of fileSlices(this.#parts.sql, batch)) {
      for (const hit of sql.all(batch, from, to, row, text, text.toUpperCase()))
        found.push(this.#payoutOf(hit));
    }
    return found;
  }

  journalOf(payoutId: PayoutId): JournalEntry[] {
    const { sql } = this.#parts;
    const id = payoutNumber(payoutId) ?? 0;
    const born = sql(
      'SELECT * FROM journal WHERE seq = (SELECT born FROM payouts WHERE id = ?) AND kind = ?',
    );
    const later = sql(
      "SELECT * FROM journal WHERE payout = ? AND payout IS NOT NULL AND kind <> 'imported' ORDER BY seq",
    );
    return [...born.all(id, 'imported'), ...later.all(id)].map(entryOf);
  }

  page(batchId: BatchId, question: PageQuestion): Page | Promise<Page> {
    const { statuses, after, limit, part } = question;
    const batch = this.#parts.batchNumber(batchId);
    return question.dueBy === undefined
      ? this.#pageOf(batch, statuses, { after: after ?? -1, limit, part })
      : this.#duePage(batchId, { ...question, dueBy: question.dueBy });
  }

  async *walk(batchId: BatchId, { statuses }: PayoutFilter = {}): AsyncGenerator<readonly Payout[]> {
    const batch = this.#parts.batchNumber(batchId);
    let after: number | undefined = -1;
    while (after !== undefined) {
      const page: Page = this.#pageOf(batch, statuses, { after, limit: PAGE_ROWS });
      if (page.payouts.length > 0) yield page.payouts;
      after = page.next;
      await yieldToEvents();
    }
  }

  async *reportRows(batchId: BatchId): AsyncGenerator<readonly ReportRow[]> {
    const { sql, batchNumber } = this.#parts;
    const batch = batchNumber(batchId);
    const page = sql(
      `SELECT ${PAYOUT_COLUMNS}, position, cells ${OF_BATCH} AND position > ?2 ORDER BY position LIMIT ${PAGE_ROWS}`,
    );
    for (let after = -1; ; ) {
      const rows = page.all(batch, after);
      if (rows.length === 0) return;
      for (let at = 0; at < rows.length; at += REPORT_ROWS)
        yield rows.slice(at, at + REPORT_ROWS).map((row) => this.reportRowOf(row));
      after = numberOf(rows.at(-1)?.position);
      await yieldToEvents();
    }
  }

  reportRowOf(row: Record<string, unknown>): ReportRow {
    return {
      position: numberOf(row.position),
      payout: this.#payoutOf(row),
      cells: JSON.parse(String(row.cells)) as string[],
      replaced: this.#replacedBy(row),
    };
  }

  #pageOf(
    batch: number,
    statuses: PayoutFilter['statuses'],
    { after, limit, part }: { after: number; limit: number; part?: PageQuestion['part'] },
  ): Page {
    const { sql } = this.#parts;
    const order = `AND position > ?2 ORDER BY position LIMIT ?3`;
    const columns = `SELECT ${PAYOUT_COLUMNS}, position ${OF_BATCH}`;
    // One ordered read per status, merged here: a single one for all statuses would have to sort them all.
    const found =
      statuses === undefined
        ? sql(`${columns} ${order}`).all(batch, after, limit)
        : [...new Set(statuses)].flatMap((status) =>
            part === undefined
              ? sql(`${columns} AND status = ?4 ${order}`).all(batch, after, limit, status)
              : sql(`${columns} AND status = ?4 AND id % ?5 = ?6 ${order}`).all(
                  ...[batch, after, limit, status, part.of, part.index],
                ),
          );
    if (statuses !== undefined && statuses.length > 1)
      found.sort((one, other) => Number(one.position) - Number(other.position));
    const rows = found.slice(0, limit);
    const next = rows.length < limit ? undefined : numberOf(rows.at(-1)?.position);
    return { payouts: rows.map((row) => this.#payoutOf(row)), next };
  }

  /** An accepted payout that was never scheduled is due at once; any other is due only when scheduled. */
  async #duePage(
    batchId: BatchId,
    { statuses, after, limit, dueBy }: PageQuestion & { dueBy: number },
  ): Promise<Page> {
    const sql = this.#parts.sql(
      `SELECT ${PAYOUT_COLUMNS}, position ${OF_BATCH} AND status = ?4 AND position >= ?2 AND position <= ?3
       AND (due_at <= ?5 OR (due_at IS NULL AND status = 'accepted')) ORDER BY position LIMIT ?6`,
    );
    const payouts: Payout[] = [];
    const batch = this.#parts.batchNumber(batchId);
    for await (const [from, to] of fileSlices(this.#parts.sql, batch, after === undefined ? {} : { after })) {
      const hits = statuses.flatMap((status) => sql.all(batch, from, to, status, dueBy, limit));
      hits.sort((one, other) => Number(one.position) - Number(other.position));
      for (const hit of hits) {
        payouts.push(this.#payoutOf(hit));
        if (payouts.length === limit) return { payouts, next: numberOf(hit.position) };
      }
    }
    return { payouts, next: undefined };
  }

  /** Payouts on their way since then at least, whose look gives no reason to look at them; page by page. */
  async *unmarked(batchId: BatchId, sentBy: number): AsyncGenerator<readonly Payout[]> {
    const { sql, batchNumber } = this.#parts;
    const batch = batchNumber(batchId);
    const page = sql(
      `SELECT ${PAYOUT_COLUMNS}, position ${OF_BATCH} AND status = 'accepted' AND position > ?2 AND position <= ?3
       AND memory_at <= ?4 AND (look IS NULL OR instr(look, '"concern":') = 0) ORDER BY position LIMIT ${PAGE_ROWS}`,
    );
    for await (const [from, to] of fileSlices(sql, batch)) {
      for (let after: number | undefined = from - 1; after !== undefined; ) {
        const rows = page.all(batch, after, to, sentBy);
        if (rows.length > 0) yield rows.map((row) => this.#payoutOf(row));
        after = rows.length < PAGE_ROWS ? undefined : numberOf(rows.at(-1)?.position);
      }
    }
  }

  #one(text: string, key: string | number): Payout | undefined {
    const row = this.#parts.sql(text).get(key);
    return row === undefined ? undefined : this.#payoutOf(row);
  }

  /** Earlier instructions of the same row, oldest first. */
  #replacedBy(row: Record<string, unknown>): Payout[] {
    const chain: Payout[] = [];
    for (let id = row.replaces; typeof id === 'string'; ) {
      const older = this.byId(asPayoutId(id));
      if (older === undefined || Number(older.batchId) !== Number(row.batch)) break;
      chain.unshift(older);
      id = older.instruction?.replaces;
    }
    return chain;
  }

  #payoutOf(row: object): Payout {
    return payoutOf(row as PayoutRow, this.#parts.routes);
  }
}
