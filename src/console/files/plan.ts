/**
 * From a checked file to a batch: what the batch is called, what is left out, and what planning it came to. What the
 * door asks is answered by what a person says in the form, or stays open.
 */
import { batchLabel, knownBatchText } from '../../domain/batches/batch.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import type { CheckedRows } from '../../operations/check.ts';
import { proposedName } from '../../operations/file.ts';
import { plan as planFile } from '../../operations/plan.ts';
import { look as lookNow } from '../../operations/status.ts';
import { type Html, html, instantText, NOTHING } from '../../views/html.ts';
import { isUnderWay } from '../jobs.ts';
import { codeOf, problemText } from '../page/errors.ts';
import { hidden, refusal } from '../page/fields.ts';
import { type Answer, address, page, see, seeWhyNot, type Visit } from '../server/route.ts';
import { underWay } from './found.ts';
import type { KeptFile } from './kept-files.ts';
import { changedMeanwhile, isAsReadNow, jobOf, lookAt, PLANNING, pathOf, withFile } from './looking.ts';
import { type PlanMade, planMade } from './plan-made.ts';

export async function planPage(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk, query }) => {
    if (isUnderWay(desk.jobs.about(jobOf(file)))) return underWay(file, visit);
    if (file.plan?.kind === 'planned' && !query.has('again'))
      return see(address`/batches/${file.plan.batchId}/plan`);
    return planForm(file, visit);
  });
}

interface Wrong {
  readonly why: string;
  readonly field: 'batch' | 'leaveOut' | undefined;
  /** As it was typed and ticked. */
  readonly batch: string;
  readonly leaveOut: string;
  readonly newLedger: boolean;
}

async function planForm(file: KeptFile, visit: Visit, wrong?: Wrong): Promise<Answer> {
  const looked = await lookAt(file, visit);
  if (looked.kind === 'under_way') return underWay(file, visit);
  if (looked.kind === 'refused') return see(pathOf(file));
  const { checked } = looked;
  const isAsked = file.plan?.kind === 'repeats_open' || file.plan?.kind === 'same_file';
  const form =
    isAsked && wrong?.field !== 'leaveOut'
      ? NOTHING
      : formOf(file, checked, {
          wrong,
          name:
            wrong?.batch ||
            file.batch ||
            (await visit.payfile.call(proposedName, { fileName: file.name })).name,
        });
  const alarm = wrong === undefined ? NOTHING : refusal(wrong.why);
  const status = wrong === undefined ? {} : ({ status: 422 } as const);
  return page(`Plan: ${file.name}`, html`${alarm}${came(file)}${form}`, status);
}

interface Typed {
  readonly name: string;
  readonly wrong: Wrong | undefined;
}

const TICKED = html` checked`;
const MARKED = html` aria-invalid="true" aria-describedby="wrong"`;

function formOf(file: KeptFile, { rows, invalid }: CheckedRows, { name, wrong }: Typed): Html {
  const markOf = (field: Wrong['field']) => (wrong?.field === field ? MARKED : NOTHING);
  if (rows === invalid)
    return html`<p>No row of the file can be paid as written. <a class="button" href="${pathOf(file)}/rows">Mend the rows</a></p>\n`;
  const leaving =
    invalid === 0
      ? NOTHING
      : html`<fieldset><legend>${rowsText(invalid)} cannot be paid as written</legend>
<p><a href="${pathOf(file)}/rows">Mend them</a> first, or:</p>
<label class="choice"><input type="checkbox" name="leaveOut" value="${invalid}"${wrong?.leaveOut === String(invalid) ? TICKED : NOTHING}${markOf('leaveOut')}> Leave out ${rowsText(invalid)} and plan the other ${rowsText(rows - invalid)}</label></fieldset>
`;
  const isMissing = file.plan?.kind === 'failed' && file.plan.isLedgerMissing;
  const ledger = isMissing
    ? html`<label class="choice"><input type="checkbox" name="newLedger" value="yes"${wrong?.newLedger === true ? TICKED : NOTHING}> No payments were ever made with another ledger: create this one</label>\n`
    : NOTHING;
  return html`<form method="post" action="${pathOf(file)}/plan" data-keep>
<label for="batch">Name of the batch <span class="under">Which period or purpose it pays, such as payroll-2026-05. If a batch has this name, you are asked whether this file is a newer version of it.</span></label>
<input id="batch" name="batch" value="${name}" maxlength="100" required${markOf('batch')}>
${leaving}${ledger}<p>Planning asks the service for names and fees. Nothing is sent: a person has to agree to the plan first.</p>
<button class="main">Plan ${rowsText(rows - invalid)}</button>
</form>
`;
}

