/**
 * Asks the workers of the ledger to do a stage of a batch, and watches until it is done. Where no worker is at work, or the
 * last one goes away, whoever asks does it: no batch waits for a machine that nobody started.
 *
 * Why:     the result is passed on as the workers wrote it; the ledger alone says what became of the rows.
 * Errors:  BatchBusy when the batch waits for the same already; WorkFailed as the worker met it.
 */

import type { Batch, StatusCounts } from '../../domain/batches/batch.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { STATUSES, type Status } from '../../domain/payouts/payout.ts';
import { ASK_AGAIN_MS, type Fleet, QUEUE_OF, type WorkStage } from '../../ports/fleet.ts';
import { isServerAway, isSilent } from '../../ports/ledger/errors.ts';
import type { Lease, LeaseHolder } from '../../ports/ledger/leases.ts';
import { BatchBusy, type Ports, tellStage, withLease } from '../ports.ts';
import { recoverBatch } from '../send/recover-batch.ts';
import { silenceMs, silenceReason, waitsForWire } from '../silent-service.ts';
import { decodeEnd, encodeRequest, STOPPED, WorkFailed } from './work-json.ts';

export interface AskedWork {
  readonly batchId: BatchId;
  readonly holder: LeaseHolder;
  readonly signal: AbortSignal | undefined;
  /** `deadlineMs`: how long the service may give no answer. */
  readonly request: { readonly deadlineMs?: number | undefined; readonly newPeriod?: unknown };
}

const LOOK_MS = 500;
/** So long nobody may be there to do it before whoever asked does it. */
const ALONE_MS = 30_000;
/** What a worker has in flight ends within this time after a stop. */
const STOP_MS = 150_000;
/** So long the server may be away while somebody watches. */
const AWAY_MS = 60_000;

/**
 * A stage of a batch: by workers, else here, under the batch's lease. What an earlier process left on the wire is in doubt
 * first. Errors: BatchBusy.
 */
export async function doStage<Done extends { readonly batch: Batch }>(
  stage: WorkStage,
  batch: Batch,
  asked: Omit<AskedWork, 'batchId'>,
  ports: Ports,
  here: (leaseLost: AbortSignal, lease: Lease) => Promise<Done>,
): Promise<Done> {
  const { id: batchId } = batch;
  const elsewhere = await atWorkers<Done>(stage, { batchId, ...asked }, ports);
  // The batch as it was asked for; a worker's is JSON.
  if (elsewhere !== undefined) return { ...elsewhere, batch };
  return withLease(batchId, asked.holder, ports, async (leaseLost, lease) => {
    await recoverBatch(batchId, asked.holder, ports);
    await tellStage(stage, batchId, ports);
    return here(leaseLost, lease);
  });
}

/** undefined: nobody does it, and nobody will. */
export async function atWorkers<Result>(
  stage: WorkStage,
  asked: AskedWork,
  ports: Ports,
): Promise<Result | undefined> {
  const fleet = await ports.fleet?.();
  const { batchId, holder, request, signal } = asked;
  const text = encodeRequest({ request, policy: ports.policy });
  // What was stopped before ends here, without a question to anybody.
  if (fleet === undefined || signal?.aborted === true) return undefined;
  let isAsked = false;
  try {
    if ((await fleet.workersOf(QUEUE_OF[stage])) === 0) return undefined;
    await tellStage(stage, batchId, ports);
    isAsked = true;
    ports.tell({ kind: 'at_workers', stand: 'at_work' });
    const answer = await fleet.ask({ batchId, stage, request: text, asker: holder });
    if (answer.kind === 'busy') throw new BatchBusy(answer);
    return (await watch({ stage, id: answer.id, fleet }, asked, ports)) as Result | undefined;
  } finally {
    if (isAsked) ports.tell({ kind: 'at_workers', stand: 'ended' });
  }
}

interface Watched {
  readonly stage: WorkStage;
  readonly id: string;
  readonly fleet: Fleet;
}

