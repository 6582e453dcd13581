/**
 * What the journal tells: the story of a payout and its last request, what people decided about a batch, and what happened in
 * it since an entry. The journal holds all batches and every look: decisions about a batch itself are found by their kind,
 * those about its rows by an index of their own, and what happened since then by the commits of the batch.
 * And tickets and passkeys, which stand in the ledger's own chain.
 */
import type { DecisionEntry, DecisionKind } from '../domain/batches/decisions.ts';
import type { Attempt } from '../domain/payouts/attempt.ts';
import { asBatchId, asPayoutId, type PayoutId } from '../domain/payouts/instruction.ts';
import type { Pricing } from '../domain/payouts/payout.ts';
import type { EventOf, Sender } from '../domain/payouts/payout-event.ts';
import type { PlanChanges, PlanMove } from '../domain/plan/plan-changes.ts';
import { type Timestamp, timestampOf } from '../domain/timestamp.ts';
import type { JournalEntry, PayoutLedger } from '../ports/ledger/payouts.ts';
import type { PeopleLedger } from '../ports/ledger/people.ts';
import type { ReportLedger } from '../ports/ledger/reports.ts';
import { entriesWhere } from './batches.ts';
import { commitOf, NO_HEAD } from './chain.ts';
import { decodeEvent, ENTRY_COLUMNS } from './codec.ts';
import { decodePeopleFact, encodePeopleFact, PEOPLE_KINDS } from './codec-batches.ts';
import { bodyOf } from './codec-json.ts';
import type { LedgerParts } from './parts.ts';
import { payoutsByIds } from './payouts.ts';
import { batchNumber, IN_FILE, payoutNumber } from './rows.ts';
import { DECISION_OF_BATCH, DECISION_OF_ROW, LATER, LEDGER_CHAIN, NOTE, OTHER_KINDS } from './schema.ts';
import {
  jsonText,
  numberOf,
  optionalNumber,
  type Query,
  q,
  type Row,
  type Sql,
  text,
  thenJoin,
} from './sql.ts';

const LISTED_MAX = 1_000;

type Own = PeopleLedger &
  Pick<PayoutLedger, 'journalOf' | 'lastAttempt' | 'begunSince' | 'countBegun' | 'lastEntry'> &
  Pick<ReportLedger, 'decisions' | 'decisionsBefore' | 'planMovesSince' | 'movedSince'>;

export function journal(parts: LedgerParts): Own {
  const { read: sql, settled } = parts;
  return {
    ...peopleOf(parts),
    async journalOf(id) {
      const number = payoutNumber(id);
      const born = q`seq = (SELECT born FROM payouts WHERE id = ${number}) AND kind = 'imported'`;
      const rows = await sql.all(q`SELECT ${ENTRY} FROM journal WHERE ${born}
        UNION ALL SELECT ${ENTRY} FROM journal WHERE payout = ${number} AND ${LATER} ORDER BY seq`);
      return rows.map(entryOf);
    },
    lastAttempt: (id) => lastAttempt(parts, id),
    async begunSince(id, since, limit) {
      const begun = await begunIn(sql, batchNumber(id), { since, limit });
      const payouts = await payoutsByIds(parts, begun);
      return begun.flatMap((payout) => payouts.get(payout) ?? []);
    },
    countBegun: async (id, since) => (await begunIn(sql, batchNumber(id), { since })).length,
    lastEntry: (id) =>
      settled(async (still) => {
        const last =
          id === undefined
            ? q`SELECT max(seq) AS last FROM journal`
            : q`SELECT max(last) AS last FROM commits WHERE batch = ${batchNumber(id)}`;
        return optionalNumber((await still.get(last))?.['last']) ?? 0;
      }),
    async decisions(id, limit) {
      const batch = batchNumber(id);
      const { rows, head } = await decisionsIn(sql, batch, q`ORDER BY seq LIMIT ${limit}`);
      const count = (of: Query) => q`(SELECT count(*) FROM journal WHERE batch = ${batch} AND ${of})`;
      const all = await sql.get(q`SELECT ${count(DECISION_OF_BATCH)} + ${count(DECISION_OF_ROW)} AS n`);
      return { entries: rows.map(decisionOf), more: numberOf(all?.['n']) - rows.length, head };
    },
    async decisionsBefore(id, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const order = q`AND seq < ${before} ORDER BY seq DESC LIMIT ${limit + 1}`;
      const { rows, head } = await decisionsIn(sql, batchNumber(id), order);
      const shown = rows.slice(0, limit);
      const next = rows.length > limit ? numberOf(shown.at(-1)?.['seq']) : undefined;
      return { entries: shown.map(decisionOf), next, head };
    },
    planMovesSince: (id, since) => planMoves(parts, batchNumber(id), since),
    async movedSince(id, since) {
      return (await sql.get(q`${movedAfter(batchNumber(id), since)} LIMIT 1`)) !== undefined;
    },
  };
}

