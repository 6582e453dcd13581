/** A person pays a payroll in a browser: upload, corrected cells, plan, report. Also steps for other stories. */
import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { history } from '../../src/operations/status.ts';
import { summaryOf } from '../builders/batch-state.ts';
import { aServedConsole, follow, onPage, press } from './a-served-console.ts';

const PAYROLL = `Reference,Country,Institution,Account,Name,Amount,Currency
P-1,Ghana,GCB Bank,1011130024576,Yaw Acheampong,1200.50,GHS
P-2,Ghana,GCB Bnak,1011130024576,Yaw Acheampong,800.00,GHS
P-3,Ghana,GCB Bank,1011130024576,Yaw Acheampong,oops,GHS
`;

export const choose = (page: Page, name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Waits for a text: pages of running work refresh by themselves, with or without script. */
export const waitForText = (page: Page, words: string | RegExp) =>
  page.getByText(words).first().waitFor({ timeout: 30_000 });

export async function payPayroll(browser: Browser, { javaScriptEnabled = true } = {}): Promise<void> {
  const served = await aServedConsole(browser);
  const page = await served.ada({ javaScriptEnabled });
  await follow(page, 'New batch');
  await choose(page, 'payroll-2026-05.csv', PAYROLL);
  await press(page, /^Upload$/);
  await onPage(page, 'payroll-2026-05.csv');
  await page.getByLabel('Use GCB Bank for “GCB Bnak”').check();
  await page.getByRole('group', { name: 'Amount: row 4' }).getByRole('textbox').fill('950.25');
  await press(page, 'Save and check again');
  await waitForText(page, 'Your changes');
  await page.getByLabel(/^Name of the batch/).fill('payroll-2026-05');
  await press(page, /^Continue with 3 rows/);
  await onPage(page, 'Plan of payroll-2026-05');
  const label = page.getByText(/^Type the total: /);
  const total = ((await label.textContent()) ?? '').replace('Type the total: ', '');
  await page.getByLabel(/Type the total/).fill('1.00');
  await press(page, /^Approve 3 rows/);
  await waitForText(page, 'is not the total. Nothing was approved.');
  await page.getByLabel(/Type the total/).fill(total);
  await press(page, /^Approve 3 rows/);
  await waitForText(page, 'Approved');
  await press(page, /^Send 3 approved rows/);
  await waitForText(page, /^3 settled/);
  // A screen reader is told without a press.
  await page.locator('#spoken', { hasText: 'Every payment is settled.' }).waitFor({ state: 'attached' });
  const download = page.waitForEvent('download');
  await follow(page, 'Report as a workbook');
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(readFileSync(await (await download).path()) as never);
  expect(book.getWorksheet('Summary')?.getSheetValues().flat().join(' ')).toContain('3 settled');
  const { totals } = await summaryOf(served.payfile, 'payroll-2026-05');
  expect([totals.counts.settled, totals.ties]).toEqual([3, true]);
  const { decisions } = await served.payfile.call(history, { batch: 'payroll-2026-05' });
  expect(decisions.filter(({ what }) => /cell/i.test(what)).length).toBeGreaterThan(0);
  expect(served.complaints).toEqual([]);
}
