/**
 * Sends approved rows with bounded concurrency, until none is left or sending must stop.
 *
 * The caller holds the batch's lease and has recovered it.
 */

import type { Money } from '../../domain/money/money.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { requireWholeFile } from '../intake/half-read.ts';
import type { Ports } from '../ports.ts';
import { createPriceQuestions } from '../price/ask-name-and-quote.ts';
import { finishSending, NOTHING_SENT, type SendingResult } from './finish-sending.ts';
import { type Canary, type CanaryOptions, canaryOf, sendFirstRows } from './first-rows.ts';
import { handOutParts, type PartWorkers } from './hand-out.ts';
import { refreshTerms } from './refresh-terms.ts';
import type { Stop } from './send-gate.ts';
import {
  createLedgerPoll,
  openSending,
  type Sending,
  type SendRowsOptions,
  sendInPasses,
} from './send-rows.ts';

export interface SendBatchOptions {
  /** Person and command, for the journal. */
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when this process loses the lease. */
  readonly leaseLost: AbortSignal;
  /** Maximum debit, fees included; undefined: no bound. */
  readonly maxDebits?: readonly Money[] | undefined;
  /** The canary; undefined keeps that of an earlier run. */
  readonly canary?: CanaryOptions | undefined;
  /** Workers that send parts; undefined: only this process sends. */
  readonly partWorkers?: PartWorkers | undefined;
}

export interface SendBatchResult extends SendingResult {
  readonly doubts: number;
}

export async function sendBatch(
  batchId: BatchId,
  ports: Ports,
  options: SendBatchOptions,
): Promise<SendBatchResult> {
  const closing = new AbortController();
  try {
    return await sendUntilStopped(batchId, ports, { ...options, closeSignal: closing.signal });
  } finally {
    closing.abort();
  }
}

async function sendUntilStopped(
  batchId: BatchId,
  ports: Ports,
  options: SendBatchOptions & Pick<SendRowsOptions, 'closeSignal'>,
): Promise<SendBatchResult> {
  const batch = await ports.ledger.batch(batchId);
  requireWholeFile(batch);
  const counts = await ports.ledger.counts(batchId);
  const nothing = { ...NOTHING_SENT, doubts: counts.in_doubt };
  if (batch?.pause !== undefined) return { ...nothing, stop: { kind: 'paused', reason: batch.pause.reason } };
  const canary = await canaryOf(batchId, options.canary ?? EARLIER_CANARY, ports);
  if (counts.approved === 0) return nothing;
  const { partWorkers, ...rest } = options;
  const questions = createPriceQuestions(ports, options.signal);
  const inFlight = partWorkers && partWorkers.parts * ports.policy.concurrency;
  const rows = { ...rest, questions, deadline: options.canary?.deadline, inFlight };
  const sending = await openSending(batchId, counts.approved, ports, rows);
  const { gate } = sending;
  await gate.waitOutLimit();
  const stopBefore = gate.stopped();
  if (stopBefore?.kind === 'limited' || stopBefore?.kind === 'interrupted')
    return { ...nothing, stop: stopBefore };
  const asking = { questions, signal: options.signal };
  const terms = await refreshTerms(batchId, asking, ports).catch((error: unknown) => {
    if (options.signal?.aborted === true) return { kind: 'interrupted' } as const;
    throw error;
  });
  if (terms.kind === 'interrupted') return { ...nothing, stop: terms };
  if (terms.kind === 'unavailable')
    return { ...nothing, isOver: gate.isPastDeadline(), stop: { kind: 'outage', reason: terms.reason } };
  const sent = await finishSending(sending, (interruptSignal) =>
    sendInOrder(sending, canary, partWorkers, interruptSignal),
  );
  const moved = [...terms.moved, ...sent.moved];
  for (const { rows: _rows, ...body } of moved)
    await ports.ledger.note(batchId, 'terms_moved', body, ports.clock.now());
  return { ...sent, moved, stop: await stopOf(sent, batchId, ports), doubts: gate.doubts() };
}

/** An outage after the last row was sent is no stop. */
async function stopOf(
  { stop, isOver }: SendingResult,
  batchId: BatchId,
  { ledger }: Ports,
): Promise<Stop | undefined> {
  if (stop?.kind !== 'outage' || !isOver) return stop;
  return (await ledger.counts(batchId)).approved === 0 ? undefined : stop;
}

/** Sends the first transfer, the canary, then all other rows: in this process, or by workers. */
async function sendInOrder(
  sending: Sending,
  canary: Canary,
  partWorkers: PartWorkers | undefined,
  interruptSignal: AbortSignal,
): Promise<SendingResult> {
  await sendFirstRows(sending, canary, interruptSignal);
  // A new poll, so that it sees a recent pause before the other rows are sent.
  const pollLedger = createLedgerPoll(sending);
  // Until the first acceptance, only this process sends, and few rows are in flight.
  await sendInPasses(sending, pollLedger, () => partWorkers !== undefined && sending.gate.isUnderWay());
  return partWorkers === undefined ? NOTHING_SENT : handOutParts(sending, pollLedger, partWorkers);
}

/** Keeps the canary of an earlier run. */
const EARLIER_CANARY = { rows: undefined, by: undefined } as const;
