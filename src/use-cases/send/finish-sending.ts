/**
 * The end of a sending: late answers are waited for, what binds the next run is written down, and the result is made.
 */
import type { InstitutionId } from '../../domain/rows/directory.ts';
import type { MovedCorridor } from './refresh-terms.ts';
import type { Stop } from './send-gate.ts';
import { rememberSetAside } from './send-result.ts';
import { pauseBatch, type Sending } from './send-rows.ts';

/** What sending came to: of a whole batch, or of a part of it. */
export interface RowsSent {
  /** undefined: nothing is left to send but rows of institutions set aside. */
  readonly stop: Stop | undefined;
  /** The deadline came before all was sent, or before it was answered: the service is asked nothing more. */
  readonly isOver: boolean;
  readonly setAside: readonly InstitutionId[];
  /** Rows in doubt that a late answer cleared; the breaker still counts them as doubts. */
  readonly clearedLate: number;
  /** Rows whose replacement was about to be sent when the service said that they were paid after all. */
  readonly incidents: readonly number[];
  /** Corridors whose rows went back for one more approval. */
  readonly moved: readonly MovedCorridor[];
}

export const NOTHING_SENT: RowsSent = {
  ...{ stop: undefined, isOver: false, clearedLate: 0 },
  ...{ setAside: [], incidents: [], moved: [] },
};

/** Sends behind the gate, waits for late answers, and says what it came to. `work` tells what others sent. */
export async function finishSending(
  sending: Sending,
  work: (ending: AbortSignal) => Promise<RowsSent>,
): Promise<RowsSent> {
  const { gate, late, odd, options } = sending;
  const { signal, leaseLost } = options;
  const ending = signal === undefined ? leaseLost : AbortSignal.any([signal, leaseLost]);
  let others: RowsSent;
  let clearedLate: number;
  try {
    others = await work(ending);
    clearedLate = others.clearedLate + (await late.end(ending));
  } finally {
    await closeSending(sending);
  }
  return {
    ...{ stop: gate.stopped(), isOver: gate.isOver(), clearedLate },
    setAside: [...new Set([...gate.setAside(), ...others.setAside])],
    incidents: [...sending.incidents, ...others.incidents, ...odd.values()],
    moved: [...sending.moved, ...others.moved],
  };
}

/** Also when something else broke off the sending: what pauses a batch must bind the next run. */
async function closeSending({ batchId, gate, late, ports, others }: Sending): Promise<void> {
  await late.finish();
  const stop = gate.stopped();
  if (stop?.kind === 'paused') await pauseBatch(batchId, stop.reason, ports);
  await rememberSetAside(batchId, { now: gate.setAside(), before: [...others.setAside] }, ports);
}
