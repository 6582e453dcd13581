/**
 * A person rules on a payout in doubt, with evidence. Paid: the transfer is looked up and has to fit. Not
 * paid: evidence is required, kept for ever, and paying again is a separate step.
 */
import { discrepanciesOf } from '../domain/discrepancies.ts';
import { asTransferId, type TransferId } from '../domain/instruction.ts';
import { isIn, type Payout, type PayoutIn } from '../domain/payout.ts';
import { plusMs } from '../domain/timestamp.ts';
import { recordEvent } from './record-event.ts';
import type { World } from './world.ts';

export type RulingRequest =
  | {
      readonly kind: 'paid';
      readonly transferId: string;
      readonly by: string;
      readonly evidence: string | undefined;
    }
  | { readonly kind: 'not_paid'; readonly by: string; readonly evidence: string };

export type Resolved =
  | { readonly kind: 'ruled'; readonly payout: Payout; readonly differences: readonly string[] }
  /** Nothing was changed; the text says why and what would help. */
  | { readonly kind: 'refused'; readonly reason: string; readonly differences: readonly string[] };

export async function resolveDoubt(payout: Payout, request: RulingRequest, world: World): Promise<Resolved> {
  if (!isIn(payout, 'in_doubt')) {
    const reason = `Row ${payout.rowNumber} is ${payout.state.status}; only a row in doubt is ruled on.`;
    return { kind: 'refused', reason, differences: [] };
  }
  return request.kind === 'paid' ? rulePaid(payout, request, world) : ruleNotPaid(payout, request, world);
}

type Paid = Extract<RulingRequest, { kind: 'paid' }>;
type InDoubt = PayoutIn<'in_doubt'> & Payout;

async function rulePaid(payout: InDoubt, request: Paid, world: World): Promise<Resolved> {
  const transferId = asTransferId(request.transferId.trim());
  if (transferId === '') return { kind: 'refused', reason: 'The transfer id is empty.', differences: [] };
  const taken = await holderOf(transferId, world);
  if (taken !== undefined) return taken;
  const asked = await world.paymentService.transaction(transferId);
  if (asked.kind !== 'answered') {
    const why = asked.kind === 'declined' ? asked.message : asked.reason;
    return {
      kind: 'refused',
      reason: `The service does not show transfer ${transferId}: ${why}`,
      differences: [],
    };
  }
  // A lookup takes the transfer's id or the transaction's: under its other name it may be another row's.
  const takenToo = await holderOf(asked.answer.id, world);
  if (takenToo !== undefined) return takenToo;
  const differences = discrepanciesOf(payout.instruction, payout.state.pricing, asked.answer);
  if (differences.length > 0 && request.evidence === undefined) {
    const reason =
      'The transfer differs from what was asked. If it is this payment all the same, say why with --evidence.';
    return { kind: 'refused', reason, differences };
  }
  const at = world.clock.now();
  const evidence =
    request.evidence ?? 'the service shows this transfer with the same amount, institution and receiver';
  const event = { kind: 'rule_paid', transferId, ruling: { by: request.by, evidence }, at } as const;
  return ruled(payout, event, differences, world);
}

async function holderOf(transferId: TransferId, world: World): Promise<Resolved | undefined> {
  const holder = await world.ledger.payoutOfTransfer(transferId);
  if (holder === undefined) return undefined;
  const reason = `Transfer ${transferId} already belongs to row ${holder.rowNumber} of batch ${holder.batchId}.`;
  return { kind: 'refused', reason, differences: [] };
}

async function ruleNotPaid(
  payout: InDoubt,
  request: Extract<RulingRequest, { kind: 'not_paid' }>,
  world: World,
): Promise<Resolved> {
  if (request.evidence.trim() === '') {
    return { kind: 'refused', reason: 'Not paid: say how it is known, with --evidence.', differences: [] };
  }
  const at = world.clock.now();
  // An answer may still be on its way for as long as a request may take.
  const quietAt = plusMs(payout.state.evidence.startedAt, world.policy.postTimeoutMs);
  if (at < quietAt) {
    const seconds = Math.ceil((quietAt - at) / 1000);
    const reason = `The request may still be under way. Rule on it in ${seconds} s or later.`;
    return { kind: 'refused', reason, differences: [] };
  }
  const event = {
    kind: 'rule_not_paid',
    ruling: { by: request.by, evidence: request.evidence },
    at,
  } as const;
  return ruled(payout, event, [], world);
}

async function ruled(
  payout: InDoubt,
  event: Parameters<typeof recordEvent>[1],
  differences: readonly string[],
  world: World,
): Promise<Resolved> {
  const recorded = await recordEvent(payout, event, world, { dueAt: world.clock.now() });
  if (recorded.kind === 'recorded') return { kind: 'ruled', payout: recorded.payout, differences };
  const reason =
    recorded.kind === 'taken'
      ? 'Another row took this transfer id just now.'
      : 'The row changed just now; look again.';
  return { kind: 'refused', reason, differences };
}
