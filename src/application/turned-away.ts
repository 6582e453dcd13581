/**
 * Rows that the service turned away with 429: how often in their lives, and when one may go again.
 *
 * Why:     a service that executes and then says 429 must not be sent a row again and again. Three tries in a row's
 *          life are counted in the journal, so that no kill and no other process begins to count anew; after the third
 *          the row is in doubt. Whoever runs next waits as long as the service asked, whatever the batch.
 */
import type { BatchId } from '../domain/instruction.ts';
import type { Evidence, Payout } from '../domain/payout.ts';
import { plusMs, type Timestamp } from '../domain/timestamp.ts';
import type { JournalEntry } from '../ports/ledger.ts';
import type { SendOutcome } from '../ports/payment-service.ts';
import type { World } from './world.ts';

export const TRIES_MAX = 3;
/** At least so long after the first time and the second: an honest limit needs time to pass. */
const WAITS_MS = [1_000, 10_000] as const;
const NOTE_KIND = 'rate_limited';

export interface TurnedAway {
  readonly times: number;
  /** When the first of these requests began. */
  readonly since: Timestamp | undefined;
  /** How long it still has to wait. */
  readonly leftMs: number;
}

const NEVER: TurnedAway = { times: 0, since: undefined, leftMs: 0 };

export async function turnedAway(
  { id, attempts }: Pick<Payout, 'id' | 'attempts'>,
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
): Promise<TurnedAway> {
  if (attempts === 0) return NEVER;
  const limited = (await ledger.journalOf(id)).filter(
    ({ kind, body }) => kind === 'turn_away' && body['why'] === 'rate_limited',
  );
  const [first] = limited;
  if (first === undefined) return NEVER;
  const evidence = first.body['evidence'] as Partial<Evidence> | undefined;
  const leftMs = Math.max(...limited.map((entry) => leftOf(entry, clock.now())));
  return { times: limited.length, since: evidence?.startedAt ?? first.at, leftMs };
}

/** How long the row, and everyone, waits after this answer; undefined when it was no 429. */
export function waitAfter(outcome: SendOutcome, { times }: TurnedAway): number | undefined {
  if (outcome.kind !== 'turned_away' || outcome.why !== 'rate_limited') return undefined;
  return Math.max(outcome.delayMs ?? 0, WAITS_MS[times] ?? 0);
}

/**
 * The last of a row's tries is in doubt: one of the three may have been executed all the same. So may what was turned
 * away before an answer that was lost; the doubt covers the time of them all.
 */
export function afterTries(outcome: SendOutcome, { times, since }: TurnedAway): SendOutcome {
  const isLast = outcome.kind === 'turned_away' && outcome.why === 'rate_limited' && times + 1 >= TRIES_MAX;
  if (!isLast && outcome.kind !== 'in_doubt') return outcome;
  const { evidence } = outcome;
  const whole = since === undefined ? evidence : { ...evidence, startedAt: since };
  if (outcome.kind === 'in_doubt') return { ...outcome, evidence: whole };
  return { kind: 'in_doubt', reason: 'turned_away', evidence: whole };
}

/** Kept in the journal, for whoever runs next. */
export async function keepLimit(
  batchId: BatchId,
  until: Timestamp,
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
): Promise<void> {
  await ledger.note(batchId, NOTE_KIND, { until }, clock.now());
}

/** Until when the service asked to be left alone, by a transfer of whatever batch of this ledger; undefined: it did not. */
export async function keptLimit({
  ledger,
  clock,
}: Pick<World, 'ledger' | 'clock'>): Promise<Timestamp | undefined> {
  const now = clock.now();
  let leftMs = 0;
  for (const { id } of await ledger.batches())
    for (const entry of await ledger.notes(id, NOTE_KIND)) leftMs = Math.max(leftMs, leftOf(entry, now));
  return leftMs > 0 ? plusMs(now, leftMs) : undefined;
}

/** Never longer than was asked for then, even where the clock was set back since. */
function leftOf({ at, body }: Pick<JournalEntry, 'at' | 'body'>, now: Timestamp): number {
  const until = body['until'];
  return typeof until === 'number' ? Math.max(0, Math.min(until - now, until - at)) : 0;
}