async function watch({ stage, id, fleet }: Watched, asked: AskedWork, ports: Ports): Promise<unknown> {
  const { clock } = ports;
  const tellOutcomes = await outcomeTeller(stage, asked, ports);
  const beganMs = clock.monotonicMs();
  let [seenMs, answeredMs, askedMs] = [beganMs, beganMs, beganMs];
  let stoppedMs: number | undefined;
  let { signal: waking } = asked;
  for (;;) {
    await clock.sleep(LOOK_MS, waking).catch(() => undefined);
    const nowMs = clock.monotonicMs();
    try {
      if (asked.signal?.aborted === true && stoppedMs === undefined) {
        // Where the server does not take it, it is told again after a pause.
        waking = undefined;
        await stopWorkers({ id, fleet }, asked.batchId, ports);
        stoppedMs = nowMs;
      }
      const { result, worker } = await fleet.look(id);
      await tellOutcomes();
      if (result !== undefined) return decodeEnd(result);
      if (nowMs - askedMs >= ASK_AGAIN_MS) {
        await fleet.askAgain(id);
        askedMs = nowMs;
      }
      if ((await fleet.workersOf(QUEUE_OF[stage])) > 0) seenMs = nowMs;
      answeredMs = nowMs;
      if (stoppedMs !== undefined && nowMs - stoppedMs > STOP_MS) throw new WorkFailed(NO_END);
      // Look-ups end at the deadline, also where all workers are busy until then.
      const isLate = stage === 'settle' && nowMs - beganMs > silenceMs(asked.request.deadlineMs);
      const isForNobody = nowMs - seenMs > ALONE_MS || (isLate && worker === undefined);
      if (!isForNobody) continue;
      if (!(await fleet.withdraw(id))) continue;
    } catch (error) {
      if (isSilent(error)) throw error;
      await openIfLost(ports);
      // As in a process of one's own: whoever stopped it is not told that it failed.
      if (error instanceof WorkFailed && error.code === STOPPED) asked.signal?.throwIfAborted();
      if (error instanceof WorkFailed || nowMs - answeredMs > AWAY_MS) throw error;
      continue;
    }
    const why = nowMs - seenMs > ALONE_MS ? 'is at work any more' : 'took it before the deadline';
    ports.tell({ kind: 'warning', text: `No worker ${why}; this process goes on by itself` });
    return undefined;
  }
}

/**
 * Whoever has no lease yet sees the stop of the work when it has one; whoever has one gets no intent into the ledger any
 * more. So what is counted after that is all that can be in flight.
 */
async function stopWorkers(
  { id, fleet }: Pick<Watched, 'id' | 'fleet'>,
  batchId: BatchId,
  { ledger, tell }: Ports,
): Promise<void> {
  await fleet.stop(id);
  await ledger.stopWork(batchId, id);
  const { sending } = await ledger.counts(batchId, ['sending']);
  tell({ kind: 'at_workers', stand: 'stopped', inFlight: sending });
}

/** The server may be back by now. Another server, or one that was set back, is not worked with. */
async function openIfLost({ ledger, openAgain }: Ports): Promise<void> {
  if (ledger.isLost !== true) return;
  try {
    await openAgain?.();
  } catch (error) {
    if (!isServerAway(error)) throw error;
  }
}

const NO_END = {
  code: 'batch_busy',
  message:
    'The workers were told to stop and have not said that they did. Rows may still be in flight: look with payfile status.',
};

/** What the rows came to since the watching began, whoever moved them; and that workers wait for answers alone. */
async function outcomeTeller(
  stage: WorkStage,
  { batchId, request: { deadlineMs } }: AskedWork,
  ports: Ports,
): Promise<() => Promise<void>> {
  const { ledger, tell } = ports;
  const before = await ledger.counts(batchId);
  const from: readonly Status[] = FROM[stage];
  const tellSilence = silenceTeller(deadlineMs, ports);
  return async () => {
    const now = await ledger.counts(batchId);
    if (stage === 'send') tellSilence(now);
    const more = STATUSES.filter((status) => !from.includes(status) && now[status] > before[status]);
    const outcomes = new Map(more.map((status) => [status, now[status] - before[status]] as const));
    tell({ kind: 'elsewhere', outcomes });
  };
}

/** Once, when no row was answered for as long as the workers wait for an answer. */
function silenceTeller(deadlineMs: number | undefined, { clock, policy, tell }: Ports) {
  const patienceMs = silenceMs(deadlineMs);
  let [last, sinceMs, isTold] = ['', clock.monotonicMs(), false];
  return (counts: StatusCounts) => {
    const { sending, approved, ...done } = counts;
    const nowMs = clock.monotonicMs();
    if (JSON.stringify(done) !== last || sending === 0) [last, sinceMs] = [JSON.stringify(done), nowMs];
    if (isTold || nowMs - sinceMs < patienceMs) return;
    isTold = true;
    const reason = waitsForWire(silenceReason(patienceMs), sending, { clock, policy });
    tell({ kind: 'waiting', reason, delayMs: undefined });
  };
}

const FROM: Readonly<Record<WorkStage, readonly Status[]>> = {
  price: ['planned'],
  send: ['approved', 'sending'],
  settle: ['accepted'],
};
