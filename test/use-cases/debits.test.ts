/** What a batch was to cost and what it cost at the rates of sending, as the reports tell it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterAll, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { openReportSink } from '../../src/files/report/open-report-sink.ts';
import { reportBatch } from '../../src/use-cases/report/report-batch.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';
import { faultsAgainst } from '../files/report/schema-check.ts';

const schema = JSON.parse(readFileSync(new URL('../../samples/report.schema.json', import.meta.url), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'payfile-debits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MOVED = { rate: '15.4', fee: '1.02', speedSeconds: 30 };

type Written = Pick<Workplace, 'ledger' | 'clock'>;

async function written(batchId: BatchId, { ledger, clock }: Written, ending: string): Promise<string> {
  const batch = await ledger.batch(batchId);
  if (batch === undefined) throw new TypeError('no batch');
  const path = join(folder, `${batchId}.${ending}`);
  const header = { batch, environment: 'sandbox', madeAt: clock.now(), reissueAfterMs: 0 } as const;
  const target = { path, format: undefined, fullAccounts: false };
  await reportBatch(header, { ledger, openSink: openReportSink }, { target });
  return path;
}

async function jsonOf(batchId: BatchId, { ledger, clock }: Written) {
  const whole = JSON.parse(readFileSync(await written(batchId, { ledger, clock }, 'json'), 'utf8'));
  expect(faultsAgainst(schema, whole)).toEqual([]);
  return whole;
}

async function reported(batchId: BatchId, place: Written) {
  return (await jsonOf(batchId, place)).debits;
}

it('are the same when the quotes were fresh', async () => {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(2), 'may');
  await place.send(batch);
  // 1200 ÷ 15.5 + 1.02 = 78.44, twice.
  expect(await reported(batch, place)).toEqual([
    {
      currency: 'GHS',
      debitCurrency: 'GBP',
      count: 2,
      planned: '156.88',
      sent: { count: 2, planned: '156.88', atSend: '156.88', driftPercent: '0.00' },
    },
  ]);
});

it('differ by a rate that moved within the budget, for the rows sent at it', async () => {
  const place = await aWorkplace();
  const batch = await place.approved([aRow(1), aRow(2)], 'may');
  place.clock.advance(31 * 60_000);
  place.service.estimateAnswer = { kind: 'answered', answer: MOVED };
  await place.send(batch);
  // 1200 ÷ 15.4 + 1.02 = 78.94, twice: 1.00 more on 156.88.
  expect(await reported(batch, place)).toMatchObject([
    { planned: '156.88', sent: { count: 2, planned: '156.88', atSend: '157.88', driftPercent: '0.64' } },
  ]);
});

it('are in the workbook and on the page what they are in JSON, with what became of the rest', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(4), 'may');
  place.clock.advance(31 * 60_000);
  place.service.estimateAnswer = { kind: 'answered', answer: MOVED };
  place.service.turns.push({ refuse: 'closed' });
  await place.send(batch);
  expect(await jsonOf(batch, place)).toMatchObject({
    debits: [{ planned: '235.32', sent: { count: 3, atSend: '236.82', driftPercent: '0.64' } }],
    staysTaken: [{ currency: 'GBP', amount: '235.32', fees: '3.06' }],
  });
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(await written(batch, place, 'xlsx'));
  const summary = book.getWorksheet('Summary');
  if (summary === undefined) throw new TypeError('There is no sheet Summary');
  const names = summary.getColumn(1).values as readonly unknown[];
  const below = (title: string, by: number) =>
    (summary.getRow(names.indexOf(title) + by).values as readonly unknown[]).slice(1);
  expect(below('Planned and actual debit', 2)).toEqual([
    // Nothing is in doubt or waits: their columns are left out.
    ...['GHS', 'GBP', 313.76, 78.44, 235.32],
    ...[1.5, 236.82, 150 / 23_532],
  ]);
  // As quoted, like what stays taken by JSON; on its way, then failed.
  expect(below('Currency', 1)).toEqual(['GHS', 4, 4800, 3600, 1200, 3.06, 235.32]);
  expect(names[4]).toBe('ties');
  const page = readFileSync(await written(batch, place, 'html'), 'utf8');
  const text = page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  for (const line of [
    'Nothing spent, GBP 235.32 open',
    'Balanced against payfile’s own count : 4 rows in, all accounted for.',
    'GHS 4 4,800.00 3,600.00 1,200.00 3.06 GBP 235.32 GBP',
    'Total 4 rows 4,800.00 GHS 235.32 GBP 3.06',
  ])
    expect(text).toContain(line);
});

it('count what is agreed to and not sent as planned alone, and leave out what was refused', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved([aRow(1), aRow(2)], 'may');
  expect(await reported(batch, place)).toMatchObject([
    { count: 2, planned: '156.88', sent: { count: 0, planned: '0.00', atSend: '0.00', driftPercent: null } },
  ]);
  place.service.turns.push({ refuse: 'closed' });
  await place.send(batch);
  expect(await reported(batch, place)).toMatchObject([{ count: 1, planned: '78.44', sent: { count: 1 } }]);
});
