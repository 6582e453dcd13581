/** What an accountant closes a month with: every payment of the days asked for, once, whatever its batch. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import type { Batch, StatusCounts } from '../../src/domain/batches/batch.ts';
import { asBatchId } from '../../src/domain/payouts/instruction.ts';
import { STATUSES, type Status } from '../../src/domain/payouts/payout.ts';
import { areDays, type Period } from '../../src/domain/reporting/period.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { openReportSink } from '../../src/files/report/open-report-sink.ts';
import type { ReportRow } from '../../src/ports/ledger/reports.ts';
import { reportPeriod } from '../../src/use-cases/report/report-period.ts';
import { aPayoutIn, money, NOW } from '../builders/payouts.ts';
import {
  aBatch,
  aHeader,
  aRow,
  aRowPerState,
  inPages,
  NOTHING_KEPT,
  sentOf,
} from '../builders/report-rows.ts';
import { utcDays } from '../builders/utc-days.ts';
import { faultsAgainst } from '../files/report/schema-check.ts';
import { folder } from '../files/report/written.ts';

const at = (text: string) => timestampOf(Date.parse(text));
const schema = JSON.parse(readFileSync(new URL('../../samples/report.schema.json', import.meta.url), 'utf8'));

interface Kept {
  readonly batch: Batch;
  readonly rows: readonly ReportRow[];
  readonly counts?: StatusCounts;
}

const countsOf = (rows: readonly ReportRow[]) => {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  for (const { payout } of rows) counts[payout.state.status] += 1;
  return counts;
};

/** Newest first, as a ledger gives them. */
function ledgerOf(...kept: readonly Kept[]) {
  const of = (id: string) => kept.find(({ batch }) => batch.id === id);
  return {
    ...NOTHING_KEPT,
    batches: async () => kept.map(({ batch }) => batch),
    payouts: (id: string, { statuses = STATUSES }: { statuses?: readonly Status[] } = {}) =>
      inPages(
        (of(id)?.rows ?? [])
          .map(({ payout }) => payout)
          .filter(({ state }) => statuses.includes(state.status)),
        3,
      ),
    sentPayouts: (id: string) =>
      inPages(
        sentOf(of(id)?.rows ?? []).map((sent) => ({ ...sent, cells: ['as read'] })),
        3,
      ),
    counts: async (id: string) => of(id)?.counts ?? countsOf(of(id)?.rows ?? []),
  };
}

function may(): Period {
  return utcDays('2026-05-01', '2026-05-31');
}

const april = aBatch({ id: asBatchId('b-apr'), name: 'april', createdAt: at('2026-04-29T10:00:00Z') });
const mayBatch = aBatch({ id: asBatchId('b-may'), name: 'may', createdAt: at('2026-05-25T10:00:00Z') });
const settled = (row: number, sent: string, done: string, amount = 'GHS 10.00') =>
  aRow(
    aPayoutIn('settled', {
      rowNumber: row,
      instruction: { amount: money(amount) },
      state: { sentAt: at(sent), settledAt: at(done) },
    }),
  );

async function written(name: string, ledger: ReturnType<typeof ledgerOf>) {
  const path = join(folder, name);
  const sink = await openReportSink({ path, format: undefined, fullAccounts: false });
  const { environment, madeAt, reissueAfterMs } = aHeader();
  const header = { environment, madeAt, reissueAfterMs };
  const reported = await reportPeriod(ledger, { period: may(), sink, header });
  return { reported, text: readFileSync(path, 'utf8') };
}

it('takes a payment that was sent or settled on any of the days, to the last millisecond, and no other', async () => {
  const rows = [
    settled(2, '2026-04-30T23:59:59.998Z', '2026-04-30T23:59:59.999Z'),
    settled(3, '2026-04-30T23:00:00.000Z', '2026-05-01T00:00:00.000Z'),
    settled(4, '2026-05-31T23:59:59.999Z', '2026-06-01T00:10:00.000Z'),
    settled(5, '2026-06-01T00:00:00.000Z', '2026-06-01T00:10:00.000Z'),
    aRow(
      aPayoutIn('returned', {
        rowNumber: 6,
        state: { sentAt: at('2026-04-02T08:00:00Z'), returnedAt: at('2026-05-02T08:00:00Z') },
      }),
    ),
    aRow(aPayoutIn('held', { rowNumber: 7 })),
  ];
  const { text, reported } = await written('days.json', ledgerOf({ batch: april, rows }));
  expect(JSON.parse(text).rows.map((row: { row: number }) => row.row)).toEqual([3, 4, 6]);
  expect(reported.batches).toMatchObject([{ batch: { id: 'b-apr' }, rows: 3 }]);
});

it('says the same of a payment on its way whenever it is made, but for one that differs from what was asked', async () => {
  const sent = { sentAt: at('2026-05-30T08:00:00Z') };
  const differing = { ...sent, discrepancies: ['amount: the service shows GHS 12.00'] };
  const rows = [
    aRow(aPayoutIn('accepted', { rowNumber: 2, state: sent })),
    aRow(aPayoutIn('accepted', { rowNumber: 3, state: differing })),
  ];
  const { text } = await written('open.json', ledgerOf({ batch: mayBatch, rows }));
  expect(JSON.parse(text).rows.map(({ reason }: { reason: string }) => reason)).toEqual([
    'On its way at the end of these days.',
    expect.stringContaining('the service shows GHS 12.00'),
  ]);
});

