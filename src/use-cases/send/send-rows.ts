/**
 * Sends rows of a batch or of one part, in passes, with one gate.
 *
 * The caller holds the lease, and ends the wait for late answers.
 */
import type { Money } from '../../domain/money/money.ts';
import type { SendResult } from '../../domain/payouts/circuit-breaker.ts';
import { openReasons } from '../../domain/payouts/concern.ts';
import type { NotedIncident } from '../../domain/payouts/incident.ts';
import type { BatchId, PayoutId, TransferId } from '../../domain/payouts/instruction.ts';
import { type HoldReason, isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { countTransfers } from '../../domain/payouts/transfers-begun.ts';
import type { InstitutionId } from '../../domain/rows/directory.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import { type LeaseHolder, LeaseStopped, type Part } from '../../ports/ledger/leases.ts';
import { eachDuePayout } from '../each-due-payout.ts';
import type { Ports } from '../ports.ts';
import type { PriceQuestions } from '../price/ask-name-and-quote.ts';
import { liveTermsOf } from '../price/live-terms.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { waitsForWire } from '../silent-service.ts';
import { checkBeforePayingAgain } from './before-paying-again.ts';
import { type DebitBound, openDebitBound } from './debit-bound.ts';
import { type UsualMs, usualTimes } from './first-look.ts';
import { type LateAnswers, listenForLateAnswers } from './late-answers.ts';
import { noteSendingOnce } from './note-sending.ts';
import { type ObjectionContext, resolveObjection } from './resolve-objection.ts';
import { SendGate } from './send-gate.ts';
import { sendPayout } from './send-payout.ts';
import { holdFor, maybePaidReason, rememberSetAside, resultOf, setAsideInstitutions } from './send-result.ts';
import {
  recordedRateLimit,
  recordRateLimit,
  TRIES_MAX,
  type TurnedAwayTries,
  tooManyTriesText,
  turnedAwayTriesOf,
} from './turned-away.ts';

export interface SendRowsOptions {
  /** Person and command, for the journal. */
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when this process loses the lease. */
  readonly leaseLost: AbortSignal;
  /** Aborts when the sending ends. */
  readonly closeSignal: AbortSignal;
  /** Requests terms that are too old. */
  readonly questions: PriceQuestions;
  /** Maximum debit per currency, fees included; undefined: no bound. */
  readonly maxDebits?: readonly Money[] | undefined;
  /** End of the wait for a 429; undefined: as long as the service asks. */
  readonly deadline?: (() => Timestamp) | undefined;
  /** Maximum transfers in flight over all workers; undefined: only this process sends. */
  readonly inFlight?: number | undefined;
  /** Sends only this part. */
  readonly part?: Part | undefined;
  /** The service has already accepted transfers of this batch, sent by the process that leads the parts. */
  readonly isUnderWay?: boolean | undefined;
}

export interface Sending extends ObjectionContext {
  readonly gate: SendGate;
  readonly late: LateAnswers;
  readonly options: SendRowsOptions;
  readonly others: OtherProcesses;
  readonly incidents: number[];
  /** Noted incidents. The service executed an earlier request of the row, whatever state the row has now. */
  readonly incidentOf: ReadonlyMap<PayoutId, NotedIncident>;
  /** Notes who started this sending. Durable before any intent. */
  readonly noteBegun: () => Promise<void>;
  /** payfile retries rows that were turned away one at a time. */
  readonly retry: { isBusy: boolean };
  readonly debits: DebitBound;
  readonly usualMs: UsualMs;
}

/** Creates the gate and the listener for late answers. Sends nothing yet. */
export async function openSending(
  batchId: BatchId,
  approved: number,
  given: Ports,
  options: SendRowsOptions,
): Promise<Sending> {
  const { ports, inFlightCount } = countTransfersInFlight(given);
  const setAsideBefore = await setAsideInstitutions(batchId, ports);
  const gate = await openGate(batchId, setAsideBefore, ports, options);
  stopOnSilence(gate, inFlightCount, ports, options);
  const late = listenForLateAnswers(ports, {
    onUnrecorded: () => gate.stop({ kind: 'interrupted' }),
    onIdSeenBefore: () => pauseBatch(batchId, ID_SEEN_LATE, ports),
  });
  const incidentOf = await notedIncidents(batchId, ports);
  const { in_doubt: doubtsBefore } = await ports.ledger.counts(batchId, ['in_doubt']);
  const initial = {
    stopSignal: stopSignalOf(gate, options.signal),
    incidents: [],
    retry: { isBusy: false },
    moved: [],
    skippedRows: new Map(),
  };
  const debits = await openDebitBound(batchId, options.maxDebits, ports);
  // For a part, the leading process has already noted it.
  const noteBegun =
    options.part === undefined
      ? noteSendingOnce(batchId, approved, { holder: options.holder, ports })
      : async () => undefined;
  const waitMs = (options.deadline?.() ?? Number.POSITIVE_INFINITY) - ports.clock.now();
  const usualMs = await usualTimes(batchId, waitMs, ports);
  const others = { doubtsBefore, doubtsHere: gate.doubts(), setAside: new Set(setAsideBefore) };
  const limitedUntil = await recordedRateLimit(ports);
  if (limitedUntil !== undefined) gate.limitUntil(limitedUntil);
  return { batchId, gate, late, ports, options, incidentOf, noteBegun, others, debits, usualMs, ...initial };
}

/**
 * Each pass goes once through the approved rows. Rows that were not sent or turned away wait for the next pass. A 429
 * ends the pass, so that the next one retries that row first. Then only one row can be in doubt, not all.
 */
export async function sendInPasses(
  sending: Sending,
  pollLedger: () => Promise<void>,
  isEnough: () => boolean = () => false,
): Promise<void> {
  const { batchId, gate, ports } = sending;
  const { part } = sending.options;
  const onTrial = new Set<InstitutionId>();
  for (;;) {
    let sent = 0;
    const limits = gate.limitCount();
    const due = {
      batchId,
      statuses: ['approved'] as const,
      part,
      concurrency: ports.policy.concurrency,
      mayStart: async () => {
        if (!(await gate.enter())) return false;
        await pollLedger();
        const mayGo = gate.stopped() === undefined && gate.limitCount() === limits && !isEnough();
        if (mayGo) return true;
        gate.leave(undefined);
        return false;
      },
    };
    await eachDuePayout(ports, due, async (payout, onAnswered) => {
      if (!isIn(payout, 'approved')) return gate.leave(undefined);
      const { institutionId } = payout.instruction;
      if (sending.skippedRows.has(payout.id)) return gate.leave(undefined);
      // Rows of an institution on trial wait for the next pass.
      if (gate.isSetAside(institutionId) || onTrial.has(institutionId)) return gate.leave(undefined);
      if (gate.isLastChance(institutionId)) onTrial.add(institutionId);
      sent += 1;
      await sendOne(payout, sending, onAnswered).finally(() => onTrial.delete(institutionId));
    });
    if (sent === 0 || gate.stopped() !== undefined || isEnough()) return;
  }
}

function countTransfersInFlight(ports: Ports): {
  readonly ports: Ports;
  readonly inFlightCount: () => number;
} {
  const transfers = countTransfers();
  const tell: Ports['tell'] = (event) => {
    if (event.kind === 'moved') transfers.moved(event.from, event.payout.state.status);
    ports.tell(event);
  };
  return { ports: { ...ports, tell }, inFlightCount: transfers.onTheWire };
}

/** Starts no new transfer after a long silence. Waits for transfers in flight, and tells the user. */
function stopOnSilence(
  gate: SendGate,
  inFlightCount: () => number,
  ports: Ports,
  { closeSignal }: SendRowsOptions,
): void {
  const { silence } = ports;
  const end = () => {
    const reason = silence?.ended() ?? '';
    gate.stopAtDeadline({ kind: 'outage', reason });
    if (inFlightCount() === 0) return;
    const text = waitsForWire(reason, inFlightCount(), ports);
    ports.tell({ kind: 'waiting', reason: text, delayMs: undefined });
  };
  silence?.over.addEventListener('abort', end, { signal: closeSignal });
  if (silence?.over.aborted === true) end();
}

async function openGate(
  batchId: BatchId,
  setAside: readonly InstitutionId[],
  ports: Ports,
  options: SendRowsOptions,
): Promise<SendGate> {
  const { ledger, policy } = ports;
  const batch = await ledger.batch(batchId);
  const counts = await ledger.counts(batchId);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const doubtsMax =
    policy.maxInDoubt ?? Math.max(options.inFlight ?? policy.concurrency, Math.floor(rows * 0.005));
  // After a resume, count only doubts since then: a person already knows the older ones.
  const doubts =
    batch?.resumedAt === undefined ? counts.in_doubt : await doubtsSince(batchId, batch.resumedAt, ports);
  const { deadline, isUnderWay = false } = options;
  const gate = new SendGate(ports, {
    limits: { doubtsMax },
    past: { doubts, setAside, isUnderWay },
    concurrency: policy.concurrency,
    patienceMs: deadline === undefined ? undefined : deadline() - ports.clock.now(),
    signal: options.signal,
    closeSignal: options.closeSignal,
  });
  const onLost = () => {
    const reason = options.leaseLost.reason as Error;
    const isStopped = reason instanceof LeaseStopped;
    gate.stop(isStopped ? { kind: 'interrupted' } : { kind: 'lease_lost', reason: reason.message });
  };
  options.leaseLost.addEventListener('abort', onLost, { signal: options.closeSignal });
  if (options.leaseLost.aborted) onLost();
  return gate;
}

async function doubtsSince(batchId: BatchId, since: Timestamp, ports: Ports): Promise<number> {
  let doubts = 0;
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['in_doubt'] }))
    doubts += page.filter((payout) => isIn(payout, 'in_doubt') && payout.state.at > since).length;
  return doubts;
}

