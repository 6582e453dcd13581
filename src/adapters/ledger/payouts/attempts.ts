/**
 * The last request of a payout as its intent was written down: who sent it, and whether it may still be open.
 */

import type { Attempt } from '../../../domain/payouts/attempt.ts';
import { asPayoutId, type PayoutId } from '../../../domain/payouts/instruction.ts';
import type { EventOf, Sender } from '../../../domain/payouts/payout-event.ts';
import type { Timestamp } from '../../../domain/timestamp.ts';
import { NOTE } from '../batches/batches.ts';
import { numberOf, type Sql, yieldToEvents } from '../storage/sql-statements.ts';
import type { Machine } from '../storage/this-machine.ts';
import { decodeEvent } from './payout-codec.ts';
import { payoutNumber } from './stored-payout.ts';

/** Where the system does not show when a process began, its number may be another one's a day later. */
const UNPROVEN_MS = 24 * 3_600_000;

export function lastAttempt(
  sql: Sql,
  payoutId: PayoutId,
  { machine, now }: { readonly machine: Machine; readonly now: number },
): Attempt | undefined {
  const found = lastIntent(sql, payoutId);
  if (found === undefined) return undefined;
  const { batch, intent } = found;
  const closed = sql(
    `SELECT 1 FROM journal WHERE batch = ? AND kind = ? AND payout IS NULL
     AND json_extract(body, '$.payout') = ? AND json_extract(body, '$.attempt') = ? LIMIT 1`,
  ).get(batch, `${NOTE}attempt_closed`, payoutId, intent.attempt);
  const { at: startedAt, attempt, sender } = intent;
  const isRunning = mayRun(sender, startedAt, { machine, now });
  return { attempt, startedAt, sender, isClosed: closed !== undefined, isRunning };
}

/** The intent of the payout's last request, and the batch in whose journal it stands. */
export function lastIntent(
  sql: Sql,
  payoutId: PayoutId,
): { readonly batch: number; readonly intent: EventOf<'begin_attempt'> } | undefined {
  const row = sql(
    `SELECT batch, at, body FROM journal WHERE payout = ? AND payout IS NOT NULL AND kind <> 'imported'
     AND kind = 'begin_attempt' ORDER BY seq DESC LIMIT 1`,
  ).get(payoutNumber(payoutId) ?? 0);
  if (row === undefined) return undefined;
  const intent = decodeEvent('begin_attempt', numberOf(row.at), String(row.body));
  return intent.kind === 'begin_attempt' ? { batch: numberOf(row.batch), intent } : undefined;
}

/** Known by its start, whatever the machine is called now; by its number alone only under the same name. */
function mayRun(
  { host, pid, started }: Sender,
  startedAt: Timestamp,
  { machine, now }: { readonly machine: Machine; readonly now: number },
): boolean {
  if (started !== null && machine.processStart(pid) === started) return machine.isRunning(pid, started);
  if (host !== machine.host || !machine.isRunning(pid, started)) return false;
  return started !== null || now - startedAt < UNPROVEN_MS;
}

/**
 * Which payouts of a batch began to be sent after an entry of the journal, the first one first: the canary of a batch is
 * told by it, whatever else the batch holds. Read in slices of the journal, only as far as is asked for.
 */

const SLICE = 20_000;

interface BegunQuestion {
  readonly batch: number;
  readonly since: number;
  readonly limit: number;
}

/** Without those that were not sent after all, and those that were replaced since. */
export async function begunSince(sql: Sql, { batch, since, limit }: BegunQuestion): Promise<PayoutId[]> {
  const last = lastEntry(sql);
  const begun = sql(
    `SELECT j.payout AS id FROM journal j JOIN payouts p ON p.id = j.payout
     WHERE j.seq > ?1 AND j.seq <= ?2 AND j.batch = ?3 AND j.kind = 'begin_attempt' AND p.position IS NOT NULL
     AND p.status IN ('sending','in_doubt','accepted','settled','failed','returned')
     GROUP BY j.payout ORDER BY min(j.seq) LIMIT ?4`,
  );
  const found = new Set<PayoutId>();
  for (let from = since; from < last && found.size < limit; from += SLICE) {
    for (const { id } of begun.all(from, Math.min(last, from + SLICE), batch, limit))
      if (found.size < limit) found.add(asPayoutId(String(id)));
    await yieldToEvents();
  }
  return [...found];
}

/** Where the journal of one batch ends, or of all. */
export function lastEntry(sql: Sql, batch?: number): number {
  if (batch !== undefined)
    return numberOf(sql('SELECT max(last) AS last FROM commits WHERE batch = ?').get(batch)?.last ?? 0);
  return numberOf(sql('SELECT max(seq) AS last FROM journal').get()?.last ?? 0);
}
