/**
 * Sends one approved payout: the only place that calls `paymentService.send`, and the only step that moves
 * money.
 *
 * Order:   connection open, then the intent durable, then the bytes once, then the outcome durable. A failure
 *          before the intent left nothing anywhere; after it, the outcome says what is proven.
 * Errors:  rejects when the ledger cannot be written or the credentials are refused; the outcome is then in
 *          the emergency file.
 */
import { createHash } from 'node:crypto';
import { formatDecimal } from '../../domain/money/money.ts';
import type { BatchId, PayoutId, TransferId } from '../../domain/payouts/instruction.ts';
import { narrationOf } from '../../domain/payouts/narration.ts';
import { isIn, type PaymentPointer, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import { firstPollAt } from '../../domain/payouts/service-status.ts';
import { daysMs } from '../../domain/policy.ts';
import { plusMs, type Timestamp, timestampOf } from '../../domain/timestamp.ts';
import type { Recorded, Repeat } from '../../ports/ledger/moves.ts';
import type {
  AcceptedOutcome,
  LateAnswer,
  Prepared,
  SendOutcome,
  TransferOrder,
} from '../../ports/payment-service.ts';
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
  /** The same payment was made, or may be made, elsewhere; nothing was sent. */
  | { readonly kind: 'repeat'; readonly repeat: Repeat }
  /** The ledger refused the intent: another payment of the same row lives or was paid after all. Nothing was sent. */
  | { readonly kind: 'taken'; readonly by: PaymentPointer | undefined }
  /** Another process moved it first. `unused`: an acceptance of this attempt came, or may come, all the same. */
  | { readonly kind: 'stale'; readonly unused?: UnusedAnswer };

interface UnusedAnswer {
  readonly payout: Payout;
  readonly late: LateAnswer<AcceptedOutcome>;
}

export interface SendOptions {
  /** False when a person has released this repeat. */
  readonly guard: boolean;
  /** A person released repeats of this batch alone. */
  readonly repeatsReleased?: BatchId | undefined;
  /** Payments that a person saw and released; any other repeat stops the row. */
  readonly repeatsNamed?: readonly PayoutId[] | undefined;
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
  const order = orderOf(payout, ports);
  const begun = await beginAttempt(payout, order, prepared, ports, options);
  if (begun.kind === 'repeat') return begun;
  if (begun.kind === 'taken') return { kind: 'taken', by: begun.by };
  if (begun.kind !== 'recorded') return { kind: 'stale' };
  if (signal?.aborted === true) {
    // While the intent was being written: the ledger may have failed another row's outcome.
    prepared.discard();
    return whenAnswered(begun.payout, STOPPED, ports, options.away);
  }
  const outcome = await ports.paymentService.send(order, prepared);
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
  payout: Payout,
  order: TransferOrder,
  prepared: Prepared,
  ports: Ports,
  options: SendOptions,
): Promise<Recorded> {
  const at = ports.clock.now();
  const guard = options.guard ? guardOf(at, options, ports) : {};
  try {
    const { attempt } = order;
    const sender = { ...ports.ledger.writer, patienceMs: ports.policy.postTimeoutMs };
    const event = { kind: 'begin_attempt', attempt, bodyDigest: digestOf(order), sender, at } as const;
    const recorded = await recordEvent(payout, event, ports, guard);
    if (recorded.kind !== 'recorded') prepared.discard();
    return recorded;
  } catch (error) {
    prepared.discard();
    throw error;
  }
}

function guardOf(at: Timestamp, { repeatsReleased, repeatsNamed = [] }: SendOptions, { policy }: Ports) {
  const guardSince = timestampOf(at - daysMs(policy.duplicateWindowDays));
  const guard = { guardSince, guardExceptPayouts: repeatsNamed };
  return repeatsReleased === undefined ? guard : { ...guard, guardExcept: repeatsReleased };
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

function orderOf(payout: PayoutIn<'approved'>, { policy }: Ports): TransferOrder {
  const { instruction, state } = payout;
  return {
    attempt: payout.attempts + 1,
    sourceId: instruction.sourceId,
    destinationId: instruction.destinationId,
    amount: formatDecimal(instruction.amount),
    institutionId: instruction.institutionId,
    account: instruction.account,
    name: state.pricing.wireName,
    phone: instruction.phone ?? '',
    note: narrationOf(state.tag, instruction.note, policy),
  };
}

/** What was put on the wire, provable later without keeping the account number twice. */
function digestOf(order: TransferOrder): string {
  const { account, ...rest } = order;
  return createHash('sha256')
    .update(JSON.stringify(rest))
    .update('\n')
    .update(account.reveal())
    .digest('hex');
}
