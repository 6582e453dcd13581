/**
 * Pages of a batch's rows, for somebody who leafs through a million of them: by status, or by what is looked for. A page
 * reads as many rows as it shows; a search reads an index of the few words that it compares.
 */
import type { BatchId } from '../../../domain/payouts/instruction.ts';
import { foldWords, isCalled } from '../../../domain/text/fold.ts';
import type { IncidentFound, ReportRow, RowsFound, RowsQuestion } from '../../../ports/ledger/reports.ts';
import type { PayoutsParts } from '../payouts/payouts.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutOf } from '../payouts/stored-payout.ts';
import { fileSlices, idList, numberOf, OF_BATCH } from '../storage/sql-statements.ts';

/** Word for word as in the index below: only so SQLite takes it. A damaged state must not keep others from being written. */
const BESIDE = `position IS NOT NULL AND status IN ('accepted','settled','failed','returned') AND json_valid(state)
  AND (json_type(state, '$.suspicion') = 'object' OR json_type(state, '$.unclear') = 'text'
    OR (status IN ('accepted','settled') AND json_array_length(state, '$.discrepancies') > 0)
    OR (status = 'accepted' AND instr(look, '"concern":') > 0))`;

/** The first grows at its end while a file is staged; the second holds few rows. */
export const FIND_ROWS = `
CREATE INDEX payouts_words ON payouts(batch, position, row_number, name, reference) WHERE position IS NOT NULL;
CREATE INDEX payouts_beside ON payouts(batch, position) WHERE ${BESIDE};
`;

/** Of one search, so that its answer comes in a moment; the next page goes on. */
const SEARCHED_MAX = 150_000;
const SEARCH_SLICE = 50_000;
export class RowPages {
  readonly #parts: PayoutsParts;
  readonly #rowOf: (row: Record<string, unknown>) => ReportRow;

  constructor(parts: PayoutsParts, rowOf: (row: Record<string, unknown>) => ReportRow) {
    this.#parts = parts;
    this.#rowOf = rowOf;
  }

  async page(id: BatchId, question: RowsQuestion): Promise<RowsFound> {
    const batch = this.#parts.batchNumber(id);
    const { search, limit } = question;
    if (search !== undefined) return this.#search(batch, { ...question, search });
    const positions = this.#positions(batch, question);
    const rows = positions.slice(0, limit).flatMap((position) => this.#row(batch, position));
    return { rows, next: positions.length > limit ? positions[limit - 1] : undefined };
  }

  /** One more than are asked for. One ordered read per status, merged here: a single one would have to sort them all. */
  #positions(batch: number, { statuses, after = -1, limit }: RowsQuestion): number[] {
    const { sql } = this.#parts;
    const text = (more: string) =>
      `SELECT position ${OF_BATCH} ${more} AND position > ?2 ORDER BY position LIMIT ?3`;
    const found =
      statuses === undefined
        ? sql(text('')).all(batch, after, limit + 1)
        : [...new Set(statuses)].flatMap((status) =>
            sql(text('AND status = ?4')).all(batch, after, limit + 1, status),
          );
    return found
      .map(({ position }) => numberOf(position))
      .sort((one, other) => one - other)
      .slice(0, limit + 1);
  }

