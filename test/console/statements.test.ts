/** Rows in doubt of a batch, and a statement that answers for them: compared, asked about, and ruled by who looked. */

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { STATEMENTS_MAX } from '../../src/console/statements/kept-statements.ts';
import { explain } from '../../src/operations/explain.ts';
import { systemClock } from '../../src/outside/system-clock.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { ACCOUNT, aPlace, ROWS, sendDoubtful } from '../builders/doubtful-batch.ts';
import { approvePlan, planFile, planShown } from '../builders/library-calls.ts';
import { type AtEnd, aConsole, shared } from './a-console.ts';

async function opened(atEnd: AtEnd = onTestFinished) {
  const place = aPlace(undefined, atEnd);
  const console = aConsole({ ledger: place.ledger }, { atEnd });
  await sendDoubtful(console.payfile, place);
  const [batch] = await batchesOf(console.payfile);
  const path = `/batches/${batch?.id}`;
  const ada = console.visitor();
  const stateOf = async (row: number) =>
    (await console.payfile.call(explain, { batch: 'may', row: String(row) })).story.payout.state;
  const bring = async (name: string, text: string) => {
    const answer = await ada.upload(`${path}/statement`, name, text);
    return answer.headers.get('location') ?? '';
  };
  return { ...console, place, path, ada, stateOf, bring };
}

/** For tests that make no ruling. */
const unruled = shared(opened);

const hiddenIn = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name ?? '',
      value ?? '',
    ]),
  );

it('says how many rows are in doubt, how much, since when, and what to get', async () => {
  const { ada, path, visitor } = unruled();
  const page = await ada.page(`${path}/statement`);
  expect(page).toContain('2 rows in doubt, GHS 700.00');
  expect(page).toContain('this is a statement of your bank');
  expect(page).toMatch(/such as <code>PF-/);
  expect(page).toContain(`href="${path}/rows/${ROWS.doubtPaid}"`);
  expect(page).toContain(`action="${path}/statement" enctype="multipart/form-data"`);
  const viewer = await visitor('vic', ['viewer']).page(`${path}/statement`);
  expect(viewer).not.toContain('enctype');
});

it('compares a statement under its own name, and rules only what was shown and ticked', async () => {
  const { ada, path, bring, place, stateOf, idle } = await opened();
  const address = await bring('bank <i>may.csv', place.statement());
  expect(address).toMatch(new RegExp(`^${path}/statement\\?upload=[0-9a-f]{24}$`));
  const page = await ada.page(address);
  expect(page).toMatch(/bank &lt;i&gt;may\.csv: \d+ lines/);
  expect(page).toMatch(/Proposed: paid<\/th><td[^>]*>1<\/td><td[^>]*>GHS.300\.00/);
  expect(page).toContain('In doubt, and the statement shows it as paid');
  expect(page).not.toContain(ACCOUNT);
  expect((await stateOf(ROWS.doubtPaid)).status).toBe('in_doubt');
  const fields = hiddenIn(page);
  await ada.post(`${path}/statement/accept`, fields);
  expect(await ada.page(`${path}/statement`)).toContain(
    '<p class="said doubtful" role="status" tabindex="-1" autofocus>Nothing was decided. Tick the box first.',
  );
  expect(fields['shown']).toHaveLength(64);
  for (const shown of ['', 'x', '1 2 3']) {
    await ada.post(`${path}/statement/accept`, { ...fields, sure: 'yes', shown });
    expect(await ada.page(`${path}/statement`)).toContain('The page was too old.');
  }
  await idle();
  expect((await stateOf(ROWS.doubtPaid)).status).toBe('in_doubt');
  const done = await ada.post(`${path}/statement/accept`, { ...fields, sure: 'yes' });
  expect([done.status, done.headers.get('location')]).toEqual([303, path]);
  await idle();
  const accepted = await ada.page(path);
  expect(accepted).toContain('Decided.');
  expect(accepted).toContain('Find out about 1 row in doubt');
  expect(accepted).toContain('<button>Back to the comparison</button>');
  expect(['accepted', 'settled']).toContain((await stateOf(ROWS.doubtPaid)).status);
  expect((await stateOf(ROWS.doubtUnpaid)).status).toBe('in_doubt');
  expect(await ada.page(`${path}/rows/${ROWS.doubtPaid}`)).toContain(
    'statement bank &lt;i&gt;may.csv (SHA-256',
  );
});

it('compares all batches of the days of a statement, and comes back to one', async () => {
  const { ada, bring, place } = unruled();
  const address = await bring('all.csv', place.statement());
  const alone = await ada.page(address);
  const [, first] = /name="from" value="([0-9-]+)"/.exec(alone) ?? [];
  const [, last] = /name="to" value="([0-9-]+)"/.exec(alone) ?? [];
  expect(alone).toContain('<button>Compare all batches of these days</button>');
  const all = await ada.page(`${address}&from=${first}&to=${last}`);
  expect(all).toContain(`name="from" value="${first}"`);
  expect(all).toContain('<button>Compare this batch alone</button>');
  expect(all).toContain('In doubt, and the statement shows it as paid');
  expect(hiddenIn(all)).toMatchObject({ from: first, to: last });
  const none = await ada.page(`${address}&from=2001-01-01&to=2001-01-31`);
  expect(none).toContain('No payment was sent, settled, failed or came back from 2001-01-01 to 2001-01-31.');
  expect(none).toContain('<button>Compare this batch alone</button>');
});

