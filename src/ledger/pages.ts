/**
 * A batch's rows for reports, and for somebody who leafs through a million of them: by status, or by what is looked for. A
 * page reads as many rows as it shows; a search reads an index of the few words that it compares.
 */
import type { Payout } from '../domain/payouts/payout.ts';
import {
  BOOKED_EVENTS,
  type BookedEvent,
  bookedEvent,
  type SentPayout,
} from '../domain/reporting/booking.ts';
import { foldWords, isCalled } from '../domain/text/fold.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { ReportLedger, ReportRow, RowsFound, RowsQuestion } from '../ports/ledger/reports.ts';
import { decodeEvent } from './codec.ts';
import type { LedgerParts } from './parts.ts';
import { fileSlices, payoutById, payoutsByIds, rowsInFile, turnOfOthers } from './payouts.ts';
import { batchNumber, COLUMNS, IN_FILE, payoutNumber, payoutOf, payoutsOf } from './rows.ts';
import { LATER, TO_LOOK_AT } from './schema.ts';
import { by, ids, like, numberOf, type Query, q, type Row, thenJoin } from './sql.ts';

const PAGE_ROWS = 500;
/** Made into rows of a report at once. Of more than a hundred, V8 keeps and copies too many: a report takes a third more time. */
const REPORT_ROWS = 80;
/** Of one search, so that its answer comes in a moment; the next page goes on. */
const SEARCHED_MAX = 150_000;
const SEARCH_SLICE = 50_000;

type Own = Pick<ReportLedger, 'reportRows' | 'reportPage' | 'incidents' | 'besideStatus' | 'sentPayouts'>;

export function paging(parts: LedgerParts): Own {
  const { read: sql, routes } = parts;
  return {
    reportRows: (id) => reportRows(parts, batchNumber(id)),
    reportPage: (id, question) =>
      question.search === undefined
        ? pageOf(parts, batchNumber(id), question)
        : search(parts, batchNumber(id), { ...question, search: question.search }),
    async besideStatus(id, { after = -1, limit }) {
      const rows = await sql.all(q`SELECT ${COLUMNS}, position FROM payouts ${by('payouts_beside')}
        WHERE batch = ${batchNumber(id)} AND ${TO_LOOK_AT} AND position > ${after} ORDER BY position LIMIT ${limit}`);
      const next = rows.length < limit ? undefined : numberOf(rows.at(-1)?.['position']);
      return { payouts: await payoutsOf(rows, sql, routes), next };
    },
    async incidents(id, noted) {
      const rows = await sql.all(incidentsOf(batchNumber(id), noted.map(payoutNumber)));
      const payouts = await payoutsByIds(
        parts,
        rows.map(({ first }) => numberOf(first)),
      );
      return rows.flatMap(({ first, id: now, row_number }) => {
        const payout = payouts.get(numberOf(first));
        return payout === undefined
          ? []
          : [{ payout, rowNumber: numberOf(row_number), isCurrent: first === now }];
      });
    },
    sentPayouts: (id, asked) => sentPayouts(parts, batchNumber(id), asked?.withCells === true),
  };
}

async function* reportRows(parts: LedgerParts, batch: number): AsyncGenerator<readonly ReportRow[]> {
  for (let after = -1; ; ) {
    const rows = await parts.read.all(
      rowsOf(batch, q`position > ${after} ORDER BY position LIMIT ${PAGE_ROWS}`),
    );
    for (let at = 0; at < rows.length; at += REPORT_ROWS)
      yield await reportRowsOf(parts, rows.slice(at, at + REPORT_ROWS));
    if (rows.length < PAGE_ROWS) return;
    after = numberOf(rows.at(-1)?.['position']);
    await turnOfOthers();
  }
}

const rowsOf = (batch: number, which: Query) =>
  q`SELECT ${COLUMNS}, position, cells FROM payouts WHERE batch = ${batch} AND ${IN_FILE} AND ${which}`;

async function reportRowsOf(parts: LedgerParts, rows: readonly Row[]): Promise<readonly ReportRow[]> {
  const { read: sql, routes } = parts;
  await routes.load(sql, rows);
  const found: ReportRow[] = [];
  for (const row of rows) {
    const payout = payoutOf(row, routes);
    found.push({
      position: numberOf(row['position']),
      payout,
      cells: JSON.parse(String(row['cells'])) as string[],
      // Waiting costs time, also where there is nothing to wait for.
      replaced: payout.instruction?.replaces === undefined ? [] : await replacedBy(parts, payout),
    });
  }
  return found;
}

