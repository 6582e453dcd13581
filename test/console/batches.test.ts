/** A batch on its pages: plan, agreement by typed totals, sending, and what it came to. */

import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { UNKNOWN_LEDGER_REASON } from '../../src/domain/batches/batch.ts';
import { formatAmount } from '../../src/domain/money/money.ts';
import { totalsToType } from '../../src/domain/plan/typed-totals.ts';
import { explain } from '../../src/operations/explain.ts';
import { rowList } from '../../src/operations/row-list.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { aPlace, ROWS } from '../builders/doubtful-batch.ts';
import { approvePlan, planFile, planShown, priceBatch } from '../builders/library-calls.ts';
import { type AConsole, aConsole } from './a-console.ts';

const BATCH = 'suppliers-2026-05';

async function planned(
  options: Parameters<typeof aConsole>[0] = {},
  file = 'samples/suppliers.csv',
): Promise<AConsole & { readonly path: string }> {
  const open = aConsole(options);
  await planFile(open.payfile, file, { batch: BATCH });
  const [batch] = await batchesOf(open.payfile);
  return { ...open, path: `/batches/${batch?.id}` };
}

async function totalsOf({
  payfile,
}: AConsole): Promise<{ readonly digest: string; readonly totals: readonly string[] }> {
  const { plan } = await planShown(payfile, BATCH);
  return { digest: plan.digest, totals: totalsToType(plan).map(formatAmount) };
}

const agree = async (open: AConsole & { readonly path: string }, by = open.visitor()) => {
  const { digest, totals } = await totalsOf(open);
  return by.post(`${open.path}/approval`, { digest, total: totals[0] ?? '' });
};

it('shows a plan, is agreed to by its typed total, is sent, and shows what it came to', async () => {
  const open = await planned();
  const ada = open.visitor();
  const before = await ada.page(open.path);
  expect(before).toContain('12 rows wait for approval. Nothing was sent.');
  expect(before).not.toContain('Send 12 approved rows');
  const plan = await ada.page(`${open.path}/plan`);
  const { digest } = await totalsOf(open);
  expect(plan).toContain(digest);
  expect(plan).toMatch(/<th scope="row">GHS<\/th><td class="num"[^>]*>\d/);
  const form = await ada.page(`${open.path}/plan`);
  expect(form).toContain(`name="digest" value="${digest}"`);
  expect(form).toMatch(/Type the total: GBP [\d,.]+/);

  const agreed = await agree(open, ada);
  expect([agreed.status, agreed.headers.get('location')]).toEqual([303, open.path]);
  const then = await ada.page(open.path);
  expect(then).toContain('Approved 12 rows');
  expect(then).toContain('<p class="outcome">12 approved rows are not sent yet.</p>');
  expect(then).toMatch(/ada approved 12 payments, <time/);
  expect(then).toContain('Send 12 approved rows');
  // No row is left to approve.
  expect(await ada.page(`${open.path}/plan`)).toContain('Nothing waits for approval.');
  expect((await ada.post(`${open.path}/send`)).status).toBe(303);
  await open.idle();
  const after = await ada.page(open.path);
  expect(after).toContain('<p class="outcome">Every payment is settled.</p>\n<p>12 settled.</p>');
  expect(after).not.toContain('class="main"');
  expect((await stateOf(open.payfile, BATCH)).totals.counts.settled).toBe(12);
});

it('says of a row without a name whom its account belongs to, and that nothing was compared', async () => {
  const place = aPlace();
  const open = aConsole({ ledger: place.ledger });
  const ada = open.visitor();
  await planFile(open.payfile, place.file, { batch: BATCH });
  const [batch] = await batchesOf(open.payfile);
  const path = `/batches/${batch?.id}`;
  const told = await open.payfile.call(explain, { batch: BATCH, row: String(ROWS.settled) });
  const holder = (await planShown(open.payfile, BATCH)).plan.names.holders[0];
  expect(holder).toMatchObject({ rowNumber: ROWS.settled, status: 'quoted' });
  expect(told.story.payout.instruction?.name).toBeUndefined();
  const plan = await ada.page(`${path}/plan`);
  expect(plan).toContain('no name in the file: the account holder’s name is used');
  for (const listed of [plan, await ada.page(path)]) {
    expect(listed).toContain(`${holder?.resolved} <span class="quiet">(on the account)</span>`);
    expect(listed).not.toContain('(match)');
  }
  expect(await ada.page(`${path}/rows/${ROWS.settled}`)).toContain(
    'no name in the file: the name of the account’s holder is used',
  );
});