it('shows a payment as it stood at the end of the days, and not what replaced it later', async () => {
  const failed = aPayoutIn('failed', {
    id: 'p1',
    state: { basis: 'service_status', at: at('2026-05-03T08:00:00Z') },
  });
  const newer = aPayoutIn('accepted', {
    id: 'p2',
    rowNumber: 4,
    state: { sentAt: at('2026-06-03T08:00:00Z') },
  });
  const { text } = await written(
    'again.json',
    ledgerOf({ batch: april, rows: [aRow(newer, { replaced: [failed] })] }),
  );
  expect(JSON.parse(text).rows).toMatchObject([{ row: failed.rowNumber, status: 'failed', next_step: '' }]);
});

it('goes through the batches oldest first, names each in its rows, and sums per currency', async () => {
  const ledger = ledgerOf(
    { batch: mayBatch, rows: [settled(2, '2026-05-25T10:00:00Z', '2026-05-25T10:05:00Z', 'XOF 1500')] },
    {
      batch: april,
      rows: [
        settled(2, '2026-04-30T10:00:00Z', '2026-05-02T10:05:00Z', 'GHS 20.50'),
        settled(3, '2026-04-30T10:00:00Z', '2026-05-02T10:05:00Z', 'GHS 0.50'),
      ],
    },
  );
  const { text, reported } = await written('two.json', ledger);
  const whole = JSON.parse(text);
  expect(faultsAgainst(schema, whole)).toEqual([]);
  expect(whole).toMatchObject({ batch: null, period: { from: '2026-05-01', to: '2026-05-31' } });
  expect(
    whole.rows.map((row: Record<string, unknown>) => [row['batch'], row['batch_name'], row['amount']]),
  ).toEqual([
    ['b-apr', 'april', '20.50'],
    ['b-apr', 'april', '0.50'],
    ['b-may', 'may', '1500'],
  ]);
  expect(whole.totals).toEqual([
    { currency: 'GHS', status: 'settled', count: 2, amount: '21.00', minorUnits: '2100' },
    { currency: 'XOF', status: 'settled', count: 1, amount: '1500', minorUnits: '1500' },
  ]);
  expect(reported.totals.ties).toBe(true);
});

it('gives the CSV the same columns whatever the files were like, with batch and account in front', async () => {
  const ledger = ledgerOf({ batch: mayBatch, rows: aRowPerState() });
  const { text } = await written('all.csv', ledger);
  const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
  expect(Object.keys(rows[0] ?? {}).slice(0, 10)).toEqual([
    'Batch',
    'Batch name',
    'File',
    'Reference',
    'Country',
    'Institution',
    'Account',
    'Name',
    'payfile_row',
    'payfile_status',
  ]);
  expect(rows.map((row) => row['payfile_status'])).toEqual([
    'sending',
    'in_doubt',
    'accepted',
    'settled',
    'failed',
    'returned',
  ]);
  expect(new Set(rows.map((row) => `${row['Batch']} ${row['File']} ${row['Account']}`))).toEqual(
    new Set(['b-may may payroll.xlsx 0244123456']),
  );
});

it('says which batch does not tie, even where the lost row is outside the days', async () => {
  const rows = [
    settled(2, '2026-05-25T10:00:00Z', '2026-05-25T10:05:00Z'),
    aRow(aPayoutIn('held', { rowNumber: 3 })),
  ];
  const ledger = ledgerOf({ batch: april, rows: rows.slice(0, 1), counts: countsOf(rows) });
  const { reported, text } = await written('torn.json', ledger);
  expect(reported.totals.ties).toBe(false);
  expect(reported.totals.parts[0]).toBe('Batch april: The ledger has 2 rows, the report 1 row.');
  expect(JSON.parse(text).parts).toHaveLength(reported.totals.parts.length);
});

it('does not read batches that were made after the days', async () => {
  const later = aBatch({ id: asBatchId('b-jun'), createdAt: at('2026-06-01T00:00:00.000Z') });
  const { reported } = await written('later.json', ledgerOf({ batch: later, rows: aRowPerState() }));
  expect(reported).toMatchObject({ batches: [], totals: { linesOut: 0 } });
});

it('leaves nothing behind when the ledger cannot be read to the end', async () => {
  const ledger = ledgerOf({ batch: april, rows: aRowPerState() });
  const breaking = {
    ...ledger,
    counts: async () => {
      throw new Error('the disk is gone');
    },
  };
  await expect(written('broken.csv', breaking)).rejects.toThrow('the disk is gone');
  expect(() => readFileSync(join(folder, 'broken.csv'))).toThrow('ENOENT');
});

it('knows the days of the calendar', () => {
  for (const [from, to] of [
    ['2026-02-30', '2026-03-01'],
    ['2026-05-02', '2026-05-01'],
    ['2026-5-1', '2026-05-02'],
    ['', '2026-05-02'],
  ])
    expect(areDays({ from: from ?? '', to: to ?? '' })).toBe(false);
  const leap = utcDays('2028-02-29', '2028-02-29');
  expect(leap.endsAt - leap.startsAt).toBe(86_400_000);
  expect(NOW).toBeGreaterThan(may().startsAt);
});
