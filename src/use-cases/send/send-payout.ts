/**
 * Sends one approved payout. Only this file calls `paymentService.send`, and only this step moves money.
 *
 * Order:   open the connection, make the intent durable, send the bytes once, make the outcome durable. A failure
 *          before the intent leaves no trace. After it, the outcome says what is proven.
 * Errors:  rejects if the ledger cannot be written or the service refuses the credentials. The emergency file then has
 *          the outcome.
 */
import { hash } from 'node:crypto';
import { formatDecimal } from '../../domain/money/money.ts';
import type { TransferId } from '../../domain/payouts/instruction.ts';
import type { LiveTerms, Objection, SendingPolicy } from '../../domain/payouts/objection.ts';
import { orderOf } from '../../domain/payouts/order.ts';
import type { PaymentPointer } from '../../domain/payouts/payout.ts';
import { isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import { repeatWindow } from '../../domain/payouts/repeat.ts';
import { firstPollAt } from '../../domain/payouts/service-status.ts';
import { hoursMs, type Policy } from '../../domain/policy.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Recorded } from '../../ports/ledger/moves.ts';
import type {
  AcceptedOutcome,
  LateAnswer,
  Prepared,
  SendOutcome,
  TransferOrder,
} from '../../ports/payment-service.ts';
import { narrationIn } from '../approve/plan-of-batch.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { outcomeAfterTries, type TurnedAwayTries, waitMsAfter } from './turned-away.ts';

export type AttemptResult =
  /** The request was, or may have been, sent. `payout`: its current state. */
  | {
      readonly kind: 'outcome';
      readonly outcome: SendOutcome;
      readonly payout: Payout;
      readonly idSeenBefore: boolean;
      /** After a 429: payfile sends nothing before this time. */
      readonly until?: Timestamp | undefined;
    }
  /** Nothing left this machine, and the ledger has no record. */
  | { readonly kind: 'not_begun'; readonly reason: string }
  /** The row must not be sent as it is. Nothing was sent. */
  | { readonly kind: 'objection'; readonly objection: Objection }
  /** The ledger refused the intent: another payment of the row is active or paid. Nothing was sent. */
  | { readonly kind: 'taken'; readonly by: PaymentPointer | undefined }
  /** Another process changed the payout first. `unused`: the service accepted, or may still accept, this attempt. */
  | { readonly kind: 'stale'; readonly unused?: UnusedAnswer };

interface UnusedAnswer {
  readonly payout: Payout;
  readonly late: LateAnswer<AcceptedOutcome>;
}

export interface SendOptions {
  /** Current terms from the service. */
  readonly live: LiveTerms;
  /** Earlier tries that the service turned away. */
  readonly turnedAway: TurnedAwayTries;
  readonly signal?: AbortSignal | undefined;
  /** Called once the outcome is queued. Later intents are written after it or together with it. */
  readonly onAccepted?: ((transferId: TransferId) => void) | undefined;
  /** When payments of the corridor were finished lately; undefined: as the service promises. */
  readonly usualMs?: number | undefined;
}

const STOPPED_BEFORE_SENDING = { kind: 'not_sent', phase: 'connect', reason: 'interrupted' } as const;

export async function sendPayout(
  payout: PayoutIn<'approved'> & Payout,
  ports: Ports,
  options: SendOptions,
): Promise<AttemptResult> {
  const { signal } = options;
  const prepared = await ports.paymentService.prepareSend(signal).catch((error: unknown) => {
    if (signal?.aborted === true) return STOPPED_BEFORE_SENDING;
    throw error;
  });
  if (prepared.kind === 'not_sent')
    return { kind: 'not_begun', reason: `${prepared.phase}: ${prepared.reason}` };
  const begun = await beginAttempt(payout, prepared, ports, options);
  if (begun.kind === 'objection') return begun;
  if (begun.kind === 'taken') return { kind: 'taken', by: begun.by };
  if (begun.kind !== 'recorded') return { kind: 'stale' };
  if (signal?.aborted === true) {
    // The stop came while the intent was written. Its cause may be an outcome that the ledger could not record.
    prepared.discard();
    return recordAnswer(begun.payout, STOPPED_BEFORE_SENDING, ports, options);
  }
  // Send the row that the ledger returned with the intent. Only this version was compared with the approval.
  const outcome = await ports.paymentService.send(orderFor(begun.payout, ports), prepared);
  const sent = recordAnswer(begun.payout, outcome, ports, options);
  if (outcome.kind === 'accepted') options.onAccepted?.(outcome.transferId);
  return sent;
}

async function recordAnswer(
  sending: Payout,
  answered: SendOutcome,
  ports: Ports,
  { turnedAway, usualMs }: SendOptions,
): Promise<AttemptResult> {
  const waitMs = waitMsAfter(answered, turnedAway);
  const until = waitMs === undefined ? undefined : plusMs(ports.clock.now(), waitMs);
  const outcome = outcomeAfterTries(answered, turnedAway);
  const lookUp = firstLookUpOf(sending, outcome, { ...ports, usualMs });
  const sent = await recordOutcome(sending, outcome, ports, { until, lookUp });
  const isListening = outcome.kind === 'in_doubt' && outcome.late !== undefined;
  // Do not wait for the note: the gate must learn of a doubt at once.
  if (!isListening && (outcome.kind === 'in_doubt' || sent.kind === 'stale'))
    void noteAttemptClosed(sending, ports);
  return sent.kind === 'outcome' ? { ...sent, until } : sent;
}

/**
 * Notes that the connection of the attempt is closed and its outcome recorded. No answer can arrive anymore. So a
 * person may rule on the row before this process ends.
 */
export async function noteAttemptClosed(
  { id: payout, batchId, attempts: attempt }: Pick<Payout, 'id' | 'batchId' | 'attempts'>,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  // If the note fails, a ruling waits for the end of the process, which is also safe.
  await ledger.note(batchId, 'attempt_closed', { payout, attempt }, clock.now()).catch(() => undefined);
}

/** Makes the intent durable before any byte is sent. On any failure, discards the unused connection. */
async function beginAttempt(
  payout: PayoutIn<'approved'> & Payout,
  prepared: Prepared,
  ports: Ports,
  { live }: SendOptions,
): Promise<Recorded> {
  const { clock, policy, ledger } = ports;
  const at = clock.now();
  const sending = { live, policy: sendingPolicy(policy) };
  const rules = { repeatWindow: repeatWindow(at, policy), narration: narrationIn(ports), sending };
  const { quote } = live;
  const isNewer = quote !== undefined && quote.quotedAt !== payout.state.pricing.quote?.quotedAt;
  try {
    const sender = { ...ledger.writer, patienceMs: policy.postTimeoutMs };
    const attempt = payout.attempts + 1;
    const bodyDigest = digestOf(orderFor({ ...payout, attempts: attempt }, ports));
    const event = { kind: 'begin_attempt', attempt, bodyDigest, sender, at } as const;
    const recorded = await recordEvent(payout, isNewer ? { ...event, quote } : event, ports, { rules });
    if (recorded.kind !== 'recorded') prepared.discard();
    return recorded;
  } catch (error) {
    prepared.discard();
    throw error;
  }
}

function sendingPolicy({ driftPercent, approvalHours, quoteMinutes, nameHours }: Policy): SendingPolicy {
  return {
    driftPercent,
    approvalMs: hoursMs(approvalHours),
    quoteMs: quoteMinutes * 60_000,
    nameMs: hoursMs(nameHours),
  };
}

async function recordOutcome(
  sending: Payout,
  outcome: SendOutcome,
  ports: Ports,
  { until, lookUp }: { readonly until: Timestamp | undefined; readonly lookUp: FirstLookUp },
): Promise<AttemptResult> {
  const event = eventOf(outcome, ports.clock.now(), until);
  try {
    const recorded = await recordEvent(sending, event, ports, lookUp);
    if (recorded.kind === 'recorded')
      return { kind: 'outcome', outcome, payout: recorded.payout, idSeenBefore: false };
    if (recorded.kind === 'taken') return await recordReusedId(sending, outcome, ports);
    const late = await recordLateAnswer(sending, outcome, ports);
    return late.kind === 'stale' ? { kind: 'stale', ...unusedAnswerOf(sending, outcome) } : late;
  } catch (error) {
    ports.ledger.emergency(sending.id, sending.attempts, event);
    // The run ends. Still record an acceptance that arrives before the process exits.
    void unusedAnswerOf(sending, outcome).unused?.late.answer.then((late) => {
      if (late !== undefined && late !== outcome)
        ports.ledger.emergency(sending.id, sending.attempts, acceptanceOf(late, ports));
    });
    throw error;
  }
}

function unusedAnswerOf(payout: Payout, outcome: SendOutcome): { unused?: UnusedAnswer } {
  if (outcome.kind === 'accepted') {
    const late = { answer: Promise.resolve(outcome), stop: () => undefined };
    return { unused: { payout, late } };
  }
  if (outcome.kind !== 'in_doubt' || outcome.late === undefined) return {};
  return { unused: { payout, late: outcome.late } };
}

/**
 * Records a genuine acceptance for a row in doubt, if it belongs to the same attempt. The row is in doubt after a
 * timeout, or because another process took the lease.
 */
export async function recordLateAnswer(
  sending: Pick<Payout, 'id' | 'attempts'>,
  outcome: SendOutcome,
  ports: Ports,
): Promise<AttemptResult> {
  const now = await ports.ledger.payout(sending.id);
  const isSameAttempt = now?.attempts === sending.attempts && isIn(now, 'in_doubt');
  if (!isSameAttempt || outcome.kind !== 'accepted') return { kind: 'stale' };
  const recorded = await recordEvent(
    now,
    acceptanceOf(outcome, ports),
    ports,
    firstLookUpOf(now, outcome, ports),
  );
  if (recorded.kind === 'recorded')
    return { kind: 'outcome', outcome, payout: recorded.payout, idSeenBefore: false };
  if (recorded.kind === 'taken') return { kind: 'outcome', outcome, payout: now, idSeenBefore: true };
  return { kind: 'stale' };
}

/** The event of an acceptance, early or late. */
export function acceptanceOf({ transferId, evidence }: AcceptedOutcome, { clock }: Ports): PayoutEvent {
  return { kind: 'accept', transferId, evidence, at: clock.now() };
}

/** The service returned the id of another row. One of the two is wrong, so payfile trusts neither. */
async function recordReusedId(sending: Payout, outcome: SendOutcome, ports: Ports): Promise<AttemptResult> {
  if (outcome.kind !== 'accepted') throw new TypeError('Only an accepted outcome carries a transfer id');
  const evidence = {
    ...outcome.evidence,
    message: `transfer id ${outcome.transferId} already belongs to another row`,
  };
  const at = ports.clock.now();
  const recorded = await recordEvent(
    sending,
    { kind: 'doubt', reason: 'id_seen_before', evidence, at },
    ports,
  );
  if (recorded.kind !== 'recorded') return { kind: 'stale' };
  return { kind: 'outcome', outcome, payout: recorded.payout, idSeenBefore: true };
}

function eventOf(outcome: SendOutcome, at: Timestamp, until: Timestamp | undefined): PayoutEvent {
  switch (outcome.kind) {
    case 'not_sent':
      return { kind: 'not_sent', phase: outcome.phase, reason: outcome.reason, at };
    case 'turned_away': {
      const { why, evidence } = outcome;
      return { kind: 'turn_away', why, evidence, ...(until === undefined ? {} : { until }), at };
    }
    case 'accepted':
      return { kind: 'accept', transferId: outcome.transferId, evidence: outcome.evidence, at };
    case 'refused':
      return { kind: 'refuse', code: outcome.code, message: outcome.message, evidence: outcome.evidence, at };
    case 'in_doubt':
      return { kind: 'doubt', reason: outcome.reason, evidence: outcome.evidence, at };
  }
}

interface FirstLookUp {
  readonly dueAt?: Timestamp;
}

function firstLookUpOf(
  payout: Payout,
  outcome: SendOutcome,
  { clock, policy, usualMs }: Pick<Ports, 'clock' | 'policy'> & Pick<SendOptions, 'usualMs'>,
): FirstLookUp {
  if (outcome.kind !== 'accepted') return {};
  const quote = 'pricing' in payout.state ? payout.state.pricing?.quote : undefined;
  const now = clock.now();
  const moment = { now, sentAt: now, speedSeconds: quote?.speedSeconds, random: clock.random(), usualMs };
  return { dueAt: firstPollAt(moment, policy) };
}

function orderFor(payout: Payout, ports: Ports): TransferOrder {
  const { instruction, state, attempts: attempt } = payout;
  if (instruction === undefined || !('tag' in state))
    throw new TypeError('Only an approved payout can be sent');
  const { amount, ...order } = orderOf({ ...payout, instruction, state }, narrationIn(ports));
  return { ...order, attempt, amount: formatDecimal(amount) };
}

/** Digest of the request. It proves later what was sent, without storing the account number again. */
function digestOf(order: TransferOrder): string {
  const { account, ...rest } = order;
  return hash('sha256', `${JSON.stringify(rest)}\n${account.reveal()}`);
}
