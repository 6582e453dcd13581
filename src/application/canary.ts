/**
 * The canary: the first rows of a batch go out alone, and the rest waits until they are settled. How many was asked
 * is kept in the ledger, and how far they came is read from it, so that a run after a crash, with or without
 * the flag, holds the rest back just the same.
 *
 * A canary that failed, came back, is in doubt or is not settled by the deadline stops the sending; the rest stays
 * approved. A person who looked says `--canary 0`.
 */
import type { BatchId } from '../domain/instruction.ts';
import type { Payout, PayoutIn, Status } from '../domain/payout.ts';
import { plusMs, type Timestamp } from '../domain/timestamp.ts';
import { nextApproved } from './first-transfer.ts';
import type { SendGate } from './send-gate.ts';
import { settleBatch } from './settle-batch.ts';
import type { World } from './world.ts';

export interface CanaryOptions {
  /** undefined: as many as an earlier run of the batch asked for; 0: none, whatever was asked for. */
  readonly rows: number | undefined;
  readonly deadline: () => Timestamp;
}

const NOTE_KIND = 'canary';
const DEADLINE_MS = 15 * 60_000;
const BAD = ['in_doubt', 'sending', 'failed', 'returned'] as const satisfies readonly Status[];
const BAD_WORDS = {
  in_doubt: 'is in doubt',
  sending: 'is in doubt',
  failed: 'failed',
  returned: 'was returned',
} as const;
const NAMED_MAX = 5;

/** How many rows are the canary. Written down before the first of them is sent. */
export async function canaryRows(
  batchId: BatchId,
  asked: number | undefined,
  world: Pick<World, 'ledger' | 'clock'>,
): Promise<number> {
  const before = (await world.ledger.notes(batchId, NOTE_KIND)).at(-1)?.body['rows'];
  const known = typeof before === 'number' ? before : 0;
  if (asked === undefined || asked === known) return known;
  await world.ledger.note(batchId, NOTE_KIND, { rows: asked }, world.clock.now());
  return asked;
}

export interface CanaryFlight {
  readonly rows: number;
  readonly deadline: (() => Timestamp) | undefined;
  readonly gate: SendGate;
  readonly send: (payout: PayoutIn<'approved'> & Payout) => Promise<void>;
  readonly lookForPause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Sends and awaits the canary; stops the gate where the rest may not follow. Gives incidents that came to light. */
export async function flyCanary(
  batchId: BatchId,
  world: World,
  flight: CanaryFlight,
): Promise<readonly number[]> {
  const { rows, gate, signal } = flight;
  const { ledger, clock } = world;
  if (rows === 0) return [];
  const incidents: number[] = [];
  // Counted on the monotonic clock: a wall clock that is set back must not make this endless.
  let endMs: number | undefined;
  while (gate.stopped() === undefined) {
    const counts = await ledger.counts(batchId);
    if (counts.settled >= rows || (await stopAtBadCanary(batchId, rows, { gate, world }))) break;
    if (counts.settled + counts.accepted < rows && (await sendNext(batchId, world, flight))) continue;
    if (counts.accepted === 0 || signal.aborted) break;
    endMs ??= clock.monotonicMs() + patienceOf(flight, clock.now());
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) {
      const reason = `${counts.settled} of ${rows} settled before the deadline`;
      gate.stop({ kind: 'canary', reason, row: undefined });
      break;
    }
    const deadline = plusMs(clock.now(), leftMs);
    incidents.push(...(await settleBatch(batchId, world, { deadline, signal })).incidents);
  }
  return incidents;
}

/** True when a row of the canary is no good: nothing more of the batch may go out. */
export async function stopAtBadCanary(
  batchId: BatchId,
  rows: number,
  { gate, world }: { readonly gate: SendGate; readonly world: Pick<World, 'ledger'> },
): Promise<boolean> {
  const counts = await world.ledger.counts(batchId);
  if (counts.settled >= rows || BAD.every((status) => counts[status] === 0)) return false;
  gate.stop({ kind: 'canary', ...(await whatIsWrong(batchId, world)) });
  return true;
}

function patienceOf({ deadline }: CanaryFlight, now: Timestamp): number {
  return deadline === undefined ? DEADLINE_MS : deadline() - now;
}

/** One row at a time: the first bad answer is the last. False when no row is left that may be sent. */
async function sendNext(batchId: BatchId, world: World, flight: CanaryFlight): Promise<boolean> {
  const { gate, send, lookForPause } = flight;
  await lookForPause();
  if (!(await gate.enter())) return false;
  const next = await nextApproved(batchId, world, gate);
  if (next === undefined) gate.leave(undefined);
  else await send(next);
  return next !== undefined;
}

async function whatIsWrong(batchId: BatchId, world: Pick<World, 'ledger'>) {
  const wrong: { readonly text: string; readonly row: number }[] = [];
  for (const status of BAD) {
    const { payouts } = await world.ledger.page(batchId, {
      statuses: [status],
      after: undefined,
      limit: NAMED_MAX,
    });
    wrong.push(...payouts.map(({ rowNumber: row }) => ({ text: `row ${row} ${BAD_WORDS[status]}`, row })));
  }
  const named = wrong.slice(0, NAMED_MAX);
  return { reason: named.map(({ text }) => text).join(', '), row: named[0]?.row };
}
