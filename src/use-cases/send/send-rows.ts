/**
 * Sends rows of a batch one after another, in passes, behind one gate: those of a whole batch, or of one part of it.
 *
 * The caller holds the lease of what it sends, and ends the late answers.
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
import { type LateAnswers, listenForLateAnswers } from './late-answers.ts';
import { noteOnce } from './note-sending.ts';
import { type Objecting, obey } from './obey-objection.ts';
import { SendGate } from './send-gate.ts';
import { sendPayout } from './send-payout.ts';
import { holdFor, mayBePaid, rememberSetAside, resultOf, setAsideInstitutions } from './send-result.ts';
import {
  heldAfterTries,
  recordedRateLimit,
  recordRateLimit,
  TRIES_MAX,
  type TurnedAway,
  turnedAway,
} from './turned-away.ts';

export interface SendRowsOptions {
  /** Who sends, and by which command: the journal keeps it. */
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the lease was lost. */
  readonly leaseLost: AbortSignal;
  /** Aborts when the sending is over. */
  readonly over: AbortSignal;
  /** Asks the service about terms that have grown old. */
  readonly questions: PriceQuestions;
  /** At most this may be taken in all, fees included, per currency; undefined: no bound. */
  readonly maxDebits?: readonly Money[] | undefined;
  /** Longest time that a 429 may take; undefined: as long as the service asks. */
  readonly deadline?: (() => Timestamp) | undefined;
  /** How many transfers all workers have in flight together; undefined: this process is alone. */
  readonly inFlight?: number | undefined;
  /** Only this part, beside others; somebody else saw the first transfers get through. */
  readonly part?: Part | undefined;
  readonly isUnderWay?: boolean | undefined;
}

export interface Sending extends Objecting {
  readonly gate: SendGate;
  readonly late: LateAnswers;
  readonly options: SendRowsOptions;
  readonly others: Others;
  readonly incidents: number[];
  /** Rows of which the service has an earlier request, whatever their state says. */
  readonly paid: ReadonlyMap<PayoutId, NotedIncident>;
  /** Resolves when it is durable who began this sending. Before any intent of it. */
  readonly noteBegun: () => Promise<void>;
  /** Rows that were turned away go again one at a time. */
  readonly retry: { isBusy: boolean };
  readonly debits: DebitBound;
}

/** The gate, and who listens for late answers. Nothing is sent yet. */
export async function openSending(
  batchId: BatchId,
  approved: number,
  given: Ports,
  options: SendRowsOptions,
): Promise<Sending> {
  const { ports, onTheWire } = countingWire(given);
  const setAsideBefore = await setAsideInstitutions(batchId, ports);
  const gate = await openGate(batchId, setAsideBefore, ports, options);
  endInSilence(gate, onTheWire, ports, options);
  const late = listenForLateAnswers(ports, {
    onUnrecorded: () => gate.stop({ kind: 'interrupted' }),
    onIdSeenBefore: () => pauseBatch(batchId, ID_SEEN_LATE, ports),
  });
  const paid = await notedIncidents(batchId, ports);
  const { in_doubt: doubtsBefore } = await ports.ledger.counts(batchId, ['in_doubt']);
  const begun = {
    ended: endOf(gate, options.signal),
    incidents: [],
    retry: { isBusy: false },
    moved: [],
    odd: new Map(),
  };
  const debits = await openDebitBound(batchId, options.maxDebits, ports);
  // Whoever handed the part out has noted it.
  const noteBegun =
    options.part === undefined
      ? noteOnce(batchId, approved, { holder: options.holder, ports })
      : async () => undefined;
  const others = { doubtsBefore, doubtsHere: gate.doubts(), setAside: new Set(setAsideBefore) };
  const limitedUntil = await recordedRateLimit(ports);
  if (limitedUntil !== undefined) gate.limitUntil(limitedUntil);
  return { batchId, gate, late, ports, options, paid, noteBegun, others, debits, ...begun };
}

/**
 * A pass walks the approved rows once; rows that came back (not sent, turned away) are the next pass's. A 429 ends the
 * pass, so that the row that was turned away is tried before others are: one row has the doubt then, and not all.
 */
