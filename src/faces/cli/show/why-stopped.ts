/**
 * Why sending stopped or left rows out (exit codes 6 and 10), in the same words for every command that sends.
 */

import { formatMoney } from '../../../domain/money/money.ts';
import { counted, rowsText } from '../../../domain/text/printable.ts';
import type { Moved, OverCeiling, SendBatchResult } from '../../../payfile.ts';
import type { Call } from '../call.ts';

const ROWS_SHOWN = 10;

/** What is typed when somebody looked at a canary that stopped the sending. */
export const LIFT_CANARY = '--canary 0 sends it';

/** Rows that were not sent although they were approved, and why. */
export function tellMoved({ movedRates }: Pick<SendBatchResult, 'movedRates'>, { terminal }: Call): void {
  for (const { currency, quoted, now, risePercent, rows } of movedRates)
    terminal.talk(
      `The rate for ${currency} moved from ${quoted} to ${now} (debit +${risePercent.toFixed(1)} %): ${counted(rows, 'row needs', 'rows need')} one more approval.`,
    );
}

export function tellOlderReadings(
  { readAnew: rows }: Pick<SendBatchResult, 'readAnew'>,
  { terminal }: Call,
): void {
  if (rows.length === 0) return;
  terminal.talk(
    `${rowsText(rows.length)} (${rows.slice(0, ROWS_SHOWN).join(', ')}${rows.length > ROWS_SHOWN ? ', …' : ''}) not sent: ` +
      'an earlier version of payfile read the account or the name differently. Such rows get a new quote, and a person approves them again.',
  );
}

/** Why nothing is sent at all: more than whoever sends has allowed. */
export function overCeilingSentence({ total, ceiling }: OverCeiling): string {
  const limit =
    ceiling === undefined
      ? `there is no --max-total for ${total.currency}`
      : `--max-total allows ${formatMoney(ceiling)}`;
  const pays = `The batch pays ${formatMoney(total)}, all runs together, and ${limit}.`;
  return `${pays} This command sent nothing. Raise --max-total, or leave it out to send what a person approved.`;
}

/** What a command that stopped before the end did send, behind the sentence that says why it stopped. */
export function sentSentence({ isMoved, begun }: Moved): string {
  if (begun > 0)
    return `${counted(begun, 'row that was approved before was', 'rows that were approved before were')} sent.`;
  return isMoved ? 'This command sent nothing.' : 'Nothing was sent.';
}
