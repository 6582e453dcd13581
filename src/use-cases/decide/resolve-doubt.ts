/**
 * A person rules on a payout in doubt, with evidence. Paid: the transfer is looked up and has to fit. Not
 * paid: evidence is required, kept for ever, and paying again is a separate step.
 *
 * A ruling “not paid” can turn out wrong: a transfer that fits and is Finished then makes the row an incident.
 * A ruling “paid” is never taken back: a row that could become unpaid again could be paid twice.
 */

import {
  type Attempt,
  dateDifference,
  noAnswerAfter,
  type Window,
  windowOf,
} from '../../domain/payouts/attempt.ts';
import { asTransferId, type TransferId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import { meaningOf } from '../../domain/payouts/service-status.ts';
import {
  cleanerOf,
  discrepanciesOf,
  isShown,
  misfitsOf,
  shownAfter,
  TELLING,
} from '../../domain/payouts/shown.ts';
import { formatTimestamp, secondOf, type Timestamp } from '../../domain/timestamp.ts';
import type { Transaction } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { raiseIncident } from '../settle/raise-incident.ts';
import { wordIn } from '../settle/still-unpaid.ts';

export type RulingRequest =
  | {
      readonly kind: 'paid';
      readonly transferId: string;
      readonly by: string;
      /** Excuses fields of the transfer that differ from the payment or are not shown. */
      readonly evidence: string | undefined;
      /** What named the transfer, such as a statement. Kept with the ruling; it excuses no difference. */
      readonly shownBy?: string | undefined;
    }
  | { readonly kind: 'not_paid'; readonly by: string; readonly evidence: string };

export type Resolved =
  | { readonly kind: 'ruled'; readonly payout: Payout; readonly differences: readonly string[] }
  /** It was ruled not paid and is paid: recorded and shown everywhere; a person must look. */
  | {
      readonly kind: 'incident';
      readonly payout: Payout;
      readonly reason: string;
      readonly differences: readonly string[];
    }
  /** Nothing was changed; the text says why and what would help. */
  | { readonly kind: 'refused'; readonly reason: string; readonly differences: readonly string[] };

export async function resolveDoubt(payout: Payout, request: RulingRequest, ports: Ports): Promise<Resolved> {
  if (request.kind === 'paid') {
    if (isIn(payout, 'in_doubt')) return rulePaid(payout, request, ports);
    if (isIn(payout, 'failed') && payout.state.basis === 'ruled') return paidAfterAll(payout, request, ports);
  } else if (isIn(payout, 'in_doubt')) return ruleNotPaid(payout, request, ports);
  const ruling = await ruledPaid(payout, ports);
  return (
    ruling ?? refused(`Row ${payout.rowNumber} is ${payout.state.status}; only a row in doubt is ruled on.`)
  );
}

/** What to do about a ruling “paid” that was wrong; undefined for a row that nobody ruled so. */
async function ruledPaid(payout: Payout, { ledger }: Ports): Promise<Refused | undefined> {
  const { rowNumber, state } = payout;
  if (state.status !== 'accepted' && state.status !== 'settled') return undefined;
  const ruling = (await ledger.journalOf(payout.id)).findLast(({ kind }) => kind === 'rule_paid');
  if (ruling === undefined) return undefined;
  return refused(
    `Row ${rowNumber} was ruled paid at ${formatTimestamp(ruling.at)}, as transfer ${state.transferId}, and is ` +
      `${state.status}. A ruling “paid” is kept and never taken back: a row that could be called unpaid again could ` +
      'be paid twice. If it was wrong, have the service find the transfer of this row by its tag ' +
      `(${state.tag}) and its time. Only once it is proven that none was made, pay it as a row of a new file, with a ` +
      'reference of its own and a note that names this ruling; this row keeps the ruling.',
  );
}

type Paid = Extract<RulingRequest, { kind: 'paid' }>;
type InDoubt = PayoutIn<'in_doubt'> & Payout;
type RuledNotPaid = PayoutIn<'failed'> & Payout;
type Refused = Extract<Resolved, { kind: 'refused' }>;

const refused = (reason: string, differences: readonly string[] = []): Refused => ({
  kind: 'refused',
  reason,
  differences,
});

async function rulePaid(payout: InDoubt, request: Paid, ports: Ports): Promise<Resolved> {
  const checked = await checkTransfer(payout, request, windowOf(payout.state.evidence), ports);
  if (checked.kind === 'refused') return checked;
  const { transferId, seen, differences } = checked;
  const at = ports.clock.now();
  const shownBy = request.shownBy === undefined ? '' : `; ${request.shownBy}`;
  const evidence = (request.evidence ?? agreementText(seen)) + shownBy;
  const event = { kind: 'rule_paid', transferId, ruling: { by: request.by, evidence }, at } as const;
  return ruled(payout, event, differences, ports);
}

/** Called when nothing differs: every field that is shown is equal. */
function agreementText(seen: Transaction): string {
  const same = TELLING.filter((field) => isShown(seen, field));
  const what = same.length === 0 ? `, without ${listed(TELLING)}` : ` with the same ${listed(same)}`;
  return `the service shows this transfer${what}`;
}

function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}