/** Earlier instructions of the same row, oldest first. */
async function replacedBy({ read: sql, routes }: LedgerParts, newest: Payout): Promise<readonly Payout[]> {
  const chain: Payout[] = [];
  for (let id = newest.instruction?.replaces; id !== undefined; ) {
    const older = await payoutById(sql, payoutNumber(id), routes);
    if (older === undefined || older.batchId !== newest.batchId) break;
    chain.unshift(older);
    id = older.instruction?.replaces;
  }
  return chain;
}

async function pageOf(
  parts: LedgerParts,
  batch: number,
  { statuses, after, limit }: RowsQuestion,
): Promise<RowsFound> {
  const found = await rowsInFile(parts.read, batch, { columns: q`id`, statuses, after, limit: limit + 1 });
  const places = found.map(({ position }) => numberOf(position));
  const rows = await rowsAt(parts, batch, places.slice(0, limit));
  return { rows, next: places.length > limit ? places[limit - 1] : undefined };
}

/** Without those that are gone meanwhile. */
async function rowsAt(
  parts: LedgerParts,
  batch: number,
  places: readonly number[],
): Promise<readonly ReportRow[]> {
  if (places.length === 0) return [];
  const rows = await parts.read.all(rowsOf(batch, q`position IN ${ids(places)} ORDER BY position`));
  return reportRowsOf(parts, rows);
}

/** A row number or a whole reference, wherever it stands; where there is none, parts of references and names. */
async function search(
  parts: LedgerParts,
  batch: number,
  question: RowsQuestion & { readonly search: string },
): Promise<RowsFound> {
  const typed = question.search.trim();
  if (question.after === undefined && !/\s/.test(typed)) {
    const whole = await find(parts, batch, question, wholly(typed));
    if (whole.rows.length > 0) return whole;
  }
  return find(parts, batch, question, partly(typed.toLowerCase()));
}

/** What is asked of the index, what of its answers counts, and how many rows are looked at. */
interface Sought {
  readonly where: Query;
  readonly isFound: (name: string, reference: string) => boolean;
  readonly most: number;
}

async function find(
  parts: LedgerParts,
  batch: number,
  { after = -1, limit, statuses }: RowsQuestion,
  { where, isFound, most }: Sought,
): Promise<RowsFound> {
  const rows: ReportRow[] = [];
  let looked = 0;
  for await (const [from, to] of fileSlices(parts.read, batch, { after, rows: SEARCH_SLICE })) {
    if (looked >= most) return { rows, next: from - 1 };
    looked += SEARCH_SLICE;
    const words =
      await parts.read.all(q`SELECT position, name, reference FROM payouts WHERE batch = ${batch} AND ${IN_FILE}
      AND position >= ${from} AND position <= ${to} AND (${where}) ORDER BY position`);
    for (const { position, name, reference } of words) {
      if (!isFound(String(name ?? ''), String(reference ?? ''))) continue;
      const [row] = await rowsAt(parts, batch, [numberOf(position)]);
      if (row === undefined || statuses?.includes(row.payout.state.status) === false) continue;
      if (rows.length === limit) return { rows, next: rows.at(-1)?.position };
      rows.push(row);
    }
  }
  return { rows, next: undefined };
}

function wholly(typed: string): Sought {
  const row = /^\d{1,9}$/.test(typed) ? Number(typed) : -1;
  const where = q`row_number = ${row} OR reference = ${typed}`;
  return { where, isFound: () => true, most: Number.POSITIVE_INFINITY };
}

/** SQLite compares no letters beyond ASCII: rows that have some are compared here. */
function partly(typed: string): Sought {
  const words = foldWords(typed);
  // Words have letters and digits only.
  const [one, two = '', three = ''] = words;
  const named = (word: string) => q`name ${like} ${anywhere(word)}`;
  const called = one === undefined ? q`false` : q`${named(one)} AND ${named(two)} AND ${named(three)}`;
  return {
    where: q`reference ${like} ${anywhere(typed)} ESCAPE '!' OR (${called})
      OR octet_length(name) > length(name) OR octet_length(reference) > length(reference)`,
    isFound: (name, reference) =>
      reference.toLowerCase().includes(typed) || (words.length > 0 && isCalled(name, words)),
    most: SEARCHED_MAX,
  };
}