const ENTRY = text('seq, batch, payout, at, kind, body, personal, seal');

function entryOf(row: Row): JournalEntry {
  const kind = String(row['kind']);
  return {
    seq: numberOf(row['seq']),
    batchId: asBatchId(String(row['batch'])),
    payoutId: (row['payout'] ?? null) === null ? undefined : asPayoutId(String(row['payout'])),
    at: timestampOf(numberOf(row['at'])),
    kind: kind.startsWith(NOTE) ? kind.slice(NOTE.length) : kind,
    body: bodyOf(row),
  };
}

/** Where the system does not show when a process began, its number may be another one's a day later. */
const UNPROVEN_MS = 24 * 3_600_000;

async function lastAttempt(
  { read: sql, machine, clock }: LedgerParts,
  id: PayoutId,
): Promise<Attempt | undefined> {
  const found = await lastIntent(sql, payoutNumber(id));
  if (found === undefined) return undefined;
  const { attempt, at: startedAt, sender } = found.intent;
  const closed = await sql.get(q`SELECT 1 AS it FROM journal WHERE batch = ${found.batch} AND payout IS NULL
    AND kind = ${`${NOTE}attempt_closed`} AND ${jsonText('body', 'payout')} = ${id}
    AND ${jsonText('body', 'attempt')} = ${String(attempt)} LIMIT 1`);
  const isRunning = mayRun(sender, startedAt, { machine, now: clock.now() });
  return { attempt, startedAt, sender, isClosed: closed !== undefined, isRunning };
}

/** The intent of the payout's last request, and the batch in whose journal it stands. By whichever `sql`. */
export async function lastIntent(
  sql: Sql,
  payout: number,
): Promise<{ readonly batch: number; readonly intent: EventOf<'begin_attempt'> } | undefined> {
  const row = await sql.get(q`SELECT batch, ${text(ENTRY_COLUMNS)} FROM journal
    WHERE payout = ${payout} AND ${LATER} AND kind = 'begin_attempt' ORDER BY seq DESC LIMIT 1`);
  const intent = row && decodeEvent(row);
  return intent?.kind === 'begin_attempt' ? { batch: numberOf(row?.['batch']), intent } : undefined;
}

/** Known by its start, whatever the machine is called now; by its number alone only under the same name. */
function mayRun(
  { host, pid, started }: Sender,
  startedAt: Timestamp,
  { machine, now }: Pick<LedgerParts, 'machine'> & { readonly now: number },
): boolean {
  if (started !== null && machine.processStart(pid) === started) return machine.isRunning(pid, started);
  if (host !== machine.host || !machine.isRunning(pid, started)) return false;
  return started !== null || now - startedAt < UNPROVEN_MS;
}

/** By the commits of the batch: most say with their first entry which payment moved, and those that only keep a note are few. */
const movedAfter = (batch: number, since: number, more = q``) => q`SELECT j.payout AS id
  FROM commits c ${thenJoin} journal j ON j.seq BETWEEN c.first AND c.last
  WHERE c.batch = ${batch} AND c.seq >= ${commitOf(since)} AND c.last > ${since} AND j.seq > ${since} AND j.batch = ${batch}
    AND j.payout IS NOT NULL ${more} ORDER BY c.seq, j.seq`;

const STANDS = q`AND j.kind = 'begin_attempt' AND (SELECT 1 FROM payouts p WHERE p.id = j.payout AND p.${IN_FILE}
  AND p.status IN ('sending','in_doubt','accepted','settled','failed','returned')) IS NOT NULL`;

/** The first one first, without those that were not sent after all, and those that were replaced since. */
async function begunIn(
  sql: Sql,
  batch: number,
  { since, limit = Number.POSITIVE_INFINITY }: { readonly since: number; readonly limit?: number },
): Promise<readonly number[]> {
  const found = new Set<number>();
  for await (const rows of sql.each(movedAfter(batch, since, STANDS))) {
    for (const { id } of rows) found.add(numberOf(id));
    if (found.size >= limit) break;
  }
  return [...found].slice(0, limit);
}

