/**
 * A row that cannot be approved or sent because another instruction of it lives, or was paid after all: it waits for
 * a person, who is told which one. As long as that one lives, or is paid, this one cannot be let go.
 */

import { besideText, sameRowReason } from '../../domain/payouts/instruction-keys.ts';
import { type HoldReason, isIn, type PaymentPointer, type PayoutIn } from '../../domain/payouts/payout.ts';
import type { World } from '../world.ts';

type Reading = Pick<World, 'ledger'>;

export async function reasonOfSameRow(
  other: PaymentPointer | undefined,
  world: Reading,
): Promise<HoldReason> {
  return sameRowReason(other, await isPaidAfterAll(other, world));
}

export interface Beside {
  readonly text: string;
  /** The other one may still end unpaid, or be withdrawn. */
  readonly isNotYet: boolean;
}

/** Why a held row cannot be let go; undefined when it can. */
export async function whyNotBeside(
  { id, state }: Pick<PayoutIn<'held'>, 'id' | 'state'>,
  world: Reading,
): Promise<Beside | undefined> {
  if (!state.reasons.some(({ kind }) => kind === 'same_row')) return undefined;
  const other = await world.ledger.livingRelative(id);
  if (other === undefined) return undefined;
  const isPaid = await isPaidAfterAll(other, world);
  return { text: besideText(other, isPaid), isNotYet: !isPaid };
}

async function isPaidAfterAll(other: PaymentPointer | undefined, { ledger }: Reading): Promise<boolean> {
  const payout = other === undefined ? undefined : await ledger.payout(other.payoutId);
  return payout !== undefined && isIn(payout, 'settled') && payout.state.incident;
}
