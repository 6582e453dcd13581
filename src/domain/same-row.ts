/**
 * The same row in two instructions: of an instruction and its replacements at most one is paid, in any batch. While one
 * lives, no person lets another go: one of them is withdrawn, or the one that lives ends unpaid.
 *
 * Source:  the promise “never twice”, in README.
 */
import type { HoldReason, PaymentPointer } from './payout.ts';
import { STATUS_WORDS } from './status-word.ts';
import { formatTimestamp } from './timestamp.ts';

/** `other`: what lives in its place; `isPaidAfterAll`: it was called failed first, and is paid. */
export function sameRowReason(other: PaymentPointer | undefined, isPaidAfterAll: boolean): HoldReason {
  if (other === undefined) return { kind: 'same_row', text: 'Another instruction of this row lives' };
  const day = formatTimestamp(other.at).slice(0, 10);
  const text = isPaidAfterAll
    ? `This row was paid after all: ${placeOf(other)} was called failed first and is ${wordOf(other)} (${day})`
    : `Another instruction of this row is ${wordOf(other)} (${day}): ${placeOf(other)}`;
  return { kind: 'same_row', text, pointer: other };
}

/** Why a held row is not let go beside the other one, and what to do. */
export function besideText(other: PaymentPointer, isPaidAfterAll: boolean): string {
  const place = placeOf(other);
  if (isPaidAfterAll)
    return `held, and its payment was made after all (${place}): withdraw it (payfile cancel)`;
  const why = `held, and another instruction of it is ${wordOf(other)} (${place}); only one of them is paid`;
  if (other.status === 'approved')
    return `${why}: withdraw that one first (payfile cancel), or withdraw this one`;
  if (other.status === 'settled') return `${why}: withdraw this one (payfile cancel)`;
  return `${why}: withdraw this one (payfile cancel), or wait until that one has ended unpaid`;
}

function placeOf({ rowNumber, batchName, batchId }: PaymentPointer): string {
  return `row ${rowNumber} of batch ${batchName ?? batchId}`;
}

function wordOf({ status }: PaymentPointer): string {
  return status === 'approved' ? 'approved' : STATUS_WORDS[status].counted;
}