export async function sendInPasses(
  sending: Sending,
  look: () => Promise<void>,
  isEnough: () => boolean = () => false,
): Promise<void> {
  const { batchId, gate, ports } = sending;
  const { part } = sending.options;
  const onTrial = new Set<InstitutionId>();
  for (;;) {
    let sent = 0;
    const limits = gate.limits();
    const walk = {
      batchId,
      statuses: ['approved'] as const,
      part,
      concurrency: ports.policy.concurrency,
      mayStart: async () => {
        if (!(await gate.enter())) return false;
        await look();
        const mayGo = gate.stopped() === undefined && gate.limits() === limits && !isEnough();
        if (mayGo) return true;
        gate.leave(undefined);
        return false;
      },
    };
    await eachDuePayout(ports, walk, async (payout, answered) => {
      if (!isIn(payout, 'approved')) return gate.leave(undefined);
      const { institutionId } = payout.instruction;
      // A row that is skipped here comes again in the next pass.
      if (sending.odd.has(payout.id)) return gate.leave(undefined);
      if (gate.isSetAside(institutionId) || onTrial.has(institutionId)) return gate.leave(undefined);
      if (gate.isLastChance(institutionId)) onTrial.add(institutionId);
      sent += 1;
      await sendOne(payout, sending, answered).finally(() => onTrial.delete(institutionId));
    });
    if (sent === 0 || gate.stopped() !== undefined || isEnough()) return;
  }
}

function countingWire(ports: Ports): { readonly ports: Ports; readonly onTheWire: () => number } {
  const transfers = countTransfers();
  const tell: Ports['tell'] = (event) => {
    if (event.kind === 'moved') transfers.moved(event.from, event.payout.state.status);
    ports.tell(event);
  };
  return { ports: { ...ports, tell }, onTheWire: transfers.onTheWire };
}

/** No new transfer begins when the service was silent for too long. What is on the wire is waited for, and that is said. */
function endInSilence(
  gate: SendGate,
  onTheWire: () => number,
  ports: Ports,
  { over }: SendRowsOptions,
): void {
  const { silence } = ports;
  const end = () => {
    const reason = silence?.ended() ?? '';
    gate.deadlineCame({ kind: 'outage', reason });
    if (onTheWire() === 0) return;
    const text = waitsForWire(reason, onTheWire(), ports);
    ports.tell({ kind: 'waiting', reason: text, delayMs: undefined });
  };
  silence?.over.addEventListener('abort', end, { signal: over });
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
  // Rows in doubt that a person knew of when lifting the last pause do not count again.
  const doubts =
    batch?.resumedAt === undefined ? counts.in_doubt : await doubtsSince(batchId, batch.resumedAt, ports);
  const { deadline, isUnderWay = false } = options;
  const gate = new SendGate(ports, {
    limits: { doubtsMax },
    past: { doubts, setAside, isUnderWay },
    concurrency: policy.concurrency,
    patienceMs: deadline === undefined ? undefined : deadline() - ports.clock.now(),
    signal: options.signal,
    over: options.over,
  });
  const onLost = () => {
    const reason = options.leaseLost.reason as Error;
    const isStopped = reason instanceof LeaseStopped;
    gate.stop(isStopped ? { kind: 'interrupted' } : { kind: 'lease_lost', reason: reason.message });
  };
  options.leaseLost.addEventListener('abort', onLost, { signal: options.over });
  if (options.leaseLost.aborted) onLost();
  return gate;
}

async function doubtsSince(batchId: BatchId, since: Timestamp, ports: Ports): Promise<number> {
  let doubts = 0;
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['in_doubt'] }))
    doubts += page.filter((payout) => isIn(payout, 'in_doubt') && payout.state.at > since).length;
  return doubts;
}

/** Takes a place that `enter` gave, sends, and gives the place back with the result. */
export async function sendOne(
  payout: PayoutIn<'approved'> & Payout,
  sending: Sending,
  answered = () => {},
): Promise<void> {
  const { gate, ports } = sending;
  let [result, isFree]: [SendResult | undefined, boolean] = [undefined, false];
  const accepted = (transferId: TransferId) => {
    isFree = gate.free(transferId);
    if (isFree) answered();
  };
  try {
    const away = await turnedAway(payout, ports);
    const evidence = whyMaybePaid(payout, away, sending);
    const open = openReasons(evidence, payout.state.releases);
    if (open.length > 0) return await holdFor(payout, open, ports);
    result = await (away.tries === 0
      ? sendNow(payout, away, sending, accepted)
      : sendAgain(payout, away, sending));
  } catch (error) {
    gate.stop({ kind: 'interrupted' });
    throw error;
  } finally {
    gate.leave(result, isFree);
  }
}

