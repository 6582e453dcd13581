/**
 * Hands the rows of a batch out in parts, and waits for those who send them. Whoever hands out keeps the batch's lease, the
 * breaker of the whole and the word that says stop; each part is sent behind a gate of its own (send-part.ts).
 *
 * Limits:  after a stop, parts have two minutes to end what is in flight; one that does not is taken for dead, and its rows
 *          are in doubt when the batch is taken over.
 */
import { NOTHING_SENT, type RowsSent } from './finish-sending.ts';
import type { Stop } from './send-gate.ts';
import type { Sending } from './send-rows.ts';

/** Others who send parts of a batch beside this process. */
export interface Crew {
  readonly parts: number;
  /** Lets others take the parts, all of which are made anew. */
  begin(): Promise<void>;
  /** What each part came to; undefined: somebody has it, or nobody took it yet. */
  look(): Promise<readonly (RowsSent | undefined)[]>;
  /** Nothing more of any part is begun; parts that nobody has are over. May be called again. */
  stop(): Promise<void>;
}

const LOOK_MS = 200;
const STOP_MS_MAX = 120_000;

export async function handOut(
  { batchId, gate, ports, noteBegun }: Sending,
  look: () => Promise<void>,
  crew: Crew,
): Promise<RowsSent> {
  const { approved } = await ports.ledger.counts(batchId);
  if (approved === 0 || gate.stopped() !== undefined) return NOTHING_SENT;
  await noteBegun();
  await crew.begin();
  let stoppedMs: number | undefined;
  for (;;) {
    await ports.clock.sleep(LOOK_MS);
    await look();
    const parts = await crew.look();
    const ended = parts.filter((part) => part !== undefined);
    if (gate.stopped() !== undefined) {
      stoppedMs ??= ports.clock.monotonicMs();
      await crew.stop();
    }
    const isOverdue = stoppedMs !== undefined && ports.clock.monotonicMs() - stoppedMs > STOP_MS_MAX;
    if (ended.length < parts.length && !isOverdue) continue;
    const [stop] = ended.flatMap((part) => part.stop ?? []).sort(worstFirst);
    if (stop !== undefined && ended.some(({ isOver }) => isOver)) gate.deadlineCame(stop);
    else if (stop !== undefined) gate.stop(stop);
    // A pause that a part wrote down just now.
    await look();
    return joined(ended);
  }
}

/** The gate of the whole has the stop of a part already. */
function joined(parts: readonly RowsSent[]): RowsSent {
  return {
    ...NOTHING_SENT,
    setAside: parts.flatMap(({ setAside }) => setAside),
    clearedLate: parts.reduce((sum, { clearedLate }) => sum + clearedLate, 0),
    incidents: parts.flatMap(({ incidents }) => incidents),
    moved: parts.flatMap(({ moved }) => moved),
  };
}

const WORST: readonly Stop['kind'][] = [
  'paused',
  'canary',
  'over_debit',
  'outage',
  'limited',
  'interrupted',
  'lease_lost',
];

function worstFirst(one: Stop, other: Stop): number {
  return WORST.indexOf(one.kind) - WORST.indexOf(other.kind);
}
