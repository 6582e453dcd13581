/**
 * One row's whole story: where it stands and what to do, what the file asked for, everything that happened. Accounts are
 * masked. What the service answered in its own words is folded for support.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { eventWords } from '../../domain/reporting/event-words.ts';
import { labelText, payoutLabel, rowLabel } from '../../domain/reporting/row-label.ts';
import { ordinalText } from '../../domain/text/printable.ts';
import { askedBlocks, attemptBlocks, type Explained, explain } from '../../operations/explain.ts';
import type { PayoutHistory } from '../../payfile.ts';
import { badge, type Html, html, instant, NOTHING, section } from '../../views/html.ts';
import { drawBlocks } from '../page/blocks.ts';
import { refusal, wideTable } from '../page/fields.ts';
import { pieceOnPage } from '../page/words.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { accountForm, type NotDone, rowDecisions } from './decisions.ts';

type Story = Explained['story'];

export async function rowPage(visit: Visit): Promise<Answer> {
  return shownRow(visit, await explained(visit));
}

export function explained({ payfile, part }: Visit): Promise<Explained> {
  return payfile.call(explain, { batch: part('batch'), row: part('row') });
}

export function shownRow(visit: Visit, told: Explained, notDone?: NotDone): Answer {
  const { batch, story } = told;
  const { payout } = story;
  const asked = [askedFor(told), accountForm(told, visit)];
  const body = html`${notDone === undefined ? NOTHING : refusal(notDone.why)}${standing(story)}${section('do', 'What to do', toDo(rowDecisions(told, visit, notDone)))}${section('asked', 'The payment', asked)}${section('story', 'What happened', whatHappened(story))}${earlierPayments(story)}${laterPayments(story)}${forSupport(story)}`;
  const title = `Row ${payout.rowNumber} of ${batchLabel(batch)}`;
  return page(title, body, notDone === undefined ? {} : { status: 422 });
}

const toDo = (decisions: Html): Html =>
  decisions.text.trim() === '' ? html`<p>Nothing is left to do about this payment.</p>\n` : decisions;

/** What the file asked for, and what the service knows. */
const askedFor = ({ story: { payout, earlier } }: Explained): Html =>
  drawBlocks(askedBlocks(payout, earlier.length), 'The payment');

function standing({ payout, sentence, reason, incidents, paidAgain, corrections }: Story): Html {
  const isNew = reason !== '' && reason !== sentence;
  const other =
    paidAgain === undefined
      ? NOTHING
      : html`<p>Another payment stands for this row: <a href="${address`/batches/${paidAgain.batchId}/rows/${paidAgain.rowNumber}`}">row ${paidAgain.rowNumber} of batch ${paidAgain.batchName}</a>, ${labelText(rowLabel(paidAgain.status, {}))}.</p>\n`;
  const corrected = corrections.map(
    ({ what, why, by, at }) => html`<p class="note">${what}: ${why} (${by}, ${instant(at)})</p>\n`,
  );
  return html`${incidents.map((what) => html`<p class="alarm"><strong>Incident:</strong> ${what}</p>\n`)}<p>${badge(payoutLabel(payout), incidents.length > 0)} ${sentence}</p>
${isNew ? html`<p>${pieceOnPage(reason)}</p>\n` : NOTHING}${corrected}${other}`;
}

function whatHappened({ entries }: Pick<PayoutHistory, 'entries'>): Html {
  if (entries.length === 0) return html`<p>Nothing yet.</p>\n`;
  const rows = entries.map((entry) => [instant(entry.at), eventWords(entry).what]);
  return wideTable({ label: 'What happened, oldest first', heads: ['When', 'What'], rows });
}

function earlierPayments({ earlier }: Story): Html {
  if (earlier.length === 0) return NOTHING;
  const each = earlier.map(
    (before, at) =>
      html`<h3>The ${ordinalText(at + 1)} attempt to pay this row: ${labelText(payoutLabel(before.payout))}</h3>\n${whatHappened(before)}${forSupport(before)}`,
  );
  return section('earlier', 'Paid before, or tried', each);
}

function laterPayments({ replacedBy }: Story): Html {
  if (replacedBy.length === 0) return NOTHING;
  const lines = replacedBy.map(
    ({ payout, batch }) =>
      html`<li><a href="${address`/batches/${payout.batchId}/rows/${payout.rowNumber}`}">Row ${payout.rowNumber} of batch ${batch}</a>: ${labelText(payoutLabel(payout))}</li>\n`,
  );
  return section('later', 'Paid again by', html`<ul>${lines}</ul>\n`);
}

/** Each request to the service with its answer, and the evidence of each event. */
function forSupport(history: PayoutHistory): Html {
  const events = history.entries.flatMap((entry) => {
    const { what, facts } = eventWords(entry);
    return facts.length === 0 ? [] : [html`<li>${instant(entry.at)} ${what}: ${facts.join('; ')}</li>\n`];
  });
  const requests = drawBlocks(attemptBlocks(history), 'Requests to the service');
  if (events.length === 0 && requests.text === '') return NOTHING;
  return html`<details class="note"><summary>For support</summary><ul>${events}</ul>\n${requests}</details>\n`;
}