/** One row at a time, when its time has come, and after the service has answered a question that moves nothing. */
async function sendAgain(
  payout: PayoutIn<'approved'> & Payout,
  away: TurnedAway,
  sending: Sending,
): Promise<SendResult | undefined> {
  const { gate, ports, retry, ended: signal } = sending;
  // A row that is passed over here is met again in the next pass.
  if (retry.isBusy) return undefined;
  if (away.leftMs > 0) {
    gate.limitUntil(plusMs(ports.clock.now(), away.leftMs));
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
    return await sendNow(payout, away, sending);
  } finally {
    retry.isBusy = false;
  }
}

async function sendNow(
  payout: PayoutIn<'approved'> & Payout,
  away: TurnedAway,
  sending: Sending,
  accepted?: (transferId: TransferId) => void,
): Promise<SendResult | undefined> {
  const { gate, late, ports, options } = sending;
  const before = await checkBeforePayingAgain(payout, ports, sending.ended);
  if (before.kind === 'incident') {
    sending.incidents.push(...before.rows);
    return undefined;
  }
  if (before.kind === 'unknown')
    return { kind: 'not_sent', reason: 'an earlier payment of this row cannot be looked up' };
  if (before.kind === 'unclear') {
    const reasons = openReasons(before.why.map(mayBePaid), payout.state.releases);
    if (reasons.length > 0) {
      await holdFor(payout, reasons, ports);
      return undefined;
    }
  }
  const live = await liveTermsOf(payout, options.questions, ports);
  if ('unavailable' in live) return { kind: 'not_sent', reason: live.unavailable };
  if (!sending.debits.take(payout, live)) {
    gate.stop({ kind: 'over_debit', reason: 'the next row would cost more than --max-debit allows' });
    return undefined;
  }
  await sending.noteBegun();
  const sent = await sendPayout(payout, ports, { live, away, signal: sending.ended, accepted });
  if (sent.kind !== 'outcome') sending.debits.giveBack(payout, live);
  if (sent.kind === 'objection') {
    await obey(payout, sent.objection, sending);
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

/** Made once: a signal for each row would be kept as long as the gate. */
function endOf(gate: SendGate, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? gate.ended : AbortSignal.any([signal, gate.ended]);
}

/** What shows that an earlier request for this very row may have been carried out. */
function whyMaybePaid(payout: Payout, away: TurnedAway, { paid }: Sending): readonly HoldReason[] {
  const incident = paid.get(payout.id);
  if (incident !== undefined) return [mayBePaid(`Incident: ${incident.what}`)];
  return away.tries >= TRIES_MAX && away.leftMs <= 0 ? [mayBePaid(heldAfterTries(away))] : [];
}

/** What other processes had written when this one began, and since. */
interface Others {
  readonly doubtsBefore: number;
  readonly doubtsHere: number;
  /** Institutions that the journal names. */
  readonly setAside: Set<InstitutionId>;
}

/**
 * `payfile pause` from another terminal is seen between two sends, a few times a second; where others send parts of the
 * same batch, so are their doubts and the institutions that they leave out.
 */
export function lookAround(sending: Sending): () => Promise<void> {
  const { batchId, gate, ports, options } = sending;
  let nextMs = 0;
  return async () => {
    const nowMs = ports.clock.monotonicMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + LOOK_MS;
    const batch = await ports.ledger.batch(batchId);
    if (batch?.pause !== undefined) gate.stop({ kind: 'paused', reason: batch.pause.reason });
    if (options.inFlight !== undefined) await learn(sending);
  };
}

async function learn({ batchId, gate, ports, others }: Sending): Promise<void> {
  const { in_doubt: doubts } = await ports.ledger.counts(batchId, ['in_doubt']);
  const named = await setAsideInstitutions(batchId, ports);
  const since = named.filter((institution) => !others.setAside.has(institution));
  await rememberSetAside(batchId, { now: gate.setAside(), before: [...others.setAside, ...since] }, ports);
  for (const institution of [...gate.setAside(), ...since]) others.setAside.add(institution);
  gate.learn({ doubts: others.doubtsHere + doubts - others.doubtsBefore, setAside: since });
}

const LOOK_MS = 200;

export async function pauseBatch(batchId: BatchId, reason: string, ports: Ports): Promise<void> {
  const batch = await ports.ledger.batch(batchId);
  if (batch?.pause !== undefined) return;
  await ports.ledger.pause(batchId, { reason, by: 'payfile', at: ports.clock.now() });
  ports.log.write('error', 'batch_paused', { batch: batchId, reason });
}

const ID_SEEN_LATE = 'the service answered late with a transfer id that another row already has';
