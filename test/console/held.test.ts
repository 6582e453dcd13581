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
    ...Object.entries({ sure: 'yes', ...fields }),
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
  const { visitor, path, payfile, idle } = await opened();
  const eve = visitor('eve', ['approver']);
  const page = await eve.page(`${path}/held`);
  const [first = '', second = '', third = ''] = payoutsIn(page);
  const release = { reason: 'HR confirmed both', decision: 'release' };
  const done = await eve.send(`${path}/held`, ticked(page, [first, second], release), FORM);
  expect([done.status, done.headers.get('location')]).toEqual([303, `${path}/held`]);
  expect(await eve.page(`${path}/held`)).toContain('2 rows released: 2, 3. 1 row is left to decide about.');
  await idle();
  await eve.send(`${path}/held`, ticked(page, [third], { reason: 'left us', decision: 'withdraw' }), FORM);
  expect((await stateOf(payfile, 'may')).totals.counts).toMatchObject({ quoted: 2, canceled: 1 });
  const { decisions } = await payfile.call(history, { batch: 'may' });
  expect(decisions).toMatchObject([
    { what: 'Withdrawn', rows: [4], by: 'eve', why: 'left us' },
    { what: 'Released', by: 'eve', why: expect.stringContaining('HR confirmed both') },
    {},
  ]);
  expect(await eve.page(`${path}/held`)).toContain('No row is held.');
});

it('asks once more before it decides: how many rows, how much, and why each was held', async () => {
  const { visitor, path, payfile } = await opened();
  const ada = visitor();
  const page = await ada.page(`${path}/held`);
  const ids = payoutsIn(page);
  const first = await ada.send(`${path}/held`, ticked(page, ids, { sure: '', decision: 'release' }), FORM);
  const asked = await first.text();
  expect(first.status).toBe(200);
  expect(asked).toContain('<h1>Release 3 rows, GHS 600.00?</h1>');
  expect(asked).toContain('<li>3 names to look at, GHS 600.00<ul>');
  for (const row of ['2', '3', '4']) expect(asked).toMatch(new RegExp(`<li>Row ${row}, [^<]+, `));
  const mute = await ada.send(`${path}/held`, ticked(page, ids, { reason: ' ', decision: 'release' }), FORM);
  expect([mute.status, (await mute.text()).includes('Enter a reason. Nothing was done.')]).toEqual([
    422,
    true,
  ]);
  for (const [fields, why] of [
    [{ decision: 'release', sure: 'yes', reason: 'x' }, 'Select a row first.'],
    [{ decision: 'constructor', sure: 'yes', reason: 'x' }, 'Choose “Release” or “Withdraw”.'],
  ] as const) {
    expect((await ada.post(`${path}/held`, fields)).status).toBe(303);
    expect(await ada.page(`${path}/held`)).toContain(why);
  }
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
  expect([answer.status, text.includes('Released: 2 rows (2, 4) of batch may.')]).toEqual([422, true]);
  expect(text).toContain('Row 3 did not change: canceled: only a held row can be released.');
});

it('releases no row that waits for something else than the page showed', async () => {
  const { visitor, path, payfile } = await opened();
  const ada = visitor();
  const page = await ada.page(`${path}/held`);
  const [first = '', second = '', third = ''] = payoutsIn(page);
  const [shown = ['', '']] = hiddenIn(page, 'shown');
  const fields: Fields = [['reason', 'HR knows'], ['sure', 'yes'], ['decision', 'release'], shown];
  const boxes = [first, second].map((id) => ['payout', id] as const);
  const answer = await ada.send(`${path}/held`, sent([...boxes, ...fields]), FORM);
  const text = await answer.text();
  expect(answer.status).toBe(422);
  expect(text).toContain('Released: 1 row (2) of batch may.');
  expect(text).toMatch(/Row 3 did not change: held now for other reasons than were shown: Name: no match/);
  expect(text).not.toMatch(/<input[^>]* checked/);
  const alone = { payout: third, reason: 'HR knows', shown: shown[1] };
  const row = await ada.post(`${path}/rows/4/release`, alone);
  expect([row.status, (await row.text()).includes('held now for other reasons')]).toEqual([422, true]);
  const byNumber = await payfile.rows.release({ batch: 'may', rows: ['4'], reason: 'x', shown: [shown[1]] });
  expect([byNumber.done, byNumber.refused]).toMatchObject([[], [{ rowNumber: 4 }]]);
  expect((await stateOf(payfile, 'may')).totals.counts).toMatchObject({ held: 2 });
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

it('decides about all rows of a kind in two steps, but never about duplicates and new accounts together', async () => {
  const { visitor, path, payfile, idle } = await opened();
  const ada = visitor();
  const page = await ada.page(`${path}/held`);
  expect(page).toContain('<button name="decision" value="release-name">Release these 3 rows</button>');
  const all: Fields = [...hiddenIn(page, 'shown'), ['decision', 'release-name']];
  const asked = await (await ada.send(`${path}/held`, sent(all), FORM)).text();
  expect(payoutsIn(asked)).toHaveLength(3);
  const form = ['payout', 'shown', 'decision', 'sure'].flatMap((name) => hiddenIn(asked, name));
  await ada.send(`${path}/held`, sent([...form, ['reason', 'HR knows']]), FORM);
  // Nobody presses a second time: their names and fees are asked by themselves.
  await idle();
  expect((await stateOf(payfile, 'may')).totals.counts).toMatchObject({ quoted: 3, held: 0 });

  const place = aPlace();
  const other = aConsole({ ledger: place.ledger });
  await sendDoubtful(other.payfile, place);
  appendFileSync(place.file, '\n');
  await planFile(other.payfile, place.file, { batch: 'june' });
  const [june] = await batchesOf(other.payfile);
  const bob = other.visitor();
  const at = `/batches/${june?.id}/held`;
  const again = await bob.page(at);
  expect(again).toContain('possible duplicate');
  expect(again).not.toContain('value="release-repeat"');
  const repeats: Fields = [...hiddenIn(again, 'shown'), ['decision', 'release-repeat'], ['sure', 'yes']];
  await bob.send(at, sent([...repeats, ['reason', 'x']]), FORM);
  expect(await bob.page(at)).toContain('Select a row first.');
  const [one = ''] = payoutsIn(again);
  const second = await bob.send(at, ticked(again, [one], { sure: '', decision: 'release' }), FORM);
  expect(await second.text()).toMatch(/1 possible duplicate, [^<]*<ul><li>Row \d+, .*batch may/);
});

it('says that a corrected file of the same batch mends a wrong account', async () => {
  const { visitor, path } = await opened();
  expect(await visitor().page(`${path}/held`)).toContain('under the name of this batch, “may”');
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
    expect((await eve.page(`/batches/${name}/plan`)).replaceAll(/<\/?time[^>]*>/g, '')).toContain(
      `in this plan; eve released it on ${today} (“she married, HR has it in writing”)`,
    );
});
