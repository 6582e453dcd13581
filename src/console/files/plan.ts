/** From a checked file to a batch: its name, the rows to leave out, and what became of the plan. */
import { batchLabel, knownBatchText, repeatsText } from '../../domain/batches/batch.ts';
import { rowsText } from '../../domain/text/printable.ts';
import type { CheckedRows } from '../../operations/check.ts';
import { type PlannedFile, plan as planFile } from '../../operations/plan.ts';
import { look } from '../../operations/status.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { drawn } from '../page/blocks.ts';
import { codeOf, problemText } from '../page/errors.ts';
import { field, hidden } from '../page/fields.ts';
import { postButton } from '../page/way.ts';
import { type Answer, address, see, seeWhyNot, type Visit } from '../server/route.ts';
import { isNothing, keep, savedText, typedIn } from './fix.ts';
import type { KeptFile, PlanMade } from './kept-files.ts';
import {
  beingPlanned,
  changedMeanwhile,
  isAsReadNow,
  jobOf,
  lookAt,
  PLANNING,
  pathOf,
  withFile,
} from './looking.ts';

/** Fields of the form `say`; the button stands in the bar. */
export function planFields(file: KeptFile, { readingName }: CheckedRows, proposed: string): Html {
  const { plan, batch, reading } = file;
  const isMissing = plan?.kind === 'stopped' && plan.isLedgerMissing === true;
  const ledger = isMissing
    ? html`<label class="choice"><input type="checkbox" name="newLedger" value="yes"> No other ledger ever made payments: create this one</label>\n`
    : NOTHING;
  const isKept = (reading.answers ?? []).some(({ kind }) => kind !== 'leave_out_row');
  const remember =
    isKept || readingName !== undefined
      ? field({
          name: 'saveReading',
          label: 'Remember your answers as',
          hint: 'They count for the next file with the same columns. Empty: they are not remembered.',
          value: readingName ?? nameFrom(file.name),
        })
      : NOTHING;
  return html`<label for="batch">Name of the batch <span class="under">The period or purpose that it pays, such as payroll-2026-05.</span></label>
<input id="batch" name="batch" value="${batch || proposed}" maxlength="100">
${remember}${ledger}`;
}

const nameFrom = (fileName: string) =>
  fileName
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .trim()
    .slice(0, 60);

/** Asks for names and fees. Sends nothing. */
export function planButton(file: KeptFile, { rows, invalid }: CheckedRows, look: 'main' | 'plain'): Html {
  const text = invalid > 0 ? `Continue without ${rowsText(invalid)}` : `Continue with ${rowsText(rows)}`;
  const out = invalid > 0 ? html` name="leaveOut" value="${invalid}"` : NOTHING;
  return html`<button form="say" formaction="${pathOf(file)}/plan" class="${look}"${out}>${text}</button>`;
}

/** What became of the last plan, with what to do. */
export function planSection(file: KeptFile): Html {
  const { plan } = file;
  if (plan === undefined || plan.kind === 'planned') return NOTHING;
  if (plan.kind === 'stopped') return plan.said;
  const at = `${pathOf(file)}/plan`;
  const { of, said } = plan;
  const left = file.leaveOut === '' ? NOTHING : hidden('leaveOut', file.leaveOut);
  const newer = html`${hidden('batch', of.label)}${hidden('newer', of.id)}${left}`;
  const again = html`${hidden('batch', file.batch)}${hidden('repeats', of.id)}${left}`;
  const buttons =
    plan.kind === 'name_taken'
      ? postButton(at, `This is a newer version of batch ${of.label}`, 'plain', newer)
      : html`${plan.kind === 'same_file' ? postButton(at, `The same payments: continue batch ${of.label}`, 'plain', newer) : NOTHING}${postButton(at, 'A new period: pay them too', 'plain', again)}${postButton(`${pathOf(file)}/remove`, 'The same payments: stop', 'plain', hidden('stop', 'yes'))}`;
  const otherName =
    plan.kind === 'name_taken' ? ' If it is no newer version, choose another name below.' : '';
  return html`<div class="doubtful" id="asked"><p>${said} <a href="${address`/batches/${of.id}`}">Look at batch ${of.label}</a> first. What is this file?${otherName}</p>
${buttons}</div>
`;
}

