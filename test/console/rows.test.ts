/** One row's page: its story, what may be decided about it, and one logged look at its account. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explain } from '../../src/operations/explain.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { ACCOUNT, aPlace, ROWS, sendDoubtful } from '../builders/doubtful-batch.ts';
import { aConsole, shared } from './a-console.ts';

/** One batch for all tests: a test that releases a row or plans it again is the last for this row. */
const opened = shared(async (atEnd) => {
  const place = aPlace(undefined, atEnd);
  const console = aConsole({ ledger: place.ledger }, { atEnd });
  await sendDoubtful(console.payfile, place);
  const [batch] = await batchesOf(console.payfile);
  return { ...console, place, at: (row: number, more = '') => `/batches/${batch?.id}/rows/${row}${more}` };
});

const shownIn = (page: string) => /name="shown" value="([^"]+)"/.exec(page)?.[1] ?? '';
const payoutIn = (page: string) => /name="payout" value="([^"]+)"/.exec(page)?.[1] ?? '';
const seen = async (answer: Response) => ({ status: answer.status, text: await answer.text() });

it('tells the story of a row in doubt without its whole account, and leads to a ruling', async () => {
  const { visitor, at } = opened();
  const page = await visitor().page(at(ROWS.doubtPaid));
  expect(page).toContain('?\u00a0In doubt');
  expect(page).toMatch(/Tag<\/dt><dd>PF-[0-9A-Z]{8}/);
  const [shown = '', support = ''] = page.split('<summary>For support</summary>');
  expect(support).toContain('Bytes written');
  expect(shown).not.toContain('Bytes written');
  expect(page).toContain('••••0030');
  expect(page).not.toContain(ACCOUNT);
  expect(page).toContain(`action="${at(ROWS.doubtPaid, '/ruling')}"`);
  expect(page).not.toContain('Release this row');
});

it('decides about the very payment that was looked at, and says so when it is another now', async () => {
  const { visitor, at, payfile } = opened();
  const other = payoutIn(await visitor().page(at(ROWS.refused)));
  const fields = { payout: other, reason: 'no longer needed' };
  const refused = await seen(await visitor().post(at(ROWS.refused, '/withdraw'), fields));
  const why = 'Nothing was done. failed: only a row that was not sent can be withdrawn.';
  expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(why) });
  for (const payout of [other, 'x']) {
    const unknown = await seen(await visitor().post(at(ROWS.held, '/withdraw'), { ...fields, payout }));
    expect(unknown.status).toBe(422);
    expect(unknown.text).toContain('Another row has this number now');
  }
  const { story } = await payfile.call(explain, { batch: 'may', row: String(ROWS.held) });
  expect(story.payout.state.status).toBe('held');
});

it('offers each role its own deeds', async () => {
  const { visitor, at } = opened();
  const viewer = await visitor('vic', ['viewer']).page(at(ROWS.held));
  expect(viewer).not.toMatch(/<form[^>]*rows/);
  expect(viewer).toContain('a person with the role approver does this');
  expect((await visitor('vic', ['viewer']).post(at(ROWS.held, '/account'))).status).toBe(403);
  const maker = await visitor('max', ['maker']).page(at(ROWS.refused));
  expect(maker).toContain('Pay this row again');
});

it('shows a whole account once, at an address that nothing else leads to', async () => {
  const { visitor, at } = opened();
  const eve = visitor('eve', ['investigator']);
  const { status, text } = await seen(await eve.post(at(ROWS.doubtPaid, '/account')));
  expect([status, text.includes(ACCOUNT)]).toEqual([200, true]);
  expect((await eve.get(at(ROWS.doubtPaid, '/account'))).status).toBe(404);
});

it('answers an unknown row with a page that says what to give', async () => {
  const { visitor, at } = opened();
  const { status, text } = await seen(await visitor().get(at(77)));
  expect(status).toBe(422);
  expect(text).toContain('No row, reference or name “77”');
});

it('shows both names of a held row as text, releases it with a reason, and keeps who did', async () => {
  const { visitor, at, payfile, idle } = opened();
  const ada = visitor();
  const page = await ada.page(at(ROWS.held));
  expect(page).toContain('Efua &lt;b&gt;Sutherland&lt;/b&gt; Darko');
  const fields = { payout: payoutIn(page), shown: shownIn(page), reason: 'She showed her passport' };
  const empty = await seen(await ada.post(at(ROWS.held, '/release'), { ...fields, reason: ' ' }));
  expect([empty.status, empty.text.includes('The decision needs “Reason”.')]).toEqual([422, true]);
  const done = await ada.post(at(ROWS.held, '/release'), fields);
  expect([done.status, done.headers.get('location')]).toEqual([303, at(ROWS.held).replace(/\/rows.*/, '')]);
  expect(await ada.page('/')).toContain(`Row ${ROWS.held} is released.`);
  await idle();
  const { story } = await payfile.call(explain, { batch: 'may', row: String(ROWS.held) });
  expect(story.payout.state).toMatchObject({
    // Its name and fee were asked by themselves.
    status: 'quoted',
    releases: [{ by: 'ada', reason: 'She showed her passport' }],
  });
});

it('corrects a failed row into a file of its own, which is checked like any other', async () => {
  const { visitor, at, desk, idle } = opened();
  const ada = visitor();
  const page = await ada.page(at(ROWS.refused));
  expect(page).toContain('Check the correction');
  const fields = Object.fromEntries(
    [...page.matchAll(/id="correct-(\w+)" name="\w+" value="([^"]*)"/g)].map(([, name, value]) => [
      name ?? '',
      value ?? '',
    ]),
  );
  expect(Object.keys(fields)).toEqual(['name', 'institution', 'account', 'amount']);
  const form = { payout: payoutIn(page), ...fields };
  const same = await seen(await ada.post(at(ROWS.refused, '/correct'), form));
  expect(same).toMatchObject({ status: 422, text: expect.stringContaining('No field was changed.') });
  const other = await seen(
    await ada.post(at(ROWS.refused, '/correct'), { ...form, payout: 'x', account: '1' }),
  );
  expect(other.text).toContain('Another row has this number now');
  const done = await ada.post(at(ROWS.refused, '/correct'), { ...form, account: '1011130024577' });
  const [, id = ''] = /^\/uploads\/(.+)$/.exec(done.headers.get('location') ?? '') ?? [];
  const file = desk.files.of(id, 'ada');
  expect(file).toMatchObject({ name: 'may-redo.csv', batch: 'may-redo', by: 'ada' });
  const text = readFileSync(file?.path ?? '', 'utf8');
  expect(text.trim().split('\n')).toHaveLength(2);
  expect(text).toContain('1011130024577');
  expect(text).toContain(payoutIn(page));
  await ada.page(`/uploads/${id}`);
  await idle();
});

it('plans a refused row again, and shows the attempt before it', async () => {
  const { visitor, at, idle } = opened();
  const ada = visitor();
  const payout = payoutIn(await ada.page(at(ROWS.refused)));
  await ada.post(at(ROWS.refused, '/reissue'), { payout, reason: '' });
  await idle();
  const page = await ada.page(at(ROWS.refused));
  expect(page).toContain('is planned again');
  expect(page).toContain('The first attempt to pay this row: ✖ Failed');
});
