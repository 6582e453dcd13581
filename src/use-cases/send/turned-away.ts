/**
 * Rows that the service turned away with 429 or for their token: the number of tries, and when to retry.
 *
 * Why:     a service may execute a transfer and still answer 429 or “session ended”. So a row gets three tries at most.
 *          The journal counts them, so that a crash or another process does not restart the count. After the third, the
 *          row is in doubt. The next run of any batch waits as long as a 429 asked.
 */

import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Evidence, Payout } from '../../domain/payouts/payout.ts';
import { turnAwaysIn } from '../../domain/payouts/turned-away.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { JournalEntry } from '../../ports/ledger/payouts.ts';
import type { SendOutcome } from '../../ports/payment-service.ts';
import { relativesOf } from '../decide/relatives.ts';
import type { Ports } from '../ports.ts';

export const TRIES_MAX = 3;
/** Shortest wait after the first and the second 429. A rate limit ends only after some time. */
const WAITS_MS = [1_000, 10_000] as const;
const NOTE_KIND = 'rate_limited';

export interface TurnedAwayTries {
  /** Tries for any reason. */
  readonly tries: number;
  /** Tries with 429. */
  readonly rateLimitedTries: number;
  /** Start of the first try. */
  readonly since: Timestamp | undefined;
  /** Remaining wait. */
  readonly leftMs: number;
}

const NO_TRIES: TurnedAwayTries = { tries: 0, rateLimitedTries: 0, since: undefined, leftMs: 0 };

/** Also counts tries of withdrawn payments that this one replaces, because it is the same row. */
export async function turnedAwayTriesOf(
  payout: Payout,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<TurnedAwayTries> {
  const relatives = payout.instruction?.replaces === undefined ? [] : await relativesOf(payout, { ledger });
  const withdrawn = relatives.filter(({ state }) => state.status === 'canceled');
  const tries: JournalEntry[] = [];
  for (const { id, attempts } of [...withdrawn, payout])
    if (attempts > 0) tries.push(...turnAwaysIn(await ledger.journalOf(id)));
  const [first] = tries;
  if (first === undefined) return NO_TRIES;
  const evidence = first.body['evidence'] as Partial<Evidence> | undefined;
  const leftMs = Math.max(...tries.map(({ at, body }) => remainingMsOf(at, body['until'], clock.now())));
  const rateLimitedTries = tries.filter(({ body }) => body['why'] === 'rate_limited').length;
  return { tries: tries.length, rateLimitedTries, since: evidence?.startedAt ?? first.at, leftMs };
}

/** Hold reason after too many tries. */
export function tooManyTriesText({ tries, rateLimitedTries }: TurnedAwayTries): string {
  const how = rateLimitedTries === tries ? 'HTTP 429' : 'HTTP 429, or a token that it refused';
  return `The service turned this row away ${tries} times (${how}), and may have paid it anyway`;
}

/** Milliseconds that all rows wait after this answer; undefined if it was no 429. */
export function waitMsAfter(outcome: SendOutcome, { rateLimitedTries }: TurnedAwayTries): number | undefined {
  if (outcome.kind !== 'turned_away' || outcome.why !== 'rate_limited') return undefined;
  return Math.max(outcome.delayMs ?? 0, WAITS_MS[rateLimitedTries] ?? 0);
}

/**
 * After the last try the row is in doubt, because one of the three may have been executed. The same holds for a lost
 * answer after a turned-away try. A refusal after such a try is in doubt too: the earlier try may have paid, and the
 * service may have refused only the repeat. The doubt covers the time of all tries.
 */
export function outcomeAfterTries(outcome: SendOutcome, { tries, since }: TurnedAwayTries): SendOutcome {
  const isLast = outcome.kind === 'turned_away' && tries + 1 >= TRIES_MAX;
  const isRefusedRetry = outcome.kind === 'refused' && tries > 0;
  if (!isLast && !isRefusedRetry && outcome.kind !== 'in_doubt') return outcome;
  const { evidence } = outcome;
  const whole = since === undefined ? evidence : { ...evidence, startedAt: since };
  if (outcome.kind === 'in_doubt') return { ...outcome, evidence: whole };
  return { kind: 'in_doubt', reason: 'turned_away', evidence: whole };
}

/** Records a limit in the journal for the next run. */
export async function recordRateLimit(
  batchId: BatchId,
  until: Timestamp,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  await ledger.note(batchId, NOTE_KIND, { until }, clock.now());
}

/** End of the current limit for all batches of the ledger; undefined: no limit. */
export async function recordedRateLimit({
  ledger,
  clock,
}: Pick<Ports, 'ledger' | 'clock'>): Promise<Timestamp | undefined> {
  const now = clock.now();
  let leftMs = 0;
  for (const { at, body } of await ledger.notesOfAll(NOTE_KIND))
    leftMs = Math.max(leftMs, remainingMsOf(at, body.until, now));
  return leftMs > 0 ? plusMs(now, leftMs) : undefined;
}

/** Never longer than the original wait, even if someone set the clock back. */
function remainingMsOf(at: Timestamp, until: unknown, now: Timestamp): number {
  return typeof until === 'number' ? Math.max(0, Math.min(until - now, until - at)) : 0;
}
