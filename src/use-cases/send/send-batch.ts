/**
 * Sends what is approved, with bounded concurrency, until nothing is left or something says stop.
 *
 * The caller holds the batch's lease and has recovered it.
 */

import type { Money } from '../../domain/money/money.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { InstitutionId } from '../../domain/rows/directory.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { requireWholeFile } from '../intake/half-read.ts';
import type { Ports } from '../ports.ts';
import { createPriceQuestions } from '../price/ask-name-and-quote.ts';
import { type Canary, type CanaryOptions, canaryOf, sendFirstRows } from './first-rows.ts';
import { type Crew, handOut, NOTHING_SENT, type PartsSent } from './hand-out.ts';
import { type MovedCorridor, refreshTerms } from './refresh-terms.ts';
import type { SendGate, Stop } from './send-gate.ts';
import {
  closeSending,
  lookAround,
  openSending,
  type Sending,
  type SendRowsOptions,
  sendInPasses,
} from './send-rows.ts';
import { recordedRateLimit } from './turned-away.ts';

export interface SendBatchOptions {
  /** Who sends, and by which command: the journal keeps it. */
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the lease was lost. */
  readonly leaseLost: AbortSignal;
  /** At most this may be taken in all, fees included; undefined: no bound. */
  readonly maxDebits?: readonly Money[] | undefined;
  /** The first rows go alone; undefined: as an earlier run asked. */
  readonly canary?: CanaryOptions | undefined;
  /** Others who send parts of it; undefined: this process sends alone. */
  readonly crew?: Crew | undefined;
}

export interface SendBatchResult {
  /** undefined: nothing is left to send but rows of institutions set aside. */
  readonly stop: Stop | undefined;
  /** Corridors whose rows went back for one more approval. */
  readonly moved: readonly MovedCorridor[];
  readonly setAside: readonly InstitutionId[];
  readonly doubts: number;
  /** Rows in doubt that a late answer cleared; the breaker still counts them as doubts. */
  readonly clearedLate: number;
  /** Rows whose replacement was about to be sent when the service said that they were paid after all. */
  readonly incidents: readonly number[];
  /** The deadline came before all was sent, or before it was answered: this run asks the service nothing more. */
  readonly isOver: boolean;
}

export async function sendBatch(
  batchId: BatchId,
  ports: Ports,
  options: SendBatchOptions,
): Promise<SendBatchResult> {
  const over = new AbortController();
  try {
    return await send(batchId, ports, { ...options, over: over.signal });
  } finally {
    over.abort();
  }
}

async function send(
  batchId: BatchId,
  ports: Ports,
  options: SendBatchOptions & Pick<SendRowsOptions, 'over'>,
): Promise<SendBatchResult> {
  const batch = await ports.ledger.batch(batchId);
  requireWholeFile(batch);
  const counts = await ports.ledger.counts(batchId);
  const none = { moved: [], setAside: [], doubts: counts.in_doubt, clearedLate: 0, incidents: [] };
  const nothing = { ...none, isOver: false };
  if (batch?.pause !== undefined) return { ...nothing, stop: { kind: 'paused', reason: batch.pause.reason } };
  const canary = await canaryOf(batchId, options.canary ?? NO_CANARY, ports);
  if (counts.approved === 0) return { ...nothing, stop: undefined };
  const { crew, ...rest } = options;
  const questions = createPriceQuestions(ports, options.signal);
  const inFlight = crew && crew.parts * ports.policy.concurrency;
  const rows = { ...rest, questions, deadline: options.canary?.deadline, inFlight };
  const sending = await openSending(batchId, counts.approved, ports, rows);
  const { gate } = sending;
  const kept = await recordedRateLimit(ports);
  if (kept !== undefined) gate.limitUntil(kept);
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
    return { ...nothing, isOver: gate.isOver(), stop: { kind: 'outage', reason: terms.reason } };
  let done = NOTHING_SENT;
  try {
    done = await sendInOrder(sending, canary, crew);
  } finally {
    await closeSending(sending);
  }
  const moved = [...terms.moved, ...sending.moved, ...done.moved];
  for (const { rows: _rows, ...body } of moved)
    await ports.ledger.note(batchId, 'terms_moved', body, ports.clock.now());
  return {
    stop: await stopOf(gate, batchId, ports),
    isOver: gate.isOver(),
    moved,
    setAside: [...new Set([...gate.setAside(), ...done.setAside])],
    doubts: gate.doubts(),
    clearedLate: done.clearedLate,
    incidents: [...sending.incidents, ...done.incidents, ...sending.odd.values()],
  };
}

/** Where no row is left to send, only answers were waited for. */
async function stopOf(gate: SendGate, batchId: BatchId, { ledger }: Ports): Promise<Stop | undefined> {
  const stop = gate.stopped();
  if (stop?.kind !== 'outage' || !gate.isOver()) return stop;
  return (await ledger.counts(batchId)).approved === 0 ? undefined : stop;
}

/** The first transfer of a ledger, the canary, then all the others: here, or by whoever takes parts. */
async function sendInOrder(sending: Sending, canary: Canary, crew: Crew | undefined): Promise<PartsSent> {
  const { gate, late, options } = sending;
  const { signal, leaseLost } = options;
  const ending = signal === undefined ? leaseLost : AbortSignal.any([signal, leaseLost]);
  await sendFirstRows(sending, canary, ending);
  // A new one, so that a pause of the last moment is seen before the others go.
  const look = lookAround(sending);
  // Until one got through few are in flight, and nobody else sends.
  await sendInPasses(sending, look, () => crew !== undefined && gate.isUnderWay());
  const parts = crew === undefined ? NOTHING_SENT : await handOut(sending, look, crew);
  return { ...parts, clearedLate: (await late.end(ending)) + parts.clearedLate };
}

/** As an earlier run asked. */
const NO_CANARY = { rows: undefined, by: undefined } as const;
