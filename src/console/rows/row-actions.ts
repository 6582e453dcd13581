/** What is done from a row's page: a decision about the row, a correction, and one look at its full account number. */
import { join } from 'node:path';
import { batchLabel } from '../../domain/batches/batch.ts';
import { REST_FOUND } from '../../domain/payouts/payout.ts';
import { labelText, payoutLabel } from '../../domain/reporting/row-label.ts';
import { type Explained, showAccount } from '../../operations/explain.ts';
import type { InputOf } from '../../operations/operation.ts';
import { report } from '../../operations/report.ts';
import { cancel, reissue, release } from '../../operations/rows.ts';
import { resolve } from '../../operations/ruling.ts';
import { askWith } from '../../payfile.ts';
import { html, type Piece } from '../../views/html.ts';
import { aboutBatch, priceBatch } from '../batches/work.ts';
import { codeOf, problemText } from '../page/errors.ts';
import { pieceOnPage } from '../page/words.ts';
import type { Form } from '../server/form.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';
import { type Action, correctable } from './decisions.ts';
import { explained, shownRow } from './row.ts';

/** Nothing was decided. */
interface WhyNot {
  readonly kind: 'why_not';
  readonly why: Piece;
  readonly differs?: boolean;
}
type Decide = (visit: Visit, form: Form, told: Explained) => Promise<Answer | WhyNot>;

const whyNot = (why: Piece, differs = false): WhyNot => ({ kind: 'why_not', why, differs });

export const releaseRow = (visit: Visit) => decided(visit, 'release', ofHeld('release', 'is released.'));
export const withdrawRow = (visit: Visit) => decided(visit, 'withdraw', ofHeld('withdraw', 'is withdrawn.'));
export const reissueRow = (visit: Visit) => decided(visit, 'reissue', ofHeld('reissue', 'is planned again.'));
export const acceptRow = (visit: Visit) => decided(visit, 'accept', accepted);
export const correctRow = (visit: Visit) => decided(visit, 'correct', corrected);
export const ruleOnRow = async (visit: Visit) => {
  const isPaid = (await visit.form()).text('ruling') === 'paid';
  return decided(visit, isPaid ? 'paid' : 'not_paid', ruled);
};

/** About the very payment that was looked at: a newer file gives its row number to another. */
async function decided(visit: Visit, action: Action, decide: Decide): Promise<Answer> {
  const form = await visit.form();
  const told = await explained(visit);
  const isSame = told.story.payout.id === form.text('payout');
  const made = isSame ? await decide(visit, form, told).catch(refusedText) : whyNot(ANOTHER);
  if (made.kind !== 'why_not') return made;
  const why = html`Nothing was done. ${made.why}`;
  return shownRow(visit, await explained(visit), { ...made, why, action, form });
}

const ANOTHER = 'Another row has this number now. Look for the row in the batch again.';

/** What a form lacks is said beside what was typed. */
function refusedText(error: unknown): WhyNot {
  if (codeOf(error) !== 'usage') throw error;
  return whyNot(problemText(error));
}

function ofHeld(action: 'release' | 'withdraw' | 'reissue', done: string): Decide {
  return async (visit, form, { story: { payout }, batch }) => {
    const { payfile } = visit;
    const reason = form.text('reason');
    const asked = { batch: batch.id, payouts: [payout.id] };
    const result =
      action === 'reissue'
        ? await payfile.call(reissue, { ...asked, ...(reason && { evidence: { words: reason } }) })
        : action === 'release'
          ? await payfile.call(release, { ...asked, ...releaseOf(form), reason })
          : await payfile.call(cancel, { ...asked, reason });
    const [refused] = result.refused;
    if (refused !== undefined) return whyNot(html`${pieceOnPage(refused.status)}.`);
    if (action !== 'withdraw') await priceBatch(visit);
    const path = address`/batches/${batch.id}`;
    const at = action === 'withdraw' ? `${path}/rows/${payout.rowNumber}` : path;
    return see(at, `Row ${payout.rowNumber} ${done}`);
  };
}

const releaseOf = (form: Form) => ({
  shown: [...form.all('shown')],
  mayBePaid: form.text('mayBePaid') === 'yes',
});

const accepted: Decide = async ({ payfile }, form, { story: { payout }, batch }) => {
  const difference = (['accepted', ...REST_FOUND] as const).find((each) => each === form.text('difference'));
  if (difference === undefined) return whyNot('Choose an answer.');
  const asked = { batch: batch.id, row: tagOf(payout), difference, saw: [...form.all('saw')] };
  const result = await payfile.call(resolve, { ...asked, reason: form.text('reason') });
  if (result.kind !== 'ruled') return whyNot('reason' in result ? result.reason : '');
  const { rowNumber } = result;
  const done = difference === 'open' ? 'stays open.' : 'raises no alarm any more.';
  return see(address`/batches/${batch.id}/rows/${rowNumber}`, `Row ${rowNumber} ${done}`);
};

