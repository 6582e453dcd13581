/** Workers of a ledger on a server: their work, the waiting jobs, and the rows in doubt. */
import { z } from 'zod';
import { batchLabel } from '../domain/batches/batch.ts';
import { doubtsStep } from '../domain/next-steps/batch-steps.ts';
import { command } from '../domain/next-steps/command.ts';
import type { BatchId } from '../domain/payouts/instruction.ts';
import { EXIT } from '../domain/reporting/exit-code.ts';
import { counted, printable } from '../domain/text/printable.ts';
import { formatTimestamp, minuteOf, secondOf } from '../domain/timestamp.ts';
import { type FleetSeen, WORKER_QUEUES, type WorkStage } from '../ports/fleet.ts';
import type { OpenDoubts } from '../ports/ledger/batches.ts';
import { type Block, line, stepPieces, table, when } from './block.ts';
import { operation } from './operation.ts';

export interface Fleet extends FleetSeen {
  readonly environment: 'live' | 'sandbox';
  /** Requests per second in the settings of this process. */
  readonly ownRate: number | undefined;
  readonly doubts: readonly OpenDoubts[];
  nameOf(id: BatchId): string;
}

const EMPTY_FLEET: FleetSeen = {
  ...{ workers: [], works: [], lanes: [], queues: [] },
  ...{ pausedUntil: undefined, rate: undefined },
};

export const fleet = operation({
  name: 'fleet',
  needs: ['look'],
  input: z.strictObject({}),
  async run(_, { workers, environment, existingLedger }): Promise<Fleet> {
    workers.requireServer();
    const ledger = await existingLedger();
    const seen = (await workers.fleet()) ?? EMPTY_FLEET;
    const names = new Map((await ledger.batches()).map((batch) => [batch.id, batchLabel(batch)]));
    return {
      ...seen,
      ...{ environment, ownRate: workers.rate },
      doubts: await ledger.openDoubts(),
      nameOf: (id) => names.get(id) ?? id,
    };
  },
  view: (seen) => [
    ...workerBlocks(seen),
    ...workBlocks(seen),
    ...queueBlocks(seen),
    ...queuesWithoutWorker(seen).map(({ queue }) => line(`No worker takes ${queue}.`)),
    ...rateBlocks(seen),
    ...seen.doubts.map((each) => line(...stepPieces([doubtsStep(each)]))),
  ],
  json: fleetJson,
  next: (seen) => (queuesWithoutWorker(seen).length > 0 ? { next: command('worker') } : {}),
  exit: (seen) => (queuesWithoutWorker(seen).length > 0 ? EXIT.onItsWay : EXIT.done),
});

/** Queues with waiting jobs that no worker takes. */
function queuesWithoutWorker({ queues, workers }: Fleet) {
  const isTaken = (queue: string) => workers.some((worker) => worker.queues.some((name) => name === queue));
  return queues.filter(({ queue, waiting }) => waiting > 0 && !isTaken(queue));
}

const lanesOf = (name: string, { lanes }: Fleet) => lanes.filter(({ worker }) => worker === name).length;

function workerBlocks(seen: Fleet): readonly Block[] {
  const { workers, lanes } = seen;
  if (workers.length === 0)
    return [line('No worker is running. The process that starts a run does all of its work.')];
  const inUse = lanes.filter(({ worker }) => worker !== undefined).length;
  const all = Math.max(...workers.map((worker) => worker.lanes.all));
  return [
    line(`${counted(workers.length, 'worker', 'workers')} running. ${inUse} of ${all} lanes in use.`),
    table(
      ['Worker', 'User', 'Since (UTC)', 'Lanes', 'Takes'],
      workers.map(({ name, user, since, lanes: { own }, queues }) => [
        printable(name),
        printable(user),
        minuteOf(since),
        `${lanesOf(name, seen)} of ${own}`,
        queues.length === WORKER_QUEUES.length ? 'everything' : queues.join(', '),
      ]),
    ),
  ];
}

const STAGES: Readonly<Record<WorkStage, string>> = {
  price: 'names and fees',
  send: 'sending',
  settle: 'looking up',
};

function workBlocks({ works, nameOf }: Fleet): readonly Block[] {
  if (works.length === 0) return [];
  return [
    line(),
    table(
      ['Batch', 'Work', 'Asked by', 'Since (UTC)', 'Led by', 'Parts'],
      works.map(({ batchId, stage, asker, askedAt, worker, isStopped, parts }) => [
        printable(nameOf(batchId)),
        `${STAGES[stage]}${isStopped ? ', stopping' : ''}`,
        `${printable(asker.user)} on ${printable(asker.host)}`,
        minuteOf(askedAt),
        worker === undefined ? 'nobody yet' : printable(worker),
        partsText(parts),
      ]),
    ),
  ];
}

function partsText(parts: Fleet['works'][number]['parts']): string {
  if (parts.length === 0) return '';
  const ended = parts.filter(({ isEnded }) => isEnded).length;
  const active = parts.filter(({ isEnded, worker }) => !isEnded && worker !== undefined).length;
  return `${ended} of ${parts.length} ended, ${active} at work`;
}

function queueBlocks({ queues }: Fleet): readonly Block[] {
  const used = queues.filter(({ waiting, active }) => waiting + active > 0);
  if (used.length === 0) return [line('Nothing waits.')];
  return [
    line(),
    table(
      ['Queue', { title: 'Waiting', isNumber: true }, { title: 'At work', isNumber: true }],
      used.map(({ queue, waiting, active }) => [queue, waiting, active]),
    ),
  ];
}

function rateBlocks({ rate, ownRate, pausedUntil }: Fleet): readonly Block[] {
  const whose = rate === undefined ? ', by the settings of this machine' : '';
  return [
    ...when(rate ?? ownRate, (most) => [
      line(`All processes together send at most ${most} requests per second${whose}.`),
    ]),
    ...when(pausedUntil, (until) => [
      line(`The service limits requests (HTTP 429). payfile sends none before ${secondOf(until)} UTC.`),
    ]),
  ];
}

/** `rate`: the lowest rate of all processes; it limits all of them. `inDoubt`: rows in doubt of all batches. */
function fleetJson(seen: Fleet) {
  const { environment, workers, works, lanes, queues, rate, ownRate, pausedUntil, doubts, nameOf } = seen;
  return {
    environment,
    workers: workers.map(({ since, seenAt, lanes: { all, own }, rate: most, ...worker }) => ({
      ...worker,
      rate: most ?? null,
      lanes: { all, own, inUse: lanesOf(worker.name, seen) },
      since: formatTimestamp(since),
      seenAt: formatTimestamp(seenAt),
    })),
    works: works.map(({ batchId, stage, asker, askedAt, worker, isStopped, parts }) => ({
      ...{ batch: nameOf(batchId), stage, askedBy: `${asker.user}@${asker.host}` },
      ...{ askedAt: formatTimestamp(askedAt), worker: worker ?? null, stopping: isStopped },
      parts: parts.map(({ index, worker: by, isEnded: ended }) => ({
        part: index + 1,
        worker: by ?? null,
        ended,
      })),
    })),
    lanes: lanes.map(({ number, worker }) => ({ lane: number, worker: worker ?? null })),
    queues,
    rate: rate ?? ownRate ?? null,
    pausedUntil: pausedUntil === undefined ? null : formatTimestamp(pausedUntil),
    doubts,
    inDoubt: doubts.reduce((sum, { inDoubt }) => sum + inDoubt, 0),
  };
}
