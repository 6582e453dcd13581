/**
 * What a worker does with a job: the stage of a batch as any process would do it, under the batch's lease; one part of a
 * sending, under the part's; or the recovery of what another worker left.
 *
 * Why:     the queue says who works. Whether something may be sent is asked of the ledger, by lease and state, for each row.
 */
import type { Money } from '../../domain/money/money.ts';
import type { Policy } from '../../domain/policy.ts';
import { plusMs } from '../../domain/timestamp.ts';
import type { Clock } from '../../ports/clock.ts';
import { ASK_AGAIN_MS, type StageQueue, type TakenJob, type Work } from '../../ports/fleet.ts';
import { isServerAway } from '../../ports/ledger/errors.ts';
import { type Lease, type LeaseHolder, LeaseStopped } from '../../ports/ledger/leases.ts';
import { CredentialsRefused } from '../../ports/payment-service.ts';
import type { PeriodAnswer } from '../decide/repeats.ts';
import { findBatch } from '../find-batch.ts';
import { BatchBusy, type Ports, withLease } from '../ports.ts';
import { priceBatch } from '../price/price-batch.ts';
import { NOTHING_SENT, type SendingResult } from '../send/finish-sending.ts';
import type { PartWorkers } from '../send/hand-out.ts';
import { recoverBatch } from '../send/recover-batch.ts';
import { sendApproved } from '../send/send-approved.ts';
import { sendPart } from '../send/send-part.ts';
import { settleSent } from '../settle/settle-sent.ts';
import { decodeEnd, decodeRequest, encodeDone, encodeFailed, STOPPED } from './work-json.ts';

export interface WorkerHands {
  /** Lanes over all workers: as many parts a sending has. */
  readonly lanes: number;
  /** This process. */
  readonly holder: LeaseHolder;
  /** Without a fleet: a worker does what it took. `deadlineMs`: how long the service may give no answer. */
  ports(deadlineMs?: number): Promise<Ports>;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'sleep'>;
}

const LOOK_MS = 500;

/**
 * Why the job is left to another worker; undefined when it ended. Never throws for what the work meets: that is told to
 * whoever asked. Throws when the server is away, or refuses this worker's own password.
 */
export async function doJob(
  queue: StageQueue,
  job: TakenJob,
  hands: WorkerHands,
): Promise<string | undefined> {
  if (queue === 'recover') return recover(job, hands);
  const stop = stopOf(job, hands);
  try {
    const text = await (queue === 'send' ? part(job, hands, stop) : stage(job, hands, stop));
    // A worker that has to end leaves the rest to others; what a person stopped is over.
    const isLeft = hands.signal.aborted && !(await job.look()).isStopped;
    if (isLeft) return 'this worker was told to end';
    if (text === undefined) return 'this worker may not go on with it';
    await job.end(text);
    return undefined;
  } finally {
    stop.end();
  }
}

async function stage(job: TakenJob, hands: WorkerHands, stop: Stopping): Promise<string> {
  const { signal } = stop;
  try {
    const { work } = job;
    const { request, policy } = decodeRequest<SentRequest>(work.request);
    const ports = asAsked(await hands.ports(request.deadlineMs), policy);
    const batch = await findBatch(work.batchId, ports.ledger);
    const holder = holderFor(work, hands);
    const { ceilings, maxDebits, newPeriod, canary, deadlineMs = 0, watchReturnsMs } = request;
    if (work.stage === 'price')
      return encodeDone(await priceBatch(batch, { holder, signal, newPeriod }, ports));
    if (work.stage === 'settle')
      return encodeDone(await settleSent(batch, { holder, signal, deadlineMs, watchReturnsMs }, ports));
    const partWorkers = async (lease: Lease) => {
      await stop.look();
      return partWorkersOf(job, lease, hands.lanes, ports.clock);
    };
    const asked = { holder, signal, ceilings, maxDebits, canary, deadlineMs, partWorkers };
    return encodeDone(await sendApproved(batch, asked, { ...ports, open: async () => ports }));
  } catch (error) {
    // Another worker may reach the server, or have a password that the service accepts.
    if (isServerAway(error) || error instanceof CredentialsRefused) throw error;
    // Also where the worker is told to end in the same moment.
    return encodeFailed(signal.aborted && error === signal.reason ? WAS_STOPPED : error);
  }
}

/** A worker works for whoever asked, and the ledger knows for which work. */
function holderFor({ asker: { user, command }, id: work }: Work, { holder }: WorkerHands): LeaseHolder {
  return { ...holder, user, command, work };
}

interface SentRequest {
  readonly ceilings?: readonly Money[];
  readonly maxDebits?: readonly Money[];
  readonly newPeriod?: PeriodAnswer;
  readonly canary?: number;
  readonly deadlineMs?: number;
  readonly watchReturnsMs?: number;
}

/**
 * What was typed where the work was asked for holds here too. What only the owner of a machine may say, each machine says
 * for itself; and no worker has more in flight than its own setting allows.
 */
