/** One batch with every kind of outcome. CSV and JSON have the same state, reason and next step for each row. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ended, GOOD, type Office, openOffice } from '../builders/office.ts';

const ROWS: readonly (readonly [
  account: string,
  name: string,
  status: string,
  reason: RegExp,
  next: RegExp,
])[] = [
  [GOOD[0] ?? '', '', 'settled', /^$|Finished/, /^Nothing|^$/],
  [GOOD[1] ?? '', '', 'settled', /^$|Finished/, /^Nothing|^$/],
  [GOOD[2] ?? '', '', 'settled', /^$|Finished/, /^Nothing|^$/],
  ['1011130990001', '', 'failed', /closed/i, /payfile reissue mixed 5 --sandbox/],
  [GOOD[3] ?? '', '', 'settled', /^$|Finished/, /^Nothing|^$/],
  ['1011130990020', '', 'failed', /refused/i, /payfile reissue mixed 7 --sandbox/],
  [
    '1011130990002',
    'Efua Sutherland Darko',
    'held',
    /no match/,
    /payfile release mixed 8 --reason TEXT --sandbox/,
  ],
  [
    '1011130990003',
    'Efua Sutherland Darko',
    'held',
    /gives no name for this account: Account name not found \(code 34\)/,
    /payfile release mixed 9/,
  ],
  [
    '1011130990030',
    '',
    'in_doubt',
    /statement for PF-[0-9A-Z]{8}/,
    /payfile resolve mixed 10 --paid TRANSFER_ID/,
  ],
  ['1011130990012', '', 'failed', /later called it failed/i, /reissue|settle|wait/i],
  [GOOD[4] ?? '', '', 'settled', /^$|Finished/, /^Nothing|^$/],
];

let office: Office;
let run: Ended;
beforeAll(async () => {
  office = openOffice({ PAYFILE_CONCURRENCY: '1' });
  const lines = ROWS.map(
    ([account, name], index) => `M-${index + 1},GH,GCB Bank,${account},${name},${100 + index}.00`,
  );
  office.file('mixed.csv', ['Reference,Country,Institution,Account,Name,Amount', ...lines].join('\n'));
  const reports = ['csv', 'json'].flatMap((format) => ['--report', `mixed-report.${format}`]);
  const words = ['run', 'mixed.csv', '--batch', 'mixed', '--sandbox', '--yes', '--deadline', '30s'];
  run = await office.payfile(...words, ...reports);
}, 90_000);
afterAll(() => office.close());

const bytes = (name: string) => readFileSync(join(office.folder, name));

it('ends with 5, because one row is in doubt, and says that totals tie', () => {
  expect(run.code, run.stderr).toBe(5);
  expect(run.stdout).toContain('Control totals are balanced: 11 rows in, 11 accounted for.');
});

it('tells each row right in the CSV', () => {
  const rows: Record<string, string>[] = parse(bytes('mixed-report.csv'), { columns: true, bom: true });
  expect(rows.map((row) => row['payfile_status'])).toEqual(ROWS.map(([, , status]) => status));
  rows.forEach((row, index) => {
    const [account, , , reason, next] = ROWS[index] ?? ['', '', '', /x/, /x/];
    expect(row['Account']).toBe(account);
    expect(row['payfile_row']).toBe(String(index + 2));
    expect(row['payfile_reason']).toMatch(reason);
    expect(row['payfile_next_step']).toMatch(next);
  });
});

it('tells the same in JSON, with totals per status that come to what was asked for', () => {
  const report = JSON.parse(bytes('mixed-report.json').toString('utf8'));
  const csv: Record<string, string>[] = parse(bytes('mixed-report.csv'), { columns: true, bom: true });
  const told = report.rows.map((row: Record<string, string>) => [
    row['status'],
    row['reason'] ?? '',
    row['next_step'] ?? '',
  ]);
  expect(told).toEqual(
    csv.map((row) => [row['payfile_status'], row['payfile_reason'], row['payfile_next_step']]),
  );
  expect(report).toMatchObject({
    schemaVersion: 1,
    environment: 'sandbox',
    exitCode: 5,
    batch: { name: 'mixed' },
  });
  const asked = ROWS.reduce((sum, _, index) => sum + (100 + index) * 100, 0);
  const minor = report.totals.reduce(
    (sum: number, total: { minorUnits: string }) => sum + Number(total.minorUnits),
    0,
  );
  expect(minor).toBe(asked);
});