interface Fitting {
  readonly kind: 'fits';
  readonly transferId: TransferId;
  readonly seen: Transaction;
  /** Why it may be another transfer, which the person's evidence excuses. */
  readonly differences: readonly string[];
  /** Those of `differences` where the service shows another value. */
  readonly discrepancies: readonly string[];
}

/** The service knows the transfer, no other row has it, and it is the one asked for (or a person says why it differs). */
async function checkTransfer(
  payout: InDoubt | RuledNotPaid,
  request: Paid,
  window: Window | undefined,
  ports: Ports,
): Promise<Fitting | Refused> {
  const transferId = asTransferId(request.transferId.trim());
  if (transferId === '') return refused('The transfer id is empty.');
  const taken = await holderOf(transferId, ports);
  if (taken !== undefined) return taken;
  const asked = await ports.paymentService.transaction(transferId);
  if (asked.kind !== 'answered') {
    const said = asked.kind === 'declined' ? asked.message : asked.reason;
    const why = cleanerOf(payout.instruction)(said);
    return refused(`The service does not show transfer ${transferId}: ${why.replace(/[.\s]+$/, '')}.`);
  }
  // A lookup takes the transfer's id or the transaction's: under its other name it may be another row's.
  const takenToo = await holderOf(asked.answer.id, ports);
  if (takenToo !== undefined) return takenToo;
  const { answer: seen } = asked;
  const { instruction, state } = payout;
  const { lookUpFields } = ports.policy;
  const otherDate = window === undefined ? [] : dateDifference(seen.date, window);
  const differences = [...misfitsOf(instruction, state.pricing, { seen, lookUpFields }), ...otherDate];
  if (differences.length > 0 && request.evidence === undefined) {
    const reason =
      'The service does not confirm that this transfer is this payment. If it is, give evidence.';
    return refused(reason, differences);
  }
  const discrepancies = [...discrepanciesOf(instruction, state.pricing, seen), ...otherDate];
  return { kind: 'fits', transferId, seen, differences, discrepancies };
}

async function holderOf(transferId: TransferId, ports: Ports): Promise<Refused | undefined> {
  const holder = await ports.ledger.payoutOfTransfer(transferId);
  if (holder === undefined) return undefined;
  const name = (await ports.ledger.batch(holder.batchId))?.name ?? holder.batchId;
  return refused(`Transfer ${transferId} already belongs to row ${holder.rowNumber} of batch ${name}.`);
}

