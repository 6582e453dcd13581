/**
 * Why a row is held as of now. A reason keeps what was known when the row was held: the payment that it names may have been
 * withdrawn, sent or paid since.
 */
import { STATUS_WORDS } from '../reporting/status-words.ts';
import { placeOf, wordOf } from './instruction-keys.ts';
import type { HoldReason, PaymentPointer, Status } from './payout.ts';

/** Reasons about another payment that may be this one. */
const OF_REPEATS: readonly HoldReason['kind'][] = ['duplicate_payment', 'reference_paid', 'same_row'];

/** The payment that the reason says this one may repeat. */
export function repeatedBy({ kind, pointer }: HoldReason): PaymentPointer | undefined {
  return OF_REPEATS.includes(kind) ? pointer : undefined;
}

/** `now`: where the payment that the reason names stands. */
export function reasonAsOfNow(reason: HoldReason, now: Status | undefined): HoldReason {
  if (now === undefined || now === reason.pointer?.status) return reason;
  return { ...reason, text: `${reason.text}; it is ${STATUS_WORDS[now].counted} now` };
}

/** Why a release is asked about once more: `others` may or may not have been made. */
export function mayBePaidText(others: readonly PaymentPointer[]): string {
  const named = others.map((other) => `${placeOf(other)} is ${wordOf(other)}`).join(', ');
  return `held, and may be paid already: ${named}. Find out what became of that payment first`;
}
