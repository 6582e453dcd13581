/** The journal for an accounting program: every entry, or the same summed by day, account and currency. */
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { periodOf } from '../../../src/domain/reporting/period.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { ReportUnwritable } from '../../../src/ports/outputs.ts';
import { aMixedBatch } from '../../builders/mixed-batch.ts';
import { aPayoutIn, NOW } from '../../builders/payouts.ts';
import { aHeader, aRow, DAY, rowsIn } from '../../builders/report-rows.ts';
import { names, report, text, type Wish } from './written.ts';

type Format = 'journal' | 'journal-by-day';
type Record = { readonly [column: string]: string };

async function journal(format: Format, rows: Parameters<typeof report>[1], wish: Wish = {}) {
  await report(`${format}.csv`, rows, { ...wish, format });
  return parse(text(`${format}.csv`), { columns: true, bom: true }) as Record[];
}

/** Amounts of GBP in pence: exact, and counted here on their own. */
const pence = (amount = '') => Math.round(Number(amount) * 100);
const sum = (lines: readonly Record[], side: 'debit' | 'credit') =>
  lines.reduce((all, line) => all + pence(line[side]), 0);

it('has a line for each side of each entry, with day, voucher, account and payment', async () => {
  const lines = await journal('journal', rowsIn('settled', 'held', 'in_doubt'));
  expect(lines).toHaveLength(10);
  expect(lines[0]).toEqual({
    date: '2026-05-25',
    voucher: 'PF-00000001.1',
    row: '2',
    kind: 'Payment',
    account_code: '2100',
    account_name: 'Payments owed',
    used_for: 'Owed to the payees',
    debit: '77.42',
    credit: '',
    currency: 'GBP',
    counted_as: 'Settled',
    name: 'Ama Mensah',
    reference: 'GH-001',
    transfer_id: 'tr-9',
    batch: 'may-2026',
  });
  expect(lines[1]).toMatchObject({
    voucher: 'PF-00000001.1',
    account_code: '1090',
    credit: '77.42',
    debit: '',
  });
  expect(sum(lines, 'debit')).toBe(sum(lines, 'credit'));
});

describe('by day', () => {
  it('sums the same entries by day, account and currency, debits and credits apart', async () => {
    const later = timestampOf(NOW + DAY);
    const rows = [
      aRow(aPayoutIn('settled', { rowNumber: 2, state: { settledAt: later } })),
      aRow(aPayoutIn('settled', { rowNumber: 3 })),
      aRow(aPayoutIn('in_doubt', { rowNumber: 4 })),
    ];
    const lines = await journal('journal-by-day', rows);
    const told = lines.map((line) =>
      [line['date'], line['account_code'], line['debit'], line['credit'], line['entries']].join(' '),
    );
    // Each payment is 77.42 and a fee of 1.02.
    expect(told).toEqual([
      '2026-05-25 2100 154.84  2',
      '2026-05-25 1010  78.44 1',
      '2026-05-25 6800 2.04  2',
      '2026-05-25 1090 78.44  1',
      '2026-05-25 1090  235.32 6',
      '2026-05-25 1999 78.44  2',
      '2026-05-26 1010  78.44 1',
      '2026-05-26 1090 78.44  1',
    ]);
    expect(new Set(lines.map(({ currency }) => currency))).toEqual(new Set(['GBP']));
  });

  it('comes to the same as the entries, day by day and account by account, and balances every day', async () => {
    const [entries, days] = [
      await journal('journal', aMixedBatch()),
      await journal('journal-by-day', aMixedBatch()),
    ];
    expect(days.length).toBeLessThan(entries.length / 10);
    const places = new Set(
      entries.map(({ date, account_code: code, currency }) => `${date} ${code} ${currency}`),
    );
    const at = (lines: readonly Record[], place: string) =>
      lines.filter(({ date, account_code: code, currency }) => `${date} ${code} ${currency}` === place);
    for (const place of places)
      for (const side of ['debit', 'credit'] as const)
        expect(sum(at(days, place), side), place).toBe(sum(at(entries, place), side));
    for (const date of new Set(days.map((line) => line['date']))) {
      const mine = days.filter((line) => line['date'] === date);
      expect(sum(mine, 'debit')).toBe(sum(mine, 'credit'));
    }
  });

  it('over days has what is dated in them, and nothing else', async () => {
    const june = timestampOf(NOW + 8 * DAY);
    const rows = [aRow(aPayoutIn('settled', { rowNumber: 2, state: { settledAt: june } }))];
    const of = (from: string, to: string) =>
      journal('journal-by-day', rows, { header: aHeader({ period: periodOf(from, to) }) });
    expect(new Set((await of('2026-05-01', '2026-05-31')).map(({ date }) => date))).toEqual(
      new Set(['2026-05-25']),
    );
    expect(new Set((await of('2026-06-01', '2026-06-30')).map(({ date }) => date))).toEqual(
      new Set(['2026-06-02']),
    );
  });

  it('says of a payment whose debit is not known that it is booked as it was asked for', async () => {
    const rows = [aRow(aPayoutIn('settled', { rowNumber: 2, state: { pricing: undefined } }))];
    const lines = await journal('journal-by-day', rows);
    expect(lines[0]).toMatchObject({
      currency: 'GHS',
      debit: '1200.00',
      note: 'debit unknown: as asked for',
    });
  });
});

it.each(['journal', 'journal-by-day'] as const)(
  'writes no %s whose checks differ: such a file could not say so',
  async (format) => {
    const lost = journal(format, rowsIn('settled', 'returned'), { held: rowsIn('settled') });
    await expect(lost).rejects.toThrow(ReportUnwritable);
    await expect(lost).rejects.toThrow(/the payments have GBP 156.88, the Journal GBP 78.44/);
    const untied = report('untied.csv', rowsIn('settled'), { format, ledger: [] });
    await expect(untied).rejects.toThrow(/There is no journal, because what it books does not tie/);
    expect(names()).not.toContain('untied.csv');
  },
);

it('holds no formula: text from the file stays text', async () => {
  const instruction = { name: '=HYPERLINK("http://x")', reference: '@SUM(1)' };
  await journal('journal', [aRow(aPayoutIn('settled', { rowNumber: 2, instruction }))]);
  expect(text('journal.csv')).not.toMatch(/(^|,)"?[=@]/m);
});

it('has only its headings where nothing was sent', async () => {
  expect(await journal('journal', rowsIn('held'))).toEqual([]);
  expect(text('journal.csv').replace('\ufeff', '')).toMatch(/^date,voucher,row,/);
});
