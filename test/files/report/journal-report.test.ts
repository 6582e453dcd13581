/** The journal for an accounting program: every entry, or the same summed by day, account and currency. */
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { JournalProfile } from '../../../src/domain/reporting/report.ts';
import { accountRules } from '../../../src/domain/setting-kinds.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { ReportUnwritable } from '../../../src/ports/outputs.ts';
import { aMixedBatch } from '../../builders/mixed-batch.ts';
import { aPayoutIn, NOW } from '../../builders/payouts.ts';
import { aBatch, aHeader, aRow, DAY, rowsIn } from '../../builders/report-rows.ts';
import { utcDays } from '../../builders/utc-days.ts';
import { names, report, sheetOf, text, type Wish, workbook } from './written.ts';

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
    account_code: '2100',
    account_name: 'Payments owed',
    debit: '77.42',
    credit: '',
    amount: '77.42',
    currency: 'GBP',
    foreign_amount: '1200.00',
    foreign_currency: 'GHS',
    rate: '15.5',
    description: 'Payment: GH-001, Ama Mensah',
    row: '2',
    kind: 'Payment',
    used_for: 'Owed to the payees',
    counted_as: 'Settled',
    name: 'Ama Mensah',
    reference: 'GH-001',
    transfer_id: 'tr-9',
    batch: 'may-2026',
    tag: 'PF-00000001',
  });
  expect(lines[1]).toMatchObject({
    voucher: 'PF-00000001.1',
    account_code: '1090',
    credit: '77.42',
    debit: '',
    amount: '-77.42',
    foreign_amount: '-1200.00',
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
      journal('journal-by-day', rows, { header: aHeader({ period: utcDays(from, to) }) });
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
  expect(text('journal.csv').replace('\ufeff', '')).toMatch(/^date,voucher,account_code,/);
});

it.each(['generic', 'xero', 'quickbooks', 'odoo', 'erpnext'] as const)(
  'shows no whole account in columns of the file or in a name, for %s',
  async (journalProfile) => {
    const own = aRow(aPayoutIn('settled', { instruction: { name: '2087654399' } }));
    const header = aHeader({ keptColumns: ['Old account', 'Own account'] });
    const withCells = ['0099887766', '0244 123 456'];
    await report('masked.csv', [own], { header, format: 'journal', journalProfile, withCells });
    const shown = text('masked.csv');
    for (const whole of ['2087654399', '0099887766', '0244 123 456', '0244123456'])
      expect(shown).not.toContain(whole);
    expect(shown).toContain('••••7766');
  },
);

describe('the accounts of your books', () => {
  const rules = accountRules.parse([
    { paying: '1010 Wallet', owed: '2100 Payables' },
    { batches: 'may', owed: '2110 Net wages May' },
  ]);
  const codes = async (batch: string) => {
    const header = aHeader({ accounts: rules, batch: aBatch({ name: batch }) });
    const lines = await journal('journal', rowsIn('settled'), { header });
    return lines.map((line) => `${line['account_code']} ${line['account_name']}`);
  };

  it('are those of the configuration, by how the name of the batch begins', async () => {
    const [fee, way] = ['6800 Transfer fees', '1090 Payments on their way'];
    const pairs = (owed: string) => [owed, way, fee, way, way, '1010 Wallet'];
    expect(await codes('may-2026')).toEqual(pairs('2110 Net wages May'));
    expect(await codes('june-2026')).toEqual(pairs('2100 Payables'));
  });

  it('stand once each on the sheet Accounts, and the journal by day and the page follow', async () => {
    const header = aHeader({ accounts: rules });
    await report('accounts.xlsx', rowsIn('settled'), { header });
    const sheet = sheetOf(await workbook('accounts.xlsx'), 'Accounts');
    const told = [4, 5, 6, 7, 8, 9, 10, 11].map(
      (row) => `${sheet.getCell(`B${row}`).value} ${sheet.getCell(`E${row}`).value ?? ''}`,
    );
    expect(told).toEqual(['2100 ', '1010 ', '6800 ', '6810 ', '1090 ', '1999 ', '6820 ', '2110 may…']);
    const lines = sheetOf(await workbook('accounts.xlsx'), 'Journal');
    expect(lines.getCell('C2').value).toMatchObject({ formula: 'Accounts!$B$11', result: '2110' });
    const days = await journal('journal-by-day', rowsIn('settled'), { header });
    expect(days[0]).toMatchObject({ account_code: '2110', account_name: 'Net wages May' });
    await report('accounts.html', rowsIn('settled'), { header });
    expect(text('accounts.html')).toContain('2110');
  });
});