/** What the last plan came to, with what to do. */
function came(file: KeptFile): Html {
  const { plan } = file;
  if (plan === undefined || plan.kind === 'planned') return NOTHING;
  const at = 'batchId' in plan ? address`/batches/${plan.batchId}` : '/';
  switch (plan.kind) {
    case 'failed':
      return html`<p class="alarm">${plan.why}</p>\n`;
    case 'unpriced':
      return html`<p class="alarm">${rowsText(plan.rows)} without a fee: ${plan.why}. Plan again when the service answers.</p>\n`;
    case 'invalid_rows':
      return html`<p class="alarm">${rowsText(plan.rows)} cannot be paid as written. Mend them, or leave them out below.</p>\n`;
    case 'finished':
      return html`<p class="doubtful">Nothing is left to send: batch <a href="${at}">${plan.label}</a> of ${instantText(timestampOf(plan.madeAt)).slice(0, 10)} was finished before with the same rows. To pay them once more as a new period, plan them under another name.</p>\n`;
    case 'refused':
      return html`<div class="alarm"><p>The file changes or leaves out ${rowsText(plan.count)} of batch <a href="${at}">${plan.label}</a> that were agreed to or sent before. Nothing of this file was kept.</p>
<ul>${plan.conflicts.map((text) => html`<li>${text}</li>\n`)}</ul>
<p>Put these rows back as they were and bring the file again. To pay more, add a row of its own. A row that is approved and not sent can be withdrawn first; rows that failed are paid again from the report of unpaid rows.</p></div>\n`;
    case 'repeats_open':
      return repeats(file, plan, at);
    case 'same_file':
      return sameFile(file, plan);
    case 'name_taken':
      return nameTaken(file, plan);
  }
}

type Repeated = Extract<PlanMade, { kind: 'repeats_open' }>;

function repeats(file: KeptFile, { said, of, name }: Repeated, at: string): Html {
  return html`<div class="doubtful"><p>${said} They are held, and nothing of them is sent. <a href="${address`/batches/${of.id}`}">Look at batch ${of.label}</a> first. What is this file?</p>
<form class="inline" method="post" action="${pathOf(file)}/plan"><input type="hidden" name="batch" value="${name}"><input type="hidden" name="repeats" value="${of.id}">${saidBefore(file)}<button>A new period: pay it as well</button></form>
<form class="inline" method="post" action="${pathOf(file)}/remove"><button>The same: stop</button></form>
<p class="note">If it is the same payment, its rows stay held in <a href="${at}">this batch</a> until somebody withdraws them.</p></div>\n`;
}

/** What was said before the question counts still, as long as it is the same. */
function saidBefore({ leaveOut }: KeptFile): Html {
  return leaveOut === '' ? NOTHING : hidden('leaveOut', leaveOut);
}

function sameFile(file: KeptFile, { said: known, of }: Extract<PlanMade, { kind: 'same_file' }>): Html {
  const said = saidBefore(file);
  return html`<div class="doubtful"><p>Batch ${of.label} has the same file. ${known}. Nothing was kept of this file and nothing was sent. <a href="${address`/batches/${of.id}`}">Look at batch ${of.label}</a> first. What is this?</p>
${newerForm(file, of, `The same payments: go on with batch ${of.label}`)}
<form class="inline" method="post" action="${pathOf(file)}/plan">${hidden('batch', file.batch)}${hidden('repeats', of.id)}${said}<button>A new period: pay it as well</button></form>
<form class="inline" method="post" action="${pathOf(file)}/remove"><button>The same: stop</button></form></div>\n`;
}

function nameTaken(file: KeptFile, { said, of }: Extract<PlanMade, { kind: 'name_taken' }>): Html {
  return html`<div class="doubtful"><p>${said}. <a href="${address`/batches/${of.id}`}">Look at it</a> first. Is this file a newer version of it? If not, choose another name below.</p>
${newerForm(file, of, `A newer version of batch ${of.label}`)}</div>\n`;
}

