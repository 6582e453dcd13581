/**
 * The words for a row that a newer file does not have as it was agreed to or sent.
 */
import { formatMoney } from '../money/money.ts';
import type { Payout, Status } from '../payouts/payout.ts';
import { STATUS_WORDS } from '../reporting/status-words.ts';
import { printable } from '../text/printable.ts';
import { minuteOf } from '../timestamp.ts';

/** `Row 3 (GH-001) is not in this file as it was: GHS 1,200.00 to ••••3456 is settled (2026-05-04 09:30 UTC).` */
export function conflictText({ instruction, rowNumber, state }: Payout): string {
  const reference = instruction?.reference === undefined ? '' : ` (${printable(instruction.reference)})`;
  const what =
    instruction === undefined ? 'it' : `${formatMoney(instruction.amount)} to ${String(instruction.account)}`;
  const stands = MAY_BE_PAID.has(state.status)
    ? `${what} went out before and may still turn out paid`
    : `${what} is ${STATUS_WORDS[state.status].counted}${sinceOf(state)}`;
  return `Row ${rowNumber}${reference} is not in this file as it was: ${stands}.`;
}

/** Nobody agreed to such a row. It is named because it stands for a payment that went out before. */
const MAY_BE_PAID: ReadonlySet<Status> = new Set(['planned', 'held', 'quoted', 'invalid', 'canceled']);

function sinceOf(state: Payout['state']): string {
  const at =
    state.status === 'settled'
      ? state.settledAt
      : 'sentAt' in state && state.sentAt !== undefined
        ? state.sentAt
        : 'approvedAt' in state
          ? state.approvedAt
          : undefined;
  return at === undefined ? '' : ` (${minuteOf(at)} UTC)`;
}
