/**
 * A person accepts a ledger that is older than this machine remembers, or that is not known here; or a machine finds that a
 * server was set back, which the others cannot see: what another ledger sent may stand here as unsent, or not at all. So
 * every batch that could still send is paused, and so is each one that is new or gets rows later, until a person resumes it,
 * or says that all was compared with a statement.
 */
import {
  isPausedForStatement,
  type Pause,
  SET_BACK_REASON,
  UNKNOWN_LEDGER_REASON,
} from '../domain/batches/batch.ts';
import { type Timestamp, timestampOf } from '../domain/timestamp.ts';
import type { BatchLedger } from '../ports/ledger/batches.ts';
import { changeBatch, factsOf } from './batches.ts';
import type { Commit } from './chain.ts';
import type { BatchFacts } from './codec-batches.ts';
import { ownEntry } from './identity.ts';
import type { LedgerParts } from './parts.ts';
import { batchNumber, IN_FILE } from './rows.ts';
import { LEDGER_CHAIN } from './schema.ts';
import { jsonText, numberOf, type Query, q, type Sql, text } from './sql.ts';

export function comparisonOf({ writer }: LedgerParts): Pick<BatchLedger, 'resume' | 'resumeAll'> {
  return {
    resume: (id, person, at) => writer.write((commit) => resume(commit, batchNumber(id), person, at)),
    resumeAll: (person, at) => writer.write((commit) => endComparison(commit, person, at)),
  };
}

export interface Accepted {
  readonly kind: 'rollback_accepted' | 'ledger_accepted' | 'rollback_found';
  /** What spoke against it. */
  readonly why: string;
  readonly by: string | undefined;
  /** Where the ledger is: identity.ts. */
  readonly place: string | undefined;
}
const ACCEPTED = text("('rollback_accepted','ledger_accepted','rollback_found')");
const COMPARED = 'ledger_compared';

/** A row on the wire is unsent again when the emergency file says that it never left. */
const COULD_SEND = q`(SELECT 1 FROM payouts p WHERE p.batch = b.id AND p.${IN_FILE}
  AND p.status IN ('planned','held','quoted','approved','sending') LIMIT 1) IS NOT NULL`;

/**
 * The other ledger went on from the same ids, and an id makes the tag by which a statement names a payment. So the next
 * ids come from the time, which no other life of this ledger has used: none sends this many rows, or makes a batch, in
 * each millisecond. Payout ids stay below 16 digits, which a spreadsheet would round.
 */
const PER_MS = { payouts: 100, batches: 1 };

/** In one commit: killed before it, the ledger is refused as before. */
export async function acceptLedger(
  commit: Commit,
  { kind, ...body }: Accepted,
  at: Timestamp,
): Promise<void> {
  // Up to it, ids are not given out any more.
  const skipped = async (name: keyof typeof PER_MS) => {
    const last = at * PER_MS[name];
    const row = await commit.sql.get(q`UPDATE counters
      SET last = CASE WHEN last < ${last} THEN CAST(${last} AS bigint) ELSE last END WHERE name = ${name} RETURNING last`);
    return numberOf(row?.['last']);
  };
  const used = { payout: await skipped('payouts'), batch: await skipped('batches') };
  commit.add(ownEntry(kind, { ...body, used }, at));
  for (const [id, facts] of await batchesThat(commit.sql, q`b.state = 'open' AND ${COULD_SEND}`))
    if (!isPausedOtherwise(facts))
      await changeBatch(commit, { id, at, kind: 'paused', set: { pause: pauseFor(kind, at) } });
}

/** Whether all was paused after this moment because payments may be forgotten here. */
export async function isDistrusted(sql: Sql, after: number): Promise<boolean> {
  return (await lastOf(sql, LEDGER_CHAIN, q`kind IN ${ACCEPTED} AND at > ${after}`)) !== undefined;
}

