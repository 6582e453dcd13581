/** A row that differs from what was asked: its page shows what the service shows, and only that is accepted. */
import { expect, it } from 'vitest';
import { explain } from '../../src/operations/explain.ts';
import { run } from '../../src/operations/run.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { aPlace } from '../builders/doubtful-batch.ts';
import { aConsole, shared } from './a-console.ts';

/** The service pays half of the amount of each row. Each test accepts a row of its own. */
const HALVED = `Reference,Country,Institution,Account,Name,Amount
D-1,GH,GCB Bank,1011130990014,,100.00
D-2,GH,GCB Bank,1011131990014,,300.00
D-3,GH,GCB Bank,1011132990014,,500.00
`;

const opened = shared(async (atEnd) => {
  const place = aPlace(HALVED, atEnd);
  const console = aConsole({ ledger: place.ledger }, { atEnd });
  const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
  await console.payfile.call(run, { file: place.file, batch: 'may', consent });
  const [batch] = await batchesOf(console.payfile);
  return { ...console, path: `/batches/${batch?.id}` };
});

const fieldsIn = (page: string, name: string) =>
  [...page.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value]) => value ?? '');

it('accepts only the difference that the page showed, and says what changed', async () => {
  const { visitor, path, payfile } = opened();
  const ada = visitor();
  const page = await ada.page(`${path}/rows/2`);
  const [payout = ''] = fieldsIn(page, 'payout');
  const [saw = ''] = fieldsIn(page, 'saw');
  expect(saw).toMatch(/^amount: the service shows 50\.00/);
  // Half of the amount is missing: the person says what became of it.
  expect(fieldsIn(page, 'difference')).toEqual(['delivered', 'lost', 'open', 'accepted']);
  const said = { payout, difference: 'lost', reason: 'their fee' };
  for (const before of ['amount: the service shows 60.00', '']) {
    const answer = await ada.post(`${path}/rows/2/accept`, { ...said, saw: before });
    expect(answer.status).toBe(422);
    const text = (await answer.text()).replaceAll('\u00a0', ' ');
    expect(text).toContain('Nothing was done.');
    if (before !== '') expect(text).toContain(`You saw: ${before}.`);
    expect(text).toContain(`The service shows now: ${saw}.`);
  }
  const unseen = await ada.post(`${path}/rows/2/accept`, said);
  expect([unseen.status, await unseen.text()]).toEqual([422, expect.stringContaining('Nothing was done.')]);
  const { story } = await payfile.call(explain, { batch: 'may', row: '2' });
  expect(story.payout.state).not.toHaveProperty('acceptedDifference');
  const done = await ada.post(`${path}/rows/2/accept`, { ...said, saw });
  expect([done.status, done.headers.get('location')]).toEqual([303, `${path}/rows/2`]);
  expect(await ada.page(`${path}/rows/2`)).toContain('Row 2 raises no alarm any more.');
  const after = await payfile.call(explain, { batch: 'may', row: '2' });
  expect(after.story.reason).toMatch(/said that the missing part is lost on \d{4}-\d\d-\d\d: their fee$/);
});

it('gives the row the same label on every page, before and after a person accepts the difference', async () => {
  const { visitor, path, payfile } = opened();
  const ada = visitor();
  const pages = async () => [await ada.page(path), await ada.page(`${path}/rows/3`)];
  for (const page of await pages())
    expect(page).toContain('<span class="badge doubt">!\u00a0Settled, differs</span>');
  const { story } = await payfile.call(explain, { batch: 'may', row: '3' });
  const saw = 'discrepancies' in story.payout.state ? story.payout.state.discrepancies : [];
  await payfile.rows.resolve({
    batch: 'may',
    row: '3',
    difference: 'accepted',
    reason: 'their fee',
    saw: [...saw],
  });
  const [batch, row] = await pages();
  for (const page of [batch, row])
    expect(page).toContain('<span class="badge good">✔\u00a0Settled, difference accepted</span>');
  expect(batch).toContain(
    '<p class="note">Not accounted for: GHS 450.00 of what was asked, in 3 rows. This line stays until somebody finds out that the rest was delivered.</p>',
  );
});

it('lets a person take back what was said of the missing part, and say something else', async () => {
  const { visitor, path } = opened();
  const ada = visitor();
  const said = async (difference: string) => {
    const page = await ada.page(`${path}/rows/4`);
    const [[payout = ''], [saw = '']] = [fieldsIn(page, 'payout'), fieldsIn(page, 'saw')];
    const answer = await ada.post(`${path}/rows/4/accept`, { payout, saw, reason: 'their bank', difference });
    expect(answer.status).toBe(difference === '' ? 422 : 303);
    return answer.status === 422 ? answer.text() : ada.page(`${path}/rows/4`);
  };
  const unsaid = await said('');
  expect(unsaid).toContain('Nothing was done. Choose an answer.');
  const open = await said('open');
  expect(open).toContain('Row 4 stays open.');
  expect(open).toContain('ada said that the missing part is still open on ');
  expect(fieldsIn(open, 'difference')).toEqual(['delivered', 'lost', 'accepted']);
  const delivered = await said('delivered');
  expect(delivered).toContain('Row 4 raises no alarm any more.');
  expect(fieldsIn(delivered, 'difference')).toEqual(['lost', 'open']);
  expect(await said('open')).toContain('<span class="badge doubt">!\u00a0Settled, differs</span>');
});
