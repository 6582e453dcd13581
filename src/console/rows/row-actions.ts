/**
 * What is done from a row's page: a decision about the row, and one look at its whole account number.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { showAccount } from '../../operations/explain.ts';
import { cancel, reissue, release } from '../../operations/rows.ts';
import { resolve } from '../../operations/ruling.ts';
import { html } from '../../views/html.ts';
import type { Form } from '../server/form.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';
import { explained, shownRow } from './row.ts';
import { ACTION_WORDS, type Action } from './row-forms.ts';

export const releaseRow = (visit: Visit) => decided(visit, 'release');
export const withdrawRow = (visit: Visit) => decided(visit, 'withdraw');
export const reissueRow = (visit: Visit) => decided(visit, 'reissue');
export const acceptRow = (visit: Visit) => decided(visit, 'accept');

/** About the very payment that was looked at: a newer file gives its row number to another. */
async function decided(visit: Visit, action: Action): Promise<Answer> {
  const { payfile, part } = visit;
  const form = await visit.form();
  const reason = form.text('reason');
  if (reason === '' && action !== 'reissue')
    return shownRow(visit, await explained(visit), {
      text: 'Nothing was done: a reason is missing.',
      action,
    });
  if (action === 'accept') return accepted(visit, form);
  const asked = { batch: part('batch'), payouts: [form.text('payout')] };
  const { done, refused } =
    action === 'reissue'
      ? await payfile.call(reissue, { ...asked, ...(reason && { evidence: { words: reason } }) })
      : action === 'release'
        ? await payfile.call(release, { ...asked, ...releaseOf(form), reason })
        : await payfile.call(cancel, { ...asked, reason });
  const row = done[0];
  if (row !== undefined)
    return see(address`/batches/${part('batch')}/rows/${row}`, `Row ${row} ${ACTION_WORDS[action].done}`);
  const why = refused[0]?.status ?? 'another row has this number now; look again';
  return shownRow(visit, await explained(visit), { text: `Nothing was done: ${why}.` });
}

async function accepted(visit: Visit, form: Form): Promise<Answer> {
  const { payfile, part } = visit;
  const told = await explained(visit);
  const { payout } = told.story;
  if (payout.id !== form.text('payout') || !('tag' in payout.state))
    return shownRow(visit, told, { text: 'Nothing was done: another row has this number now; look again.' });
  const saw = form.all('saw');
  const result = await payfile.call(resolve, {
    batch: part('batch'),
    row: payout.state.tag,
    difference: 'accepted',
    reason: form.text('reason'),
    saw: [...saw],
  });
  if (result.kind !== 'ruled') {
    const why = 'reason' in result ? ` ${result.reason}` : '';
    return shownRow(visit, await explained(visit), { text: `Nothing was accepted.${why}` });
  }
  const path = address`/batches/${part('batch')}/rows/${result.rowNumber}`;
  return see(path, `Row ${result.rowNumber} ${ACTION_WORDS.accept.done}`);
}

function releaseOf(form: Form) {
  return { shown: [...form.all('shown')], mayBePaid: form.text('mayBePaid') === 'yes' };
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