it('shows whoever agrees each payment, and what was corrected, released and withdrawn by whom', async () => {
  const open = aConsole();
  await planFile(open.payfile, 'samples/payroll.xlsx', { batch: BATCH });
  await open.payfile.rows.release({ batch: BATCH, rows: ['6'], reason: 'HR said so' });
  await open.payfile.as('kofi').rows.cancel({ batch: BATCH, rows: ['7'], reason: 'left us' });
  await priceBatch(open.payfile, BATCH);
  const [batch] = await batchesOf(open.payfile);
  const page = await open.visitor('eve', ['approver']).page(`/batches/${batch?.id}/plan`);
  expect(page).toMatch(/Released<\/th><td[^>]*>6<\/td><td[^>]*>ada<\/td><td[^>]*>HR said so/);
  expect(page).toMatch(/Withdrawn<\/th><td[^>]*>7<\/td><td[^>]*>kofi<\/td><td[^>]*>left us/);
  expect(page).toContain('<p>1 payment withdrawn</p>');
  expect(page).toContain('23 rows, in the order of the file');
  expect(page.match(/href="\/batches\/\d+\/rows\/\d+">/g)).toHaveLength(23);
  expect(page).toContain('Approval sends nothing yet');
});

it('agrees to nothing by a wrong total, and begins again with an empty field', async () => {
  const open = await planned();
  const { digest, totals } = await totalsOf(open);
  const answer = await open.visitor().post(`${open.path}/approval`, { digest, total: `${totals[0]}9` });
  const text = await answer.text();
  expect(answer.status).toBe(422);
  expect(text).toContain('is not the total. Nothing was approved.');
  expect(text).not.toContain(`${totals[0]}9`);
  expect((await stateOf(open.payfile, BATCH)).totals.counts.approved).toBe(0);
});

it('shows all that changed since the last batch', async () => {
  const { payfile, visitor, path } = await planned();
  await approvePlan(payfile, BATCH, (await planShown(payfile, BATCH)).plan.digest);
  const june = `${aPlace().folder}/june.csv`;
  const head = 'Reference,Country,Institution,Account,Name,Amount';
  writeFileSync(june, `${head}\nJ-1,GH,GCB Bank,1011130024576,Yaw Acheampong,500.00\n`);
  await planFile(payfile, june, { batch: 'suppliers-2026-06' });
  const plan = await visitor().page('/batches/suppliers-2026-06/plan');
  expect(plan).toMatch(/<p>Since batch suppliers-2026-05 of <time [^>]*>\d{4}-\d\d-\d\d<\/time>:<\/p>/);
  expect(plan).toMatch(/\d+ missing beneficiar.*:<\/p>/);
  expect(plan).toMatch(/row \d+ [A-Z]{3}\s[\d,.]+, .*in that batch/);
  const some = await visitor().page(`${path}?status=approved`);
  expect(some).toContain('Matching rows');
  expect(some).not.toContain('All rows');
});

it('refuses a plan that changed since it was shown, and says what changed', async () => {
  const open = await planned();
  const { digest, totals } = await totalsOf(open);
  await open.payfile.rows.cancel({ batch: BATCH, rows: ['3'], reason: 'not this month' });
  const answer = await open.visitor().post(`${open.path}/approval`, { digest, total: totals[0] ?? '' });
  const text = await answer.text();
  expect(answer.status).toBe(409);
  expect(text).toContain('Nothing was approved');
  expect(text).toMatch(/Row 3: /);
  expect((await stateOf(open.payfile, BATCH)).totals.counts.approved).toBe(0);
});