const anywhere = (typed: string) => `%${typed.replace(/[!%_]/g, '!$&')}%`;

/** From each such payment along those that replaced it, to the one that has the row's place now. */
const incidentsOf = (batch: number, noted: readonly number[]) => q`WITH RECURSIVE line(first, id) AS (
    SELECT id, id FROM (
      SELECT id FROM payouts ${by('payouts_incident')} WHERE batch = ${batch} AND incident_root IS NOT NULL
      UNION SELECT id FROM payouts WHERE id IN ${ids(noted)} AND +batch = ${batch}) f
    UNION SELECT l.first, n.id FROM line l ${thenJoin} payouts n ON n.replaces = CAST(l.id AS text) AND +n.batch = ${batch})
  SELECT l.first AS first, p.id AS id, p.row_number AS row_number
  FROM line l ${thenJoin} payouts p ON p.id = l.id WHERE p.${IN_FILE} ORDER BY p.position, l.first`;

const SENT = q`status IN ('sending','in_doubt','accepted','settled','failed','returned')`;
const KINDS = new Set<unknown>(BOOKED_EVENTS);

/** First those of the file in its order, then those that another payment replaced. */
async function* sentPayouts(
  parts: LedgerParts,
  batch: number,
  withCells: boolean,
): AsyncGenerator<readonly SentPayout[]> {
  const { read: sql } = parts;
  for await (const [from, to] of fileSlices(sql, batch, { rows: PAGE_ROWS })) {
    const rows = await sql.all(q`SELECT ${COLUMNS}, cells FROM payouts WHERE batch = ${batch} AND ${IN_FILE}
      AND position >= ${from} AND position <= ${to} AND ${SENT} ORDER BY position`);
    if (rows.length > 0) yield withEvents(parts, rows, { isCurrent: true, withCells });
  }
  // Found by way of what replaced them: there are few of those, and they have an index.
  for (let after = 0; ; ) {
    const rows = await sql.all(q`SELECT ${COLUMNS}, cells FROM payouts WHERE id IN
        (SELECT CAST(replaces AS bigint) FROM payouts ${by('payouts_replaces')} WHERE replaces IS NOT NULL)
      AND batch = ${batch} AND position IS NULL AND id > ${after} AND ${SENT} ORDER BY id LIMIT ${PAGE_ROWS}`);
    if (rows.length === 0) return;
    yield withEvents(parts, rows, { isCurrent: false, withCells });
    after = numberOf(rows.at(-1)?.['id']);
  }
}

const NOTHING_DIFFERS = '"discrepancies":[]';
const SOMETHING_DIFFERS = '"discrepancies":[';

/** Most entries show nothing that differs, and need not be read whole. */
function bookedIn(entry: Row): BookedEvent {
  const kind = entry['kind'] as BookedEvent['kind'];
  const at = timestampOf(numberOf(entry['at']));
  const body = String(entry['body']);
  if (body.includes(NOTHING_DIFFERS)) return bookedEvent(kind, { at, discrepancies: [] });
  const isRead = kind === 'accept_difference' || body.includes(SOMETHING_DIFFERS);
  return bookedEvent(kind, isRead ? decodeEvent(entry) : { at });
}

/** With the events that are booked. */
async function withEvents(
  { read: sql, routes }: LedgerParts,
  rows: readonly Row[],
  { isCurrent, withCells }: { readonly isCurrent: boolean; readonly withCells: boolean },
): Promise<readonly SentPayout[]> {
  const entries = await sql.all(q`SELECT payout, at, kind, body, personal, seal FROM journal
    WHERE payout IN ${ids(rows.map(({ id }) => numberOf(id)))} AND ${LATER} ORDER BY seq`);
  const events = Map.groupBy(
    entries.filter(({ kind }) => KINDS.has(kind)),
    ({ payout }) => String(payout),
  );
  const payouts = await payoutsOf(rows, sql, routes);
  return payouts.map((payout, at) => ({
    payout,
    isCurrent,
    ...(withCells ? { cells: JSON.parse(String(rows[at]?.['cells'])) as string[] } : {}),
    events: (events.get(payout.id) ?? []).map(bookedIn),
  }));
}
