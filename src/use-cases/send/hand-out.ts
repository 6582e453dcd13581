/**
 * Hands out parts of a batch to workers and waits for them. This process keeps the lease, the breaker of the whole
 * batch and the right to stop. Each worker sends its part with its own gate (send-part.ts).
 *
 * Limits:  after a stop, workers have two minutes to finish transfers in flight. After that, payfile treats a worker as
 *          dead. Recovery puts its rows in doubt.
 */
import { NOTHING_SENT, type SendingResult } from './finish-sending.ts';
import type { Stop } from './send-gate.ts';
import type { Sending } from './send-rows.ts';

/** Workers that send parts of a batch. */
export interface PartWorkers {
  readonly parts: number;
  /** Creates all parts again, so that workers can take them. */
  begin(): Promise<void>;
  /** The result of each part; undefined while it is open. */
  results(): Promise<readonly (SendingResult | undefined)[]>;
  /** Stops all parts. Ends parts that no worker has. You may call it again. */
  stop(): Promise<void>;
}

const LOOK_MS = 200;
const STOP_MS_MAX = 120_000;

export async function handOutParts(
  { batchId, gate, ports, noteBegun }: Sending,
  pollLedger: () => Promise<void>,
  partWorkers: PartWorkers,
): Promise<SendingResult> {
  const { approved } = await ports.ledger.counts(batchId);
  if (approved === 0 || gate.stopped() !== undefined) return NOTHING_SENT;
  await noteBegun();
  await partWorkers.begin();
  let stoppedMs: number | undefined;
  for (;;) {
    await ports.clock.sleep(LOOK_MS);
    await pollLedger();
    const parts = await partWorkers.results();
    const ended = parts.filter((part) => part !== undefined);
    if (gate.stopped() !== undefined) {
      stoppedMs ??= ports.clock.monotonicMs();
      await partWorkers.stop();
    }
    const isOverdue = stoppedMs !== undefined && ports.clock.monotonicMs() - stoppedMs > STOP_MS_MAX;
    if (ended.length < parts.length && !isOverdue) continue;
    const [stop] = ended.flatMap((part) => part.stop ?? []).sort(compareStops);
    if (stop !== undefined && ended.some(({ isOver }) => isOver)) gate.stopAtDeadline(stop);
    else if (stop !== undefined) gate.stop(stop);
    // A worker may have recorded a pause just now.
    await pollLedger();
    return sumOfParts(ended);
  }
}

/** Adds up the parts, without their stop: the gate of the batch already has it. */
function sumOfParts(parts: readonly SendingResult[]): SendingResult {
  return {
    ...NOTHING_SENT,
    setAside: parts.flatMap(({ setAside }) => setAside),
    clearedLate: parts.reduce((sum, { clearedLate }) => sum + clearedLate, 0),
    incidents: parts.flatMap(({ incidents }) => incidents),
    moved: parts.flatMap(({ moved }) => moved),
  };
}

const WORST_FIRST: readonly Stop['kind'][] = [
  'paused',
  'canary',
  'over_debit',
  'outage',
  'limited',
  'interrupted',
  'lease_lost',
];

function compareStops(one: Stop, other: Stop): number {
  return WORST_FIRST.indexOf(one.kind) - WORST_FIRST.indexOf(other.kind);
}
