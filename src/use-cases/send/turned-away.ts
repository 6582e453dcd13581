/**
 * Rows that the service turned away, with 429 or for their token: how often so far, and when one may be sent again.
 *
 * Why:     a service that executes and then says 429, or that the session has ended, must not be sent a row again and
 *          again. Three tries in a row's life are counted in the journal, so that neither a kill nor another process starts
 *          the count again; after the third the row is in doubt. The next run of any batch waits as long as a 429 asked.
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
/** At least this long after the first 429 and the second: a real limit needs time to pass. */
const WAITS_MS = [1_000, 10_000] as const;
const NOTE_KIND = 'rate_limited';

export interface TurnedAway {
  /** For whatever reason. */
  readonly tries: number;
  /** Of them with 429. */
  readonly times: number;
  /** When the first of these requests began. */
  readonly since: Timestamp | undefined;
  /** How long it still has to wait. */
  readonly leftMs: number;
}

const NEVER: TurnedAway = { tries: 0, times: 0, since: undefined, leftMs: 0 };

/** What was withdrawn unsent and is paid again is the same row: its tries count on. */
export async function turnedAway(
  payout: Payout,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<TurnedAway> {
  const relatives = payout.instruction?.replaces === undefined ? [] : await relativesOf(payout, { ledger });
  const withdrawn = relatives.filter(({ state }) => state.status === 'canceled');
  const tries: JournalEntry[] = [];
  for (const { id, attempts } of [...withdrawn, payout])
    if (attempts > 0) tries.push(...turnAwaysIn(await ledger.journalOf(id)));
  const [first] = tries;
  if (first === undefined) return NEVER;
  const evidence = first.body['evidence'] as Partial<Evidence> | undefined;
  const leftMs = Math.max(...tries.map(({ at, body }) => leftOf(at, body['until'], clock.now())));
  const times = tries.filter(({ body }) => body['why'] === 'rate_limited').length;
  return { tries: tries.length, times, since: evidence?.startedAt ?? first.at, leftMs };
}

/** Why a row waits for a person: the service turned it away too often. */
export function heldAfterTries({ tries, times }: TurnedAway): string {
  const how = times === tries ? 'HTTP 429' : 'HTTP 429, or a token that it refused';
  return `The service turned this row away ${tries} times (${how}), and may have paid it anyway`;
}

/** How long the row, and everyone, waits after this answer; undefined when it was no 429. */
export function waitAfter(outcome: SendOutcome, { times }: TurnedAway): number | undefined {
  if (outcome.kind !== 'turned_away' || outcome.why !== 'rate_limited') return undefined;
  return Math.max(outcome.delayMs ?? 0, WAITS_MS[times] ?? 0);
}

/**
 * The last of a row's tries is in doubt: one of the three may have been executed all the same. So may what was turned
 * away before an answer that was lost. So may an earlier try before a refusal, which may refuse the second of two
 * payments. The doubt covers the time of all tries.
 */
export function afterTries(outcome: SendOutcome, { tries, since }: TurnedAway): SendOutcome {
  const isLast = outcome.kind === 'turned_away' && tries + 1 >= TRIES_MAX;
  const isSecond = outcome.kind === 'refused' && tries > 0;
  if (!isLast && !isSecond && outcome.kind !== 'in_doubt') return outcome;
  const { evidence } = outcome;
  const whole = since === undefined ? evidence : { ...evidence, startedAt: since };
  if (outcome.kind === 'in_doubt') return { ...outcome, evidence: whole };
  return { kind: 'in_doubt', reason: 'turned_away', evidence: whole };
}

/** Kept in the journal, for whoever runs next. */
export async function recordRateLimit(
  batchId: BatchId,
  until: Timestamp,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  await ledger.note(batchId, NOTE_KIND, { until }, clock.now());
}

/** Until when nothing is sent after a 429, in any batch of this ledger; undefined: nothing waits. */
export async function recordedRateLimit({
  ledger,
  clock,
}: Pick<Ports, 'ledger' | 'clock'>): Promise<Timestamp | undefined> {
  const now = clock.now();
  let leftMs = 0;
  for (const { at, body } of await ledger.notesOfAll(NOTE_KIND))
    leftMs = Math.max(leftMs, leftOf(at, body.until, now));
  return leftMs > 0 ? plusMs(now, leftMs) : undefined;
}

/** Never longer than the wait was then, even where the clock was set back since. */
function leftOf(at: Timestamp, until: unknown, now: Timestamp): number {
  return typeof until === 'number' ? Math.max(0, Math.min(until - now, until - at)) : 0;
}