/** Sends one row in the place that `enter` reserved, and frees the place with the result. */
export async function sendOne(
  payout: PayoutIn<'approved'> & Payout,
  sending: Sending,
  onAnswered = () => {},
): Promise<void> {
  const { gate, ports } = sending;
  let [result, isFree]: [SendResult | undefined, boolean] = [undefined, false];
  const onAccepted = (transferId: TransferId) => {
    isFree = gate.freePlace(transferId);
    if (isFree) onAnswered();
  };
  try {
    const turnedAway = await turnedAwayTriesOf(payout, ports);
    const evidence = maybePaidReasons(payout, turnedAway, sending);
    const open = openReasons(evidence, payout.state.releases);
    if (open.length > 0) return await holdFor(payout, open, ports);
    result = await (turnedAway.tries === 0
      ? sendAfterChecks(payout, turnedAway, sending, onAccepted)
      : retrySend(payout, turnedAway, sending));
  } catch (error) {
    gate.stop({ kind: 'interrupted' });
    throw error;
  } finally {
    gate.leave(result, isFree);
  }
}

/** Retries one row at a time, after its wait, and only if the service answers a harmless request. */
async function retrySend(
  payout: PayoutIn<'approved'> & Payout,
  turnedAway: TurnedAwayTries,
  sending: Sending,
): Promise<SendResult | undefined> {
  const { gate, ports, retry, stopSignal: signal } = sending;
  // The next pass retries rows that are skipped here.
  if (retry.isBusy) return undefined;
  if (turnedAway.leftMs > 0) {
    gate.limitUntil(plusMs(ports.clock.now(), turnedAway.leftMs));
    return undefined;
  }
  retry.isBusy = true;
  try {
    const asked = await ports.paymentService.profile(signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (asked === undefined) return undefined;
    if (asked.kind === 'unavailable') return { kind: 'not_sent', reason: asked.reason };
    return await sendAfterChecks(payout, turnedAway, sending);
  } finally {
    retry.isBusy = false;
  }
}

async function sendAfterChecks(
  payout: PayoutIn<'approved'> & Payout,
  turnedAway: TurnedAwayTries,
  sending: Sending,
  onAccepted?: (transferId: TransferId) => void,
): Promise<SendResult | undefined> {
  const { gate, late, ports, options } = sending;
  const before = await checkBeforePayingAgain(payout, ports, sending.stopSignal);
  if (before.kind === 'incident') {
    sending.incidents.push(...before.rows);
    return undefined;
  }
  if (before.kind === 'unknown')
    return { kind: 'not_sent', reason: 'an earlier payment of this row cannot be looked up' };
  if (before.kind === 'unclear') {
    const reasons = openReasons(before.why.map(maybePaidReason), payout.state.releases);
    if (reasons.length > 0) {
      await holdFor(payout, reasons, ports);
      return undefined;
    }
  }
  const live = await liveTermsOf(payout, options.questions, ports);
  if ('unavailable' in live) return { kind: 'not_sent', reason: live.unavailable };
  if (!sending.debits.add(payout, live)) {
    gate.stop({ kind: 'over_debit', reason: 'the next row would exceed the maximum debit' });
    return undefined;
  }
  await sending.noteBegun();
  const [signal, usualMs] = [sending.stopSignal, sending.usualMs(payout.instruction)];
  const sent = await sendPayout(payout, ports, { live, turnedAway, signal, onAccepted, usualMs });
  if (sent.kind !== 'outcome') sending.debits.remove(payout, live);
  if (sent.kind === 'objection') {
    await resolveObjection(payout, sent.objection, sending);
    return undefined;
  }
  if (sent.kind === 'outcome' && sent.outcome.kind === 'in_doubt' && sent.outcome.late !== undefined)
    late.expect(sent.payout, sent.outcome.late);
  if (sent.kind === 'stale' && sent.unused !== undefined) late.expect(sent.unused.payout, sent.unused.late);
  if (sent.kind === 'outcome' && sent.until !== undefined) {
    gate.limitUntil(sent.until);
    await recordRateLimit(payout.batchId, sent.until, ports);
  }
  return resultOf(payout, sent, ports);
}

/** Created once, because a signal per row would stay in memory as long as the gate. */
function stopSignalOf(gate: SendGate, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? gate.stopSignal : AbortSignal.any([signal, gate.stopSignal]);
}

/** Reasons to believe that an earlier request for this row may have been executed. */
function maybePaidReasons(
  payout: Payout,
  turnedAway: TurnedAwayTries,
  { incidentOf }: Sending,
): readonly HoldReason[] {
  const incident = incidentOf.get(payout.id);
  if (incident !== undefined) return [maybePaidReason(`Incident: ${incident.what}`)];
  return turnedAway.tries >= TRIES_MAX && turnedAway.leftMs <= 0
    ? [maybePaidReason(tooManyTriesText(turnedAway))]
    : [];
}

/** Doubts and institutions from other processes. */
interface OtherProcesses {
  /** Rows in doubt of the whole batch when this sending started. */
  readonly doubtsBefore: number;
  /** Rows in doubt that the breaker of this process had counted at that time. */
  readonly doubtsHere: number;
  /** Institutions that the journal already has. */
  readonly setAside: Set<InstitutionId>;
}

/**
 * Polls the ledger between transfers, a few times per second. Sees `payfile pause` of other processes. With other
 * workers, also sees their doubts and the institutions that they set aside.
 */
export function createLedgerPoll(sending: Sending): () => Promise<void> {
  const { batchId, gate, ports, options } = sending;
  let nextMs = 0;
  return async () => {
    const nowMs = ports.clock.monotonicMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + POLL_MS;
    const batch = await ports.ledger.batch(batchId);
    if (batch?.pause !== undefined) gate.stop({ kind: 'paused', reason: batch.pause.reason });
    if (options.inFlight !== undefined) await learnFromOthers(sending);
  };
}

async function learnFromOthers({ batchId, gate, ports, others }: Sending): Promise<void> {
  const { in_doubt: doubts } = await ports.ledger.counts(batchId, ['in_doubt']);
  const recorded = await setAsideInstitutions(batchId, ports);
  const newlySetAside = recorded.filter((institution) => !others.setAside.has(institution));
  await rememberSetAside(
    batchId,
    { now: gate.setAside(), before: [...others.setAside, ...newlySetAside] },
    ports,
  );
  for (const institution of [...gate.setAside(), ...newlySetAside]) others.setAside.add(institution);
  gate.learnFromOthers({ doubts: others.doubtsHere + doubts - others.doubtsBefore, setAside: newlySetAside });
}

const POLL_MS = 200;

export async function pauseBatch(batchId: BatchId, reason: string, ports: Ports): Promise<void> {
  const batch = await ports.ledger.batch(batchId);
  if (batch?.pause !== undefined) return;
  await ports.ledger.pause(batchId, { reason, by: 'payfile', at: ports.clock.now() });
  ports.log.write('error', 'batch_paused', { batch: batchId, reason });
}

const ID_SEEN_LATE = 'the service answered late with a transfer id that another row already has';
