/** What a batch was to cost and what it cost at the rates of sending, as the JSON report tells it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openReportSink } from '../../src/adapters/files/open-report-sink.ts';
import { reportBatch } from '../../src/application/report-batch.ts';
import type { BatchId } from '../../src/domain/instruction.ts';
import { faultsAgainst } from '../adapters/files/report/schema-check.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const schema = JSON.parse(readFileSync(new URL('../../samples/report.schema.json', import.meta.url), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'payfile-debits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function reported(batchId: BatchId, { ledger, clock }: Workplace) {
  const batch = await ledger.batch(batchId);
  if (batch === undefined) throw new TypeError('no batch');
  const path = join(folder, `${batchId}.json`);
  const header = { batch, environment: 'sandbox', madeAt: clock.now(), reissueAfterMs: 0 } as const;
  const target = { path, format: undefined, fullAccounts: false };
  await reportBatch(header, { ledger, openSink: openReportSink }, { target });
  const whole = JSON.parse(readFileSync(path, 'utf8'));
  expect(faultsAgainst(schema, whole)).toEqual([]);
  return whole.debits;
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
  place.service.rateAnswer = { kind: 'answered', answer: '15.4' };
  await place.send(batch);
  // 1200 ÷ 15.4 + 1.02 = 78.94, twice: 1.00 more on 156.88.
  expect(await reported(batch, place)).toMatchObject([
    { planned: '156.88', sent: { count: 2, planned: '156.88', atSend: '157.88', driftPercent: '0.63' } },
  ]);
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
