/**
 * A row that cannot be approved or sent because another instruction of the same row may still be paid, or was paid after
 * all: it waits for a person, who is told which one. Until the other one has ended unpaid, this one cannot be released.
 */

import type { PayoutId } from '../../domain/payouts/instruction.ts';
import { sameRowReason, sameRowText } from '../../domain/payouts/instruction-keys.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { type HoldReason, isIn, type PaymentPointer, type PayoutIn } from '../../domain/payouts/payout.ts';
import type { Ports } from '../ports.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';

type Reading = Pick<Ports, 'ledger'>;

export async function reasonOfSameRow(
  other: PaymentPointer | undefined,
  ports: Reading,
): Promise<HoldReason> {
  return sameRowReason(other, await isPaidAfterAll(other, ports));
}

interface SameRowObjection {
  readonly text: string;
  /** The other one may still end unpaid, or be withdrawn. */
  readonly isNotYet: boolean;
}

/** Why a held row cannot be released; undefined when it can. */
export async function sameRowObjection(
  { id, state }: Pick<PayoutIn<'held'>, 'id' | 'state'>,
  ports: Reading,
): Promise<SameRowObjection | undefined> {
  if (!state.reasons.some(({ kind }) => kind === 'same_row')) return undefined;
  const other = await ports.ledger.livingRelative(id);
  if (other === undefined) return undefined;
  const isPaid = await isPaidAfterAll(other, ports);
  return { text: sameRowText(other, isPaid), isNotYet: !isPaid };
}

async function isPaidAfterAll(other: PaymentPointer | undefined, { ledger }: Reading): Promise<boolean> {
  const payout = other === undefined ? undefined : await ledger.payout(other.payoutId);
  if (payout === undefined) return false;
  if (isIn(payout, 'settled') && payout.state.incident) return true;
  return (await notedIncidents(payout.batchId, { ledger })).has(payout.id);
}

/** All payments of the row but this one, in any batch: the first instruction, what replaced it, and what replaced those. */
export async function relativesOf(
  payout: Payout,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<readonly Payout[]> {
  const seen = new Set<PayoutId>([payout.id]);
  let root = payout;
  for (let up = payout.instruction?.replaces; up !== undefined && !seen.has(up); ) {
    const before = await ledger.payout(up);
    if (before === undefined) break;
    seen.add(before.id);
    root = before;
    up = before.instruction?.replaces;
  }
  const family = new Map<PayoutId, Payout>([[root.id, root]]);
  // A map hands out what is added while it is walked.
  for (const { id } of family.values())
    for (const replacement of await ledger.replacementsOf(id)) family.set(replacement.id, replacement);
  family.delete(payout.id);
  return [...family.values()];
}