/** Only Finished makes a failure settled; any other word is noted, so that the row is not paid again meanwhile. */
async function paidAfterAll(payout: RuledNotPaid, request: Paid, ports: Ports): Promise<Resolved> {
  const { sentAt, at: ruledAt } = payout.state;
  // The attempt ended before it was ruled on; how long before is not kept in this state.
  const window = sentAt === undefined ? undefined : windowOf({ startedAt: sentAt, endedAt: ruledAt });
  const checked = await checkTransfer(payout, request, window, ports);
  if (checked.kind === 'refused') return checked;
  const { transferId, seen, differences, discrepancies } = checked;
  if (meaningOf(seen.status, ports.policy) !== 'finished') {
    const reason = `ruled not paid, but the service has transfer ${transferId} as “${wordIn(payout, seen)}”`;
    await raiseIncident(payout, reason, ports);
    return { kind: 'incident', payout, reason, differences };
  }
  const before = { instruction: payout.instruction, state: payout.state };
  const shown = shownAfter(before, seen, { isUnpaid: false });
  const facts = { transferId, serviceStatus: seen.status, discrepancies, shown };
  const settled = await ruled(
    payout,
    { kind: 'settle', ...facts, at: ports.clock.now() },
    differences,
    ports,
  );
  if (settled.kind !== 'ruled') return settled;
  const reason = `ruled not paid, but transfer ${transferId} paid it (${request.by})`;
  await raiseIncident(settled.payout, reason, ports);
  return { ...settled, kind: 'incident', reason };
}

async function ruleNotPaid(
  payout: InDoubt,
  request: Extract<RulingRequest, { kind: 'not_paid' }>,
  ports: Ports,
): Promise<Resolved> {
  if (request.evidence.trim() === '') return refused('Not paid: give evidence of how it is known.');
  const open = await whyOpen(payout, ports);
  if (open !== undefined) return refused(open);
  const at = ports.clock.now();
  const ruling = { by: request.by, evidence: request.evidence };
  return ruled(payout, { kind: 'rule_not_paid', ruling, at }, [], ports);
}

/** From when on “not paid” may be ruled, as far as time goes. */
export async function notPaidFrom(payout: Payout, ports: QuietPorts): Promise<Timestamp | undefined> {
  if (!isIn(payout, 'in_doubt')) return undefined;
  return quietFrom(payout, await ports.ledger.lastAttempt(payout.id), ports);
}

type QuietPorts = Pick<Ports, 'ledger' | 'policy'>;

function quietFrom(payout: InDoubt, attempt: Attempt | undefined, { ledger, policy }: QuietPorts): Timestamp {
  const startedAt = attempt?.startedAt ?? payout.state.evidence.startedAt;
  const patienceMs = attempt?.sender.patienceMs ?? policy.postTimeoutMs;
  return noAnswerAfter({ startedAt, patienceMs }, { isSandbox: ledger.identity.environment === 'sandbox' });
}

/**
 * Why the request may still be answered, or even be sent by a process that was asleep. Time has to pass, and the
 * process must have closed the connection or be gone. undefined when no answer can come any more.
 */
export async function whyOpen(
  payout: InDoubt,
  ports: Pick<Ports, 'ledger' | 'clock' | 'policy'>,
): Promise<string | undefined> {
  const attempt = await ports.ledger.lastAttempt(payout.id);
  const quiet = quietFrom(payout, attempt, ports);
  if (ports.clock.now() < quiet)
    return `The request may still be under way. Rule on it after ${secondOf(quiet)} UTC.`;
  if (attempt === undefined || attempt.isClosed || !attempt.isRunning) return undefined;
  const { pid, host } = attempt.sender;
  return (
    `The process that sent the request (${pid} on ${host}) is still there and has not closed its connection: ` +
    'it may still send it, or receive the answer. Let it finish, or end it; then rule.'
  );
}

async function ruled(
  payout: InDoubt | RuledNotPaid,
  event: PayoutEvent,
  differences: readonly string[],
  ports: Ports,
): Promise<Exclude<Resolved, { kind: 'incident' }>> {
  const recorded = await recordEvent(payout, event, ports, { dueAt: ports.clock.now() });
  if (recorded.kind === 'recorded') return { kind: 'ruled', payout: recorded.payout, differences };
  const reason =
    recorded.kind === 'taken'
      ? 'Another row took this transfer id just now.'
      : 'The row changed just now; look again.';
  return refused(reason, differences);
}
