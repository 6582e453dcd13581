/**
 * Why sending stopped or left rows out (exit codes 6 and 10), in the same words for every command that sends.
 */

import { formatMoney } from '../../domain/money/money.ts';
import { counted, printable } from '../../domain/text/printable.ts';
import type { Moved, OverCeiling, SendBatchResult } from '../../payfile.ts';
import type { Call } from '../call.ts';

/** What is typed when somebody looked at a canary that stopped the sending. */
export const LIFT_CANARY = '--canary 0 sends it';

/** Rows that were not sent although they were approved, and why. */
export function tellMoved({ moved }: Pick<SendBatchResult, 'moved'>, { terminal }: Call): void {
  for (const { currency, what, was, now, rows } of moved)
    terminal.talk(
      `The ${what} of rows in ${currency} moved from ${printable(was)} to ${printable(now)}: ${counted(rows, 'row needs', 'rows need')} one more approval.`,
    );
}

/** Why nothing is sent at all: more than whoever sends has allowed. */
export function overCeilingSentence({ total, ceiling, of }: OverCeiling): string {
  const flag = of === 'debit' ? '--max-debit' : '--max-total';
  const limit =
    ceiling === undefined
      ? `there is no ${flag} for ${total.currency}`
      : `${flag} allows ${formatMoney(ceiling)}`;
  const pays = `The batch ${of === 'debit' ? 'costs' : 'pays'} ${formatMoney(total)}, all runs together, and ${limit}.`;
  const amend = ceiling === undefined ? `Add ${flag} ${total.currency}=AMOUNT` : `Raise ${flag}`;
  return `${pays} This command sent nothing. ${amend}, or leave it out to send what a person approved.`;
}

/** What a command that stopped before the end did send, behind the sentence that says why it stopped. */
export function sentSentence({ isMoved, begun }: Moved): string {
  if (begun > 0)
    return `${counted(begun, 'row that was approved before was', 'rows that were approved before were')} sent.`;
  return isMoved ? 'This command sent nothing.' : 'Nothing was sent.';
}
