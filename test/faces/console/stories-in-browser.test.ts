/** What people come for, done by them in a real browser, and done again in one that runs no script. */
import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aChromium } from '../../adapters/files/report/a-browser.ts';
import { ACCOUNT, aPlace, ROWS, sendDoubtful } from '../../builders/doubtful-batch.ts';
import { addressIn, aServedConsole, follow, onPage, press } from './a-served-console.ts';

const browser = aChromium();

const PAYROLL = `Reference,Country,Institution,Account,Name,Amount,Currency
P-1,Ghana,GCB Bank,1011130024576,Yaw Acheampong,1200.50,GHS
P-2,Ghana,GCB Bnak,1011130024576,Yaw Acheampong,800.00,GHS
P-3,Ghana,GCB Bank,1011130024576,Yaw Acheampong,oops,GHS
`;

const choose = (page: Page, name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Pages of work that goes on change by themselves, with script or without. */
const told = (page: Page, words: string | RegExp) =>
  page.getByText(words).first().waitFor({ timeout: 30_000 });

describe.each([
  ['with script', true],
  ['without script', false],
] as const)('%s', (_how, javaScriptEnabled) => {
  it('pays a payroll from the file over mended cells to its report', async () => {
    const served = await aServedConsole(browser());
    const page = await served.ada({ javaScriptEnabled });
    await follow(page, 'New batch');
    await choose(page, 'payroll-2026-05.csv', PAYROLL);
    await press(page, 'Bring the file');
    await onPage(page, 'payroll-2026-05.csv');
    await told(page, 'Mend the 2 rows');
    await follow(page, 'Mend the 2 rows');
    const second = page.getByRole('group', { name: 'Row 3' });
    await second.getByLabel(/Institution/).fill('GCB Bank');
    const third = page.getByRole('group', { name: 'Row 4' });
    await third.getByLabel(/Amount/).fill('950.25');
    await page.getByRole('button', { name: 'Save these corrections' }).first().click();
    await told(page, 'Every row can be paid');
    await follow(page, /^Plan/);
    await press(page, /^Plan 3 rows/);
    await onPage(page, 'Plan of payroll-2026-05');
    await follow(page, 'Agree to this plan');
    const label = page.getByText(/^Type the total: /);
    const total = ((await label.textContent()) ?? '').replace('Type the total: ', '');
    await page.getByLabel(/Type the total/).fill('1.00');
    await press(page, /^Agree to pay/);
    await told(page, 'is not the total. Nothing was agreed to.');
    await page.getByLabel(/Type the total/).fill(total);
    await press(page, /^Agree to pay/);
    await told(page, 'Approved');
    await press(page, /^Send \d rows? that somebody agreed to/);
    await told(page, /3 settled/);
    await told(page, 'The last work here');
    // A reader of the screen says whatever the keyboard is at.
    if (javaScriptEnabled) await page.locator('#ended:focus', { hasText: '3 settled' }).waitFor();
    const download = page.waitForEvent('download');
    await follow(page, 'Workbook');
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(readFileSync(await (await download).path()) as never);
    expect(book.getWorksheet('Summary')?.getSheetValues().flat().join(' ')).toContain('3 settled');
    const { totals } = await served.payfile.report('payroll-2026-05');
    expect([totals.counts.settled, totals.ties]).toEqual([3, true]);
    const { decisions } = await served.payfile.history('payroll-2026-05');
    expect(decisions.filter(({ what }) => /cell/i.test(what)).length).toBeGreaterThan(0);
    expect(served.complaints).toEqual([]);
  }, 90_000);

  it('rules on lost answers with a statement', async () => {
    const place = aPlace();
    const served = await aServedConsole(browser(), { ledger: place.ledger });
    await sendDoubtful(served.payfile, place);
    const page = await served.ada({ javaScriptEnabled });
    await told(page, 'It is not known whether these were paid');
    await follow(page, 'may');
    await follow(page, 'Find out about the rows in doubt');
    await told(page, '2 rows in doubt');
    await choose(page, 'bank-may.csv', place.statement());
    await press(page, /Compare/);
    await told(page, 'In doubt, and the statement shows it as paid');
    await page.getByRole('checkbox').first().check();
    await page.locator('form:has(input[type=checkbox]) button').first().click();
    await told(page, 'Ruled');
    const stateOf = async (row: number) =>
      (await served.payfile.explain('may', String(row))).story.payout.state.status;
    expect([await stateOf(ROWS.doubtPaid), await stateOf(ROWS.doubtUnpaid)]).toEqual([
      'accepted',
      'in_doubt',
    ]);
    await page.goto(addressIn(page, `/batches/${(await served.payfile.batches())[0]?.id}`));
    await press(page, /^Ask what became of \d rows?/);
    await told(page, 'The last work here');
    expect(await stateOf(ROWS.doubtPaid)).toBe('settled');
    expect(served.complaints).toEqual([]);
  }, 90_000);
});

it('shows beside a bar that moves what became of each row, without a press', async () => {
  // The last never finishes: what becomes of it is asked for an hour.
  const place = aPlace(`Reference,Country,Institution,Account,Name,Amount
S-1,GH,GCB Bank,${ACCOUNT},,300.00
S-2,GH,GCB Bank,1011130990011,,400.00
`);
  const served = await aServedConsole(browser(), { ledger: place.ledger });
  await served.payfile.plan(place.file, { batch: 'may' });
  await served.payfile.approve('may', (await served.payfile.planOf('may')).plan.digest);
  const page = await served.ada();
  await follow(page, 'may');
  await press(page, /^Send 2 rows/);
  await page.locator('.outcome', { hasText: '1 in doubt' }).waitFor({ timeout: 30_000 });
  await told(page, 'Going on now');
  await page.locator('#rows-now', { hasText: 'In doubt' }).waitFor();
  expect(await page.locator('#rows-now').textContent()).not.toContain('Not sent');
  expect(await page.locator('#money-now').textContent()).not.toContain('Not yet sent');
  await page.getByRole('link', { name: 'Find out about the rows in doubt' }).waitFor();
  expect(served.complaints).toEqual([]);
}, 90_000);
