/** The lines that a worker prints while it runs: the work that it takes, and the result. */

import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import { DOUBTS } from '../../domain/reporting/reason.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { countText, printable } from '../../domain/text/printable.ts';
import type { WorkerEvent, WorkOptions } from '../../payfile.ts';
import type { Call } from '../call.ts';
import { nowOf } from '../process-context.ts';

type Progress = NonNullable<WorkOptions['onProgress']>;
type OfJob = Extract<WorkerEvent, { readonly kind: 'took' | 'finished' | 'gave_back' }>;

/** A recovery is tried every few seconds, for each part: so long the same is not said again. */
const SAME_MS = 5 * 60_000;
/** Of each batch; a worker that lives for years forgets the batches of long ago. */
const DOUBTS_TOLD = 3;
const BATCHES_KEPT = 1_000;

/** What this worker did of a batch. */
interface Share {
  readonly name: string;
  readonly outcomes: Map<Status, number>;
}

export function workerLines(call: Call): {
  readonly progress: Progress;
  /** undefined: nothing to say. */
  text(event: WorkerEvent): string | undefined;
  isAtWork(): boolean;
} {
  let atWork = 0;
  const shares = openShares(call);
  const saidAt = new Map<string, number>();
  const unlessSaid = (text: string) => {
    const nowMs = nowOf(call.context);
    if (nowMs - (saidAt.get(text) ?? Number.NEGATIVE_INFINITY) < SAME_MS) return undefined;
    keep(saidAt, text, nowMs);
    return text;
  };
  const ofJob = (event: OfJob) => {
    const { queue, batch, job } = event;
    if (queue === 'recover') {
      const about = `${STAGES[queue]} ${batch}`;
      if (event.kind === 'finished') return undefined;
      return unlessSaid(
        event.kind === 'took'
          ? `${about}: taken.`
          : `${about}: waits, because ${printable(event.reason)}. It is tried again.`,
      );
    }
    const part = job.part === undefined ? '' : `, part ${job.part.index + 1} of ${job.part.of}`;
    const about = `${STAGES[queue]} ${batch}${part}`;
    if (event.kind === 'took') return `${about}: taken.`;
    if (event.kind === 'gave_back') return `${about}: left to another worker (${printable(event.reason)}).`;
    const words = shares
      .of(job.work.batchId)
      .map(([status, count]) => `${countText(count)} ${STATUS_WORDS[status].counted}`);
    if (queue !== 'send' || words.length === 0) return undefined;
    return `${about}: ended. This worker’s share of ${batch} until now: ${words.join(', ')}.`;
  };
  return {
    progress: shares.progress,
    isAtWork: () => atWork > 0,
    text(event) {
      switch (event.kind) {
        case 'took':
          atWork += 1;
          shares.begin(event);
          return ofJob(event);
        case 'finished':
        case 'gave_back':
          atWork -= 1;
          return ofJob(event);
        default:
          return eventText(event, call);
      }
    },
  };
}

/** What this worker did of each batch; its rows in doubt are told when they become so. */
function openShares({ terminal }: Call) {
  const shares = new Map<BatchId, Share>();
  const tellDoubt = ({ rowNumber, state }: Payout, { name, outcomes }: Share) => {
    if (state.status !== 'in_doubt') return;
    const doubts = outcomes.get('in_doubt') ?? 0;
    if (doubts <= DOUBTS_TOLD)
      terminal.talk(`Warning: row ${rowNumber} of ${name} is in doubt. ${DOUBTS[state.reason]}.`);
    if (doubts === DOUBTS_TOLD + 1)
      terminal.talk(`Warning: more rows of ${name} are in doubt; payfile status shows all of them.`);
  };
  return {
    begin({ job, batch: name }: OfJob): void {
      const { batchId } = job.work;
      if (!shares.has(batchId)) keep(shares, batchId, { name, outcomes: new Map() });
    },
    progress: ((event) => {
      if (event.kind !== 'moved' || event.from !== 'sending') return;
      const { batchId, state } = event.payout;
      const share = shares.get(batchId);
      if (state.status === 'approved' || share === undefined) return;
      share.outcomes.set(state.status, (share.outcomes.get(state.status) ?? 0) + 1);
      tellDoubt(event.payout, share);
    }) satisfies Progress,
    of: (batchId: BatchId) => [...(shares.get(batchId)?.outcomes ?? [])],
  };
}

function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > BATCHES_KEPT && oldest !== undefined) map.delete(oldest);
}

function eventText(event: Exclude<WorkerEvent, OfJob>, call: Call): string | undefined {
  switch (event.kind) {
    case 'seen':
      return undefined;
    case 'ready':
      return call.flags.once === true ? 'Working until no work is left.' : 'Waiting for work.';
    case 'away':
      return `The server of the ledger gives no answer (${printable(event.reason)}). Asked again in ${Math.round(event.waitMs / 1_000)} s.`;
    case 'back':
      return 'The server of the ledger answers again.';
  }
}

const STAGES: Readonly<Record<OfJob['queue'], string>> = {
  recover: 'Recovering',
  settle: 'Looking up',
  send: 'Sending',
  price: 'Pricing',
  'send-head': 'Leading the sending of',
};
