/**
 * Looks up what became of accepted transfers until each is final or the deadline comes. Running out of time is
 * not a failure: what is not final stays accepted and is looked up by the next run.
 */
import { discrepanciesOf } from '../domain/discrepancies.ts';
import { nextPollAt } from '../domain/due-time.ts';
import type { BatchId } from '../domain/instruction.ts';
import { isIn, type Payout, type PayoutIn } from '../domain/payout.ts';
import { daysMs } from '../domain/policy.ts';
import { eventOfPoll } from '../domain/poll-answer.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { Transaction } from '../ports/payment-service.ts';
import { eachDuePayout } from './each-due-payout.ts';
import { recordEvent } from './record-event.ts';
import type { World } from './world.ts';

export interface SettleOptions {
  readonly deadline: Timestamp;
  readonly signal?: AbortSignal | undefined;
}

export interface SettleResult {
  /** Rows that the service first reported as failed and now as finished: somebody may be paid twice. */
  readonly incidents: readonly number[];
  readonly isInterrupted: boolean;
}

const IDLE_MS = 250;

export async function settleBatch(
  batchId: BatchId,
  world: World,
  options: SettleOptions,
): Promise<SettleResult> {
  const { clock, ledger } = world;
  const incidents: number[] = [];
  const look = async (payout: Payout) => {
    const found = await lookAgain(payout, world, options.signal);
    if (found === 'incident') incidents.push(payout.rowNumber);
  };
  // A deadline that has passed already still gives every row that is due one look.
  const until = clock.now() < options.deadline ? options.deadline : undefined;
  const walk = { batchId, until, signal: options.signal };
  // Failures that the service reported stay watched: one look when due, without waiting for them.
  await walkDue({ ...walk, status: 'failed' }, world, look);
  for (;;) {
    await walkDue({ ...walk, status: 'accepted' }, world, look);
    const counts = await ledger.counts(batchId);
    if (counts.accepted === 0 || options.signal?.aborted === true) break;
    if (clock.now() >= options.deadline) break;
    const pause = Math.min(IDLE_MS, world.policy.pollMinMs, options.deadline - clock.now());
    await clock.sleep(Math.max(1, pause), options.signal).catch(() => undefined);
  }
  return { incidents, isInterrupted: options.signal?.aborted === true };
}

interface DueWalk {
  readonly batchId: BatchId;
  readonly status: 'accepted' | 'failed';
  readonly until: Timestamp | undefined;
  readonly signal: AbortSignal | undefined;
}

async function walkDue(
  { batchId, status, until, signal }: DueWalk,
  world: World,
  look: (payout: Payout) => Promise<void>,
): Promise<void> {
  const { clock } = world;
  const { concurrency } = world.policy;
  const mayStart = () => until === undefined || clock.now() < until;
  const walk = { batchId, statuses: [status], dueBy: clock.now(), concurrency, mayStart, signal };
  await eachDuePayout(world, walk, look);
}

/** What a look came to. `unknown`: the service gave no usable answer. */
export type Looked = 'incident' | 'looked' | 'unknown';

/** Asks once what became of a transfer that is on its way, or that the service called failed, and records it. */
export async function lookAgain(
  payout: Payout,
  world: World,
  signal: AbortSignal | undefined,
): Promise<Looked> {
  if (!isWatched(payout, world)) return 'looked';
  const transferId = payout.state.transferId;
  if (transferId === undefined) return 'looked';
  const asked = await world.paymentService.transaction(transferId, signal).catch((error: unknown) => {
    if (signal?.aborted === true) return undefined;
    throw error;
  });
  if (asked === undefined) return 'unknown';
  const dueAt = nextLook(payout, world);
  const event = asked.kind === 'answered' ? eventOf(payout, asked.answer, world) : undefined;
  if (event === undefined) {
    await world.ledger.schedule(payout.id, dueAt, 0);
    return asked.kind === 'unavailable' ? 'unknown' : 'looked';
  }
  const recorded = await recordEvent(payout, event, world, { dueAt });
  if (recorded.kind !== 'recorded' || !isIn(recorded.payout, 'settled')) return 'looked';
  if (!recorded.payout.state.incident) return 'looked';
  await raiseIncident(payout, world);
  return 'incident';
}

function eventOf(payout: PayoutIn<'accepted' | 'failed'>, seen: Transaction, { clock, policy }: World) {
  const discrepancies = discrepanciesOf(payout.instruction, payout.state.pricing, seen);
  return eventOfPoll(payout, { status: seen.status, discrepancies, at: clock.now() }, policy);
}

function isWatched(
  payout: Payout,
  { clock, policy }: World,
): payout is Payout & PayoutIn<'accepted' | 'failed'> {
  if (isIn(payout, 'accepted')) return true;
  if (!isIn(payout, 'failed') || payout.state.basis === 'refused') return false;
  return clock.now() - payout.state.at <= daysMs(policy.failWatchDays);
}

function nextLook({ state }: PayoutIn<'accepted' | 'failed'>, { clock, policy }: World): Timestamp {
  const now = clock.now();
  const speedSeconds = state.pricing.quote?.speedSeconds;
  return nextPollAt({ now, sentAt: state.sentAt ?? now, speedSeconds, random: clock.random() }, policy);
}

/** A failure that turned out paid: loud, kept for ever, and no unsent replacement may still go out. */
async function raiseIncident(payout: Payout, world: World): Promise<void> {
  const at = world.clock.now();
  const { batchId, rowNumber } = payout;
  world.log.write('error', 'incident_failed_then_finished', { batch: batchId, row: rowNumber });
  await world.ledger.note(
    batchId,
    'incident',
    { payout: payout.id, row: rowNumber, what: 'failed, later finished' },
    at,
  );
  world.tell({
    kind: 'warning',
    text: `Row ${rowNumber}: the service said failed and now says finished. A person must look.`,
  });
  for (const replacement of await world.ledger.replacementsOf(payout.id)) {
    const reason = `the payment it replaces (row ${rowNumber}) turned out paid`;
    if (
      isIn(replacement, 'planned') ||
      isIn(replacement, 'quoted') ||
      isIn(replacement, 'approved') ||
      isIn(replacement, 'held')
    ) {
      await recordEvent(replacement, { kind: 'cancel', by: 'payfile', reason, at }, world);
    }
  }
}
