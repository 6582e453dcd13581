/** Advice as pages, as a folder and as a table: what stands in them, whatever a file holds, and what is never replaced. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adviceOf, unknownPlace, whyNoAdvice } from '../../../src/domain/reporting/advice.ts';
import { WallClock } from '../../../src/domain/time-zone.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { createOutputGuard, NOTHING_KEPT } from '../../../src/files/output-guard.ts';
import { openAdviceSink } from '../../../src/files/report/advice-file.ts';
import { aPayoutIn } from '../../builders/payouts.ts';
import { aRowPerState } from '../../builders/report-rows.ts';
import { folder as reports } from './written.ts';

const folder = mkdtempSync(join(reports, 'advice-'));
const at = (name: string) => join(folder, name);
const guard = createOutputGuard(NOTHING_KEPT);
const context = {
  ...({ environment: 'live', payer: 'Asante Ltd', contactAt: 0, template: undefined } as const),
  clock: new WallClock('Africa/Nairobi'),
};
/** 22:30 in UTC: the next day in Nairobi. */
const settledAt = timestampOf(Date.UTC(2026, 4, 25, 22, 30));

function advice(instruction: object = {}, cells = ['+233244123456'], more: object = {}) {
  const payout = aPayoutIn('settled', { rowNumber: 4, instruction, state: { settledAt } });
  return adviceOf({ payout, cells }, '', { ...context, ...more });
}

async function write(name: string, all = [advice()], isReplaced = false) {
  const format = /\.(html|csv)$/.exec(name)?.[1] ?? 'folder';
  const sink = await openAdviceSink({ path: at(name), format: format as 'html', isReplaced }, guard);
  await sink.begin();
  await sink.write(all);
  return sink;
}
const written = async (...given: Parameters<typeof write>) => (await write(...given)).end();
const read = (name: string) => readFileSync(at(name), 'utf8');

it('is made of settled payments that nobody has to look at, and of no others', () => {
  const settled = (state: object) => ({ payout: aPayoutIn('settled', { state }), replaced: [] });
  const why = (row: Parameters<typeof whyNoAdvice>[0]) => whyNoAdvice(row, new Map(), new Map());
  const rows = aRowPerState().map((row) => [row.payout.state.status, why(row)]);
  expect(rows.filter(([, reason]) => reason === undefined)).toEqual([['settled', undefined]]);
  expect(why(settled({ incident: true }))).toBe('an incident: a person has to look first');
  const shown = { discrepancies: ['amount: 1 instead of 1200'], shown: { amount: '1' } };
  expect(why(settled(shown))).toBe('the service shows something else than was asked');
  expect(why(settled({ suspicion: { word: 'Failed', at: settledAt } }))).toContain('not yet confirmed');
});

it('says who paid whom, how much, when and what for, with the account masked everywhere', async () => {
  const told = { reference: 'GH-0244123456', note: 'May salary to 0244 123 456', name: 'Ama 0244123456' };
  await written('one.html', [{ ...advice(told), earlier_came_back: '2026-05-20' }]);
  const text = read('one.html').replace(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ');
  for (const said of [
    'Asante Ltd',
    'GHS 1,200.00',
    '••••3456, MTN Mobile Money, Ghana',
    'May salary',
    'tr-9',
  ])
    expect(text).toContain(said);
  expect(text).toContain('2026-05-26 (Africa/Nairobi)');
  expect(text).toContain('came back on 2026-05-20. This one replaces it.');
  expect(text.replace(/\s/g, '')).not.toContain('0244123456');
  expect(text).not.toContain('SANDBOX');
});

it('marks a rehearsal on the page and in each message', async () => {
  const sandbox = { environment: 'sandbox', template: 'Dear {name}' };
  const rehearsal = advice({}, undefined, sandbox);
  await written('rehearsal.html', [rehearsal]);
  expect(read('rehearsal.html')).toContain('SANDBOX: a rehearsal. No money moved.');
  expect(rehearsal.text).toMatch(/^SANDBOX, no money moved: Dear /);
});

it('has a column for each text, and no cell that a spreadsheet takes for a formula', async () => {
  const template = 'Dear {name}, {payer} paid {amount} on {day}: {note} {account}';
  await written('one.csv', [advice({ note: '=1+1', name: '=cmd|A1' }, ['+233244123456'], { template })]);
  const [header, line] = read('one.csv').split('\n');
  expect(header).toMatch(/^\ufeffadvice_row,name,payer,amount,day,.*,contact,text$/);
  expect(line).toContain(",'=cmd|A1,");
  expect(line).toContain(",'=1+1,");
  expect(line).toContain(',+233244123456,');
  expect(line).toContain("Asante Ltd paid GHS 1,200.00 on 2026-05-26:'");
  expect(line).toContain('••••3456');
});

it('takes a phone or an e-mail address as a contact, never the account of a bank', () => {
  const account = { account: aPayoutIn('settled').instruction.account };
  expect(advice(account, ['0244123456']).contact).toBe('0244123456');
  expect(advice({ ...account, destinationIso: 'CM' }, ['0244123456']).contact).toBe('');
  expect(advice({}, ['ama@example.com']).contact).toBe('ama@example.com');
  expect(advice({}, []).contact).toBe('');
});

it('finds the place of a text that is none', () => {
  expect(unknownPlace('Dear {name}, {amount}')).toBeUndefined();
  expect(unknownPlace('Dear {nam}')).toBe('nam');
  expect(unknownPlace('Dear {name')).toBe('{');
});

it('escapes hostile text, and holds no script', async () => {
  await written('hostile.html', [
    advice({ name: '<script>alert(1)</script>', note: '"><img src=x onerror=y>' }),
  ]);
  const page = read('hostile.html');
  expect(page).not.toMatch(/<script|<img/);
  expect(page).toContain("default-src 'none'");
});

it('writes a page for each payment into a folder that is new or empty', async () => {
  mkdirSync(at('empty'));
  for (const name of ['new', 'empty']) {
    await written(name, [
      advice({ reference: '../../PAY/001' }),
      { ...advice({ reference: undefined }), advice_row: '5' },
    ]);
    expect(readdirSync(at(name)).sort()).toEqual(['row-4-PAY-001.html', 'row-5.html']);
    expect(statSync(at(`${name}/row-5.html`)).mode & 0o777).toBe(0o600);
  }
  await expect(write('new', undefined, true)).rejects.toThrow('files are in the folder already');
  await (await write('gone')).abort();
  expect(readdirSync(folder).filter((name) => name.includes('gone'))).toEqual([]);
});

it('replaces advice, and no other file unless it is told to', async () => {
  writeFileSync(at('mine.html'), 'my own words');
  await expect(write('mine.html')).rejects.toThrow('payfile did not write it as advice');
  expect(read('mine.html')).toBe('my own words');
  await written('mine.html', undefined, true);
  await written('mine.html');
  await written('twice.csv');
  await written('twice.csv');
  expect(read('twice.csv').split('\n')).toHaveLength(3);
});
