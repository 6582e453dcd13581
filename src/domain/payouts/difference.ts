/**
 * A payment that differs from what was asked: whether somebody still has to look, and where its money is.
 * Sums use the amount that the service shows. The rest of the asked amount is not accounted for.
 *
 * Units:   `minor` counts minor units of the currency that was asked for; what is not accounted for is negative where the service shows more.
 */

import { debitOf, isEqualDecimal, isWithinPercent, roundedMoney } from '../money/decimal.ts';
import { formatDecimal, formatMoney } from '../money/money.ts';
import type { Instruction } from './instruction.ts';
import type { OnItsWay, Payout, PayoutState, Pricing, Status } from './payout.ts';

/** `over`: more went out than was asked, an incident. `accepted`: a person looked; the mark stays. */
export type Difference = 'open' | 'over' | 'accepted';

/** Of a payment that is on its way or settled; undefined where nothing differs. */
export function differenceOf({ instruction, state }: Payout): Difference | undefined {
  if (!mayDiffer(state) || state.discrepancies.length === 0) return undefined;
  if (state.acceptedDifference !== undefined) return 'accepted';
  return (state.shownMinor ?? 0n) > (instruction?.amount.minor ?? 0n) ? 'over' : 'open';
}

/** Somebody still has to look. */
export function isOpenDifference(difference: Difference | undefined): boolean {
  return difference === 'open' || difference === 'over';
}

/** How sums change where the service shows another amount than was asked, or a part came back. */
export interface Moved {
  /** What to add to the sum of each status. */
  readonly shifts: readonly { readonly status: Status; readonly minor: bigint }[];
  readonly unaccountedMinor: bigint;
}

/** undefined where the service shows the amount that was asked for, and none of it came back. */
export function movedOf({ instruction, state }: Payout): Moved | undefined {
  if (instruction === undefined || !mayDiffer(state)) return undefined;
  const { shownMinor, returnedMinor = 0n } = state;
  if (shownMinor === undefined && returnedMinor === 0n) return undefined;
  const asked = instruction.amount.minor;
  const unaccountedMinor = asked - (shownMinor ?? asked);
  const own = { status: state.status, minor: -unaccountedMinor - returnedMinor };
  const back = { status: 'returned', minor: returnedMinor } as const;
  return { shifts: returnedMinor === 0n ? [own] : [own, back], unaccountedMinor };
}

function mayDiffer(state: PayoutState): state is Extract<PayoutState, { status: 'accepted' | 'settled' }> {
  return state.status === 'accepted' || state.status === 'settled';
}

/** An acceptance covers only the differences that the person saw. */
export function acceptedStill(before: object, now: Pick<OnItsWay, 'discrepancies' | 'shownMinor'>) {
  const { acceptedDifference, discrepancies, shownMinor }: Partial<OnItsWay> = before;
  const isSame = saysTheSame(discrepancies, now.discrepancies) && shownMinor === now.shownMinor;
  return isSame && acceptedDifference !== undefined ? { acceptedDifference } : {};
}

/** A service may change the letter case of its words from look to look. */
export function saysTheSame(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.join().toLowerCase() === other.join().toLowerCase();
}

/** A sentence where the service shows neither the amount that was asked for nor its debit. */
export function amountDifference(
  instruction: Instruction,
  pricing: Pricing,
  seen: string | undefined,
): string[] {
  if (seen === undefined) return [];
  const asked = formatDecimal(instruction.amount);
  const isEqual = isEqualDecimal(seen, asked);
  if (isEqual === undefined) return [`amount: the service shows “${seen}”`];
  if (isEqual) return [];
  const debit = pricing.quote === undefined ? undefined : debitOf(instruction.amount, pricing.quote);
  if (debit !== undefined && isWithinPercent(seen, formatDecimal(debit), 1)) return [];
  const debited = debit === undefined ? '' : ` or ${formatMoney(debit)} debited`;
  return [`amount: the service shows ${seen}, asked was ${formatMoney(instruction.amount)}${debited}`];
}

/** The amount that the service shows, in the currency asked; undefined where it agrees or cannot be read. */
export function otherMinorOf(
  instruction: Instruction,
  pricing: Pricing,
  seen: string | undefined,
): bigint | undefined {
  if (amountDifference(instruction, pricing, seen).length === 0) return undefined;
  return roundedMoney(seen ?? '', instruction.amount.currency)?.minor;
}
