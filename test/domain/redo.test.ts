import { expect, it } from 'vitest';
import { asPayoutId } from '../../src/domain/payouts/instruction.ts';
import type { Payout, Status } from '../../src/domain/payouts/payout.ts';
import { redoHeaders, redoOf } from '../../src/domain/reporting/redo.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { aPayoutIn, money, NOW } from '../builders/payouts.ts';
import { aBatch, aRow, DAY } from '../builders/report-rows.ts';

const context = (ms = 2 * DAY) => ({
  file: aBatch().file,
  asOf: timestampOf(NOW + ms),
  reissueAfterMs: DAY,
});
const redo = (row: ReturnType<typeof aRow>, ms?: number) => redoOf(row, context(ms));

it.each<[Status, boolean, string]>([
  ['invalid', true, ''],
  ['planned', true, ''],
  ['held', true, ''],
  ['quoted', true, ''],
  ['canceled', true, ''],
  ['failed', true, 'p-1'],
  ['returned', true, 'p-1'],
  ['approved', false, ''],
  ['sending', false, ''],
  ['in_doubt', false, ''],
  ['accepted', false, ''],
  ['settled', false, ''],
])('of rows that are %s, whether they may be paid again is %s', (status, isUnpaid, replaces) => {
  const found = redo(aRow(aPayoutIn(status, { id: 'p-1' })));
  expect(found.kind).toBe(isUnpaid ? 'unpaid' : 'left_out');
  if (found.kind === 'unpaid') expect(found.row.replaces).toBe(replaces);
});

it('leaves out a payment that the service called failed less than a day ago: it may still change its mind', () => {
  const failed = aRow(aPayoutIn('failed'));
  expect(redo(failed, DAY - 1).kind).toBe('left_out');
  expect(redo(failed, DAY).kind).toBe('unpaid');
});

it('does not wait for a payment that was refused before it was executed, or ruled on', () => {
  for (const basis of ['refused', 'ruled']) {
    expect(redo(aRow(aPayoutIn('failed', { state: { basis } })), 0).kind).toBe('unpaid');
  }
});

it('leaves out a row whose earlier instruction may be paid after all', () => {
  for (const status of ['settled', 'in_doubt', 'accepted', 'sending'] as const) {
    const row = aRow(aPayoutIn('quoted'), { replaced: [aPayoutIn(status, { id: 'p-0' })] });
    expect(redo(row).kind).toBe('left_out');
  }
});

it('names the failed instruction even when its replacement was never sent', () => {
  const replaces = asPayoutId('p-0');
  const row = aRow(aPayoutIn('canceled', { instruction: { replaces } }), {
    replaced: [aPayoutIn('failed', { id: 'p-0' })],
  });
  expect(redo(row)).toMatchObject({ kind: 'unpaid', row: { replaces: 'p-0' } });
});

it('gives the cells as they were written, without columns of ours that came back with the file', () => {
  const headers = [...aBatch().file.headers, 'payfile_status', 'Payfile_Replaces '];
  const file = { ...aBatch().file, headers };
  const row = {
    ...aRow(aPayoutIn('held')),
    cells: [' GH-001', 'Ghana', 'mtn mobile-money', '0244', 'Ama', '1200.00', 'GHS', '=X', 'held', ''],
  };
  expect(redoHeaders(file)).toEqual([...aBatch().file.headers, 'source']);
  expect(redoOf(row, { ...context(), file })).toMatchObject({
    row: { cells: [' GH-001', 'Ghana', 'mtn mobile-money', '0244', 'Ama', '1200.00', 'GHS', '=X', 'c-gb'] },
  });
});

it('keeps the link of an invalid row that had named what it replaces', () => {
  const file = { headers: ['Amount', 'payfile_replaces'], columns: new Map([['replaces', 1] as const]) };
  const row = { ...aRow(aPayoutIn('invalid')), cells: ['x', 'p-0'] };
  expect(redoOf(row, { ...context(), file })).toMatchObject({ row: { cells: ['x', ''], replaces: 'p-0' } });
});

it.each([
  // as written, what it meant → how it goes into the redo file
  ['1200.00', 'GHS 1200.00', '1200.00'],
  ['1200', 'GHS 1200.00', '1200'],
  ['1,200.00', 'GHS 1200.00', '1200.00'],
  ['1.200', 'GHS 1200.00', '1200.00'],
  ['1.200', 'GHS 1.20', '1.20'],
  // A mark with three digits after it is read in no file that does not declare its style.
  ['27.500', 'TND 27.500', '27.5000'],
  ['27,125', 'TND 27.125', '27.1250'],
  ['27.5', 'TND 27.500', '27.5'],
  ['150 000', 'XOF 150000', '150000'],
])(
  'an amount written %s that meant %s cannot mean anything else the second time',
  (text, meant, expected) => {
    const row = aRow(aPayoutIn('held', { instruction: { amount: money(meant) } }), { cells: { 5: text } });
    const found = redo(row);
    expect(found.kind === 'unpaid' && found.row.cells[5]).toBe(expected);
  },
);

it('reads the same without the options of the first reading: columns by their fields, and the source in every row', () => {
  const headers = ['Ref', 'Country', 'House', 'Account', 'Local', 'Amount', 'Paid from', 'Replaces'];
  const columns = new Map([
    ...([
      ['reference', 0],
      ['country', 1],
      ['institution', 2],
      ['account', 3],
      ['amount', 4],
    ] as const),
    ...([
      ['source', 6],
      ['replaces', 7],
    ] as const),
  ]);
  const file = { headers, columns };
  expect(redoHeaders(file)).toEqual([
    ...['Ref', 'Country', 'institution', 'Account', 'amount', 'Amount (not used)', 'source'],
    'Replaces (not used)',
  ]);
  const again = (from: string, payout: Payout = aPayoutIn('held')) => {
    const cells = ['GH-001', 'Ghana', 'Big one', '0244', '1200.00', '77', from, ''];
    const found = redoOf({ ...aRow(payout), cells }, { ...context(), file, source: 'c-gb' });
    return found.kind === 'unpaid' ? found.row.cells : [];
  };
  // Only a saved mapping knew the institution's name; the list knows the other one.
  expect(again('').slice(2)).toEqual(['MTN Mobile Money', '0244', '1200.00', '77', 'c-gb', '']);
  expect(again('France')[6]).toBe('France');
  expect(again('', aPayoutIn('invalid'))[6]).toBe('c-gb');
});

it('marks a column that might be taken for a second amount as passed over, so that the file can be read', () => {
  const columns = new Map([['amount', 0] as const]);
  expect(redoHeaders({ headers: ['Salary', 'Net Pay (GHS)', 'Fee (GHS)'], columns })).toEqual([
    ...['Salary', 'Net Pay (GHS) (not used)', 'Fee (GHS)', 'source'],
  ]);
});
