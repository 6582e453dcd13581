/** The log of a worker: the work that it takes, the results, and its rows in doubt. */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import { DOUBTS } from '../../domain/reporting/reason.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { countText, printable } from '../../domain/text/printable.ts';
import type { Dialogue, ServeEvent } from '../../payfile.ts';
import type { Call } from '../call.ts';
import { keepWorkerMetrics } from '../monitoring/worker-metrics.ts';
import { STOPPING } from '../open-parts.ts';
import { nowOf } from '../process-context.ts';

type Listener = NonNullable<Dialogue['onProgress']>;
type JobEvent = Extract<ServeEvent, { readonly kind: 'took' | 'finished' | 'gave_back' }>;

/** Recovery repeats every few seconds per part. The log repeats the same line only after this time. */
const SAME_MS = 5 * 60_000;
/** Doubts shown per batch. */
const DOUBTS_SHOWN_MAX = 3;
/** Limit of remembered batches, because a worker may run for years. */
const BATCHES_KEPT_MAX = 1_000;

/** The work of this worker on one batch. */
interface BatchShare {
  readonly name: string;
  readonly outcomes: Map<Status, number>;
}

/** Returns a listener that logs and counts the work, and passes each event to `hear`. */
export async function followWorker(call: Call, hear: Listener): Promise<Listener> {
  const log = workerLog(call);
  const count = await keepWorkerMetrics(call);
  call.stopping.onFirst(() =>
    call.terminal.talk(log.isAtWork() ? STOPPING : 'Stopping: no transfer is in flight.'),
  );
  return (event) => {
    for (const each of [hear, count, log.hear]) each(event);
  };
}

export function workerLog(call: Call): { readonly hear: Listener; isAtWork(): boolean } {
  const { terminal, context, flags } = call;
  const shares = new Map<BatchId, BatchShare>();
  const saidAt = new Map<string, number>();
  let atWork = 0;
  const sayOnce = (text: string) => {
    const nowMs = nowOf(context);
    if (nowMs - (saidAt.get(text) ?? Number.NEGATIVE_INFINITY) < SAME_MS) return;
    keep(saidAt, text, nowMs);
    terminal.talk(text);
  };
  const logJob = (event: JobEvent) => {
    const { kind, batch, job } = event;
    atWork += kind === 'took' ? 1 : -1;
    const { batchId } = job.work;
    if (!shares.has(batchId)) keep(shares, batchId, { name: batch, outcomes: new Map() });
    const text = textOf(event, shares.get(batchId)?.outcomes ?? new Map());
    if (text === undefined) return;
    if (event.queue === 'recover') sayOnce(text);
    else terminal.talk(text);
  };
  const moved = ({ batchId, rowNumber, state }: Payout) => {
    const share = shares.get(batchId);
    if (state.status === 'approved' || share === undefined) return;
    const { name, outcomes } = share;
    const count = (outcomes.get(state.status) ?? 0) + 1;
    outcomes.set(state.status, count);
    if (state.status !== 'in_doubt') return;
    if (count <= DOUBTS_SHOWN_MAX)
      terminal.talk(`Warning: row ${rowNumber} of ${name} is in doubt. ${DOUBTS[state.reason]}.`);
    if (count === DOUBTS_SHOWN_MAX + 1)
      terminal.talk(`Warning: more rows of ${name} are in doubt. payfile status shows all of them.`);
  };
  return {
    isAtWork: () => atWork > 0,
    hear(progress) {
      if (progress.kind === 'moved' && progress.from === 'sending') moved(progress.payout);
      if (progress.kind !== 'worker' || progress.event.kind === 'seen') return;
      const { event } = progress;
      if ('job' in event) return logJob(event);
      if (event.kind === 'ready')
        terminal.talk(flags.once === true ? 'Working until no work is left.' : 'Waiting for work.');
      if (event.kind === 'away')
        terminal.talk(
          `The server of the ledger does not answer (${printable(event.reason)}). payfile tries again in ${Math.round(event.waitMs / 1_000)} s.`,
        );
      if (event.kind === 'back') terminal.talk('The server of the ledger answers again.');
    },
  };
}

const STAGES: Readonly<Record<JobEvent['queue'], string>> = {
  recover: 'Recovering',
  settle: 'Looking up',
  send: 'Sending',
  price: 'Pricing',
  'send-head': 'Coordinating the sending of',
};

function textOf(event: JobEvent, outcomes: BatchShare['outcomes']): string | undefined {
  const { kind, queue, batch, job } = event;
  const isPart = job.part !== undefined && queue !== 'recover';
  const about = `${STAGES[queue]} ${batch}${isPart ? `, part ${job.part.index + 1} of ${job.part.of}` : ''}`;
  if (kind === 'took') return `${about}: taken.`;
  if (kind === 'gave_back')
    return queue === 'recover'
      ? `${about}: waits, because ${printable(event.reason)}. payfile tries again.`
      : `${about}: returned for another worker (${printable(event.reason)}).`;
  if (queue !== 'send' || outcomes.size === 0) return undefined;
  const words = [...outcomes].map(([status, count]) => `${countText(count)} ${STATUS_WORDS[status].counted}`);
  return `${about}: ended. This worker’s share of ${batch} until now: ${words.join(', ')}.`;
}

function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > BATCHES_KEPT_MAX && oldest !== undefined) map.delete(oldest);
}
