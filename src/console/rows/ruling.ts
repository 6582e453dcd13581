/**
 * A person says what became of a row in doubt: paid or not paid, each confirmed by typing the row number. A transfer that
 * differs from what was asked is shown and asked about.
 */
import { rm } from 'node:fs/promises';
import { batchLabel } from '../../domain/batches/batch.ts';
import { formatMoney } from '../../domain/money/money.ts';
import { labelText, payoutLabel } from '../../domain/reporting/row-label.ts';
import type { Explained } from '../../operations/explain.ts';
import type { InputOf } from '../../operations/operation.ts';
import { resolve } from '../../operations/ruling.ts';
import { askWith, type Ruled, type Unconfirmed } from '../../payfile.ts';
import { badge, type Html, html, NOTHING, section } from '../../views/html.ts';
import { aboutBatch, batchMeant } from '../batches/work.ts';
import { field, fileField, hidden, refusal } from '../page/fields.ts';
import type { Form } from '../server/form.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';
import type { Upload } from '../server/uploads.ts';
import { askedFor, explained } from './row.ts';

type Kind = 'paid' | 'not_paid';

/** Why nothing was ruled, and what to show again. */
interface NotRuled {
  readonly kind: Kind;
  readonly text: string;
  readonly differences: readonly string[];
  readonly transferId: string;
  readonly evidence: string;
}

export async function rulingPage(visit: Visit): Promise<Answer> {
  return shownRuling(await explained(visit));
}

function shownRuling(told: Explained, wrong?: NotRuled): Answer {
  const { batch, story, open } = told;
  const { payout } = story;
  const name = batchLabel(batch);
  const title = `What became of row ${payout.rowNumber} of ${name}`;
  const label = payoutLabel(payout);
  if (open.rule === undefined)
    return page(title, html`<p>There is nothing to decide: the row is ${labelText(label)}.</p>\n`);
  const known = html`<p>${badge(label)} ${story.reason}</p>
${askedFor(told)}<p>Search your statement, or the service’s dashboard, for the tag. A statement can answer for many rows at once: <a href="${address`/batches/${batch.id}/doubt`}">compare the batch with a statement</a>.</p>
`;
  const body = html`${alarm(wrong)}${section('known', 'What is known', known)}${section('paid', 'It was paid', paidForm(told, wrong))}${section('unpaid', 'It was not paid', unpaidForm(told, wrong))}`;
  return page(title, body, wrong === undefined ? {} : { status: 422 });
}

function alarm(wrong: NotRuled | undefined): Html {
  if (wrong === undefined) return NOTHING;
  const differences = wrong.differences.map((text) => html`<li>${text}</li>\n`);
  return refusal(html`<p>Nothing was decided. ${wrong.text}</p>
${differences.length === 0 ? NOTHING : html`<p>What does not fit:</p>\n<ul>${differences}</ul>\n`}`);
}

function paidForm(told: Explained, wrong: NotRuled | undefined): Html {
  const mine = wrong?.kind === 'paid' ? wrong : undefined;
  const hasDifferences = mine !== undefined && mine.differences.length > 0;
  const evidence = hasDifferences
    ? field({
        name: 'evidence',
        label: 'Why it is this payment anyway',
        hint: 'The differences are shown above. payfile keeps your text.',
        value: mine.evidence,
        isLong: true,
        isRequired: true,
        within: 'paid-',
      })
    : NOTHING;
  return html`<form method="post" action="${rulingAddress(told)}" enctype="multipart/form-data" data-keep="">
<p>payfile looks the transfer up and compares it. “Paid” is final: payfile never sends the row again.</p>
${hidden('ruling', 'paid')}${hidden('payout', told.story.payout.id)}${field({ name: 'transfer', label: 'Transfer id', hint: 'As the statement or the dashboard shows it.', value: mine?.transferId ?? '', isRequired: true, within: 'paid-' })}${evidence}${confirmation(told, 'paid-')}<p><button>Confirm: it was paid</button></p>
</form>
`;
}

function unpaidForm(told: Explained, wrong: NotRuled | undefined): Html {
  const { rule } = told.open;
  if (rule?.mayBeUnpaid !== true) return html`<p>A person said before that it was not paid.</p>\n`;
  if (rule.notYet !== undefined)
    return html`<p class="doubtful">${rule.notYet}</p>\n<p><a class="button" href="${rulingAddress(told)}">Look again</a></p>\n`;
  const mine = wrong?.kind === 'not_paid' ? wrong : undefined;
  return html`<form method="post" action="${rulingAddress(told)}" enctype="multipart/form-data" data-keep="">
<p>Only where it is proven: a statement that covers its time, or the service’s own words. A wrong answer pays the row twice. Paying it again is a step of its own.</p>
${hidden('ruling', 'not_paid')}${hidden('payout', told.story.payout.id)}${field({ name: 'evidence', label: 'What proves that no money moved', hint: 'In words, with a file or instead of one. payfile keeps it.', value: mine?.evidence ?? '', isLong: true, within: 'unpaid-' })}${fileField('file', 'A file that proves it: its name, size and SHA-256 are kept, the file is not')}${confirmation(told, 'unpaid-')}<p><button class="grave">Confirm: it was not paid</button></p>
</form>
`;
}