function newerForm(file: KeptFile, of: Named, label: string): Html {
  return html`<form class="inline" method="post" action="${pathOf(file)}/plan">${hidden('batch', of.label)}${hidden('newer', of.id)}${saidBefore(file)}<button>${label}</button></form>`;
}

type Named = Extract<PlanMade, { kind: 'name_taken' }>['of'];

/** The batch of this name, where this file was not planned as it before. */
async function takenBy(
  name: string,
  { plan }: KeptFile,
  { payfile }: Visit,
): Promise<Extract<PlanMade, { kind: 'name_taken' }> | undefined> {
  const look = await payfile.call(lookNow, { batch: name }).catch((error: unknown) => {
    if (['batch_not_found', 'ledger_missing'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  });
  const isOwn = plan !== undefined && 'batchId' in plan && plan.batchId === look?.batch.id;
  if (look === undefined || look.batch.name !== name || isOwn) return undefined;
  const { batch, currencies, counts } = look;
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const sums = currencies.map(({ currency, requested: { minor } }) => ({ currency, minor }));
  const of = { id: batch.id, label: batchLabel(batch) };
  return { kind: 'name_taken', said: knownBatchText(batch, rows, sums), of };
}

export async function plan(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk, payfile, person }) => {
    const form = await visit.form();
    const looked = await lookAt(file, visit);
    if (looked.kind === 'rows' && looked.edits !== file.edits)
      return seeWhyNot(
        `${pathOf(file)}/rows`,
        'Corrections are not checked yet. Check the file again first.',
      );
    if (looked.kind !== 'rows') return seeWhyNot(pathOf(file), 'Look at what was found in the file first.');
    const { invalid, fileSha256 } = looked.checked;
    const batch = form.text('batch');
    const leaveOut = form.text('leaveOut');
    const repeated = form.text('repeats');
    const newer = form.text('newer');
    const newLedger = form.text('newLedger') === 'yes';
    const refuse = (why: string, field?: Wrong['field']) =>
      planForm(file, visit, { why, field, batch, leaveOut, newLedger });
    if (batch === '') return refuse('Give the batch a name.', 'batch');
    if (invalid > 0 && leaveOut === '')
      return refuse(
        `${rowsText(invalid)} cannot be paid as written. Mend them, or say below that they are left out.`,
        'leaveOut',
      );
    const asked = file.plan !== undefined && 'of' in file.plan ? file.plan.of.id : undefined;
    if (leaveOut !== '' && leaveOut !== String(invalid))
      return refuse(
        `It is ${countText(invalid)} rows now that cannot be paid as written. Look at them again.`,
        'leaveOut',
      );
    if (repeated !== '' && repeated !== asked) return refuse('This was not asked. Plan the file again.');
    const taken = await takenBy(batch, file, visit);
    if (taken !== undefined && taken.of.id !== newer) {
      desk.files.change(file.id, () => ({ batch, leaveOut, plan: taken }));
      return see(`${pathOf(file)}/plan`);
    }
    const options = {
      ...file.reading,
      edits: file.edits,
      fileSha256,
      batch,
      skipInvalid: invalid > 0,
      ...(repeated === '' ? {} : { repeats: repeated }),
      newLedger,
    };
    const about = jobOf(file);
    desk.files.change(file.id, () => ({ batch, leaveOut }));
    // The form and the look at the file took their time.
    if (!isAsReadNow(file, visit)) return changedMeanwhile(file);
    const isBegun = desk.jobs.begin({ about, doing: PLANNING, by: person.name }, async (dialogue) => {
      const made = await payfile
        .call(planFile, { ...options, file: file.path }, dialogue)
        .then(planMade, planFailed);
      desk.files.change(file.id, () => ({ plan: made }));
      // The file may be another than was looked at.
      if (made.kind === 'failed') desk.files.forgetFound(file.id);
    });
    return see(`${pathOf(file)}/plan`, isBegun ? undefined : 'It is being read or planned already.');
  });
}

function planFailed(error: unknown): PlanMade {
  return { kind: 'failed', why: problemText(error), isLedgerMissing: codeOf(error) === 'ledger_missing' };
}
