/**
 * Why sending stopped or left rows out (exit codes 6 and 10), in the same words for every command that sends.
 */

import { formatMoney } from '../../../domain/money/money.ts';
import { counted, rowsText } from '../../../domain/text/printable.ts';
import { secondOf } from '../../../domain/timestamp.ts';
import type { Moved, OverCeiling, SendBatchResult } from '../../../payfile.ts';
import type { Call } from '../call.ts';

const ROWS_SHOWN = 10;

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

/** Why sending stopped, or which institutions were set aside; undefined when all went out. */
export function stopSentence({ stop, setAside }: SendBatchResult): string | undefined {
  const aside =
    setAside.length === 0
      ? undefined
      : `Set aside for refusing again and again: institution ${setAside.join(', ')}. Its rows stay approved; the next run tries one first.`;
  switch (stop?.kind) {
    case undefined:
      return aside;
    case 'paused':
      return `The batch is paused: ${stop.reason}`;
    case 'outage':
      return `The service does not answer (${stop.reason}). Rows not sent stay approved; run again later.`;
    case 'limited':
      return `The service takes no transfers for now (HTTP 429). It asked to wait until ${secondOf(stop.until)} UTC. Rows not sent stay approved. Run again after that; an earlier run sends nothing.`;
    case 'canary':
      return `The canary stopped the sending: ${stop.reason}. The rest stays approved and was not sent. When you have looked, --canary 0 sends it.`;
    case 'lease_lost':
      return 'Another process took this batch over; this one stopped sending.';
    case 'interrupted':
      return 'Stopped as asked. Nothing is in flight any more.';
  }
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