/** Whether a person accepted after this moment that it was set back. */
export async function isAccepted(sql: Sql, after: number): Promise<boolean> {
  return (await lastOf(sql, LEDGER_CHAIN, q`kind = 'rollback_accepted' AND at > ${after}`)) !== undefined;
}

/** Inside a commit: pauses a batch that is new or gets rows, and is not paused yet. */
export async function pauseUncompared(commit: Commit, id: number, at: number): Promise<void> {
  if ((await factsOf(commit.sql, id)).pause !== undefined) return;
  const pause = await uncomparedPause(commit.sql, id, at);
  if (pause !== undefined) await changeBatch(commit, { id, at, kind: 'paused', set: { pause } });
}

/** A pause of its own does not stand for the comparison, which comes after it. */
async function resume(commit: Commit, id: number, person: string, at: Timestamp): Promise<void> {
  const isOwn = isPausedOtherwise(await factsOf(commit.sql, id));
  const pause = isOwn ? await uncomparedPause(commit.sql, id, at) : undefined;
  const more = pause === undefined ? { by: person } : { by: person, own: true };
  await changeBatch(commit, { id, at, kind: 'resumed', set: { pause: undefined, resumedAt: at }, more });
  if (pause !== undefined) await changeBatch(commit, { id, at, kind: 'paused', set: { pause } });
}

/** A person compared everything with a statement. */
async function endComparison(commit: Commit, person: string, at: Timestamp): Promise<void> {
  commit.add(ownEntry(COMPARED, { by: person }, at));
  const paused = q`b.state IN ('importing','open') AND ${jsonText('b.facts', 'pause', 'reason')} IS NOT NULL`;
  for (const [id, facts] of await batchesThat(commit.sql, paused))
    if (isPausedForStatement(facts)) {
      const set = { pause: undefined, resumedAt: at };
      await changeBatch(commit, { id, at, kind: 'resumed', set, more: { by: person } });
    }
}

/** For a reason of its own, which only `resume BATCH` ends. */
function isPausedOtherwise(batch: Pick<BatchFacts, 'pause'>): boolean {
  return batch.pause !== undefined && !isPausedForStatement(batch);
}

function pauseFor(kind: unknown, at: number): Pause {
  const reason = kind === 'ledger_accepted' ? UNKNOWN_LEDGER_REASON : SET_BACK_REASON;
  return { reason, by: 'payfile', at: timestampOf(at) };
}

/**
 * Where a person accepted the ledger and has neither resumed this batch nor compared everything since: its rows may have
 * been paid by the ledger that is not here. Who ended a pause of its own (`own`) did not speak of that.
 */
async function uncomparedPause(sql: Sql, id: number, at: number): Promise<Pause | undefined> {
  const last = await lastOf(sql, LEDGER_CHAIN, q`(kind IN ${ACCEPTED} OR kind = ${COMPARED})`);
  if (last === undefined || last.kind === COMPARED) return undefined;
  const isOfAll = q`kind = 'resumed' AND ${jsonText('body', 'own')} IS NULL`;
  const resumed = await lastOf(sql, id, q`seq > ${last.seq} AND ${isOfAll}`);
  return resumed === undefined ? pauseFor(last.kind, at) : undefined;
}

/** The newest entry of a batch, or of the ledger. */
async function lastOf(sql: Sql, batch: number, where: Query) {
  const row =
    await sql.get(q`SELECT seq, kind FROM journal WHERE batch = ${batch} AND payout IS NULL AND ${where}
    ORDER BY seq DESC LIMIT 1`);
  return row && { seq: numberOf(row['seq']), kind: String(row['kind']) };
}

async function batchesThat(sql: Sql, where: Query): Promise<readonly (readonly [number, BatchFacts])[]> {
  const rows = await sql.all(q`SELECT b.id AS id FROM batches b WHERE ${where} ORDER BY b.id DESC`);
  return Promise.all(rows.map(async ({ id }) => [numberOf(id), await factsOf(sql, numberOf(id))] as const));
}