describe('a journal for an accounting program', () => {
  /** One payment of 77.42 and a fee of 1.02, settled on the same day: three pairs. */
  async function of(journalProfile: JournalProfile) {
    const header = aHeader({ keptColumns: ['Team'] });
    const rows = rowsIn('settled');
    await report('program.csv', rows, { header, format: 'journal', journalProfile, withCells: [' Ops '] });
    return parse(text('program.csv'), { bom: true }) as string[][];
  }

  it('has the columns and dates of Xero, signed amounts, and your column as tracking', async () => {
    expect((await of('xero')).slice(0, 3)).toEqual([
      [
        ...['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
        ...['TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2'],
      ],
      [
        ...[
          'may-2026 PF-00000001.1',
          '25/05/2026',
          'Payment: GH-001, Ama Mensah',
          '2100',
          'Tax Exempt',
          '77.42',
        ],
        ...['Team', ' Ops ', '', ''],
      ],
      [
        ...[
          'may-2026 PF-00000001.1',
          '25/05/2026',
          'Payment: GH-001, Ama Mensah',
          '1090',
          'Tax Exempt',
          '-77.42',
        ],
        ...['Team', ' Ops ', '', ''],
      ],
    ]);
  });

  it('has the columns and dates of QuickBooks, and names of accounts', async () => {
    expect((await of('quickbooks')).slice(0, 3)).toEqual([
      ['Journal No.', 'Journal Date', 'Account Name', 'Debits', 'Credits', 'Description', 'Currency', 'Team'],
      [
        ...['PF-00000001.1', '05/25/2026', 'Payments owed', '77.42', ''],
        ...['Payment: GH-001, Ama Mensah', 'GBP', ' Ops '],
      ],
      [
        ...['PF-00000001.1', '05/25/2026', 'Payments on their way', '', '77.42'],
        ...['Payment: GH-001, Ama Mensah', 'GBP', ' Ops '],
      ],
    ]);
  });

  it('has the fields of Odoo, and those of the entry in its first line alone', async () => {
    const [heads = [], first, second] = await of('odoo');
    expect(heads.slice(0, 3)).toEqual(['date', 'ref', 'line_ids/account_id']);
    const label = 'Payment: GH-001, Ama Mensah';
    expect([first, second]).toEqual([
      ['2026-05-25', 'PF-00000001.1', '2100', label, '77.42', '0', 'GBP', '77.42', ' Ops '],
      ['', '', '1090', label, '0', '77.42', 'GBP', '-77.42', ' Ops '],
    ]);
  });

  it('has the fields of an ERPNext journal entry', async () => {
    const [heads = [], first, second] = await of('erpnext');
    expect(heads[6]).toBe('Account (Accounting Entries)');
    const label = 'Payment: GH-001, Ama Mensah';
    expect([first, second]).toEqual([
      [
        ...['Journal Entry', '2026-05-25', 'PF-00000001.1', '2026-05-25', label, '1'],
        ...['2100 - Payments owed', '77.42', '0', label, ' Ops '],
      ],
      ['', '', '', '', '', '', '1090 - Payments on their way', '0', '77.42', label, ' Ops '],
    ]);
  });

  it('balances in every program, entry by entry', async () => {
    const [, ...lines] = await of('quickbooks');
    const entries = Map.groupBy(lines, ([voucher]) => voucher);
    expect(entries.size).toBe(3);
    for (const entry of entries.values())
      expect(entry.reduce((all, [, , , debit, credit]) => all + pence(debit) - pence(credit), 0)).toBe(0);
  });

  it('is not written for Xero where it has two currencies, or more columns of the file than Xero tracks', async () => {
    const unpriced = aPayoutIn('settled', { rowNumber: 3, state: { pricing: undefined } });
    const rows = [...rowsIn('settled'), aRow(unpriced)];
    for (const journalProfile of ['xero', 'odoo', 'erpnext'] as const)
      await expect(report('two.csv', rows, { format: 'journal', journalProfile })).rejects.toThrow(
        'its journals have one currency and this one has GBP and GHS',
      );
    const header = aHeader({ keptColumns: ['Team', 'Ref', 'Bank'] });
    const three = report('three.csv', rowsIn('settled'), {
      header,
      format: 'journal',
      journalProfile: 'xero',
    });
    await expect(three).rejects.toThrow('A journal for xero has room for 2 columns of the file, not 3.');
    expect(names().filter((name) => ['two.csv', 'three.csv'].includes(name))).toEqual([]);
  });
});