export async function plan(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk, payfile, person }) => {
    const form = await visit.form();
    const looked = await lookAt(file, visit);
    const back = (why: string) => seeWhyNot(pathOf(file), why);
    if (looked.kind !== 'rows') return back('Look at the result of the check first.');
    const typed = typedIn(form, { file, looked, isWhole: false });
    if (typeof typed === 'string') return back(typed);
    if (!isNothing(typed)) {
      if (!keep(typed, form, file, visit)) return beingPlanned(file);
      return see(pathOf(file), `${savedText(typed)} Look at the result, then continue.`);
    }
    const { invalid, fileSha256 } = looked.checked;
    const [batch, leaveOut] = [form.text('batch'), form.text('leaveOut')];
    const [repeats, newer, saveReading] = [
      form.text('repeats'),
      form.text('newer'),
      form.text('saveReading'),
    ];
    if (batch === '') return back('Give the batch a name.');
    if (invalid > 0 && leaveOut !== String(invalid))
      return back(`${rowsText(invalid)} cannot be paid as written now. Fix them, or continue without them.`);
    const asked = file.plan !== undefined && 'of' in file.plan ? file.plan.of.id : undefined;
    if (repeats !== '' && repeats !== asked) return back('This was not asked. Continue once more.');
    desk.files.change(file.id, () => ({ batch, leaveOut }));
    const taken = await batchCalled(batch, file, visit);
    if (taken !== undefined && taken.of.id !== newer) {
      desk.files.change(file.id, () => ({ plan: taken }));
      return see(pathOf(file));
    }
    const options = {
      ...{ ...file.reading, edits: file.edits, fileSha256, batch, skipInvalid: invalid > 0 },
      ...(repeats === '' ? {} : { repeats }),
      ...(saveReading === '' ? {} : { saveReading }),
      newLedger: form.text('newLedger') === 'yes',
    };
    // The look at the file took its time.
    if (!isAsReadNow(file, visit)) return changedMeanwhile(file);
    const what = { about: jobOf(file), doing: PLANNING, by: person.name };
    const isBegun = desk.jobs.begin(what, async (dialogue) => {
      const made = await payfile
        .call(planFile, { ...options, file: file.path }, dialogue)
        .then(planMade, planFailed);
      desk.files.change(file.id, () => ({ plan: made }));
      // The file may be another than was looked at, and what was said may be remembered for other files.
      if (made.kind === 'stopped' || saveReading !== '') desk.files.forgetFound();
    });
    return see(pathOf(file), isBegun ? undefined : 'This file is being read or planned already.');
  });
}

/** A batch with this name that is not made of this file. */
async function batchCalled(name: string, { plan }: KeptFile, { payfile }: Visit) {
  const found = await payfile.call(look, { batch: name }).catch((error: unknown) => {
    if (['batch_not_found', 'ledger_missing'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  });
  if (found === undefined || found.batch.name !== name || plan?.batchId === found.batch.id) return undefined;
  const { batch, currencies, counts } = found;
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const sums = currencies.map(({ currency, requested: { minor } }) => ({ currency, minor }));
  return asking('name_taken', `${knownBatchText(batch, rows, sums)}.`, batch);
}

type Asking = Extract<PlanMade, { of: unknown }>;

function asking(
  kind: Asking['kind'],
  said: string,
  batch: Parameters<typeof batchLabel>[0] & { readonly id: string },
): Asking {
  return { kind, said, of: { id: batch.id, label: batchLabel(batch) } };
}

function planMade(done: PlannedFile): PlanMade {
  const { end, batch } = done;
  const batchId = batch.id;
  switch (end.kind) {
    case 'planned':
      return { kind: 'planned', batchId };
    case 'repeats_open':
      if (end.question === undefined) return { kind: 'planned', batchId };
      return {
        ...asking('repeats', `${repeatsText(end.question.repeats)} They are held.`, end.question.repeats.of),
        batchId,
      };
    case 'same_file': {
      const { batch: other, rows, sums } = end.known;
      const known = `Batch ${batchLabel(other)} has the same file. ${knownBatchText(other, rows, sums)}.`;
      return asking('same_file', end.tooEarly === undefined ? known : `${known} ${end.tooEarly}`, other);
    }
    case 'too_early':
      return stopped(html`<p>${end.reason ?? ''}</p>`, batchId);
    case 'unpriced': {
      const { unpriced = 0, reason = 'no usable answer' } = done.plan?.priced ?? {};
      const why = `${rowsText(unpriced)} without a fee: ${reason}. Continue again later.`;
      return stopped(html`<p>${why}</p>`, batchId);
    }
    default:
      return stopped(drawn(planFile, done, 'Rows'), batchId);
  }
}

const stopped = (said: Html, batchId?: string): PlanMade => ({
  kind: 'stopped',
  ...(batchId !== undefined && { batchId }),
  said: html`<div class="doubtful" id="asked">${said}${batchId === undefined ? NOTHING : html`<p><a href="${address`/batches/${batchId}`}">Its batch</a></p>`}</div>\n`,
});

function planFailed(error: unknown): PlanMade {
  const said = html`<p class="alarm" id="asked">${problemText(error)}</p>\n`;
  return { kind: 'stopped', said, isLedgerMissing: codeOf(error) === 'ledger_missing' };
}
