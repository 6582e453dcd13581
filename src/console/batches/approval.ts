/** Approval: the ledger compares the digest of the plan that the page showed, and the typed totals, under the batch's lease. */
import { planChangeLines } from '../../domain/plan/plan-changes.ts';
import { rowsText } from '../../domain/text/printable.ts';
import { type ApprovedPlan, approvalSentence, approve as approvePlan } from '../../operations/approve.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { actionBar, linkButton } from '../page/way.ts';
import { signedIn } from '../people/signing.ts';
import { type Answer, address, page, see, seeWhyNot, type Visit } from '../server/route.ts';
import { shownPlan } from './plan.ts';
import { aboutBatch, batchMeant } from './work.ts';

export async function approve(visit: Visit): Promise<Answer> {
  const batch = await batchMeant(visit);
  const sent = await visit.form();
  const given = { digest: sent.text('digest'), totals: sent.all('total'), passkey: signedIn(sent) };
  await visit.desk.jobs.makeWay(aboutBatch(batch));
  const approved = await visit.payfile.call(approvePlan, { batch, ...given, how: 'typed_total' });
  const path = address`/batches/${approved.batch.id}`;
  switch (approved.kind) {
    case 'not_agreed':
      return shownPlan(
        visit,
        approved.seen,
        'The typed text is not the total. Nothing was approved. Read the total and type it again.',
      );
    case 'nothing_to_approve':
      return seeWhyNot(path, approvalSentence(approved));
    case 'approved': {
      const { length: held } = approved.end.held;
      return see(
        path,
        `${approvalSentence(approved)}${held === 0 ? '' : ` ${rowsText(held)} held and not approved.`}`,
      );
    }
    default:
      return page('Nothing was approved', notApproved(approved), {
        status: 409,
        bar: actionBar({ main: linkButton(`${path}/plan`, 'Review the plan as it is now', 'main') }),
      });
  }
}

function notApproved(result: ApprovedPlan): Html {
  const changes = result.kind === 'changed' ? result.changes : undefined;
  const lines = changes === undefined ? [] : planChangeLines(changes);
  const more =
    changes === undefined || changes.more === 0 ? [] : [html`<li>… and ${changes.more} more rows</li>`];
  const changed = lines.map(({ row, text }) => html`<li>Row ${row}: ${text}</li>`);
  const list = lines.length === 0 ? NOTHING : html`<ul>${changed}${more}</ul>\n`;
  return html`<p>${approvalSentence(result)}</p>\n${list}`;
}
