/**
 * `payfile fleet`: who works with the ledger on the server, on what, what waits, and what a person has to look at.
 *
 * Exit:    0; 4 where something waits and no worker is at work that would take it.
 * --json: {workers: [{name, host, pid, user, queues, rate, lanes: {all, own, inUse}, since, seenAt}], works: [{batch, stage,
 * askedBy, askedAt, worker, stopping, parts: [{part, worker, ended}]}], lanes: [{lane, worker}], queues: [{queue, waiting,
 * active}], rate, pausedUntil, doubts: [{batchId, name, inDoubt, leftInFlight, firstRow}], inDoubt, exitCode, next}; null
 * where there is none. `rate` is the slowest of all who are at work or watch, which holds for all. `inDoubt` counts the rows in doubt of all batches.
 */

import { doubtsStep } from '../../domain/next-steps/batch-steps.ts';
import { command, stepsText } from '../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { counted, printable } from '../../domain/text/printable.ts';
import { formatTimestamp, minuteOf, secondOf } from '../../domain/timestamp.ts';
import { overview } from '../../operations/status.ts';
import { type FleetSeen, WORKER_QUEUES } from '../../payfile.ts';
import { type Call, placeOf, tellSteps, typedSteps } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { tableOrBlocks } from '../terminal/table.ts';

export async function fleet(call: Call): Promise<ExitCode> {
  const { terminal } = call;
  const { payfile } = await openParts(call);
  const seen = await payfile.fleet();
  const { batchNames: names } = seen;
  const { doubts } = await payfile.call(overview, {});
  const left = seen.queues.filter((queue) => isLeft(queue, seen));
  terminal.print(
    [
      ...workersShown(seen, terminal.tableColumns),
      ...worksShown(seen, (id) => printable(names.get(id) ?? id), terminal.tableColumns),
      ...queuesShown(seen),
      ...left.map(({ queue }) => `No worker is there that takes ${queue}.`),
      ...paceShown(seen),
      ...doubts.map((each) => stepsText([doubtsStep(each)], placeOf(call))),
    ].join('\n'),
  );
  const exitCode = left.length > 0 ? EXIT.onItsWay : EXIT.done;
  const steps = typedSteps(call, left.length > 0 ? { next: command('worker') } : {});
  tellSteps(steps, terminal);
  terminal.answer({
    ...{ command: call.command, environment: payfile.environment, exitCode },
    ...fleetJson(seen, (id) => names.get(id) ?? id),
    ...{ doubts, inDoubt: doubts.reduce((sum, { inDoubt }) => sum + inDoubt, 0) },
    ...steps,
  });
  return exitCode;
}

function isLeft({ queue, waiting }: FleetSeen['queues'][number], { workers }: FleetSeen): boolean {
  return waiting > 0 && !workers.some(({ queues }) => queues.some((name) => name === queue));
}

const lanesOf = (name: string, { lanes }: FleetSeen) => lanes.filter(({ worker }) => worker === name).length;

function workersShown(seen: FleetSeen, width: number): readonly string[] {
  const { workers, lanes } = seen;
  if (workers.length === 0) return ['No worker is at work. Whoever starts a run does all of it.'];
  const inUse = lanes.filter(({ worker }) => worker !== undefined).length;
  const all = Math.max(...workers.map((worker) => worker.lanes.all));
  const columns = [
    { title: 'Worker' },
    { title: 'User' },
    { title: 'Since (UTC)' },
    { title: 'Lanes' },
    { title: 'Takes' },
  ];
  const rows = workers.map(({ name, user, since, lanes: { own }, queues }) => [
    printable(name),
    printable(user),
    minuteOf(since),
    `${lanesOf(name, seen)} of ${own}`,
    queues.length === WORKER_QUEUES.length ? 'everything' : queues.join(', '),
  ]);
  return [
    `${counted(workers.length, 'worker', 'workers')} at work. ${inUse} of ${all} lanes in use.`,
    ...tableOrBlocks(columns, rows, width),
  ];
}

const STAGES: Readonly<Record<FleetSeen['works'][number]['stage'], string>> = {
  price: 'names and fees',
  send: 'sending',
  settle: 'looking up',
};

function worksShown(seen: FleetSeen, nameOf: (id: string) => string, width: number): readonly string[] {
  if (seen.works.length === 0) return [];
  const columns = [
    ...[{ title: 'Batch' }, { title: 'Work' }, { title: 'Asked by' }, { title: 'Since (UTC)' }],
    ...[{ title: 'Led by' }, { title: 'Parts' }],
  ];
  const rows = seen.works.map(({ batchId, stage, asker, askedAt, worker, isStopped, parts }) => [
    nameOf(batchId),
    `${STAGES[stage]}${isStopped ? ', stopping' : ''}`,
    `${printable(asker.user)} on ${printable(asker.host)}`,
    minuteOf(askedAt),
    worker === undefined ? 'nobody yet' : printable(worker),
    partsText(parts),
  ]);
  return ['', ...tableOrBlocks(columns, rows, width)];
}

function partsText(parts: FleetSeen['works'][number]['parts']): string {
  if (parts.length === 0) return '';
  const ended = parts.filter(({ isEnded }) => isEnded).length;
  const active = parts.filter(({ isEnded, worker }) => !isEnded && worker !== undefined).length;
  return `${ended} of ${parts.length} ended, ${active} at work`;
}

function queuesShown({ queues }: FleetSeen): readonly string[] {
  const used = queues.filter(({ waiting, active }) => waiting + active > 0);
  const columns = [{ title: 'Queue' }, { title: 'Waiting', right: true }, { title: 'At work', right: true }];
  const rows = used.map(({ queue, waiting, active }) => [queue, String(waiting), String(active)]);
  return rows.length === 0
    ? ['Nothing waits.']
    : ['', ...tableOrBlocks(columns, rows, Number.POSITIVE_INFINITY)];
}

function paceShown({ rate, ownRate, pausedUntil }: FleetSeen): readonly string[] {
  const most = rate ?? ownRate;
  const whose = rate === undefined ? ', by the settings of this machine' : '';
  return [
    ...(most === undefined
      ? []
      : [`All processes together ask the service at most ${most} times a second${whose}.`]),
    ...(pausedUntil === undefined
      ? []
      : [
          `The service takes no requests for now (HTTP 429). Nobody asks it before ${secondOf(pausedUntil)} UTC.`,
        ]),
  ];
}

function fleetJson(seen: FleetSeen, nameOf: (id: string) => string): Readonly<Record<string, unknown>> {
  const { workers, works, lanes, queues, rate, ownRate, pausedUntil } = seen;
  return {
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
      parts: parts.map((part) => ({
        part: part.index + 1,
        worker: part.worker ?? null,
        ended: part.isEnded,
      })),
    })),
    lanes: lanes.map(({ number, worker }) => ({ lane: number, worker: worker ?? null })),
    queues,
    rate: rate ?? ownRate ?? null,
    pausedUntil: pausedUntil === undefined ? null : formatTimestamp(pausedUntil),
  };
}
