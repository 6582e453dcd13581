/** The held rows of a batch side by side: released or withdrawn together with one reason, by whoever may. */

import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explain } from '../../src/operations/explain.ts';
import { history } from '../../src/operations/status.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { aPlace, ROWS, sendDoubtful } from '../builders/doubtful-batch.ts';
import { planFile, priceBatch } from '../builders/library-calls.ts';
import { aConsole } from './a-console.ts';

const HELD = `Reference,Country,Institution,Account,Name,Amount
H-1,GH,GCB Bank,1011130024501,Nobody <i>Known</i>,100.00
H-2,GH,GCB Bank,1011130024502,Somebody Else,200.00
H-3,GH,GCB Bank,1011130024503,Another Person,300.00
`;

const NIGERIA = 'Reference,Country,Institution,Account,Name,Amount';

async function opened() {
  const place = aPlace();
  const file = join(place.folder, 'held.csv');
  writeFileSync(file, HELD);
  const console = aConsole({ ledger: place.ledger });
  await planFile(console.payfile, file, { batch: 'may' });
  const [batch] = await batchesOf(console.payfile);
  return { ...console, path: `/batches/${batch?.id}` };
}

type Fields = readonly (readonly [name: string, value: string])[];
const hiddenIn = (page: string, name: string): Fields =>
  [...page.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(([, value = '']) => [
    name,
    value,
  ]);
/** A form as a browser sends it, with several boxes ticked. `page`: where the form is. */
const ticked = (page: string, payouts: readonly string[], fields: Readonly<Record<string, string>>) =>
  sent([
    ...hiddenIn(page, 'shown'),
    ...payouts.map((id) => ['payout', id] as const),
    ...Object.entries(fields),
  ]);
const sent = (fields: Fields) =>
  new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]));
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const payoutsIn = (page: string) =>
  [...page.matchAll(/name="payout" value="([^"]+)"/g)].map(([, id = '']) => id);

it('shows both names and the reason of each held row, and the way there from the batch and the plan', async () => {
  const { visitor, path } = await opened();
  const ada = visitor();
  const page = await ada.page(`${path}/held`);
  expect(payoutsIn(page)).toHaveLength(3);
  expect(page).toContain('Nobody &lt;i&gt;Known&lt;/i&gt;');
  expect(page).toContain('no match');
  expect(page).toContain('••••4501');
  expect(page).not.toContain('1011130024501');
  for (const from of [path, `${path}/plan`]) expect(await ada.page(from)).toContain(`href="${path}/held"`);
});

it('releases the ticked rows with one reason, withdraws others, and keeps who did', async () => {
  const { visitor, path, payfile } = await opened();
  const eve = visitor('eve', ['approver']);
  const page = await eve.page(`${path}/held`);
  const [first = '', second = '', third = ''] = payoutsIn(page);
  const release = { reason: 'HR confirmed both', decision: 'release' };
  const done = await eve.send(`${path}/held`, ticked(page, [first, second], release), FORM);
  expect([done.status, done.headers.get('location')]).toEqual([303, `${path}/held`]);
  expect(await eve.page(`${path}/held`)).toContain('2 rows released: 2, 3. 1 row is left to decide.');
  await eve.send(`${path}/held`, ticked(page, [third], { reason: 'left us', decision: 'withdraw' }), FORM);
  expect((await stateOf(payfile, 'may')).totals.counts).toMatchObject({ planned: 2, canceled: 1 });
  const { decisions } = await payfile.call(history, { batch: 'may' });
  expect(decisions).toMatchObject([
    { what: 'Withdrawn', rows: [4], by: 'eve', why: 'left us' },
    { what: 'Released', by: 'eve', why: expect.stringContaining('HR confirmed both') },
    {},
  ]);
  expect(await eve.page(`${path}/held`)).toContain('No row is held.');
});

