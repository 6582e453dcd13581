/**
 * The plan that waits for approval: what it pays and costs, what it leaves out, what changed, and each of its payments. The
 * approver types its totals on the same page, so nobody approves what was not shown.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import type { BatchDecision, DecisionKind } from '../../domain/batches/decisions.ts';
import { formatMoney } from '../../domain/money/money.ts';
import { mayDo } from '../../domain/people/person.ts';
import { totalsToType } from '../../domain/plan/typed-totals.ts';
import { rowsText } from '../../domain/text/printable.ts';
import { planToAgree } from '../../operations/approve.ts';
import { planBody } from '../../operations/plan-blocks.ts';
import { type BatchLook, history, look } from '../../operations/status.ts';
import type { PlanToSee } from '../../payfile.ts';
import { type Html, html, instant, NOTHING, section } from '../../views/html.ts';
import { rowsTable } from '../../views/report/rows-section.ts';
import { drawBlocks } from '../page/blocks.ts';
import { codeOf, problemText } from '../page/errors.ts';
import { field, hidden, refusal } from '../page/fields.ts';
import { actionBar, formButton, linkButton } from '../page/way.ts';
import { approvalSigning, type Signing } from '../people/signing.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { batchWay, nextAction } from './actions.ts';
import { ROWS_SHOWN, rowPages } from './batch.ts';
import { decisionsTable } from './history.ts';

export async function planPage(visit: Visit): Promise<Answer> {
  return shownPlan(visit, await visit.payfile.call(planToAgree, { batch: visit.part('batch') }));
}

const FORM = 'approve';

/** `wrong`: the typed totals were others. */
export async function shownPlan(visit: Visit, seen: PlanToSee, wrong?: string): Promise<Answer> {
  const { payfile, person, query } = visit;
  const { id } = seen.batch;
  const path = address`/batches/${id}`;
  const after = /^\d{1,9}$/.test(query.get('after') ?? '') ? Number(query.get('after')) : undefined;
  const rows = { statuses: ['quoted' as const], limit: ROWS_SHOWN, after };
  const stands = await payfile.call(look, { batch: id, rows });
  const waits = seen.plan.counts.quoted ?? 0;
  const mayApprove = waits > 0 && mayDo(person, 'approve') && stands.whyNotApprove === undefined;
  const inBar = stands.need.kind === 'approve';
  const form = mayApprove ? await approvalForm(visit, seen, { wrong, inBar }) : NOTHING;
  const none = html`<p>Nothing waits for approval.</p>\n`;
  const body = html`${wrong === undefined ? NOTHING : refusal(wrong)}${planShown(seen)}${await decidedRows(visit, id)}${waits === 0 ? none : payments(stands, { path: `${path}/plan`, query })}${form}`;
  const { need } = stands;
  const bar =
    mayApprove && inBar
      ? actionBar({
          about: aboutPlan(seen),
          main: formButton(FORM, need.action.replace('Review and a', 'A'), 'main'),
        })
      : nextAction(stands, { person, path, need });
  const status = wrong === undefined ? 200 : 422;
  return page(`Plan of ${batchLabel(seen.batch)}`, body, { way: batchWay(stands, need), bar, status });
}

function aboutPlan({ plan }: PlanToSee): string {
  const sums = plan.toApprove.map(({ sum }) => formatMoney(sum)).join(', ');
  return `${rowsText(plan.counts.quoted ?? 0)}: ${sums}`;
}

function planShown(seen: PlanToSee): Html {
  const { plan, batch } = seen;
  const held = html`<p>${linkButton(address`/batches/${batch.id}/held`, 'Decide about the held rows')}</p>\n`;
  return html`${uploads(seen)}${drawBlocks(planBody(seen, true, NAMES_SHOWN), 'What this plan pays')}${(plan.counts.held ?? 0) > 0 ? held : NOTHING}<details class="note"><summary>For support</summary><p>Digest of this plan: <code>${plan.digest}</code></p></details>
`;
}

const NAMES_SHOWN = 400;

