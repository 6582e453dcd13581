/**
 * The payments of one row: its first instruction, the ones that pay it again, and theirs, in any batch. Of them at most one
 * is made; this says which one stands for the row.
 */

import type { PayoutId } from './instruction.ts';
import type { PaymentPointer } from './payout.ts';
import { ENDED_UNPAID, hasEndedUnpaid, isUnknown, LIVE, type Status, WAITING } from './payout.ts';
import { placeOf, wordOf } from './repeat.ts';

export interface FamilyMember extends PaymentPointer {
  /** It has the row's place in the file of its batch; false: another one took it, or a newer file left the row out. */
  readonly isCurrent: boolean;
  /**
   * It was called failed, or ruled not paid. Its own state, or a note of its batch, says that it is paid. It did not come
   * back since.
   */
  readonly isIncident: boolean;
  /** It was an incident, and came back after that. */
  readonly wasIncident: boolean;
}

/** All payments of a row, the oldest first. */
export type Family = readonly FamilyMember[];

const WITHDRAWN: readonly Status[] = ['canceled', 'invalid'];

/**
 * The payment that stands for the row instead of this one; undefined where this one does, or may be paid itself.
 * It was paid or lives; an incident comes first. If this payment has ended, a newer one counts that waits, or else was tried.
 */
export function standsInstead(id: PayoutId, family: Family): FamilyMember | undefined {
  const at = family.findIndex(({ payoutId }) => payoutId === id);
  const mine = family[at];
  const isWaiting = mine !== undefined && WAITING.includes(mine.status);
  const hasEnded = mine !== undefined && [...ENDED_UNPAID, ...WITHDRAWN].includes(mine.status);
  if (mine === undefined || mine.isIncident || !(isWaiting || hasEnded)) return undefined;
  const others = family.filter((member) => member !== mine);
  const paid = others.findLast(({ isIncident }) => isIncident) ?? others.findLast(isLiving);
  if (paid !== undefined || isWaiting) return paid;
  const newer = family.slice(at + 1);
  return (
    newer.findLast(({ status }) => WAITING.includes(status)) ??
    newer.findLast(({ status }) => hasEndedUnpaid(status))
  );
}

/**
 * The payment that somebody agreed to and that stands for the row: the one that was paid or lives, else the one that was
 * tried last. What only waits does not count: nobody looked at its account.
 */
export function agreedOf(family: Family): FamilyMember | undefined {
  return (
    family.findLast(({ isIncident }) => isIncident) ??
    family.findLast(isLiving) ??
    family.findLast(({ status }) => hasEndedUnpaid(status))
  );
}

function isLiving({ status }: FamilyMember): boolean {
  return LIVE.includes(status);
}

/** It was made: nothing is left to do about the row. */
export function isPaid({ isIncident, status }: FamilyMember): boolean {
  return isIncident || status === 'settled';
}

/** `Paid again as row 2 of batch redo: settled.` */
export function standsInsteadText(other: FamilyMember): string {
  return `${leadOf(other)} as ${placeOf(other)}: ${other.isIncident ? 'an incident' : wordOf(other)}.`;
}

function leadOf(other: FamilyMember): string {
  if (isPaid(other) || other.status === 'accepted' || other.status === 'returned') return 'Paid again';
  if (isUnknown(other)) return 'Perhaps paid again';
  return other.status === 'failed' ? 'Tried again' : 'To be paid again';
}

/** Why a payment is not paid again beside the one that stands for its row; a clause. */
export function whyNotBeside(other: FamilyMember): string {
  const place = placeOf(other);
  const word = wordOf(other);
  if (isPaid(other)) return `paid again as ${place}, which is settled: paying it once more would pay twice`;
  if (WAITING.includes(other.status) || other.status === 'approved')
    return `to be paid again as ${place}, which is ${word}: let that one go on, or withdraw it first (payfile cancel)`;
  if (hasEndedUnpaid(other.status))
    return `tried again as ${place}, which is ${word}: pay that one again instead`;
  return `paid again as ${place}, which is ${word}: wait until that one has ended unpaid`;
}
