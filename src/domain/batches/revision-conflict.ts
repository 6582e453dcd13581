/**
 * The words for a row of a newer file that changes what was agreed to or sent before.
 */
import { differencesOf } from '../payouts/instruction-keys.ts';
import type { Payout, Status } from '../payouts/payout.ts';
import { STATUS_WORDS } from '../reporting/status-words.ts';
import { printable } from '../text/printable.ts';
import { minuteOf } from '../timestamp.ts';

interface Conflict {
  readonly before: Payout;
  /** undefined: left out. */
  readonly after: Payout | undefined;
}

/** `Row 3 (GH-001): amount GHS 1,200.00 → GHS 1,250.00; it is settled since 2026-05-04; nothing was sent.` */
export function conflictText({ before, after }: Conflict): string {
  const { instruction, rowNumber } = before;
  const reference = instruction?.reference === undefined ? '' : ` (${printable(instruction.reference)})`;
  const stands = standsAs(before);
  const head = `Row ${rowNumber}${reference}`;
  if (after === undefined) return `${head}: left out of this file, but ${stands}.`;
  if (after.instruction === undefined || instruction === undefined)
    return `${head}: cannot be paid as written now, but ${stands}.`;
  const differences = differencesOf(instruction, after.instruction).map(printable);
  const moved = after.rowNumber === rowNumber ? '' : ` (row ${after.rowNumber} of this file)`;
  const isHidden =
    after.state.status === 'held' && after.state.reasons.some(({ kind }) => kind === 'hidden_row');
  return `${head}${moved}: ${differences.join(', ') || (isHidden ? 'hidden in this file' : 'changed')}; ${stands}.`;
}

/** What was not agreed to is named only because it stands for a payment that went out before. */
const STANDS_FOR_ANOTHER: readonly Status[] = ['planned', 'held', 'quoted', 'invalid', 'canceled'];

function standsAs(before: Payout): string {
  const { status } = before.state;
  if (STANDS_FOR_ANOTHER.includes(status))
    return 'a payment of it went out before and may still turn out paid';
  return `it is already ${STATUS_WORDS[status].counted}${sinceOf(before)}`;
}

function sinceOf({ state }: Payout): string {
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