function asAsked(ports: Ports, asked: Policy): Ports {
  const { policy: own } = ports;
  const { finishedWords, failedWords, returnedWords, pendingWords, approvalPasskey } = own;
  const concurrency = Math.min(own.concurrency, asked.concurrency);
  const words = { finishedWords, failedWords, returnedWords, pendingWords };
  return { ...ports, policy: { ...asked, ...words, approvalPasskey, concurrency } };
}

function partWorkersOf(job: TakenJob, lease: Lease, parts: number, clock: Ports['clock']): PartWorkers {
  let askedMs = clock.monotonicMs();
  return {
    parts,
    async begin() {
      await lease.handOut(parts);
      await job.handOut(parts);
    },
    async results() {
      if (clock.monotonicMs() - askedMs >= ASK_AGAIN_MS) {
        await job.askAgain();
        askedMs = clock.monotonicMs();
      }
      return (await job.parts()).map(({ result }) =>
        result === undefined ? undefined : (decodeEnd(result) as SendingResult),
      );
    },
    async stop() {
      await job.stop();
      await job.endWaiting(encodeDone(INTERRUPTED));
    },
  };
}

const INTERRUPTED: SendingResult = { ...NOTHING_SENT, stop: { kind: 'interrupted' } };

/** undefined: somebody else has it now, or nobody hands it out any more. */
async function part(job: TakenJob, hands: WorkerHands, stop: Stopping): Promise<string | undefined> {
  const { work } = job;
  if (job.part === undefined) throw new TypeError('A part of a sending was given without its number');
  const { request, policy } = decodeRequest<SentRequest>(work.request);
  const ports = asAsked(await hands.ports(request.deadlineMs), policy);
  const holder = holderFor(work, hands);
  const lease = await ports.ledger.leasePart(work.batchId, job.part, holder);
  if (lease.kind !== 'leased') return undefined;
  const { lost } = lease;
  try {
    await stop.look();
    await recoverBatch(work.batchId, holder, ports, job.part);
    const { deadlineMs = 0 } = request;
    const sent = await sendPart(work.batchId, ports, {
      ...{ part: job.part, holder, signal: stop.signal, leaseLost: lost },
      inFlight: hands.lanes * ports.policy.concurrency,
      deadline: () => plusMs(ports.clock.now(), deadlineMs),
    });
    return lost.aborted && !(lost.reason instanceof LeaseStopped) ? undefined : encodeDone(sent);
  } finally {
    await lease.release();
  }
}

/** What a dead worker had in flight is in doubt; the rest may go on. While it may be alive, this is tried again. */
async function recover(job: TakenJob, hands: WorkerHands): Promise<string | undefined> {
  const { work } = job;
  const ports = await hands.ports();
  const holder = { ...hands.holder, user: work.asker.user, command: work.asker.command };
  try {
    if (job.part === undefined)
      await withLease(work.batchId, holder, ports, () => recoverBatch(work.batchId, holder, ports));
    else {
      const lease = await ports.ledger.leasePart(work.batchId, job.part, holder);
      if (lease.kind === 'busy') throw new BatchBusy(lease);
      // Whoever leads next hands all parts out anew; until then there is nothing to take.
      if (lease.kind === 'not_handed_out') return 'nobody leads the sending';
      await recoverBatch(work.batchId, holder, ports, job.part).finally(lease.release);
    }
  } catch (error) {
    if (!(error instanceof BatchBusy)) throw error;
    return `process ${error.holder.pid} on ${error.holder.host} still has it`;
  }
  if (!(await job.again()))
    await job.end(job.part === undefined ? encodeFailed(CUT_OFF) : encodeDone(INTERRUPTED));
  return undefined;
}

const WAS_STOPPED = Object.assign(new Error('Stopped'), { code: STOPPED });
const CUT_OFF = Object.assign(
  new Error(
    'Workers died again and again while they did this. Look into their logs before you ask for it again.',
  ),
  { code: 'service_unavailable' },
);

type Stopping = ReturnType<typeof stopOf>;

function stopOf(job: TakenJob, { signal, clock }: WorkerHands) {
  const [stopping, over] = [new AbortController(), new AbortController()];
  /** Asked with each new lease: a stop that was written before it cannot end the lease. */
  const look = async () => {
    const seen = await job.look();
    // Nobody takes parts of what has ended: whoever led it would wait for them for ever.
    if (seen.isStopped || seen.result !== undefined) stopping.abort(WAS_STOPPED);
  };
  const looking = async () => {
    while (!over.signal.aborted) {
      await clock.sleep(LOOK_MS, over.signal).catch(() => undefined);
      await look().catch(() => undefined);
    }
  };
  void looking();
  return {
    /** Aborts when a person said stop, when what the job is for has ended without it, or when the worker itself has to end. */
    signal: AbortSignal.any([signal, stopping.signal]),
    look,
    end: () => over.abort(),
  };
}