it('does nothing without a tick, a reason or a decision, and keeps what was ticked and written', async () => {
  const { visitor, path, payfile } = await opened();
  const ada = visitor();
  const page = await ada.page(`${path}/held`);
  const [first = ''] = payoutsIn(page);
  const none = await ada.post(`${path}/held`, { reason: 'x', decision: 'release' });
  expect([none.status, (await none.text()).includes('no row is ticked')]).toEqual([422, true]);
  const noReason = ticked(page, [first], { reason: ' ', decision: 'release' });
  const mute = await ada.send(`${path}/held`, noReason, FORM);
  const text = await mute.text();
  expect(text).toContain('a reason is missing');
  expect(text).toMatch(new RegExp(`value="${first}"[^>]* checked`));
  const what = await ada.post(`${path}/held`, { payout: first, reason: 'x', decision: 'constructor' });
  expect(what.status).toBe(422);
  expect((await stateOf(payfile, 'may')).totals.counts.held).toBe(3);
});

it('names the rows that stay as they are', async () => {
  const { visitor, path, payfile } = await opened();
  const ada = visitor();
  const page = await ada.page(`${path}/held`);
  const ids = payoutsIn(page);
  await payfile.rows.cancel({ batch: 'may', rows: ['3'], reason: 'gone' });
  const answer = await ada.send(
    `${path}/held`,
    ticked(page, ids, { reason: 'x', decision: 'release' }),
    FORM,
  );
  const text = await answer.text();
  expect([answer.status, text.includes('2 rows released: 2, 4.')]).toEqual([422, true]);
  expect(text).toContain('<li>Row 3: canceled: only a held row can be released.</li>');
});

it('releases no row that waits for something else than the page showed', async () => {
  const { visitor, path, payfile } = await opened();
  const ada = visitor();
  const page = await ada.page(`${path}/held`);
  const [first = '', second = '', third = ''] = payoutsIn(page);
  const [shown = ['', '']] = hiddenIn(page, 'shown');
  const fields: Fields = [['reason', 'HR knows'], ['decision', 'release'], shown];
  const boxes = [first, second].map((id) => ['payout', id] as const);
  const answer = await ada.send(`${path}/held`, sent([...boxes, ...fields]), FORM);
  const text = await answer.text();
  expect(answer.status).toBe(422);
  expect(text).toContain('1 row released: 2.');
  expect(text).toMatch(/<li>Row 3: held now for other reasons than were shown: Name: no match/);
  expect(text).not.toMatch(/<input[^>]* checked/);
  const alone = { payout: third, reason: 'HR knows', shown: shown[1] };
  const row = await ada.post(`${path}/rows/4/release`, alone);
  expect([row.status, (await row.text()).includes('held now for other reasons')]).toEqual([422, true]);
  const byNumber = await payfile.rows.release({ batch: 'may', rows: ['4'], reason: 'x', shown: [shown[1]] });
  expect([byNumber.done, byNumber.refused]).toMatchObject([[], [{ rowNumber: 4 }]]);
  expect((await stateOf(payfile, 'may')).totals.counts).toMatchObject({ planned: 1, held: 2 });
});

it('releases what may be paid already only on its own page, where somebody says that this is known', async () => {
  const place = aPlace();
  const { payfile, visitor } = aConsole({ ledger: place.ledger });
  const ada = visitor();
  await sendDoubtful(payfile, place);
  appendFileSync(place.file, '\n');
  await planFile(payfile, place.file, { batch: 'june' });
  const [june] = await batchesOf(payfile);
  const [path, row] = [`/batches/${june?.id}`, `/batches/${june?.id}/rows/${ROWS.doubtPaid}`];
  const page = await ada.page(`${path}/held`);
  expect(page).toContain(`may be paid already: row ${ROWS.doubtPaid} of batch may is in doubt`);
  const told = await payfile.call(explain, { batch: 'june', row: String(ROWS.doubtPaid) });
  const { id } = told.story.payout;
  expect(payoutsIn(page)).toContain(id);
  const together = await ada.send(
    `${path}/held`,
    ticked(page, [id], { reason: 'x', decision: 'release' }),
    FORM,
  );
  expect(await together.text()).toContain('may be paid already');
  const alone = await ada.page(row);
  expect(alone).toContain('I know that this may pay it twice');
  const release = Object.fromEntries([['payout', id], ['reason', 'x'], ...hiddenIn(alone, 'shown')]);
  expect((await ada.post(`${row}/release`, release)).status).toBe(422);
  const known = await ada.post(`${row}/release`, { ...release, mayBePaid: 'yes' });
  expect(known.status).toBe(303);
});

