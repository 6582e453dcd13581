import { expect, it } from 'vitest';
import { asPayoutId, asTransferId } from '../../src/domain/payouts/instruction.ts';
import { REPORT_COLUMNS } from '../../src/domain/reporting/report-columns.ts';
import { aPayoutIn, aPricing, evidence, money, NOW } from '../builders/payouts.ts';
import { aHeader, aLine, aRow, aRowPerState } from '../builders/report-rows.ts';

const issue = {
  kind: 'amount_too_precise',
  field: 'amount' as const,
  column: 'Amount',
  columnLetter: 'F',
  seen: '1,200.005',
  expected: 'at most 2 decimals, as GHS has',
  suggestion: 'Round it to 1200.01.',
};
const invalid = (issues: readonly object[], cells: Readonly<Record<number, string>> = {}) =>
  aLine(aRow(aPayoutIn('invalid', { state: { issues } }), { cells }));

it('says of a ruling on what statement it stands, without the whole of its hash and of its instants', () => {
  const reason = `not in statement may.csv (SHA-256 ${'ab'.repeat(32)}), 3 lines from 2026-05-25T06:15:00.123Z to ?`;
  const row = aRow(aPayoutIn('failed', { state: { basis: 'ruled', reason } }));
  expect(aLine(row).texts.reason).toBe(
    'A person ruled that it was not paid, on this evidence: not in statement may.csv (SHA-256 abababab…), 3 lines from 2026-05-25 06:15 UTC to ?',
  );
});

it('gives a settled row all that the ledger knows of it, as text', () => {
  const row = aRow(aPayoutIn('settled', { rowNumber: 14, state: { serviceStatus: 'Finished' } }));
  expect(aLine(row).texts).toEqual({
    row: '14',
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
    attempts: '0',
    sent_at: '2026-05-25T06:15:00.000Z',
    settled_at: '2026-05-25T06:15:00.000Z',
    tag: 'PF-00000001',
    replaces: '',
  });
});

it.each(['quoted', 'approved'] as const)('says of a row that is %s why its name was let go', (status) => {
  const note = 'Name: close match — “Mensa” and “Mensah” are spelt differently';
  const line = aLine(aRow(aPayoutIn(status, { state: { pricing: aPricing({ notes: [note] }) } })));
  expect(line.texts.reason).toContain(note);
});

it('names country and institution as they were shown for approval, and else as the file was read', () => {
  const pricing = aPricing({ countryName: 'Republic of Ghana', institutionName: 'MTN MoMo' });
  expect(aLine(aRow(aPayoutIn('quoted', { state: { pricing } })))).toMatchObject({
    country: 'Republic of Ghana',
    institution: 'MTN MoMo',
  });
  const unnamed = aPricing({ countryName: '' });
  for (const payout of [aPayoutIn('planned'), aPayoutIn('quoted', { state: { pricing: unnamed } })])
    expect(aLine(aRow(payout))).toMatchObject({ country: 'Ghana', institution: 'MTN Mobile Money' });
});

it('has the same columns in every state, and a status for each', () => {
  for (const row of aRowPerState()) {
    const { texts } = aLine(row);
    expect(Object.keys(texts)).toEqual([...REPORT_COLUMNS]);
    expect(texts.status).toBe(row.payout.state.status);
  }
});

it('lists all issues of an invalid row, each with where, what was seen, what was expected and what to do', () => {
  const missing = { ...issue, field: 'account', column: undefined, columnLetter: undefined, seen: ' ' };
  const line = invalid([issue, { ...missing, expected: 'an account', suggestion: undefined }]);
  expect(line.texts.reason).toBe(
    'Amount (F): saw “1,200.005”, expected at most 2 decimals, as GHS has. Round it to 1200.01; ' +
      'account: saw nothing, expected an account',
  );
});

it('tells whoever looks for a payment in doubt which narration to search', () => {
  const state = { reason: 'no_answer', evidence: evidence({ errorCode: 'ECONNRESET' }) };
  expect(aLine(aRow(aPayoutIn('in_doubt', { state }))).texts.reason).toBe(
    'The request went out and no answer came: the money may have moved. ' +
      'Search your statement for PF-00000001.',
  );
});

it.each([
  ['refused', { basis: 'refused', reason: 'Account closed' }, 'The service refused it: Account closed'],
  [
    'called failed later',
    { basis: 'service_status', serviceStatus: 'Declined' },
    'The service took it and later called it failed: the service says “Declined”.',
  ],
  [
    'ruled',
    { basis: 'ruled', reason: 'ticket 12', transferId: undefined },
    'A person ruled that it was not paid, on this evidence: ticket 12',
  ],
])('says on which grounds a payment counts as failed: %s', (_, state, expected) => {
  expect(aLine(aRow(aPayoutIn('failed', { state }))).texts.reason).toBe(expected);
});

it('shows the service’s own word of a payment on its way, whatever it is', () => {
  const line = aLine(aRow(aPayoutIn('accepted', { state: { serviceStatus: 'AML review' } })));
  expect(line.texts.service_status).toBe('AML review');
  expect(line.texts.reason).toBe('The service has it: the service says “AML review”.');
});

it('says of a payment that was called failed once since when, and that it is not confirmed', () => {
  const state = { serviceStatus: 'Failed', suspicion: { word: 'Failed', firstAt: NOW } };
  const line = aLine(aRow(aPayoutIn('accepted', { state })));
  expect(line).toMatchObject({ status: 'accepted', isSuspected: true });
  expect(line.texts.reason).toBe(
    'The service says “Failed”, first at 2026-05-25 06:15 UTC. That is not confirmed yet, so the row is still on its way.',
  );
});

