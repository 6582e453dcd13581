/**
 * Reading payouts: one, by key, page by page in file order. Every page is a short read of its own;
 * no read spans two of them, so a long report never makes others wait.
 */
import { asBatchId, type BatchId, type PayoutId } from '../domain/payouts/instruction.ts';
import type { Payout, Status } from '../domain/payouts/payout.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { JournalEntry, Page, PageQuestion, PayoutLedger } from '../ports/ledger/payouts.ts';
import { bodyOf } from './codec-json.ts';
import type { LedgerParts } from './parts.ts';
import type { Routes } from './routes.ts';
import { batchNumber, COLUMNS, IN_FILE, payoutNumber, payoutsOf } from './rows.ts';
import { LATER, NOTE } from './schema.ts';
import { by, ids, numberOf, optionalNumber, type Query, q, type Row, type Sql, text } from './sql.ts';

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
  | 'journalOf'
>;

export function reading(parts: LedgerParts): Own {
  const { read: sql, routes } = parts;
  const all = async (query: Query) => payoutsOf(await sql.all(query), sql, routes);
  const one = async (query: Query) => (await all(query))[0];
  return {
    payouts: (id, { statuses } = {}) => walk(parts, batchNumber(id), statuses),
    page: (id, question) =>
      question.dueBy === undefined
        ? pageOf(parts, batchNumber(id), question)
        : duePage(parts, batchNumber(id), question.dueBy, question),
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
    journalOf: (id) => journalOf(sql, payoutNumber(id)),
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

async function* walk(
  parts: LedgerParts,
  batch: number,
  statuses: readonly Status[] | undefined,
): AsyncGenerator<readonly Payout[]> {
  for (let after: number | undefined = -1; after !== undefined; ) {
    const page: Page = await pageOf(parts, batch, { statuses, after, limit: PAGE_ROWS });
    if (page.payouts.length > 0) yield page.payouts;
    after = page.next;
    await turnOfOthers();
  }
}

type Paging = Pick<PageQuestion, 'after' | 'limit' | 'part'> & {
  readonly statuses: readonly Status[] | undefined;
};

/** One ordered read per status, merged here: a single one for all statuses would have to sort them all. */
async function pageOf(
  { read: sql, routes }: LedgerParts,
  batch: number,
  { statuses, after = -1, limit, part }: Paging,
): Promise<Page> {
  const ofPart = part === undefined ? q`` : q`AND id % ${part.of} = ${part.index}`;
  const ofStatus = (status: Query) =>
    sql.all(q`SELECT ${COLUMNS}, position FROM payouts WHERE batch = ${batch} AND ${IN_FILE} ${status} ${ofPart}
      AND position > ${after} ORDER BY position LIMIT ${limit}`);
  const rows =
    statuses === undefined
      ? await ofStatus(q``)
      : merged(
          await Promise.all([...new Set(statuses)].map((status) => ofStatus(q`AND status = ${status}`))),
        );
  return pageFrom(rows, limit, { sql, routes });
}

function merged(lists: readonly (readonly Row[])[]): readonly Row[] {
  return lists.length === 1
    ? (lists[0] ?? [])
    : lists.flat().sort((one, other) => Number(one['position']) - Number(other['position']));
}

async function pageFrom(
  found: readonly Row[],
  limit: number,
  { sql, routes }: { readonly sql: Sql; readonly routes: Routes },
): Promise<Page> {
  const rows = found.slice(0, limit);
  const next = rows.length < limit ? undefined : numberOf(rows.at(-1)?.['position']);
  return { payouts: await payoutsOf(rows, sql, routes), next };
}

/** An accepted payout that was never scheduled is due at once; any other is due only when scheduled. */
async function duePage(
  { read: sql, routes }: LedgerParts,
  batch: number,
  dueBy: number,
  { statuses, after = -1, limit }: PageQuestion,
): Promise<Page> {
  const ofStatus = (status: Status) =>
    sql.all(q`SELECT ${COLUMNS}, position FROM payouts ${by('payouts_status')} WHERE batch = ${batch} AND ${IN_FILE}
      AND status = ${status} AND position > ${after}
      AND (due_at <= ${dueBy} OR (due_at IS NULL AND status = 'accepted')) ORDER BY position LIMIT ${limit}`);
  return pageFrom(merged(await Promise.all([...new Set(statuses)].map(ofStatus))), limit, { sql, routes });
}

const ENTRY = text('seq, batch, payout, at, kind, body, personal, seal');

async function journalOf(sql: Sql, id: number): Promise<readonly JournalEntry[]> {
  const born = await sql.all(
    q`SELECT ${ENTRY} FROM journal WHERE seq = (SELECT born FROM payouts WHERE id = ${id}) AND kind = 'imported'`,
  );
  const later = await sql.all(q`SELECT ${ENTRY} FROM journal WHERE payout = ${id} AND ${LATER} ORDER BY seq`);
  return [...born, ...later].map(entryOf);
}

export function entryOf(row: Row): JournalEntry {
  const kind = String(row['kind']);
  return {
    seq: numberOf(row['seq']),
    batchId: asBatchId(String(row['batch'])) as BatchId,
    payoutId: row['payout'] === null ? undefined : (String(row['payout']) as PayoutId),
    at: timestampOf(numberOf(row['at'])),
    kind: kind.startsWith(NOTE) ? kind.slice(NOTE.length) : kind,
    body: bodyOf(row),
  };
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
  const found = await payoutsOf(rows, sql, routes);
  return new Map(found.map((payout) => [payoutNumber(payout.id), payout]));
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