/** Each payout that was touched once, in the order in which it was touched last. */
async function planMoves(parts: LedgerParts, batch: number, since: number): Promise<PlanChanges> {
  const { read: sql } = parts;
  const touched = new Set<number>();
  for await (const rows of sql.each(movedAfter(batch, since)))
    for (const { id } of rows) {
      touched.delete(numberOf(id));
      touched.add(numberOf(id));
    }
  const listed = [...touched].slice(0, LISTED_MAX);
  const payouts = await payoutsByIds(parts, listed);
  const moves: PlanMove[] = [];
  for (const id of listed) {
    const payout = payouts.get(id);
    if (payout !== undefined) moves.push({ payout, before: await pricingThen(sql, id, since) });
  }
  return { moves, more: touched.size - moves.length };
}

/** undefined when it did not wait for approval. */
async function pricingThen(sql: Sql, id: number, since: number): Promise<Pricing | undefined> {
  const entries = await sql.all(q`SELECT ${text(ENTRY_COLUMNS)} FROM journal WHERE payout = ${id} AND ${LATER}
    AND kind NOT IN ${OTHER_KINDS} AND seq <= ${since} ORDER BY seq DESC`);
  const last = entries[0]?.['kind'];
  const priced = entries.find(({ kind }) => kind === 'price');
  if ((last !== 'price' && last !== 'unapprove') || priced === undefined) return undefined;
  const event = decodeEvent(priced);
  return event.kind === 'price' ? event.pricing : undefined;
}

const ROW_NUMBER = q`(SELECT row_number FROM payouts WHERE id =
  coalesce(j.payout, CAST(${jsonText('j.body', 'payout')} AS bigint))) AS row_number`;
/** A revision writes both entries in one commit, one after the other; behind a withdrawal by a person there is none. */
const LEFT_OUT = q`CASE WHEN j.kind = 'cancel' THEN (SELECT ${jsonText('l.body', 'revision')} FROM journal l
  WHERE l.seq = j.seq + 1 AND l.payout = j.payout AND l.kind = 'left_out') END AS left_out_of`;

/** Of each kind by its own index, then together. */
async function decisionsIn(sql: Sql, batch: number, order: Query) {
  const part = (of: Query) =>
    q`SELECT * FROM (SELECT ${ENTRY} FROM journal WHERE batch = ${batch} AND ${of} ${order}) AS part`;
  const rows = await sql.all(q`SELECT j.*, ${ROW_NUMBER}, ${LEFT_OUT}
    FROM (${part(DECISION_OF_BATCH)} UNION ALL ${part(DECISION_OF_ROW)}) AS j WHERE true ${order}`);
  const last = await sql.get(q`SELECT head FROM commits WHERE batch = ${batch} ORDER BY seq DESC LIMIT 1`);
  return { rows, head: String(last?.['head'] ?? NO_HEAD) };
}

function decisionOf(row: Row): DecisionEntry {
  const { at, kind, body } = entryOf(row);
  const isCell = kind === 'cell_corrected';
  const leftOutOf = optionalNumber(row['left_out_of']);
  return {
    // Said when the file was planned, of a time before.
    at: isCell && typeof body['at'] === 'number' ? timestampOf(body['at']) : at,
    // The statement asks for these kinds alone.
    kind: kind as DecisionKind,
    // A corrected cell belongs to no payment: it may have been corrected before there was one.
    rowNumber: optionalNumber(isCell ? body['row'] : row['row_number']),
    body,
    ...(leftOutOf === undefined ? {} : { leftOutOf }),
  };
}

const OF_PEOPLE = q`batch = ${LEDGER_CHAIN} AND kind IN ${text(`('${PEOPLE_KINDS.join("','")}')`)}`;

function peopleOf({ read, writer }: LedgerParts): PeopleLedger {
  return {
    async peopleEntries() {
      const rows = await read.all(entriesWhere(OF_PEOPLE));
      return rows.map((row) => {
        const { seq, at } = entryOf(row);
        return { ...decodePeopleFact(row), seq, at };
      });
    },
    recordPeople(fact, at, since) {
      const stored = encodePeopleFact(fact);
      // Where nobody else can add one in between.
      return writer.write(async ({ sql, add, has }) => {
        const newer = q`SELECT 1 AS it FROM journal WHERE ${OF_PEOPLE} AND payout IS NULL AND seq > ${since} LIMIT 1`;
        if (has(LEDGER_CHAIN, PEOPLE_KINDS) || (await sql.get(newer)) !== undefined) return 'stale';
        add({ batch: LEDGER_CHAIN, payout: null, at, kind: fact.kind, ...stored });
        return 'recorded';
      });
    },
  };
}
