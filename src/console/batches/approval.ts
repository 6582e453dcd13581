/** Approval: the ledger compares the digest of the plan that the page showed, and the typed totals, under the batch's lease. */
import { rowsText } from '../../domain/text/printable.ts';
import { approvalSentence, approve as approvePlan } from '../../operations/approve.ts';
import { drawn } from '../page/blocks.ts';
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
      return page('Nothing was approved', drawn(approvePlan, approved, 'Changes'), {
        status: 409,
        bar: actionBar({ main: linkButton(`${path}/plan`, 'Review the plan as it is now', 'main') }),
      });
  }
}
