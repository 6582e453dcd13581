/** A reconciliation as a workbook, a page and JSON: each has every payment and every line, and replaces no other file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, it, onTestFinished } from 'vitest';
import { reconciliationFile } from '../../../src/domain/statement/reconciliation-tables.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { createOutputGuard, NOTHING_KEPT } from '../../../src/files/output-guard.ts';
import { writeReconciliation } from '../../../src/files/report/reconciliation-report.ts';
import { around, reconcileWith, sentBatch } from '../../builders/statement-file.ts';

const FACTS = {
  batches: ['may'],
  organization: 'ACME',
  environment: 'sandbox',
  by: 'ada',
  madeAt: timestampOf(0),
} as const;

async function made() {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before']);
  const [own = {}] = lines;
  // 1,200.00 becomes 1,190.00: 10.00 less than booked. The stray line has a tag of nobody.
  const stray = { ...own, Id: 'x-1', Narration: '=1+1 coffee', Amount: '3.00', Account: '9' };
  const written = around(at, [{ ...own, Amount: '1190.00' }, stray, stray]);
  const found = await reconcileWith(place, batch, written, { keepsLines: true });
  return { content: reconciliationFile(found, FACTS), found };
}

function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const guard = createOutputGuard(NOTHING_KEPT);
  return { at: (name: string) => join(folder, name), guard };
}

it('holds statement, amounts, every payment, every line and what is open', async () => {
  const { content, found } = await made();
  const { at, guard } = aFolder();
  await writeReconciliation({ path: at('r.json'), isReplaced: false }, content, guard);
  const written = JSON.parse(readFileSync(at('r.json'), 'utf8'));
  expect(written).toMatchObject({
    title: 'Reconciliation of may with may.csv',
    facts: {
      organization: 'ACME',
      result: '0 of 2 rows agree with the statement. 2 to look at or to wait for: GHS 2,400.00.',
      sha256: found.sha256,
      comparedBy: 'ada',
      comparedAt: '1970-01-01 00:00:00 UTC',
    },
    amounts: [
      {
        currency: 'GHS',
        statement: '1190.00',
        booked: '1200.00',
        difference: '-10.00',
        notExplained: '-10.00',
      },
    ],
    payments: [
      {
        row: 2,
        amount: '1200.00',
        result: 'Differs',
        lines: '3',
        difference: '-10.00',
        explanation: 'not explained',
      },
      { row: 3, result: 'Proposed: not paid', lines: null },
    ],
    openItems: [
      { row: 2, result: 'Differs', whatToLookAt: expect.stringContaining('10.00 less than booked') },
      { row: 3, result: 'Proposed: not paid' },
    ],
  });
  expect(
    written.lines.map(({ line, matchedTo }: Record<string, unknown>) => `${line}: ${matchedTo}`),
  ).toEqual([
    '2: No payment of payfile',
    '3: row 2: Differs',
    '4: No payment of payfile',
    '5: Repeats an earlier line',
    '6: No payment of payfile',
  ]);
});

it('is the same in the workbook, where text stays text and amounts are numbers, and on the page', async () => {
  const { content } = await made();
  const { at, guard } = aFolder();
  for (const name of ['r.xlsx', 'r.html'])
    await writeReconciliation({ path: at(name), isReplaced: false }, content, guard);
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(at('r.xlsx'));
  expect(workbook.worksheets.map(({ name }) => name)).toEqual([
    ...['Statement', 'Result', 'Amounts', 'Payments', 'Lines', 'Open items'],
  ]);
  expect(workbook.getWorksheet('Amounts')?.getRow(2).getCell(6).value).toBe(-10);
  expect(workbook.getWorksheet('Lines')?.getRow(4).getCell(6).value).toBe('=1+1 coffee');
  const page = readFileSync(at('r.html'), 'utf8');
  expect(page).toContain('<td class="num">-10.00</td>');
  expect(page).toContain('<h2>Open items</h2>');
  expect(page).not.toContain('<script');
});

it('shows no account whole, neither of the beneficiary nor our own', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept']);
  const [own = {}] = lines;
  const account = `${own['Account']}`;
  const told = { ...own, Account: '', Narration: `${own['Narration']} to ${account}` };
  const found = await reconcileWith(place, batch, around(at, [told]), { keepsLines: true });
  const balance = { account: 'GB29NWBK60161331926819', currency: 'GBP', opening: '9.00', closing: '5.00' };
  const content = reconciliationFile(
    { ...found, completeness: { kind: 'proven', balances: [balance] } },
    FACTS,
  );
  const { at: pathOf, guard } = aFolder();
  await writeReconciliation({ path: pathOf('r.html'), isReplaced: false }, content, guard);
  const page = readFileSync(pathOf('r.html'), 'utf8');
  expect(account.length).toBeGreaterThan(6);
  expect(page).toContain(` to ••••${account.slice(-4)}</td>`);
  expect(page).toContain('<td class="tag">••••6819</td><td>Opening balance</td><td class="num">9.00</td>');
  expect(page).toContain('complete by its balances (••••6819 GBP from 9.00 to 5.00)');
  expect(page).not.toContain(account);
  expect(page).not.toContain('60161331926819');
});

it('replaces no file that is there, unless that was said', async () => {
  const { content } = await made();
  const { at, guard } = aFolder();
  writeFileSync(at('r.json'), 'mine');
  const write = (isReplaced: boolean) =>
    writeReconciliation({ path: at('r.json'), isReplaced }, content, guard);
  await expect(write(false)).rejects.toThrow(/a file is there already, and somebody may keep it/);
  expect(readFileSync(at('r.json'), 'utf8')).toBe('mine');
  await write(true);
  expect(readFileSync(at('r.json'), 'utf8')).toContain('Reconciliation of may');
});
