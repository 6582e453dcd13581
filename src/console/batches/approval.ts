/**
 * Agreeing: the plan once more, and its totals typed by whoever agrees. The form names the digest of the plan that it
 * shows; the ledger compares both under the batch's lease.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { formatMoney } from '../../domain/money/money.ts';
import { planChangeLines } from '../../domain/plan/plan-changes.ts';
import { samePersonSentence, totalsToType } from '../../domain/plan/typed-totals.ts';
import { rowsText } from '../../domain/text/printable.ts';
import {
  type ApprovedPlan,
  approvalSentence,
  approve as approvePlan,
  planToAgree,
} from '../../operations/approve.ts';
import { look } from '../../operations/status.ts';
import type { PlanToSee } from '../../payfile.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { refusal } from '../page/fields.ts';
import { approvalSigning, type Signing, signedIn } from '../people/signing.ts';
import { type Answer, address, page, see, seeWhyNot, type Visit } from '../server/route.ts';
import { planShown } from './plan.ts';
import { decidedRows, paymentsToAgree } from './to-agree.ts';
import { aboutBatch, batchMeant } from './work.ts';

export async function approvalPage(visit: Visit): Promise<Answer> {
  const { payfile, part } = visit;
  const seen = await payfile.call(planToAgree, { batch: part('batch') });
  if ((seen.plan.counts.quoted ?? 0) === 0)
    return seeWhyNot(address`/batches/${seen.batch.id}`, 'Nothing waits for approval.');
  const { whyNotApprove: why } = await payfile.call(look, { batch: seen.batch.id });
  if (why !== undefined)
    return seeWhyNot(address`/batches/${seen.batch.id}`, samePersonSentence(why, seen.batch));
  return page(
    titleOf(seen),
    html`${await toAgree(visit, seen)}${totalsForm(seen, await approvalSigning(visit, seen))}`,
  );
}

/** Whoever agrees sees the payments and what others decided about them, without leafing. */
async function toAgree(visit: Visit, seen: PlanToSee): Promise<Html> {
  return html`${planShown(seen)}${await decidedRows(visit, seen.batch)}${await paymentsToAgree(visit, seen.batch)}`;
}

function titleOf({ batch }: PlanToSee): string {
  return `Agree to ${batchLabel(batch)}`;
}

/** The fields begin empty each time: nobody agrees to what another typed. */
function totalsForm({ batch, plan }: PlanToSee, signing: Signing, isWrong = false): Html {
  const totals = totalsToType(plan);
  const fields = totals.map(
    (total, at) => html`<label for="total-${at}">Type the total: ${formatMoney(total)}</label>
<input id="total-${at}" name="total" autocomplete="off" inputmode="decimal" required${isWrong ? html` aria-invalid="true" aria-describedby="wrong"` : NOTHING}>
`,
  );
  const wrong = isWrong
    ? refusal('The typed text is not the total. Nothing was agreed to. Read the total and type it again.')
    : NOTHING;
  const rows = plan.counts.quoted ?? 0;
  return html`<form method="post" action="${address`/batches/${batch.id}/approval`}" data-keep${signing.attribute}>
<input type="hidden" name="digest" value="${plan.digest}">
<fieldset><legend>To agree to ${rowsText(rows)}</legend>
${wrong}${fields}${signing.fields}<button class="main">Agree to pay ${rowsText(rows)}</button>
<p class="note">“We pay” is with fees. Agreeing sends nothing yet: an operator sends these rows afterwards, and nobody is asked again. Your name and the time are kept.</p>
</fieldset></form>
`;
}

export async function approve(visit: Visit): Promise<Answer> {
  const { payfile, form } = visit;
  const batch = await batchMeant(visit);
  const sent = await form();
  const totals = sent.all('total');
  const asked = {
    batch,
    digest: sent.text('digest'),
    totals,
    passkey: signedIn(sent),
    how: 'typed_total',
  } as const;
  await visit.desk.jobs.makeWay(aboutBatch(batch));
  const approved = await payfile.call(approvePlan, asked);
  const path = address`/batches/${approved.batch.id}`;
  switch (approved.kind) {
    case 'not_agreed': {
      const signing = await approvalSigning(visit, approved.seen);
      const body = html`${await toAgree(visit, approved.seen)}${totalsForm(approved.seen, signing, true)}`;
      return page(titleOf(approved.seen), body, { status: 422 });
    }
    case 'nothing_to_approve':
      return seeWhyNot(path, 'Nothing waits for approval.');
    case 'approved':
      return see(path, saidOf(approved));
    default:
      return page('Nothing was approved', notApproved(approved, path), { status: 409 });
  }
}

function saidOf(approved: Extract<ApprovedPlan, { kind: 'approved' }>): string {
  const { held } = approved.end;
  const left = held.length === 0 ? '' : ` ${rowsText(held.length)} held and not approved; see below.`;
  return `${approvalSentence(approved)}${left}`;
}

function notApproved(result: ApprovedPlan, path: string): Html {
  const changes = result.kind === 'changed' && result.changes !== undefined ? result.changes : undefined;
  const lines = changes === undefined ? [] : planChangeLines(changes);
  const more =
    changes === undefined || changes.more === 0 ? [] : [html`<li>… and ${changes.more} more rows</li>`];
  const changed = lines.map(({ row, text }) => html`<li>Row ${row}: ${text}</li>`);
  const list = lines.length === 0 ? NOTHING : html`<ul>${changed}${more}</ul>\n`;
  return html`<p>${approvalSentence(result)}</p>
${list}<p><a class="button" href="${path}/plan">Look at the plan as it is now</a></p>
`;
}