it('gives nobody but an approver anything to decide with', async () => {
  const { visitor, path } = await opened();
  const vic = visitor('vic', ['viewer', 'maker', 'operator']);
  const page = await vic.page(`${path}/held`);
  expect(page).toContain('Somebody Else');
  expect(payoutsIn(page)).toEqual([]);
  expect((await vic.post(`${path}/held`, { decision: 'release' })).status).toBe(403);
});

it('releases all that are listed by one press, but none that may be paid already', async () => {
  const { visitor, path, payfile } = await opened();
  const ada = visitor();
  const page = await ada.page(`${path}/held`);
  expect(page).toContain('Release all 3 listed');
  const listed = [...hiddenIn(page, 'listed'), ...hiddenIn(page, 'shown')];
  const form = sent([...listed, ['reason', 'HR knows'], ['decision', 'release-listed']]);
  expect((await ada.send(`${path}/held`, form, FORM)).status).toBe(303);
  expect((await stateOf(payfile, 'may')).totals.counts).toMatchObject({ planned: 3, held: 0 });

  const place = aPlace();
  const other = aConsole({ ledger: place.ledger });
  await sendDoubtful(other.payfile, place);
  appendFileSync(place.file, '\n');
  await planFile(other.payfile, place.file, { batch: 'june' });
  const [june] = await batchesOf(other.payfile);
  const again = await other.visitor().page(`/batches/${june?.id}/held`);
  const { id } = (await other.payfile.call(explain, { batch: 'june', row: String(ROWS.doubtPaid) })).story
    .payout;
  expect(payoutsIn(again)).toContain(id);
  expect(again).not.toContain(`name="listed" value="${id}"`);
  expect(again).toContain('may be paid already: not one of “all listed”');
});

it('says that a corrected file of the same batch mends a wrong account', async () => {
  const { visitor, path } = await opened();
  const ada = visitor();
  const mends = 'bring it again</a> under the name of this batch, “may”';
  expect(await ada.page(`${path}/held`)).toContain(mends);
  expect(await ada.page(`${path}/rows/2`)).toContain(mends);
});

it('tells whoever agrees who released a name, also for a batch before, and where one digit may be wrong', async () => {
  const place = aPlace();
  const { payfile, visitor } = aConsole({ ledger: place.ledger });
  const write = (name: string, amount: string) => {
    const file = join(place.folder, name);
    writeFileSync(file, `${NIGERIA}\nN-${name},NG,Access Bank,0698123453,Nobody Known,${amount}\n`);
    return file;
  };
  await planFile(payfile, write('april.csv', '100000.00'), { batch: 'april' });
  const [april] = await batchesOf(payfile);
  const eve = visitor('eve');
  const digit = 'one digit may be wrong';
  for (const at of ['held', 'plan', 'rows/2'])
    expect(await eve.page(`/batches/${april?.id}/${at}`)).toContain(digit);
  await payfile
    .as('eve')
    .rows.release({ batch: 'april', all: true, reason: 'she married, HR has it in writing' });
  await priceBatch(payfile, 'april');
  await planFile(payfile, write('may.csv', '200000.00'), { batch: 'may' });
  const today = new Date().toISOString().slice(0, 10);
  for (const name of ['april', 'may'])
    expect(await eve.page(`/batches/${name}/approval`)).toContain(
      `in this plan; eve released it on ${today} (“she married, HR has it in writing”)`,
    );
});