  /** A row number or a whole reference, wherever it stands; where there is none, parts of references and names. */
  async #search(
    batch: number,
    { search, statuses, after, limit }: RowsQuestion & { readonly search: string },
  ): Promise<RowsFound> {
    const isWanted = ({ payout }: ReportRow) => statuses?.includes(payout.state.status) !== false;
    const isOneWord = !/\s/.test(search.trim());
    const whole =
      after === undefined && isOneWord
        ? await this.#find(batch, wholly(search), { limit, isWanted })
        : undefined;
    if (whole !== undefined && whole.rows.length > 0) return whole;
    return this.#find(batch, partly(search), { after, limit, isWanted, most: SEARCHED_MAX });
  }

  async #find(
    batch: number,
    { where, values, isFound }: Sought,
    { after = -1, limit, isWanted, most = Number.POSITIVE_INFINITY }: Finding,
  ): Promise<RowsFound> {
    const { sql } = this.#parts;
    const words = sql(
      `SELECT position, name, reference ${OF_BATCH} AND position >= ?2 AND position <= ?3 AND (${where}) ORDER BY position`,
    );
    const rows: ReportRow[] = [];
    let looked = 0;
    for await (const [from, to] of fileSlices(sql, batch, { after, rows: SEARCH_SLICE })) {
      if (looked >= most) return { rows, next: from - 1 };
      looked += SEARCH_SLICE;
      for (const found of words.all(batch, from, to, ...values)) {
        if (!isFound(textOf(found.name), textOf(found.reference))) continue;
        const row = this.#row(batch, numberOf(found.position)).find(isWanted);
        if (row === undefined) continue;
        if (rows.length === limit) return { rows, next: rows.at(-1)?.position };
        rows.push(row);
      }
    }
    return { rows, next: undefined };
  }

  /** Gone meanwhile: none. */
  #row(batch: number, position: number): readonly ReportRow[] {
    const read = this.#parts.sql(`SELECT ${PAYOUT_COLUMNS}, position, cells ${OF_BATCH} AND position = ?2`);
    return read.all(batch, position).map(this.#rowOf);
  }

  besideStatus(id: BatchId, { after = -1, limit }: { readonly after?: number | undefined; limit: number }) {
    const { sql, routes, batchNumber } = this.#parts;
    // Without the index, SQLite reads every payout on its way or settled.
    const rows = sql(
      `SELECT ${PAYOUT_COLUMNS}, position FROM payouts INDEXED BY payouts_beside
       WHERE batch = ?1 AND ${BESIDE} AND position > ?2 ORDER BY position LIMIT ?3`,
    ).all(batchNumber(id), after, limit);
    const payouts = rows.map((row) => payoutOf(row as unknown as PayoutRow, routes));
    return { payouts, next: rows.length < limit ? undefined : numberOf(rows.at(-1)?.position) };
  }

  /** From each such payment along those that replaced it, to the one that has the row's place now. */
  incidents(id: BatchId, noted: readonly string[]): IncidentFound[] {
    const { sql, routes, batchNumber } = this.#parts;
    const found = sql(
      `WITH RECURSIVE line(first, id) AS (
         SELECT id, id FROM payouts INDEXED BY payouts_incident WHERE batch = ?1 AND incident_root IS NOT NULL
         UNION SELECT id, id FROM payouts WHERE +batch = ?1 AND id IN (SELECT value FROM json_each(?2))
         UNION SELECT l.first, n.id FROM line l CROSS JOIN payouts n ON n.replaces = CAST(l.id AS TEXT) AND +n.batch = ?1)
       SELECT l.first AS first, p.id AS id, p.row_number AS row_number
       FROM line l CROSS JOIN payouts p ON p.id = l.id WHERE p.position IS NOT NULL ORDER BY p.position, l.first`,
    );
    const payout = sql(`SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE id = ?`);
    return found.all(batchNumber(id), idList(noted)).map((row) => ({
      payout: payoutOf(payout.get(row.first as bigint) as unknown as PayoutRow, routes),
      rowNumber: numberOf(row.row_number),
      isCurrent: row.first === row.id,
    }));
  }
}

interface Finding {
  readonly after?: number | undefined;
  readonly limit: number;
  readonly isWanted: (row: ReportRow) => boolean;
  /** Rows that are looked at. */
  readonly most?: number;
}

/** What is asked of the index, and what of its answers counts. */
interface Sought {
  readonly where: string;
  readonly values: readonly (string | number | null)[];
  readonly isFound: (name: string, reference: string) => boolean;
}

function wholly(search: string): Sought {
  const text = search.trim();
  const row = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  return { where: 'row_number = ?4 OR reference = ?5', values: [row, text], isFound: () => true };
}

/** SQLite compares no letters beyond ASCII: rows that have some are compared here. */
function partly(search: string): Sought {
  const text = search.trim().toLowerCase();
  const words = foldWords(text);
  const [one, two, three] = words;
  return {
    where: `reference LIKE ?4 ESCAPE '!' OR (name LIKE ?5 AND name LIKE ?6 AND name LIKE ?7)
      OR octet_length(name) > length(name) OR octet_length(reference) > length(reference)`,
    // Words have letters and digits only.
    values: [like(text), one === undefined ? null : like(one), like(two ?? ''), like(three ?? '')],
    isFound: (name, reference) =>
      reference.toLowerCase().includes(text) || (words.length > 0 && isCalled(name, words)),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const like = (text: string) => `%${text.replace(/[!%_]/g, '!$&')}%`;
