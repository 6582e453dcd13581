/**
 * Reading payouts: one, by key, page by page in file order; when they are looked at next, and which are too long on their way,
 * whether they were ever asked about or not. Every page is a short read of its own; no read spans two of them, so a long
 * report never makes others wait.
 */
import { lateIfSentBy, lateLook } from '../domain/payouts/last-look.ts';
import type { Payout, Status } from '../domain/payouts/payout.ts';
import { type Timestamp, timestampOf } from '../domain/timestamp.ts';
import type { Page, PageQuestion, PayoutLedger } from '../ports/ledger/payouts.ts';
import { encodeLook } from './codec.ts';
import type { LedgerParts } from './parts.ts';
import type { Routes } from './routes.ts';
import { batchNumber, COLUMNS, dueCheck, IN_FILE, payoutNumber, payoutOf, payoutsOf } from './rows.ts';
import { SILENT } from './schema.ts';
import {
  by,
  columns,
  given,
  ids,
  numberOf,
  optionalNumber,
  type Query,
  q,
  type Row,
  type Sql,
} from './sql.ts';

const PAGE_ROWS = 500;

type Own = Pick<
  PayoutLedger,
  | 'payouts'
  | 'page'
  | 'payout'
  | 'findPayouts'
  | 'payoutOfTransfer'
  | 'payoutOfTag'
  | 'replacedTransfers'
  | 'scheduled'
  | 'markLate'
>;

export function reading(parts: LedgerParts): Own {
  const { read: sql, routes } = parts;
  const all = async (query: Query) => payoutsOf(await sql.all(query), sql, routes);
  const one = async (query: Query) => (await all(query))[0];
  return {
    async *payouts(id, { statuses } = {}) {
      for (let after: number | undefined = -1; after !== undefined; await turnOfOthers()) {
        const page: Page = await pageOf(parts, batchNumber(id), { statuses, after, limit: PAGE_ROWS });
        if (page.payouts.length > 0) yield page.payouts;
        after = page.next;
      }
    },
    page: (id, question) => pageOf(parts, batchNumber(id), question),
    payout: (id) => payoutById(sql, payoutNumber(id), routes),
    findPayouts: (id, typed) => all(found(batchNumber(id), typed.trim())),
    payoutOfTransfer: (name) =>
      one(q`SELECT ${COLUMNS} FROM payouts WHERE transfer_id = ${name}
        UNION SELECT ${COLUMNS} FROM payouts WHERE other_id = ${name}`),
    payoutOfTag: (tag) => one(q`SELECT ${COLUMNS} FROM payouts WHERE tag = ${tag}`),
    // Found by way of their replacements: there are few of those, and they have an index.
    replacedTransfers: (id, { dueBy, after, limit }) =>
      all(q`SELECT ${COLUMNS} FROM payouts WHERE id IN
         (SELECT CAST(replaces AS bigint) FROM payouts ${by('payouts_replaces')} WHERE replaces IS NOT NULL)
       AND batch = ${batchNumber(id)} AND position IS NULL AND status IN ('failed','returned','settled')
       AND transfer_id IS NOT NULL AND due_at <= ${dueBy} AND id > ${after === undefined ? 0 : payoutNumber(after)}
       ORDER BY id LIMIT ${limit}`),
    async scheduled(id, { isSilent, after, limit }) {
      const last = after.id === undefined ? Number.MAX_SAFE_INTEGER : payoutNumber(after.id);
      const [index, which] = isSilent
        ? [by('payouts_silent'), SILENT]
        : [by('payouts_due'), q`due_at IS NOT NULL`];
      const rows = await sql.all(q`SELECT ${COLUMNS}, due_at FROM payouts ${index} WHERE ${which}
        AND batch = ${batchNumber(id)} AND (due_at, id) > (${after.dueAt}, ${last}) ORDER BY due_at, id LIMIT ${limit}`);
      await routes.load(sql, rows);
      return rows.map((row) => ({
        payout: payoutOf(row, routes),
        dueAt: timestampOf(numberOf(row['due_at'])),
      }));
    },
    markLate: (id, at) => markLate(parts, batchNumber(id), at),
  };
}

/** By whichever `sql`: of a commit it is the row as the commit has it. */
export async function payoutById(sql: Sql, id: number, routes: Routes): Promise<Payout | undefined> {
  const row = await sql.get(q`SELECT ${COLUMNS} FROM payouts WHERE id = ${id}`);
  return row && (await payoutsOf([row], sql, routes))[0];
}

/** By row number, reference or tag. */
function found(batch: number, typed: string): Query {
  const row = /^\d{1,9}$/.test(typed) ? Number(typed) : -1;
  return q`SELECT ${COLUMNS} FROM payouts WHERE batch = ${batch} AND ${IN_FILE}
    AND (row_number = ${row} OR reference = ${typed} OR tag = ${typed.toUpperCase()}) ORDER BY position`;
}

