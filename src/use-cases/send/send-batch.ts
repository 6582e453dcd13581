/**
 * Sends what is approved, with bounded concurrency, until nothing is left or something says stop.
 *
 * The caller holds the batch's lease and has recovered it.
 */

import type { Money } from '../../domain/money/money.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { requireWholeFile } from '../intake/half-read.ts';
import type { Ports } from '../ports.ts';
import { createPriceQuestions } from '../price/ask-name-and-quote.ts';
import { finishSending, NOTHING_SENT, type RowsSent } from './finish-sending.ts';
import { type Canary, type CanaryOptions, canaryOf, sendFirstRows } from './first-rows.ts';
import { type Crew, handOut } from './hand-out.ts';
import { refreshTerms } from './refresh-terms.ts';
import type { Stop } from './send-gate.ts';
import { lookAround, openSending, type Sending, type SendRowsOptions, sendInPasses } from './send-rows.ts';

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

export interface SendBatchResult extends RowsSent {
  readonly doubts: number;
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
  const nothing = { ...NOTHING_SENT, doubts: counts.in_doubt };
  if (batch?.pause !== undefined) return { ...nothing, stop: { kind: 'paused', reason: batch.pause.reason } };
  const canary = await canaryOf(batchId, options.canary ?? NO_CANARY, ports);
  if (counts.approved === 0) return nothing;
  const { crew, ...rest } = options;
  const questions = createPriceQuestions(ports, options.signal);
  const inFlight = crew && crew.parts * ports.policy.concurrency;
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
    return { ...nothing, isOver: gate.isOver(), stop: { kind: 'outage', reason: terms.reason } };
  const sent = await finishSending(sending, (ending) => sendInOrder(sending, canary, crew, ending));
  const moved = [...terms.moved, ...sent.moved];
  for (const { rows: _rows, ...body } of moved)
    await ports.ledger.note(batchId, 'terms_moved', body, ports.clock.now());
  return { ...sent, moved, stop: await stopOf(sent, batchId, ports), doubts: gate.doubts() };
}

/** Where no row is left to send, only answers were waited for. */
async function stopOf(
  { stop, isOver }: RowsSent,
  batchId: BatchId,
  { ledger }: Ports,
): Promise<Stop | undefined> {
  if (stop?.kind !== 'outage' || !isOver) return stop;
  return (await ledger.counts(batchId)).approved === 0 ? undefined : stop;
}

/** The first transfer of a ledger, the canary, then all the others: here, or by whoever takes parts. */
async function sendInOrder(
  sending: Sending,
  canary: Canary,
  crew: Crew | undefined,
  ending: AbortSignal,
): Promise<RowsSent> {
  await sendFirstRows(sending, canary, ending);
  // A new one, so that a pause of the last moment is seen before the others go.
  const look = lookAround(sending);
  // Until one got through few are in flight, and nobody else sends.
  await sendInPasses(sending, look, () => crew !== undefined && sending.gate.isUnderWay());
  return crew === undefined ? NOTHING_SENT : handOut(sending, look, crew);
}

/** As an earlier run asked. */
const NO_CANARY = { rows: undefined, by: undefined } as const;