it('begins one piece of work with a batch, by whatever word an address calls it', async () => {
  const open = await planned();
  const ada = open.visitor();
  await agree(open, ada);
  const begun = await Promise.all(
    [open.path, `/batches/${BATCH}`, '/batches/suppliers'].map((path) => ada.post(`${path}/send`)),
  );
  expect(begun.map(({ headers }) => headers.get('location'))).toEqual([open.path, open.path, open.path]);
  expect(open.desk.jobs.underWay()).toHaveLength(1);
  expect((await ada.post('/batches/nothing/send')).status).toBe(404);
  expect((await ada.get('/batches/nothing')).status).toBe(404);
  await open.idle();
  expect(await ada.page(open.path)).toContain('<p>12 settled.</p>');
});

it('says at once why the rest does not follow the first rows, and how it is sent from here', async () => {
  const place = aPlace();
  const rows = ['990020', '024501', '024502'].map((end, at) => `C-${at},GH,GCB Bank,1011130${end},,100.00`);
  writeFileSync(place.file, ['Reference,Country,Institution,Account,Name,Amount', ...rows, ''].join('\n'));
  const open = await planned({}, place.file);
  const ada = open.visitor();
  await agree(open, ada);
  await ada.post(`${open.path}/send`, { canary: 'some' });
  expect(await ada.page(open.path)).toContain('as a whole number');
  await ada.post(`${open.path}/send`, { canary: '1' });
  await open.idle();
  const page = await ada.page(open.path);
  expect(page).toMatch(
    /Sending stopped at the canary: row 2 failed.* enter 0 as “How many rows first” to send them\.</,
  );
  expect(page).not.toContain('--canary');
  await ada.post(`${open.path}/send`);
  await open.idle();
  expect((await stateOf(open.payfile, BATCH)).totals.counts).toMatchObject({ approved: 2 });
  await ada.post(`${open.path}/send`, { canary: '0' });
  await open.idle();
  expect(await ada.page(open.path)).toContain('2 settled, 1 failed');
});

it('marks where each batch stands, and offers one thing to do first: rows in doubt before others', async () => {
  const place = aPlace();
  const open = await planned({ ledger: place.ledger }, place.file);
  const ada = open.visitor();
  const mains = async () => (await ada.page(open.path)).match(/class="(?:button )?main"[^>]*>[^<]+/g);
  expect(await mains()).toEqual([`class="button main" href="${open.path}/plan">Review and approve 4 rows`]);
  expect(await ada.page('/')).toContain(`<a href="${open.path}">Review and approve 4 rows</a>`);
  await agree(open);
  expect(await mains()).toEqual(['class="main">Send 4 approved rows']);
  await open.payfile.send({ batch: BATCH, canary: 2 });
  const { counts } = (await stateOf(open.payfile, BATCH)).totals;
  expect([counts.in_doubt > 0, counts.approved > 0]).toEqual([true, true]);
  const doubt = `Find out about ${counts.in_doubt} row in doubt`;
  expect(await mains()).toEqual([`class="button main" href="${open.path}/statement">${doubt}`]);
  expect(await ada.page('/')).toContain(`<a href="${open.path}">${doubt}</a>`);
});

it('sends nothing while it is paused, and says who paused it and why', async () => {
  const open = await planned();
  const ada = open.visitor();
  await agree(open, ada);
  await ada.post(`${open.path}/pause`, { reason: 'the bank is closed' });
  const paused = await ada.page(open.path);
  expect(paused).toMatch(/Paused<\/strong> by .*: payfile sends nothing new\. Reason: the bank is closed/);
  expect(paused).not.toContain('Send 12 approved rows');
  await ada.post(`${open.path}/send`);
  await open.idle();
  expect((await stateOf(open.payfile, BATCH)).totals.counts.approved).toBe(12);
  await ada.post(`${open.path}/resume`);
  expect(await ada.page(open.path)).toContain('Send 12 approved rows');
});

it('names what ends a pause of the whole ledger', async () => {
  const open = await planned();
  await open.payfile.batches.pause({ batch: BATCH, reason: UNKNOWN_LEDGER_REASON });
  expect(await open.visitor().page(open.path)).toContain(
    'When all was compared, this ends it for all of them: <code>payfile resume --all</code>',
  );
});

