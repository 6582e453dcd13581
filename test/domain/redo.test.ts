import { expect, it } from 'vitest';
import type { FamilyMember } from '../../src/domain/payouts/family.ts';
import type { NotedIncident } from '../../src/domain/payouts/incident.ts';
import { asPayoutId, type PayoutId } from '../../src/domain/payouts/instruction.ts';
import type { Status } from '../../src/domain/payouts/payout.ts';
import { redoHeaders, redoOf } from '../../src/domain/reporting/redo.ts';
import type { Field } from '../../src/domain/rows/row.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { aMember, aPayoutIn, money, NOW } from '../builders/payouts.ts';
import { aBatch, aRow, DAY } from '../builders/report-rows.ts';

const context = (ms = 2 * DAY) => ({
  file: aBatch().file,
  asOf: timestampOf(NOW + ms),
  reissueAfterMs: DAY,
  incidents: new Map<PayoutId, NotedIncident>(),
  paidAgain: new Map<PayoutId, FamilyMember>(),
  withCanceled: false,
});
const redo = (row: ReturnType<typeof aRow>, ms?: number) => redoOf(row, context(ms));

it.each<[Status, string | undefined]>([
  ['failed', undefined],
  ['returned', undefined],
  ['canceled', 'withdrawn by a person (written too if canceled rows are included)'],
  ['invalid', 'not readable: correct it in the file and run the batch again'],
  ['planned', 'still open in the batch'],
  ['held', 'still open in the batch'],
  ['quoted', 'still open in the batch'],
  ['approved', 'approved, and paid by the next send'],
  ['sending', 'perhaps paid'],
  ['in_doubt', 'perhaps paid'],
  ['accepted', 'on the way'],
  ['settled', 'already paid'],
])('of rows that are %s, says why they are not paid again: %s', (status, why) => {
  const found = redo(aRow(aPayoutIn(status, { id: 'p-1' })));
  expect(found).toMatchObject(
    why === undefined ? { kind: 'unpaid', row: { replaces: 'p-1' } } : { kind: 'left_out', why },
  );
});

it('holds a row that is to be paid again and became invalid, in the place of the payment that it stands for', () => {
  const { instruction } = aPayoutIn('planned', { instruction: { replaces: asPayoutId('p-0') } });
  const invalid = { ...aPayoutIn('invalid', { id: 'p-1' }), instruction };
  const row = aRow(invalid, { replaced: [aPayoutIn('failed', { id: 'p-0' })] });
  expect(redo(row)).toMatchObject({ kind: 'unpaid', row: { replaces: 'p-0' } });
});

it('holds what a person withdrew only when that is asked for, as the same row', () => {
  const canceled = aRow(aPayoutIn('canceled', { id: 'p-1' }));
  expect(redoOf(canceled, context()).kind).toBe('left_out');
  expect(redoOf(canceled, { ...context(), withCanceled: true })).toMatchObject({
    kind: 'unpaid',
    row: { replaces: 'p-1' },
  });
});

it('leaves out a row that another batch paid again or took over, and one that only a statement shows as paid', () => {
  const failed = aRow(aPayoutIn('failed', { id: 'p-1' }));
  const by = (status: Status) => {
    const other = aMember('p-2', status, { batchName: 'redo' });
    return redoOf(failed, { ...context(), paidAgain: new Map([[asPayoutId('p-1'), other]]) });
  };
  expect(by('settled')).toMatchObject({ kind: 'left_out', why: 'paid again in batch redo' });
  expect(by('held')).toMatchObject({ kind: 'left_out', why: 'taken over by batch redo' });
  const incidents = new Map([[asPayoutId('p-1'), { what: 'line 4 of a statement', at: NOW }]]);
  expect(redoOf(failed, { ...context(), incidents })).toMatchObject({
    kind: 'left_out',
    why: 'an incident: it was paid after all',
  });
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

it('leaves out a row whose earlier instruction was paid after all, also when its replacement failed', () => {
  const paid = aPayoutIn('settled', { id: 'p-0', state: { incident: true } });
  for (const status of ['failed', 'canceled'] as const) {
    const row = aRow(aPayoutIn(status), { replaced: [paid] });
    expect(redoOf(row, { ...context(), withCanceled: true }).kind).toBe('left_out');
  }
});

it('gives the cells as they were written, without columns of ours that came back with the file', () => {
  const headers = [...aBatch().file.headers, 'payfile_status', 'Payfile_Replaces '];
  const file = { ...aBatch().file, headers };
  const row = {
    ...aRow(aPayoutIn('returned')),
    cells: [' GH-001', 'Ghana', 'mtn mobile-money', '0244', 'Ama', '1200.00', 'GHS', '=X', 'held', ''],
  };
  expect(redoHeaders(file)).toEqual([...aBatch().file.headers, 'source']);
  expect(redoOf(row, { ...context(), file })).toMatchObject({
    row: { cells: [' GH-001', 'Ghana', 'mtn mobile-money', '0244', 'Ama', '1200.00', 'GHS', '=X', 'c-gb'] },
  });
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
    const row = aRow(aPayoutIn('returned', { instruction: { amount: money(meant) } }), {
      cells: { 5: text },
    });
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
  const again = (from: string) => {
    const cells = ['GH-001', 'Ghana', 'Big one', '0244', '1200.00', '77', from, ''];
    const found = redoOf({ ...aRow(aPayoutIn('returned')), cells }, { ...context(), file });
    return found.kind === 'unpaid' ? found.row.cells : [];
  };
  // Only a saved mapping knew the institution's name; the list knows the other one.
  expect(again('').slice(2)).toEqual(['MTN Mobile Money', '0244', '1200.00', '77', 'c-gb', '']);
  expect(again('France')[6]).toBe('France');
});

it('marks a column that might be taken for a second amount as passed over, so that the file can be read', () => {
  const columns = new Map([['amount', 0] as const]);
  expect(redoHeaders({ headers: ['Salary', 'Net Pay (GHS)', 'Fee (GHS)'], columns })).toEqual([
    ...['Salary', 'Net Pay (GHS) (not used)', 'Fee (GHS)', 'source'],
  ]);
});

it('keeps the columns that a name is joined from, and says which are not used beside a whole one', () => {
  const headersOf = (headers: readonly string[], ...columns: readonly (readonly [Field, number])[]) =>
    redoHeaders({ headers, columns: new Map([['source', 0], ...columns]) });
  expect(headersOf(['source', 'Nom', 'Prénom'])).toEqual(['source', 'Nom', 'Prénom']);
  // --map named this column as the full name.
  expect(headersOf(['source', 'Nom', 'Prénom'], ['name', 1])).toEqual([
    'source',
    'name',
    'Prénom (not used)',
  ]);
  expect(headersOf(['source', 'Name', 'First name'], ['name', 1])).toEqual([
    'source',
    'Name',
    'First name (not used)',
  ]);
  expect(headersOf(['source', 'Surname'], ['reference', 1])).toEqual(['source', 'reference']);
});
