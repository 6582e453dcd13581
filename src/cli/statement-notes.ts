/** How a statement was read, for whoever has to rely on it: where each line is, which dates count, what signs mean. */
import type { Reconciled } from '../application/reconcile-batch.ts';
import { BOOKING_DAYS } from '../domain/attempt-window.ts';
import { counted, countText } from '../domain/counted.ts';
import { type SignRule, signsText } from '../domain/statement-signs.ts';

const FOREIGN_SHOWN = 20;

const SIGNS: Readonly<Record<SignRule, string | undefined>> = {
  list: undefined,
  minus_pays: 'Amounts with a minus are read as payments, the others as money that came in.',
  plus_pays: 'Amounts with a minus are read as money that came in, the others as payments.',
  unclear: `Nothing is made of the amounts of the statement: ${signsText('unclear')}.`,
};

export function statementNotes(reconciled: Reconciled): readonly string[] {
  const { span, signs, dateHeaders, lines } = reconciled;
  const notes = [linesText(reconciled)];
  if (lines.ofUnknownTags + lines.ofRows > 0)
    notes.push(
      `A line without a tag or a transfer id is a row’s only by account, amount and date: from the request to ${BOOKING_DAYS} days after it.`,
    );
  if (dateHeaders.length > 1)
    notes.push(
      `It has several dates (${dateHeaders.join(', ')}): a line is of the time from the first of them to the last, and the statement reaches as far as all of them.`,
    );
  const signsNote = SIGNS[signs];
  if (signsNote !== undefined) notes.push(signsNote);
  if (span.doubt !== undefined) notes.push(`What the statement lacks proves nothing: ${span.doubt}.`);
  return notes;
}

/** The lines of all lists together are those that were read. */
function linesText({ span, lines, foreignFirst }: Reconciled): string {
  const { ofRows, ofUnknownTags, ofOtherBatches, foreign, unnamed } = lines;
  const shown = foreignFirst.slice(0, FOREIGN_SHOWN).map(({ rowNumber }) => rowNumber);
  const more = foreign > shown.length ? ', …' : '';
  const parts = [
    `${countText(ofRows)} about rows of this batch${unnamed > 0 ? ` (${countText(unnamed)} of them beyond what is named for a row)` : ''}`,
    ...(ofUnknownTags > 0 ? [`${countText(ofUnknownTags)} with a tag that no sent row has`] : []),
    ...(ofOtherBatches > 0 ? [`${countText(ofOtherBatches)} of other batches`] : []),
    ...(foreign > 0
      ? [
          `${countText(foreign)} no payment of this ledger, as far as can be told (${shown.join(', ')}${more})`,
        ]
      : []),
  ];
  return `${counted(span.lines, 'line')} read: ${parts.join(' + ')}.`;
}
