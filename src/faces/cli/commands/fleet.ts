/**
 * `payfile fleet`: who works with the ledger on the server, what they do, and what waits.
 *
 * Exit:    0; 7 where something waits and no worker is at work that would take it.
 * --json: {workers: [{name, host, pid, user, queues, lanes, since, seenAt}], works: [{batch, stage, askedBy, askedAt, worker,
 * stopping, parts: [{part, worker, ended}]}], lanes: [{lane, worker}], queues: [{queue, waiting, active}], inDoubt}.
 */
import { batchLabel } from '../../../domain/batches/batch.ts';
import { command, commandText } from '../../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { counted, printable, rowsText } from '../../../domain/text/printable.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import type { FleetSeen } from '../../../payfile.ts';
import { type Call, placeOf } from '../call.ts';
import { openParts } from '../open-parts.ts';

export async function fleet(call: Call): Promise<ExitCode> {
  const { payfile } = await openParts(call);
  const seen = (await payfile.fleet()) ?? { workers: [], works: [], lanes: [], queues: [] };
  const names = new Map((await payfile.batches()).map((batch) => [batch.id, batchLabel(batch)]));
  const { doubts } = await payfile.overview();
  const inDoubt = doubts.reduce((sum, { inDoubt: rows }) => sum + rows, 0);
  const say = (line: string) => call.terminal.result(line);
  if (seen.workers.length === 0) say('No worker is at work.');
  for (const each of seen.workers) say(workerText(each, seen));
  for (const { batchId, ...work } of seen.works)
    say(workText({ ...work, batchId }, printable(names.get(batchId) ?? batchId)));
  for (const { queue, waiting, active } of seen.queues)
    if (waiting > 0)
      say(
        `${counted(waiting, 'job', 'jobs')} for ${queue} wait${waiting === 1 ? 's' : ''}; ${active} at work.`,
      );
  if (inDoubt > 0) say(`${rowsText(inDoubt)} in doubt, over all batches.`);
  const isLeft = seen.queues.some(
    ({ queue, waiting }) =>
      waiting > 0 && !seen.workers.some(({ queues }) => queues.some((name) => name === queue)),
  );
  const exitCode = isLeft ? EXIT.onItsWay : EXIT.done;
  if (isLeft) call.terminal.talk(`Next: ${commandText(command('worker'), placeOf(call))}`);
  call.terminal.answer({
    ...{ schemaVersion: 1, command: call.command, environment: payfile.environment, exitCode },
    workers: seen.workers.map(({ since, seenAt, ...worker }) => ({
      ...worker,
      since: formatTimestamp(since),
      seenAt: formatTimestamp(seenAt),
    })),
    works: seen.works.map(({ batchId, stage, asker, askedAt, worker, isStopped, parts }) => ({
      ...{ batch: names.get(batchId) ?? batchId, stage, askedBy: `${asker.user}@${asker.host}` },
      ...{ askedAt: formatTimestamp(askedAt), worker: worker ?? null, stopping: isStopped },
      parts: parts.map((part) => ({
        part: part.index + 1,
        worker: part.worker ?? null,
        ended: part.isEnded,
      })),
    })),
    lanes: seen.lanes.map(({ number, worker }) => ({ lane: number, worker: worker ?? null })),
    queues: seen.queues,
    inDoubt,
  });
  return exitCode;
}

function workerText(
  { name, user, queues, lanes, since }: FleetSeen['workers'][number],
  seen: FleetSeen,
): string {
  const own = seen.lanes.filter(({ worker }) => worker === name).length;
  return `${printable(name)} of ${printable(user)} since ${formatTimestamp(since)}: ${queues.join(', ')}; ${own} of ${lanes.own} lanes in use.`;
}

function workText(
  { stage, asker, worker, isStopped, parts }: FleetSeen['works'][number],
  batch: string,
): string {
  const ended = parts.filter(({ isEnded }) => isEnded).length;
  const part = parts.length === 0 ? '' : `, ${ended} of ${parts.length} parts ended`;
  const who = worker === undefined ? 'waits for a worker' : `by ${printable(worker)}`;
  return `${batch}: ${stage} ${who}${part}${isStopped ? ', is told to stop' : ''}. Asked for by ${printable(asker.user)} on ${printable(asker.host)}.`;
}