function confirmation({ story }: Explained, within: string): Html {
  const { rowNumber, instruction } = story.payout;
  const sum = instruction === undefined ? '' : `, ${formatMoney(instruction.amount)}`;
  return field({
    name: 'row',
    label: 'Type the row number to confirm',
    hint: `Row ${rowNumber}${sum}`,
    isRequired: true,
    within,
  });
}

function rulingAddress({ batch, story }: Explained): string {
  return address`/batches/${batch.id}/rows/${story.payout.rowNumber}/ruling`;
}

export async function rule(visit: Visit): Promise<Answer> {
  const upload = await visit.upload();
  try {
    return await ruled(visit, upload);
  } finally {
    // Only its name, size and hash are kept.
    if (upload.file !== undefined) await rm(upload.file.path, { force: true });
  }
}

async function ruled(visit: Visit, { form, file }: Upload): Promise<Answer> {
  const { payfile, part, signal } = visit;
  const given = givenIn(form, file);
  if (given === undefined) return again(visit, form, { text: missing(form) });
  await visit.desk.jobs.makeWay(aboutBatch(await batchMeant(visit)));
  const { payout } = (await explained(visit)).story;
  // A newer file gave this row number to another payment, which the person did not look at.
  if (payout.id !== form.text('payout'))
    return again(visit, form, {
      text: 'Another row has this number now. Look for the row in the batch again.',
    });
  const row = 'tag' in payout.state ? payout.state.tag : part('row');
  const ask = askWith({ ruling: async () => form.text('row') });
  const result = await payfile.call(resolve, { batch: part('batch'), row, ...given }, { signal, ask });
  const said = saidOf(result, given);
  if (said === undefined) return again(visit, form, whyNot(result));
  return see(address`/batches/${part('batch')}`, said);
}

function missing(form: Form): string {
  return form.text('ruling') === 'paid'
    ? 'The transfer id is missing.'
    : 'The proof is missing: words, a file, or both.';
}

type RulingGiven = Pick<InputOf<typeof resolve>, 'paid' | 'notPaid' | 'evidence'>;

function givenIn(form: Form, file: Upload['file']): RulingGiven | undefined {
  const words = form.text('evidence');
  if (form.text('ruling') === 'paid') {
    const evidence = words === '' ? undefined : { words };
    const paid = form.text('transfer');
    return paid === '' ? undefined : { paid, evidence };
  }
  if (file !== undefined) return { notPaid: true, evidence: { path: file.path, name: file.name, words } };
  return words === '' ? undefined : { notPaid: true, evidence: { words } };
}

function saidOf(result: Ruled | Unconfirmed, { paid }: RulingGiven): string | undefined {
  if (result.kind === 'ruled') {
    const { rowNumber, status, payout } = result;
    const then = status === 'accepted' ? ` ${TO_FINISH}` : '';
    return `Row ${rowNumber} was ${paid === undefined ? 'not paid' : 'paid'}, as you said: ${labelText(payoutLabel(payout))}.${then}`;
  }
  if (result.kind === 'incident')
    return `Incident: row ${result.rowNumber} was ${result.reason}. It is not paid again.`;
  return undefined;
}

function whyNot(result: Ruled | Unconfirmed): Pick<NotRuled, 'text'> & Partial<NotRuled> {
  if (result.kind === 'unconfirmed') return { text: 'The typed number is not the number of this row.' };
  if (result.kind !== 'refused') return { text: '' };
  const { reason, differences } = result;
  return { text: differences.length > 0 ? DIFFERS : reason, differences };
}

const TO_FINISH = 'Next, ask for its status on the page of the batch.';
const DIFFERS = 'The service does not confirm that this transfer is this payment. If it is, say why below.';

async function again(
  visit: Visit,
  form: Form,
  why: Pick<NotRuled, 'text'> & Partial<NotRuled>,
): Promise<Answer> {
  const kind = form.text('ruling') === 'paid' ? 'paid' : 'not_paid';
  const typed = { kind, transferId: form.text('transfer'), evidence: form.text('evidence') } as const;
  return shownRuling(await explained(visit), { ...typed, differences: [], ...why });
}
