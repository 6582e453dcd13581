/**
 * The last request of a payout as its intent was written down, and which payouts of a batch began to be sent since an entry
 * of the journal: the canary of a batch is told by it, whatever else the batch holds.
 */
import type { Attempt } from '../domain/payouts/attempt.ts';
import type { PayoutId } from '../domain/payouts/instruction.ts';
import type { EventOf, Sender } from '../domain/payouts/payout-event.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { PayoutLedger } from '../ports/ledger/payouts.ts';
import { decodeEvent, ENTRY_COLUMNS } from './codec.ts';
import type { LedgerParts } from './parts.ts';
import { payoutsByIds, turnOfOthers } from './payouts.ts';
import { batchNumber, IN_FILE, payoutNumber } from './rows.ts';
import { LATER, NOTE } from './schema.ts';
import { jsonText, numberOf, optionalNumber, q, type Sql, text } from './sql.ts';

/** Where the system does not show when a process began, its number may be another one's a day later. */
const UNPROVEN_MS = 24 * 3_600_000;
const SLICE = 20_000;

type Own = Pick<PayoutLedger, 'lastAttempt' | 'begunSince' | 'countBegun' | 'lastEntry'>;

export function attemptsOf(parts: LedgerParts): Own {
  const { read: sql, settled } = parts;
  return {
    lastAttempt: (id) => lastAttempt(parts, id),
    async begunSince(id, since, limit) {
      const begun = await begunIn(sql, batchNumber(id), { since, limit });
      const payouts = await payoutsByIds(parts, begun);
      return begun.flatMap((payout) => payouts.get(payout) ?? []);
    },
    countBegun: async (id, since) =>
      (await begunIn(sql, batchNumber(id), { since, limit: Number.POSITIVE_INFINITY })).length,
    lastEntry: (id) =>
      settled(async (still) => {
        const last =
          id === undefined
            ? q`SELECT max(seq) AS last FROM journal`
            : q`SELECT max(last) AS last FROM commits WHERE batch = ${batchNumber(id)}`;
        return optionalNumber((await still.get(last))?.['last']) ?? 0;
      }),
  };
}

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
  if (row === undefined) return undefined;
  const intent = decodeEvent(row);
  return intent.kind === 'begin_attempt' ? { batch: numberOf(row['batch']), intent } : undefined;
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

/** The first one first, without those that were not sent after all, and those that were replaced since. */
async function begunIn(
  sql: Sql,
  batch: number,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<readonly number[]> {
  const found = new Set<number>();
  for await (const [after, last] of journalSlices(sql, since)) {
    if (found.size >= limit) break;
    const begun = await sql.all(q`SELECT j.payout AS id FROM journal j JOIN payouts p ON p.id = j.payout
      WHERE j.seq > ${after} AND j.seq <= ${last} AND j.batch = ${batch} AND j.kind = 'begin_attempt' AND p.${IN_FILE}
      AND p.status IN ('sending','in_doubt','accepted','settled','failed','returned') ORDER BY j.seq`);
    for (const { id } of begun) found.add(numberOf(id));
  }
  return [...found].slice(0, limit);
}

/** Entries of the journal after one of them, in slices: after the first number of each, up to the second. */
export async function* journalSlices(
  sql: Sql,
  since: number,
): AsyncGenerator<readonly [after: number, last: number]> {
  for (let after = since; ; ) {
    const slice = q`SELECT seq FROM journal WHERE seq > ${after} ORDER BY seq LIMIT ${SLICE}`;
    const last = optionalNumber((await sql.get(q`SELECT max(seq) AS last FROM (${slice}) s`))?.['last']);
    if (last === undefined) return;
    yield [after, last];
    after = last;
    await turnOfOthers();
  }
}