/** By its tag a ruling is about this payment, whatever its row number is. */
const tagOf = ({ state, rowNumber }: Explained['story']['payout']) =>
  'tag' in state ? state.tag : String(rowNumber);

const ruled: Decide = async (visit, form, { story: { payout }, batch }) => {
  const { payfile, signal, desk } = visit;
  await desk.jobs.makeWay(aboutBatch(batch.id));
  const given = { ...rulingIn(form), batch: batch.id, row: tagOf(payout) };
  const ask = askWith({ ruling: async () => form.text('row') });
  const result = await payfile.call(resolve, given, { signal, ask });
  switch (result.kind) {
    case 'unconfirmed':
      return whyNot('The typed number is not the number of this row.');
    case 'refused': {
      const { reason, differences } = result;
      const differs = differences.length > 0;
      return whyNot(
        differs ? [DIFFERS, html`<ul>${differences.map((text) => html`<li>${text}</li>\n`)}</ul>\n`] : reason,
        differs,
      );
    }
    case 'incident':
      return see(
        address`/batches/${batch.id}`,
        `Incident: row ${result.rowNumber} was ${result.reason}. It is not paid again.`,
      );
    default: {
      const then = result.status === 'accepted' ? ' Next, ask for its status on the page of the batch.' : '';
      const what = given.paid === undefined ? 'not paid' : 'paid';
      return see(
        address`/batches/${batch.id}`,
        `Row ${result.rowNumber} was ${what}, as you said: ${labelText(payoutLabel(result.payout))}.${then}`,
      );
    }
  }
};

const DIFFERS =
  'The service does not confirm that this transfer is this payment. If it is, say why below. What does not fit:';

function rulingIn(form: Form): Pick<InputOf<typeof resolve>, 'paid' | 'notPaid' | 'evidence'> {
  const words = form.text('evidence');
  const { file } = form;
  const inWords = words === '' ? undefined : { words };
  if (form.text('ruling') === 'paid') return { paid: form.text('transfer'), evidence: inWords };
  // Only its name, size and hash are kept.
  return { notPaid: true, evidence: file === undefined ? inWords : { ...file, words } };
}

/** The corrected row becomes a file of its own, which is checked, planned and approved like any other. */
const corrected: Decide = async ({ payfile, desk, person }, form, told) => {
  const { batch, story } = told;
  const { payout } = story;
  const cells = Object.fromEntries(
    correctable(told).flatMap(({ name, now }) => {
      const typed = form.text(name);
      return typed === (now ?? '') ? [] : [[name, typed]];
    }),
  );
  if (Object.keys(cells).length === 0)
    return whyNot('No field was changed. To pay the same payment again, choose “Pay again without changes”.');
  if (desk.files.fullOf(person.id) !== undefined)
    return whyNot('Too many files wait to become batches. Discard some of them first.');
  const path = join(desk.uploads, `${payout.id}.${batch.file.format}`);
  const made = await desk.making.take(person.id, () =>
    payfile.call(report, {
      ...{ batch: batch.id, only: 'unpaid', asInput: true, output: path, overwrite: true },
      correct: { row: payout.rowNumber, cells },
    }),
  );
  if (made.kind !== 'unpaid' || made.rows === 0) {
    const [why = 'it is not proven unpaid'] = made.kind === 'unpaid' ? made.leftOut.keys() : [];
    return whyNot(`The row is not paid again: ${why}.`);
  }
  const file = await desk.files.keep(path, `${made.batchName}.${batch.file.format}`, person.id);
  desk.files.change(file.id, () => ({ batch: made.batchName }));
  return see(address`/uploads/${file.id}`, `Row ${payout.rowNumber} is corrected. Check it here.`);
};

/** Shown once, and on no page that is kept: there is no address that leads to it. */
export async function shownAccount({ payfile, part }: Visit): Promise<Answer> {
  const asked = { batch: part('batch'), row: part('row') };
  const { batch, rowNumber, account } = await payfile.call(showAccount, asked);
  return page(
    `Account of row ${rowNumber} of ${batchLabel(batch)}`,
    html`<p><code>${account}</code></p>
<p class="note">The journal of the batch keeps that you looked. The number is gone when you leave this page.</p>
`,
  );
}
