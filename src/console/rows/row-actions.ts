/** What is done from a row's page: a decision about the row, a correction, and one look at its full account number. */
import { join } from 'node:path';
import { batchLabel } from '../../domain/batches/batch.ts';
import { REST_FOUND } from '../../domain/payouts/payout.ts';
import { showAccount } from '../../operations/explain.ts';
import { report } from '../../operations/report.ts';
import { cancel, reissue, release } from '../../operations/rows.ts';
import { resolve } from '../../operations/ruling.ts';
import { html } from '../../views/html.ts';
import { priceBatch } from '../batches/work.ts';
import { wordsOnPage } from '../page/words.ts';
import type { Form } from '../server/form.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';
import { explained, shownRow } from './row.ts';
import { ACTION_WORDS, type Action, correctable } from './row-forms.ts';

export const releaseRow = (visit: Visit) => decided(visit, 'release');
export const withdrawRow = (visit: Visit) => decided(visit, 'withdraw');
export const reissueRow = (visit: Visit) => decided(visit, 'reissue');
export const acceptRow = (visit: Visit) => decided(visit, 'accept');

const ANOTHER = 'Nothing was done: another row has this number now. Look for the row in the batch again.';

/** About the very payment that was looked at: a newer file gives its row number to another. */
async function decided(visit: Visit, action: Exclude<Action, 'correct'>): Promise<Answer> {
  const { payfile, part } = visit;
  const form = await visit.form();
  const reason = form.text('reason');
  if (reason === '' && action !== 'reissue')
    return shownRow(visit, await explained(visit), { text: 'Nothing was done. Enter a reason.', action });
  if (action === 'accept') return accepted(visit, form);
  const asked = { batch: part('batch'), payouts: [form.text('payout')] };
  const { done, refused } =
    action === 'reissue'
      ? await payfile.call(reissue, { ...asked, ...(reason && { evidence: { words: reason } }) })
      : action === 'release'
        ? await payfile.call(release, { ...asked, ...releaseOf(form), reason })
        : await payfile.call(cancel, { ...asked, reason });
  const row = done[0];
  if (row === undefined) {
    const [first] = refused;
    const text = first === undefined ? ANOTHER : `Nothing was done: ${wordsOnPage(first.status)}.`;
    return shownRow(visit, await explained(visit), { text });
  }
  if (action !== 'withdraw') await priceBatch(visit);
  const path = address`/batches/${part('batch')}`;
  const said = `Row ${row} ${ACTION_WORDS[action].done}`;
  return see(action === 'withdraw' ? address`/batches/${part('batch')}/rows/${row}` : path, said);
}

async function accepted(visit: Visit, form: Form): Promise<Answer> {
  const { payfile, part } = visit;
  const told = await explained(visit);
  const { payout } = told.story;
  if (payout.id !== form.text('payout') || !('tag' in payout.state))
    return shownRow(visit, told, { text: ANOTHER });
  const difference = DIFFERENCE_ANSWERS.find((each) => each === form.text('difference'));
  if (difference === undefined)
    return shownRow(visit, told, { text: 'Nothing was accepted. Choose an answer.' });
  const asked = { batch: part('batch'), row: payout.state.tag, difference };
  const saw = [...form.all('saw')];
  const result = await payfile.call(resolve, { ...asked, reason: form.text('reason'), saw });
  if (result.kind !== 'ruled') {
    const why = 'reason' in result ? ` ${result.reason}` : '';
    return shownRow(visit, await explained(visit), { text: `Nothing was accepted.${why}` });
  }
  const path = address`/batches/${part('batch')}/rows/${result.rowNumber}`;
  return see(
    path,
    `Row ${result.rowNumber} ${difference === 'open' ? 'stays open.' : ACTION_WORDS.accept.done}`,
  );
}

const DIFFERENCE_ANSWERS = ['accepted', ...REST_FOUND] as const;

function releaseOf(form: Form) {
  return { shown: [...form.all('shown')], mayBePaid: form.text('mayBePaid') === 'yes' };
}

/** The corrected row becomes a file of its own, which is checked, planned and approved like any other. */
export async function correctRow(visit: Visit): Promise<Answer> {
  const { payfile, desk, person } = visit;
  const form = await visit.form();
  const told = await explained(visit);
  const { payout } = told.story;
  const wrong = (text: string) => shownRow(visit, told, { text });
  if (payout.id !== form.text('payout')) return wrong(ANOTHER);
  const cells = Object.fromEntries(
    correctable(told).flatMap(({ name, now }) => {
      const typed = form.text(name);
      return typed === (now ?? '') ? [] : [[name, typed]];
    }),
  );
  if (Object.keys(cells).length === 0)
    return wrong('Nothing was changed. To pay the same payment again, choose “Pay again without changes”.');
  if (desk.files.fullOf(person.id) !== undefined)
    return wrong('Too many files wait to become batches. Discard some of them first.');
  const { batch } = told;
  const path = join(desk.uploads, `${payout.id}.${batch.file.format}`);
  const made = await desk.making.take(person.id, () =>
    payfile.call(report, {
      ...{ batch: batch.id, only: 'unpaid', asInput: true, output: path, overwrite: true },
      correct: { row: payout.rowNumber, cells },
    }),
  );
  if (made.kind !== 'unpaid' || made.rows === 0) {
    const [why = 'it is not proven unpaid'] = made.kind === 'unpaid' ? made.leftOut.keys() : [];
    return wrong(`Nothing was done: ${why}.`);
  }
  const file = await desk.files.keep(path, `${made.batchName}.${batch.file.format}`, person.id);
  desk.files.change(file.id, () => ({ batch: made.batchName }));
  return see(
    address`/uploads/${file.id}`,
    `Row ${payout.rowNumber} ${ACTION_WORDS.correct.done} Check it here.`,
  );
}

/** Shown once, and on no page that is kept: there is no address that leads to it. */
export async function shownAccount({ payfile, part }: Visit): Promise<Answer> {
  const { batch, rowNumber, account } = await payfile.call(showAccount, {
    batch: part('batch'),
    row: part('row'),
  });
  const name = batchLabel(batch);
  return page(
    `Account of row ${rowNumber} of ${name}`,
    html`<p><code>${account}</code></p>
<p class="note">The journal of the batch keeps that you looked. The number is gone when you leave this page.</p>
`,
  );
}
