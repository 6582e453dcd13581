/**
 * Ends a sending: waits for late answers and returns the result. Records pauses and set-aside institutions, because the
 * next run needs them.
 */
import type { InstitutionId } from '../../domain/rows/directory.ts';
import type { ChangedCorridor } from './refresh-terms.ts';
import type { Stop } from './send-gate.ts';
import { rememberSetAside } from './send-result.ts';
import { pauseBatch, type Sending } from './send-rows.ts';

/** The result of sending a batch, or a part of it. */
export interface SendingResult {
  /** undefined: all rows were sent, except those of institutions set aside. */
  readonly stop: Stop | undefined;
  /** The deadline passed before all rows were sent and answered. payfile sends no more requests. */
  readonly isOver: boolean;
  readonly setAside: readonly InstitutionId[];
  /** How many doubts a late answer ended. The breaker still counts them. */
  readonly clearedLate: number;
  /** Row numbers found paid just before their replacement was sent. */
  readonly incidents: readonly number[];
  /** Corridors whose rows need approval again. */
  readonly moved: readonly ChangedCorridor[];
}

export const NOTHING_SENT: SendingResult = {
  ...{ stop: undefined, isOver: false, clearedLate: 0 },
  ...{ setAside: [], incidents: [], moved: [] },
};

/**
 * Runs `work`, waits for late answers, and adds up the results. `work` sends rows, and returns the results of other
 * processes.
 */
export async function finishSending(
  sending: Sending,
  work: (interruptSignal: AbortSignal) => Promise<SendingResult>,
): Promise<SendingResult> {
  const { gate, late, skippedRows, options } = sending;
  const { signal, leaseLost } = options;
  const interruptSignal = signal === undefined ? leaseLost : AbortSignal.any([signal, leaseLost]);
  let others: SendingResult;
  let clearedLate: number;
  try {
    others = await work(interruptSignal);
    clearedLate = others.clearedLate + (await late.waitForAnswers(interruptSignal));
  } finally {
    await closeSending(sending);
  }
  return {
    ...{ stop: gate.stopped(), isOver: gate.isPastDeadline(), clearedLate },
    setAside: [...new Set([...gate.setAside(), ...others.setAside])],
    incidents: [...sending.incidents, ...others.incidents, ...skippedRows.values()],
    moved: [...sending.moved, ...others.moved],
  };
}

/** Runs after errors too, because the next run must respect a pause. */
async function closeSending({ batchId, gate, late, ports, others }: Sending): Promise<void> {
  await late.stopWaiting();
  const stop = gate.stopped();
  if (stop?.kind === 'paused') await pauseBatch(batchId, stop.reason, ports);
  await rememberSetAside(batchId, { now: gate.setAside(), before: [...others.setAside] }, ports);
}
