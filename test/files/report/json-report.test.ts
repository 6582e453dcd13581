import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OUTCOME_WORDS } from '../../../src/domain/batches/batch.ts';
import { STATUSES } from '../../../src/domain/payouts/payout.ts';
import { aPayoutIn, money, NOW } from '../../builders/payouts.ts';
import {
  aBatch,
  aHeader,
  aRow,
  aRowPerState,
  HEADERS,
  ledgerTotalsOf,
  rowsIn,
} from '../../builders/report-rows.ts';
import { faultsAgainst, type Schema } from './schema-check.ts';
import { bytes, report, text } from './written.ts';

const schema: Schema = JSON.parse(
  readFileSync(new URL('../../../samples/report.schema.json', import.meta.url), 'utf8'),
);
const written = (name: string) => JSON.parse(text(name));

it('has exactly the published shape, for a row in every state', async () => {
  await report('all.json', aRowPerState());
  const whole = written('all.json');
  expect(faultsAgainst(schema, whole)).toEqual([]);
  expect(Object.keys(whole).sort()).toEqual([
    'batch',
    'debits',
    'environment',
    'exitCode',
    'file',
    'outcome',
    'rows',
    'schemaVersion',
    'staysTaken',
    'totals',
  ]);
  expect(whole.rows.map((row: { status: string }) => row.status)).toEqual(STATUSES);
});

it('has the published shape without any rows', async () => {
  await report('none.json', []);
  expect(faultsAgainst(schema, written('none.json'))).toEqual([]);
  expect(written('none.json')).toMatchObject({ rows: [], totals: [], outcome: 'settled', exitCode: 0 });
});

it('has the published shape for every outcome that a batch may come to', async () => {
  const cases: readonly (readonly [outcome: string, exitCode: number, rows: ReturnType<typeof rowsIn>])[] = [
    ['settled', 0, rowsIn('settled', 'settled')],
    ['finished_with_exceptions', 3, rowsIn('settled', 'failed', 'returned', 'held', 'canceled', 'invalid')],
    ['on_its_way', 4, rowsIn('settled', 'accepted')],
    ['in_doubt', 5, rowsIn('settled', 'in_doubt', 'sending')],
    ['incident', 5, [aRow(aPayoutIn('settled', { state: { incident: true } }))]],
    ['stopped', 6, rowsIn('settled', 'approved')],
    ['needs_approval', 10, rowsIn('quoted', 'planned', 'held')],
  ];
  for (const [outcome, exitCode, rows] of cases) {
    await report(`${outcome}.json`, rows);
    expect(faultsAgainst(schema, written(`${outcome}.json`)), outcome).toEqual([]);
    expect(written(`${outcome}.json`)).toMatchObject({ outcome, exitCode });
  }
  expect(cases.map(([outcome]) => outcome)).toEqual(OUTCOME_WORDS);
});

it('publishes a schema that knows every outcome and status, and refuses what it does not know', async () => {
  expect(schema.properties?.outcome?.enum).toEqual(OUTCOME_WORDS);
  expect(schema.$defs?.status?.enum).toEqual(STATUSES);
  await report('broken.json', aRowPerState());
  const whole = written('broken.json');
  whole.rows[3].amount = 1200;
  whole.rows[4].status = 'paid';
  delete whole.rows[5].original;
  whole.more = 1;
  expect(faultsAgainst(schema, whole)).toHaveLength(4);
});

it('gives a row with all that is known and null for what is not', async () => {
  await report('row.json', [
    aRow(aPayoutIn('settled', { rowNumber: 14, state: { serviceStatus: 'Finished' } })),
  ]);
  expect(written('row.json').rows).toEqual([
    {
      row: 14,
      status: 'settled',
      reason: '',
      next_step: '',
      transfer_id: 'tr-9',
      service_status: 'Finished',
      name_check: 'match',
      account_name: 'Ama Mensah',
      currency: 'GHS',
      amount: '1200.00',
      rate: '15.5',
      fee: '1.02',
      fee_currency: 'GBP',
      debit: '78.44',
      attempts: 0,
      sent_at: '2026-05-25T06:15:00.000Z',
      settled_at: '2026-05-25T06:15:00.000Z',
      tag: 'PF-00000001',
      replaces: null,
      difference: null,
      reference: 'GH-001',
      country: 'Ghana',
      institution: 'MTN Mobile Money',
      account: '0244123456',
      name: 'Ama Mensah',
      original: {
        Ref: 'GH-001',
        Country: 'Ghana',
        Bank: 'MTN Mobile Money',
        Account: '0244123456',
        Name: 'Ama Mensah',
        Amount: '1,200.00',
        Currency: 'GHS',
        Team: 'Sales',
      },
    },
  ]);
});

it('sums exactly, beyond what a double can count', async () => {
  const amounts = ['GHS 999999999999999.99', 'GHS 999999999999999.99'].map(money);
  const rows = amounts.map((amount, at) =>
    aRow(aPayoutIn('settled', { rowNumber: at + 2, instruction: { amount } })),
  );
  await report('large.json', rows);
  expect(written('large.json').totals).toEqual([
    {
      currency: 'GHS',
      status: 'settled',
      count: 2,
      amount: '1999999999999999.98',
      minorUnits: '199999999999999998',
    },
  ]);
});

it('loses no cell to columns of the same name, of no name, or of a name that means something to JavaScript', async () => {
  const headers = ['Amount', 'Amount', '', '__proto__', ...HEADERS.slice(4)];
  const header = aHeader({ batch: aBatch({ file: { ...aBatch().file, headers } }) });
  await report('names.json', [{ ...aRow(aPayoutIn('settled')), cells: ['1', '2', '3', '4'] }], { header });
  const { original } = written('names.json').rows[0];
  expect(Object.entries(original).slice(0, 4)).toEqual([
    ['Amount', '1'],
    ['Amount (2)', '2'],
    ['column 3', '3'],
    ['__proto__', '4'],
  ]);
});

it('says where lines and ledger part, and says nothing when they tie', async () => {
  const rows = aRowPerState();
  await report('parts.json', rows.slice(1), { ledger: ledgerTotalsOf(rows) });
  expect(faultsAgainst(schema, written('parts.json'))).toEqual([]);
  expect(written('parts.json').parts).toEqual([
    'The ledger has 12 rows, the report 11 rows.',
    'Not sent: invalid: the ledger has 1 row, the report 0 rows.',
  ]);
});

it('is the same to the last byte when the same state is reported again', async () => {
  await report('one.json', aRowPerState());
  await report('two.json', aRowPerState(), { header: aHeader({ madeAt: (NOW + 5_000) as typeof NOW }) });
  expect(bytes('one.json').equals(bytes('two.json'))).toBe(true);
});

it('says of each row whether it differs from what was asked, and whether a person accepted that', async () => {
  const discrepancies = ['amount: the service shows another'];
  const acceptedDifference = { by: 'ben', reason: 'their fee', saw: discrepancies, at: NOW };
  const over = { discrepancies, shown: { amount: '100000.00' } };
  const states = [{}, { discrepancies }, over, { ...over, acceptedDifference }];
  const rows = states.map((state, at) => aRow(aPayoutIn('settled', { rowNumber: at + 2, state })));
  await report('differences.json', rows);
  const whole = written('differences.json');
  expect(faultsAgainst(schema, whole)).toEqual([]);
  expect(whole.rows.map((row: { difference: unknown }) => row.difference)).toEqual([
    null,
    'open',
    'over',
    'accepted',
  ]);
});