it('says why a word of the service does not count', () => {
  const unproven = ['shows another amount: “77.00”', 'does not show the receiver'];
  const suspicion = { word: 'Reversed', firstAt: NOW, unproven };
  const line = aLine(aRow(aPayoutIn('accepted', { state: { serviceStatus: 'Reversed', suspicion } })));
  expect(line).toMatchObject({ status: 'accepted', isSuspected: true });
  expect(line.texts.reason).toBe(
    'The service says “Reversed”, first at 2026-05-25 06:15 UTC. That does not count, because the service shows another amount: “77.00” and does not show the receiver. The row is still on its way.',
  );
});

it('lists every discrepancy of a settled payment and still calls it settled', () => {
  const state = { serviceStatus: 'Finished', discrepancies: ['amount: 1,100.00', 'receiver: A. Mensa'] };
  const line = aLine(aRow(aPayoutIn('settled', { state })));
  expect(line.status).toBe('settled');
  expect(line.texts.reason).toBe(
    'What the service shows differs from what was asked: amount: 1,100.00; receiver: A. Mensa',
  );
});

it('is loud about a payment that was called failed and is paid', () => {
  const line = aLine(aRow(aPayoutIn('settled', { state: { incident: true, serviceStatus: 'Finished' } })));
  expect(line.incident).toBe(true);
  expect(line.texts.reason).toMatch(/^INCIDENT: /);
});

it('shows the newest instruction of a row and names the earlier ones with their transfers', () => {
  const earlier = aPayoutIn('failed', { id: 'p-old', state: { transferId: asTransferId('tr-1') } });
  const newest = aPayoutIn('settled', { instruction: { replaces: asPayoutId('p-old') } });
  const { texts } = aLine(aRow(newest, { replaced: [earlier] }));
  expect(texts.status).toBe('settled');
  expect(texts.replaces).toBe('p-old');
  expect(texts.reason).toBe(
    'The first attempt (failed, transfer tr-1): ' +
      'The service took it and later called it failed: the service says “Failed”.',
  );
});

it('lets no service and no cell speak to the terminal', () => {
  const evil = '\u001b[2J\u202eDone\nPaid';
  const line = aLine(
    aRow(
      aPayoutIn('failed', {
        state: {
          basis: 'refused',
          reason: evil,
          serviceStatus: evil,
          pricing: aPricing({ nameCheck: { result: 'match', resolved: evil, reason: '' } }),
        },
      }),
    ),
  );
  for (const text of Object.values(line.texts)) expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
  expect(line.texts.reason).toBe('The service refused it: �[2J�Done Paid');
});

it.each([
  // amount cell, currency cell → money that may be counted
  ['1200.00', 'GHS', '1200.00'],
  ['1200', 'ghs', '1200.00'],
  ['1200', 'XOF', '1200'],
  ['1,200.00', 'GHS', ''],
  ['1.200', 'GHS', ''],
  ['1200', '', ''],
  ['1200.5', 'XOF', ''],
  ['-5', 'GHS', ''],
])(
  'counts the money of an invalid row only where its cells leave no choice: %s %s',
  (amount, code, expected) => {
    const other = { ...issue, field: 'account', column: 'Account', columnLetter: 'D' };
    expect(invalid([other], { 5: amount, 6: code }).texts.amount).toBe(expected);
  },
);

it('counts no money of a row whose amount or currency is at fault', () => {
  expect(invalid([issue], { 5: '1200.00', 6: 'GHS' }).amount).toBeUndefined();
  expect(invalid([{ ...issue, field: 'currency' }], { 5: '1200.00', 6: 'GHS' }).amount).toBeUndefined();
});

it('takes what an invalid row says of itself from its own cells', () => {
  const line = invalid([issue], { 0: 'R-7', 1: 'Gana', 3: '0244999999' });
  expect([line.reference, line.country, line.account.reveal()]).toEqual(['R-7', 'Gana', '0244999999']);
});

it('keeps whole account numbers out of anything that prints a line by accident', () => {
  const line = aLine(aRow(aPayoutIn('held'), { cells: { 3: '' } }));
  expect(JSON.stringify({ ...line, amount: '', fee: '', debit: '', backMinor: '' })).not.toContain(
    '0244123456',
  );
});

it('gives the same line for the same row, whenever it is asked', () => {
  const later = aHeader({ madeAt: (NOW + 99_000_000) as typeof NOW });
  for (const row of aRowPerState()) expect(aLine(row, later)).toEqual(aLine(row));
});

it('shows no debit when the source currency is not known', () => {
  const pricing = aPricing();
  const quote = pricing.quote === undefined ? undefined : { ...pricing.quote, sourceCurrency: undefined };
  const { texts } = aLine(aRow(aPayoutIn('quoted', { state: { pricing: { ...pricing, quote } } })));
  expect([texts.fee, texts.fee_currency, texts.debit]).toEqual(['1.02', '', '']);
});

it('writes amounts with exactly the decimals of their currency', () => {
  const amounts = ['XOF 150000', 'TND 1.250', 'GHS 10.00'].map((text) =>
    aLine(aRow(aPayoutIn('settled', { instruction: { amount: money(text) } }))),
  );
  expect(amounts.map((line) => line.texts.amount)).toEqual(['150000', '1.250', '10.00']);
});

it('stays an incident when an earlier instruction of the row failed first and was paid after all', () => {
  const paid = aPayoutIn('settled', { state: { incident: true } });
  const newest = aPayoutIn('canceled', { instruction: { replaces: paid.id } });
  expect(aLine(aRow(newest, { replaced: [paid] })).incident).toBe(true);
  expect(aLine(aRow(newest, { replaced: [aPayoutIn('failed')] })).incident).toBe(false);
});