it('shows work under way by one reading of the ledger, and asks again for all that changes', async () => {
  const open = await planned();
  const ada = open.visitor();
  await agree(open, ada);
  const going = Promise.withResolvers<undefined>();
  const about = `batch:${(await batchesOf(open.payfile))[0]?.id}`;
  open.desk.jobs.begin({ about, doing: 'Sending', by: 'ada' }, () => going.promise);
  await open.payfile.send({ batch: BATCH, canary: 0, deadline: 0 });
  const page = await ada.page(open.path);
  const { counts } = (await stateOf(open.payfile, BATCH)).totals;
  const sent = 12 - counts.approved;
  expect(page).toContain('<strong>Sending</strong>, started by ada.');
  expect(page).toContain(`Sent: ${sent} of 12 rows`);
  expect(page).toContain(`Outcomes known: ${counts.settled} of ${sent} rows`);
  expect(page).toContain('hx-select-oob="#steps,#now,#spoken,#look-now,#money-now,#rows-now,#bar"');
  for (const id of ['now', 'spoken', 'look-now', 'money-now', 'rows-now', 'bar'])
    expect(page).toContain(`id="${id}"`);
  expect(page).not.toContain('class="main"');
  expect(page).not.toMatch(/\d{8,}/);
  going.resolve(undefined);
  await open.idle();
  expect(await ada.page(open.path)).not.toContain('hx-trigger');
});

it('lists rows by status and search, a page at a time, with accounts masked', async () => {
  const open = await planned();
  const ada = open.visitor();
  const { lines } = await open.payfile.call(rowList, { batch: BATCH });
  const [first] = lines;
  const found = await ada.page(`${open.path}?search=${encodeURIComponent(first?.name ?? '')}`);
  expect(found).toContain(first?.name);
  expect(found.match(/href="\/batches\/\d+\/rows\/\d+"/g)).toHaveLength(1);
  expect(await ada.page(`${open.path}?status=settled`)).toContain('No row matches.');
  expect(await ada.page(`${open.path}?status=nonsense&after=-3`)).toContain(first?.name);
  const whole = await ada.page(open.path);
  expect(whole).toContain('•');
});

it('asks for names and fees anew after a row was let go on, and then the row can be agreed to', async () => {
  const open = aConsole();
  const ada = open.visitor();
  await planFile(open.payfile, 'samples/payroll.xlsx', { batch: BATCH });
  const [batch] = await batchesOf(open.payfile);
  const path = `/batches/${batch?.id}`;
  const seen = (await stateOf(open.payfile, BATCH)).attention.map(({ row }) => row);
  expect(seen).toEqual([6]);
  await open.payfile.rows.release({ batch: BATCH, rows: ['6'], reason: 'HR confirmed it' });
  const before = await ada.page(path);
  expect(before).toContain('1 row has no name check and no fee yet.');
  expect(before).toMatch(/class="main">Ask for names and fees of 1 row</);
  // The plan offers the same, and no agreement without this row as the next step.
  expect(await ada.page(`${path}/plan`)).toMatch(/class="main">Ask for names and fees of 1 row</);
  expect((await ada.post(`${path}/price`)).status).toBe(303);
  await open.idle();
  expect(await ada.page(path)).toContain('24 rows wait for approval.');
});

it('tells whoever agrees that somebody let the payments of another batch be paid once more', async () => {
  const open = await planned({ policy: { repeatHours: 0 } });
  const ada = open.visitor();
  await agree(open, ada);
  await ada.post(`${open.path}/send`);
  await open.idle();
  await open.payfile.settle({ batch: BATCH });
  await planFile(open.payfile, 'samples/suppliers.csv', { batch: 'suppliers-2026-06', repeats: BATCH });
  const [june] = await batchesOf(open.payfile);
  const form = await open.visitor('eve', ['approver']).page(`/batches/${june?.id}/plan`);
  expect(form).toContain(`this batch pays batch ${BATCH} again, as ada confirmed at`);
});
