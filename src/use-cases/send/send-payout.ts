/**
 * Sends one approved payout: the only place that calls `paymentService.send`, and the only step that moves
 * money.
 *
 * Order:   connection open, then the intent durable, then the bytes once, then the outcome durable. A failure
 *          before the intent left nothing anywhere; after it, the outcome says what is proven.
 * Errors:  rejects when the ledger cannot be written or the credentials are refused; the outcome is then in
 *          the emergency file.
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
import { afterTries, type TurnedAway, waitAfter } from './turned-away.ts';

export type Sent =
  /** Something was on the wire or might have been; `payout` is where it stands now. */
  | {
      readonly kind: 'outcome';
      readonly outcome: SendOutcome;
      readonly payout: Payout;
      readonly idSeenBefore: boolean;
      /** The service said 429: nothing goes out before that. */
      readonly until?: Timestamp | undefined;
    }
  /** Nothing left this machine and nothing was written down. */
  | { readonly kind: 'not_begun'; readonly reason: string }
  /** It may not be sent as it stands; nothing was sent. */
  | { readonly kind: 'objection'; readonly objection: Objection }
  /** The ledger refused the intent: another payment of the same row lives or was paid after all. Nothing was sent. */
  | { readonly kind: 'taken'; readonly by: PaymentPointer | undefined }
  /** Another process moved it first. `unused`: an acceptance of this attempt came, or may come, all the same. */
  | { readonly kind: 'stale'; readonly unused?: UnusedAnswer };

interface UnusedAnswer {
  readonly payout: Payout;
  readonly late: LateAnswer<AcceptedOutcome>;
}

export interface SendOptions {
  /** What the service says of it now. */
  readonly live: LiveTerms;
  /** How often the service turned the row away before. */
  readonly away: TurnedAway;
  readonly signal?: AbortSignal | undefined;
  /** The service has accepted it, and the ledger has its outcome in hand: an intent that comes now is written after it, or with it. */
  readonly accepted?: ((transferId: TransferId) => void) | undefined;
}

const STOPPED = { kind: 'not_sent', phase: 'connect', reason: 'interrupted' } as const;

export async function sendPayout(
  payout: PayoutIn<'approved'> & Payout,
  ports: Ports,
  options: SendOptions,
): Promise<Sent> {
  const { signal } = options;
  const prepared = await ports.paymentService.prepareSend(signal).catch((error: unknown) => {
    if (signal?.aborted === true) return STOPPED;
    throw error;
  });
  if (prepared.kind === 'not_sent')
    return { kind: 'not_begun', reason: `${prepared.phase}: ${prepared.reason}` };
  const begun = await beginAttempt(payout, prepared, ports, options);
  if (begun.kind === 'objection') return begun;
  if (begun.kind === 'taken') return { kind: 'taken', by: begun.by };
  if (begun.kind !== 'recorded') return { kind: 'stale' };
  if (signal?.aborted === true) {
    // While the intent was being written: the ledger may have failed another row's outcome.
    prepared.discard();
    return whenAnswered(begun.payout, STOPPED, ports, options.away);
  }
  // The row as the commit of the intent had it: nothing else may have been compared with the approval.
  const outcome = await ports.paymentService.send(orderFor(begun.payout, ports), prepared);
  const sent = whenAnswered(begun.payout, outcome, ports, options.away);
  if (outcome.kind === 'accepted') options.accepted?.(outcome.transferId);
  return sent;
}

async function whenAnswered(
  sending: Payout,
  answered: SendOutcome,
  ports: Ports,
  away: TurnedAway,
): Promise<Sent> {
  const waitMs = waitAfter(answered, away);
  const until = waitMs === undefined ? undefined : plusMs(ports.clock.now(), waitMs);
  const outcome = afterTries(answered, away);
  const sent = await recordOutcome(sending, outcome, ports, until);
  const isListening = outcome.kind === 'in_doubt' && outcome.late !== undefined;
  // Not waited for: whoever holds the others back has to hear of a doubt at once.
  if (!isListening && (outcome.kind === 'in_doubt' || sent.kind === 'stale')) void noteClosed(sending, ports);
  return sent.kind === 'outcome' ? { ...sent, until } : sent;
}

/**
 * Notes that the connection of the attempt is closed and its outcome recorded: no answer can come any more, and a person
 * may rule on the row before this process ends.
 */
