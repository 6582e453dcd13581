/**
 * One row's whole story: where it stands and what to do, what the file asked for, what the service knows, everything that
 * happened. Accounts are masked.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { labelText, payoutLabel, rowLabel } from '../../domain/reporting/row-label.ts';
import { type Explained, explain } from '../../operations/explain.ts';
import { badge, type Html, html, NOTHING, section } from '../../views/html.ts';
import { refusal } from '../page/fields.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { accountForm, type DecisionWrong, rowDecisions } from './row-forms.ts';
import {
  askedFor,
  earlierPayments,
  laterPayments,
  nameAndQuote,
  requests,
  whatHappened,
} from './row-story.ts';

export async function rowPage(visit: Visit): Promise<Answer> {
  return shownRow(visit, await explained(visit));
}

export function explained({ payfile, part }: Visit): Promise<Explained> {
  return payfile.call(explain, { batch: part('batch'), row: part('row') });
}

/** `wrong`: what was sent from this page and could not be done. */
export function shownRow(visit: Visit, told: Explained, wrong?: DecisionWrong): Answer {
  const { batch, story } = told;
  const { payout } = story;
  const name = batchLabel(batch);
  const body = html`${wrong === undefined ? NOTHING : refusal(wrong.text)}${standing(told)}${section('do', 'What to do', rowDecisions(told, visit, wrong))}${section('asked', 'What the file asked for', html`${askedFor(payout)}${accountForm(told, visit)}`)}${nameAndQuote(payout)}${requests(story)}${section('story', 'What happened', whatHappened(story))}${earlierPayments(story)}${laterPayments(story)}`;
  return page(`Row ${payout.rowNumber} of ${name}`, body, wrong === undefined ? {} : { status: 422 });
}

function standing({ story }: Explained): Html {
  const { payout, sentence, reason, incidents, paidAgain } = story;
  const isNew = reason !== '' && reason !== sentence;
  const other =
    paidAgain === undefined
      ? NOTHING
      : html`<p>Another payment stands for this row: <a href="${address`/batches/${paidAgain.batchId}/rows/${paidAgain.rowNumber}`}">row ${paidAgain.rowNumber} of batch ${paidAgain.batchName}</a>, ${labelText(rowLabel(paidAgain.status, {}))}.</p>\n`;
  return html`${incidents.map((what) => html`<p class="alarm"><strong>Incident:</strong> ${what}</p>\n`)}<p>${badge(payoutLabel(payout), incidents.length > 0)} ${sentence}</p>
${isNew ? html`<p>${reason}</p>\n` : NOTHING}${other}`;
}