it('asks which amounts are payments where the statement does not show it, and how else it is read', async () => {
  const { ada, bring } = unruled();
  const address = await bring('two.csv', 'Date,Amount,Narration\n2026-05-01,-20.00,a\n2026-05-02,30.00,b\n');
  const asked = await ada.page(address);
  expect(asked).toContain('Which amounts are payments?');
  expect(asked).toContain('1 amount has a minus (line 2: -20.00)');
  const page = await ada.page(`${address}&payments=minus&order=day&map_narration=Narration`);
  expect(page).toContain('Amounts with a minus are read as payments');
  expect(page).toContain('not in the statement, which proves nothing');
  const refused = await ada.page(`${address}&map_debit=Nothing`);
  expect(refused).toContain('class="alarm"');
  expect(refused).toContain('Read the statement in another way');
});

it('shows a statement to nobody but who brought it, and keeps one for each batch', async () => {
  const { ada, visitor, bring, place } = unruled();
  const first = await bring('one.csv', place.statement());
  const eve = await visitor('eve').page(first);
  expect(eve).toContain('The statement is gone');
  const second = await bring('two.csv', place.statement());
  expect(await ada.page(first)).toContain('The statement is gone');
  expect(await ada.page(second)).toMatch(/two\.csv: \d+ lines/);
});

it('lets the statements of one person make none of another go', async () => {
  const { desk } = aConsole();
  const keep = async (by: string, batch: string) => {
    const path = join(desk.uploads, `${by}-${batch}.csv`);
    writeFileSync(path, 'Date,Amount');
    return desk.statements.keep({ path, name: 'bank.csv' }, { batch, by });
  };
  const own = await keep('ada', '1');
  const others = [];
  for (let at = 1; at <= STATEMENTS_MAX + 1; at += 1) others.push(await keep('eve', String(at)));
  expect(desk.statements.find(own.id, own)).toEqual(own);
  const left = others.filter((each) => desk.statements.find(each.id, each) !== undefined);
  expect(left).toEqual(others.slice(1));
  expect(readdirSync(desk.uploads)).toHaveLength(STATEMENTS_MAX + 1);
});

it('compares as many statements at once as there are turns for, and rules by the id of a batch under its name', async () => {
  const { ada, bring, place, desk, path, idle } = await opened();
  const address = await bring('one.csv', place.statement());
  const fields = hiddenIn(await ada.page(address));
  const free = Promise.withResolvers<void>();
  const busy = [0, 1].map(() => desk.making.take('eve', () => free.promise));
  let isShown = false;
  const page = ada.page(address).then((text) => {
    isShown = true;
    return text;
  });
  await ada.page('/');
  expect(isShown).toBe(false);
  free.resolve();
  await Promise.all(busy);
  expect(await page).toMatch(/one\.csv: \d+ lines/);
  const done = await ada.post('/batches/may/statement/accept', { ...fields, sure: 'yes' });
  expect(done.headers.get('location')).toBe(path);
  await idle();
  expect(await ada.page(path)).toContain('Decided.');
});

it('says what is wrong with a file that is no statement', async () => {
  const { ada, bring } = unruled();
  expect(await bring('', '')).toMatch(/\/statement$/);
  const page = await ada.page(await bring('photo.csv', 'nothing,here\n1,2\n'));
  expect(page).toContain('photo.csv');
  expect(page).toContain('class="alarm"');
});

/** The last never finishes: whoever sends waits for it, for an hour. */
const SLOW = `Reference,Country,Institution,Account,Name,Amount
S-1,GH,GCB Bank,${ACCOUNT},,300.00
S-2,GH,GCB Bank,1011130990011,,400.00
`;

it.each(['with a statement', 'row by row'])(
  'rules on a doubt %s while what became of other rows is still asked',
  async (how) => {
    const place = aPlace(SLOW);
    const { payfile, desk, visitor, idle } = aConsole({ ledger: place.ledger }, { time: systemClock });
    await planFile(payfile, place.file, { batch: 'slow' });
    await approvePlan(payfile, 'slow', (await planShown(payfile, 'slow')).plan.digest);
    const [batch] = await batchesOf(payfile);
    const path = `/batches/${batch?.id}`;
    const ada = visitor();
    const payoutOf = async () => (await payfile.call(explain, { batch: 'slow', row: '2' })).story.payout;
    await ada.post(`${path}/send`);
    await expect.poll(() => desk.jobs.about(`batch:${batch?.id}`)?.onlyAsks).toBe(true);
    expect((await payoutOf()).state.status).toBe('in_doubt');
    expect(await ada.page(path)).not.toContain('Ask for the status');
    if (how === 'row by row') {
      const { id: payout } = await payoutOf();
      const given = { ruling: 'paid', payout, row: '2', transfer: place.transferOf(ACCOUNT) };
      await ada.upload(`${path}/rows/2/ruling`, '', '', given);
    } else {
      const brought = await ada.upload(`${path}/statement`, 'bank.csv', place.statement());
      const fields = hiddenIn(await ada.page(brought.headers.get('location') ?? ''));
      await ada.post(`${path}/statement/accept`, { ...fields, sure: 'yes' });
      await idle();
      expect(await ada.page(path)).toContain('Decided.');
    }
    expect((await payoutOf()).state.status).toBe('accepted');
    expect(await ada.page(path)).toContain('Ask for the status of 2 payments');
  },
);

it('rules nothing while a batch is sent, and shows the forms again', async () => {
  const { ada, path, bring, place, desk, stateOf } = await opened();
  const address = await bring('bank.csv', place.statement());
  const fields = hiddenIn(await ada.page(address));
  const about = path.replace('/batches/', 'batch:');
  desk.jobs.begin(
    { about, doing: 'Sending', by: 'ada' },
    ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
  );
  const done = await ada.post(`${path}/statement/accept`, { ...fields, sure: 'yes' });
  expect(done.headers.get('location')).toBe(address);
  expect(await ada.page(address)).toContain('Nothing was decided. payfile works on this batch.');
  expect((await stateOf(ROWS.doubtPaid)).status).toBe('in_doubt');
});