export async function noteClosed(
  { id: payout, batchId, attempts: attempt }: Pick<Payout, 'id' | 'batchId' | 'attempts'>,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  // Where it cannot be written the ruling waits for the end of the process, which is as safe.
  await ledger.note(batchId, 'attempt_closed', { payout, attempt }, clock.now()).catch(() => undefined);
}

/** The intent, durable before any byte is written. Whatever goes wrong here, the connection is thrown away unused. */
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
  until: Timestamp | undefined,
): Promise<Sent> {
  const event = eventOf(outcome, ports.clock.now(), until);
  try {
    const recorded = await recordEvent(sending, event, ports, dueAfter(sending, outcome, ports));
    if (recorded.kind === 'recorded')
      return { kind: 'outcome', outcome, payout: recorded.payout, idSeenBefore: false };
    if (recorded.kind === 'taken') return await recordSeenBefore(sending, outcome, ports);
    const late = await recordLateAnswer(sending, outcome, ports);
    return late.kind === 'stale' ? { kind: 'stale', ...unusedOf(sending, outcome) } : late;
  } catch (error) {
    ports.ledger.emergency(sending.id, sending.attempts, event);
    // The run ends. An acceptance that arrives before the process is gone is still recorded.
    void unusedOf(sending, outcome).unused?.late.answer.then((late) => {
      if (late !== undefined && late !== outcome)
        ports.ledger.emergency(sending.id, sending.attempts, acceptanceOf(late, ports));
    });
    throw error;
  }
}

function unusedOf(payout: Payout, outcome: SendOutcome): { unused?: UnusedAnswer } {
  if (outcome.kind === 'accepted') {
    const late = { answer: Promise.resolve(outcome), stop: () => undefined };
    return { unused: { payout, late } };
  }
  if (outcome.kind !== 'in_doubt' || outcome.late === undefined) return {};
  return { unused: { payout, late: outcome.late } };
}

/**
 * The row is in doubt, because the answer came after its timeout or because another process took the lease meanwhile;
 * a genuine acceptance of the same attempt still ends the doubt.
 */
export async function recordLateAnswer(
  sending: Pick<Payout, 'id' | 'attempts'>,
  outcome: SendOutcome,
  ports: Ports,
): Promise<Sent> {
  const now = await ports.ledger.payout(sending.id);
  const isSameAttempt = now?.attempts === sending.attempts && isIn(now, 'in_doubt');
  if (!isSameAttempt || outcome.kind !== 'accepted') return { kind: 'stale' };
  const recorded = await recordEvent(now, acceptanceOf(outcome, ports), ports, dueAfter(now, outcome, ports));
  if (recorded.kind === 'recorded')
    return { kind: 'outcome', outcome, payout: recorded.payout, idSeenBefore: false };
  if (recorded.kind === 'taken') return { kind: 'outcome', outcome, payout: now, idSeenBefore: true };
  return { kind: 'stale' };
}

/** The event of an acceptance, early or late. */
export function acceptanceOf({ transferId, evidence }: AcceptedOutcome, { clock }: Ports): PayoutEvent {
  return { kind: 'accept', transferId, evidence, at: clock.now() };
}

/** The service gave an id that another row has. One of the two is wrong, so neither is trusted. */
async function recordSeenBefore(sending: Payout, outcome: SendOutcome, ports: Ports): Promise<Sent> {
  if (outcome.kind !== 'accepted') throw new TypeError('Only an accepted outcome carries a transfer id');
  const evidence = {
    ...outcome.evidence,
    message: `transfer id ${outcome.transferId} is already another row's`,
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

function dueAfter(payout: Payout, outcome: SendOutcome, { clock, policy }: Ports): { dueAt?: Timestamp } {
  if (outcome.kind !== 'accepted') return {};
  const quote = 'pricing' in payout.state ? payout.state.pricing?.quote : undefined;
  const now = clock.now();
  const moment = { now, sentAt: now, speedSeconds: quote?.speedSeconds, random: clock.random() };
  return { dueAt: firstPollAt(moment, policy) };
}

function orderFor(payout: Payout, ports: Ports): TransferOrder {
  const { instruction, state, attempts: attempt } = payout;
  if (instruction === undefined || !('tag' in state)) throw new TypeError('Only what was approved is sent');
  const { amount, ...order } = orderOf({ ...payout, instruction, state }, narrationIn(ports));
  return { ...order, attempt, amount: formatDecimal(amount) };
}

/** What was put on the wire, provable later without keeping the account number twice. */
function digestOf(order: TransferOrder): string {
  const { account, ...rest } = order;
  return hash('sha256', `${JSON.stringify(rest)}\n${account.reveal()}`);
}