type Paging = Omit<PageQuestion, 'statuses'> & { readonly statuses: readonly Status[] | undefined };

/** An accepted payout that was never scheduled is due at once; any other is due only when scheduled. */
async function pageOf(
  { read: sql, routes }: LedgerParts,
  batch: number,
  { dueBy, part, ...page }: Paging,
): Promise<Page> {
  const due =
    dueBy === undefined ? q`` : q`AND (due_at <= ${dueBy} OR (due_at IS NULL AND status = 'accepted'))`;
  const ofPart = part === undefined ? q`` : q`AND id % ${part.of} = ${part.index}`;
  const rows = await rowsInFile(sql, batch, { ...page, columns: COLUMNS, which: q`${due} ${ofPart}` });
  const next = rows.length < page.limit ? undefined : numberOf(rows.at(-1)?.['position']);
  return { payouts: await payoutsOf(rows, sql, routes), next };
}

interface InFile extends Pick<Paging, 'statuses' | 'limit'> {
  readonly columns: Query;
  readonly which?: Query;
  readonly after?: number | undefined;
}

/** In file order, after a place. One ordered read per status, merged here: a single one for all would have to sort them all. */
export async function rowsInFile(
  sql: Sql,
  batch: number,
  { columns: read, statuses, which = q``, after = -1, limit }: InFile,
): Promise<readonly Row[]> {
  const ofStatus = (from: Query) =>
    sql.all(q`SELECT ${read}, position FROM payouts ${from} AND batch = ${batch} AND ${IN_FILE} ${which}
      AND position > ${after} ORDER BY position LIMIT ${limit}`);
  if (statuses === undefined) return ofStatus(q`WHERE true`);
  const lists = await Promise.all(
    [...new Set(statuses)].map((status) => ofStatus(q`${by('payouts_status')} WHERE status = ${status}`)),
  );
  const rows = lists.flat().sort((one, other) => Number(one['position']) - Number(other['position']));
  return rows.slice(0, limit);
}

const MARKS = columns('payout was before:text due late:text due_sum');

async function markLate({ read: sql, routes, writer }: LedgerParts, batch: number, at: Timestamp) {
  for (let after: number | undefined = -1; after !== undefined; await turnOfOthers()) {
    const rows: readonly Row[] = await sql.all(q`SELECT ${COLUMNS}, position, due_at FROM payouts
      WHERE batch = ${batch} AND ${IN_FILE} AND status = 'accepted' AND position > ${after}
        AND memory_at <= ${lateIfSentBy(at)} AND concern IS NULL ORDER BY position LIMIT ${PAGE_ROWS}`);
    await routes.load(sql, rows);
    const marks = rows.flatMap((row) => {
      const payout = payoutOf(row, routes);
      const look = lateLook(payout, at);
      if (look === undefined) return [];
      const [id, due, late] = [numberOf(row['id']), optionalNumber(row['due_at']) ?? null, encodeLook(look)];
      return [[id, payout.version, row['look'] ?? null, due, late, dueCheck(id, due, late)]];
    });
    // Unless it moved or was looked at meanwhile.
    if (marks.length > 0)
      await writer.write(({ sql: own }) =>
        own.run(q`UPDATE payouts AS p SET look = m.late, concern = 1, due_check = m.due_sum
          FROM ${given('m', MARKS, marks)} WHERE p.id = m.payout AND p.version = m.was
            AND p.look IS NOT DISTINCT FROM m.before AND p.due_at IS NOT DISTINCT FROM m.due`),
      );
    after = rows.length < PAGE_ROWS ? undefined : numberOf(rows.at(-1)?.['position']);
  }
}

/** Lets timers, sockets and signals run between two slices of work. */
export function turnOfOthers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The payouts of these numbers that are there, by their numbers. */
export async function payoutsByIds(
  { read: sql, routes }: Pick<LedgerParts, 'read' | 'routes'>,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Payout>> {
  if (numbers.length === 0) return new Map();
  const rows = await sql.all(q`SELECT ${COLUMNS} FROM payouts WHERE id IN ${ids(numbers)}`);
  const payouts = await payoutsOf(rows, sql, routes);
  return new Map(payouts.map((payout) => [payoutNumber(payout.id), payout]));
}

const SLICE_ROWS = 20_000;

/**
 * First and last place of each slice of a batch's file, after a place: what counts or compares a million rows lets others
 * have their turn between two.
 */
export async function* fileSlices(
  sql: Sql,
  batch: number,
  { after = -1, rows = SLICE_ROWS } = {},
): AsyncGenerator<readonly [number, number]> {
  for (let last = after; ; ) {
    const next = await sql.get(
      q`SELECT min(position) AS next FROM payouts WHERE batch = ${batch} AND ${IN_FILE} AND position > ${last}`,
    );
    const first = optionalNumber(next?.['next']);
    if (first === undefined) return;
    last = first + rows - 1;
    yield [first, last];
    await turnOfOthers();
  }
}