/** The approver knows whose file it is, and that others came before it. */
function uploads({ batch, revisions }: PlanToSee): Html {
  const all = [{ by: batch.maker, at: batch.createdAt }, ...revisions];
  const lines = all.map(({ by, at }, index) => {
    const which = all.length === 1 ? 'the file' : `revision ${index + 1}`;
    const isThis = all.length > 1 && index + 1 === all.length ? ' This plan is of this file.' : '';
    return html`<li>${by} uploaded ${which}, ${instant(at)}.${isThis}</li>\n`;
  });
  return html`<ul class="lines">${lines.toReversed()}</ul>\n`;
}

function payments({ rows }: BatchLook, asked: Parameters<typeof rowPages>[1]): Html {
  if (rows === undefined) return NOTHING;
  const { lines, next, counts } = rows;
  const caption = `${rowsText(counts.quoted)}, in the order of the file`;
  const path = asked.path.replace(/\/plan$/, '');
  const table = rowsTable(lines, caption, ({ row }) => `${path}${address`/rows/${row}`}`);
  return section('rows', 'Each payment of this plan', [table, rowPages(next, asked)]);
}

interface FormShown {
  readonly wrong: string | undefined;
  /** Its button stands in the bar. */
  readonly inBar: boolean;
}

/** A person who needs a passkey for it, and has none, still sees the plan. */
async function approvalForm(visit: Visit, seen: PlanToSee, shown: FormShown): Promise<Html> {
  try {
    return totalsForm(seen, await approvalSigning(visit, seen), shown);
  } catch (error) {
    if (codeOf(error) !== 'usage') throw error;
    return html`<p class="doubtful" id="${FORM}">${problemText(error)}</p>\n`;
  }
}

/** The fields are empty each time: nobody approves what another person typed. */
function totalsForm({ batch, plan }: PlanToSee, signing: Signing, { wrong, inBar }: FormShown): Html {
  const fields = totalsToType(plan).map((total, at) =>
    field({
      ...{ name: 'total', within: `${at}-`, isRequired: true },
      label: `Type the total: ${formatMoney(total)}`,
      ...(wrong !== undefined && { wrong: 'Type the total again.' }),
    }),
  );
  const rows = rowsText(plan.counts.quoted ?? 0);
  return html`<form id="${FORM}" method="post" action="${address`/batches/${batch.id}/approval`}" data-keep${signing.attribute}>
${hidden('digest', plan.digest)}<fieldset><legend>Approve ${rows}</legend>
${fields}${signing.fields}${inBar ? NOTHING : html`<button>Approve ${rows}</button>`}
<p class="note">The total includes fees. Approval sends nothing yet: sending is the next step. payfile keeps your name and the time.</p>
</fieldset></form>
`;
}

const OF_ROWS: readonly DecisionKind[] = [
  'cell_corrected',
  'answers_said',
  'lines_left_out',
  'release',
  'cancel',
  'replacement',
  'reissue_evidence',
  'repeats_released',
  'rule_not_paid',
];
/** Pages of the journal that are read for a page that has to come at once. */
const PAGES_MAX = 10;
const DECISIONS_SHOWN = 100;

/** What people decided about rows of the plan: corrected, released, withdrawn, paid again. */
async function decidedRows({ payfile }: Visit, id: string): Promise<Html> {
  const found: BatchDecision[] = [];
  let after: number | undefined;
  let pages = 0;
  do {
    const { decisions, next } = await payfile.call(history, { batch: id, after });
    found.push(...decisions.filter(({ kind }) => OF_ROWS.includes(kind)));
    after = next;
    pages += 1;
  } while (after !== undefined && pages < PAGES_MAX && found.length < DECISIONS_SHOWN);
  if (found.length === 0) return NOTHING;
  const shown = found.slice(0, DECISIONS_SHOWN);
  const isCut = after !== undefined || found.length > shown.length;
  const cut = isCut
    ? html`<p class="note">The newest decisions. <a href="${address`/batches/${id}/history`}">All decisions</a></p>\n`
    : NOTHING;
  const title = 'Decisions about rows';
  return section('decided', title, [decisionsTable(shown, title), cut]);
}
