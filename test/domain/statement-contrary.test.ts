/**
 * A line with a row's tag or transfer id, and with the account and the amount of something else: another ledger gave that
 * tag too, or the bank numbers its lines itself. It proves nothing of the row, and takes no line away from a row in doubt.
 * Tables by hand; the days are those of November 2026.
 */
import { describe, expect, it } from 'vitest';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import { aRow, doubt, judged, type Line, refused, ruledUnpaid, told } from '../builders/judged-statement.ts';
import { money } from '../builders/payouts.ts';

const tagged = (changes: Line): Line => ({ date: '2026-11-20', text: 'PF-2AAAAAAA salary', ...changes });
const own = tagged({ id: 'tr-2' });
const others = tagged({ id: 'tr-9', account: '0559876543', amount: '700.00' });
const unsent = aRow(2, 20, { status: 'approved', transferId: undefined, window: undefined });

describe('a line with the tag of a row, and with another account and another amount', () => {
  it.each<[string, StatementEntry, readonly Line[], string]>([
    ['never sent', unsent, [others], 'unclear 2@2'],
    ['refused', refused(2, 20), [others], 'unclear 2@2'],
    ['ruled not paid', ruledUnpaid(2, 20), [others], 'unclear 2@2'],
    ['settled, not shown', aRow(2, 20), [others], 'unclear 2@2'],
    ['settled, shown', aRow(2, 20), [others, own], 'unclear 2@3,2'],
    ['in doubt, not shown', doubt(2, 20), [others], 'still_in_doubt 2@2'],
    ['in doubt, shown', doubt(2, 20), [others, own], 'propose_paid 2@3,2'],
    ['refused, and shown as paid', refused(2, 20), [others, own], 'incident 2@3,2'],
    ['settled, shown twice', aRow(2, 20), [others, own, own], 'duplicate 2@3,4,2'],
  ])('proves nothing: %s', (_, row, lines, expected) => {
    expect(told(judged([row], lines))).toEqual([expected]);
  });

  it('is as pressing as an incident where the row is called unpaid: a bank may show our own account', () => {
    const ownAccount = tagged({ account: '0009990001', amount: '78.44', currency: '' });
    for (const row of [unsent, refused(2, 20), ruledUnpaid(2, 20)])
      expect(judged([{ ...row, debit: undefined }], [ownAccount])).toMatchObject([
        { kind: 'unclear', isPressing: true },
      ]);
    expect(judged([aRow(2, 20)], [others])).toMatchObject([{ kind: 'unclear', isPressing: false }]);
  });

  it('is shown with what speaks against it, and nothing is ruled beside it', () => {
    const shows = 'line 2 has its tag (PF-2AAAAAAA), but another account and 700.00';
    expect(judged([refused(2, 20)], [others])).toMatchObject([{ text: shows }]);
    const weakness = 'line 2 has its tag (PF-2AAAAAAA)';
    const text = expect.stringContaining(shows);
    expect(judged([doubt(2, 20)], [others, own])).toMatchObject([{ text, weakness }]);
  });

  it.each<[string, Line]>([
    ['the row’s account', { amount: '700.00' }],
    ['the end of it', { amount: '700.00', account: '****3456' }],
    ['no account', { amount: '700.00', account: '' }],
    ['the row’s amount', { account: '0559876543' }],
    ['an amount that differs by a fee', { account: '0559876543', amount: '1210.00' }],
    ['an amount near the debit', { account: '0559876543', amount: '80.10', currency: 'GBP' }],
    ['an amount in a currency of its own', { account: '0559876543', amount: '95.00', currency: 'EUR' }],
    ['an amount that cannot be read', { account: '0559876543', amount: '?' }],
  ])('is the row’s all the same with %s', (_, changes) => {
    expect(told(judged([refused(2, 20)], [tagged(changes)]))).toEqual(['incident 2@2']);
    expect(told(judged([unsent], [tagged(changes)]))).toEqual(['theirs_only 2@2']);
  });

  it('is the row’s all the same with the row’s own transfer, or with another row’s tag', () => {
    const text = 'PF-2AAAAAAA PF-3AAAAAAA salaries';
    expect(told(judged([aRow(2, 20)], [{ ...others, id: 'tr-2' }]))).toEqual(['differs 2@2']);
    expect(told(judged([aRow(2, 20), aRow(3, 20)], [{ ...others, text }]))).toEqual([
      'differs 2@2',
      'differs 3@2',
    ]);
  });

  it('is a fee beside the payment’s own line, as before', () => {
    const fee = tagged({ account: '0009990001', amount: '15.00' });
    expect(judged([aRow(2, 20)], [own, fee])).toMatchObject([
      { kind: 'matched', text: expect.stringContaining('line 3 is a charge') },
    ]);
  });
});

describe('a line with the transfer id of a row, and with another account and another amount', () => {
  const numbered: Line = { date: '2026-11-20', id: 'tr-2', account: '0559876543', amount: '700.00' };
  const failed = aRow(2, 20, { status: 'failed', basis: 'service_status' });

  it.each<[string, StatementEntry, readonly Line[], string]>([
    ['failed', failed, [numbered], 'unclear 2@2'],
    ['settled, not shown', aRow(2, 20), [numbered], 'unclear 2@2'],
    ['settled, shown', aRow(2, 20), [numbered, tagged({})], 'unclear 2@3,2'],
  ])('proves nothing: %s', (_, row, lines, expected) => {
    expect(told(judged([row], lines))).toEqual([expected]);
  });

  it('is shown with what speaks against it, and is pressing where the row is called unpaid', () => {
    const text = 'line 2 has its transfer id (tr-2), but another account and 700.00';
    expect(judged([failed], [numbered])).toMatchObject([{ text, isPressing: true }]);
  });

  it('is the row’s all the same with the row’s account, or with its amount', () => {
    for (const changes of [{ account: '0244123456' }, { amount: '1200.00' }])
      expect(told(judged([failed], [{ ...numbered, ...changes }]))).toEqual(['incident 2@2']);
  });

  it('leaves the line to the row whose id stands beside that number', () => {
    const narrated = { ...numbered, text: 'VIR tr-3' };
    const other = aRow(3, 20, { account: '0559876543', amount: money('GHS 700.00') });
    expect(told(judged([aRow(2, 20), other], [narrated, tagged({})]))).toEqual([
      'matched 2@3',
      'differs 3@2',
    ]);
  });
});

describe('a line that names one row, and may be the payment of another one', () => {
  const shown: Line = { date: '2026-11-12', text: 'PF-5AAAAAAA', account: '' };
  const inDoubt = doubt(3, 20, { account: '0559876543' });
  const line = (changes: Line): Line => ({ date: '2026-11-20', account: '0559876543', id: '42', ...changes });
  const paid = aRow(2, 20, { transferId: '42' });
  const dearer = { ...paid, amount: money('GHS 9000.00'), debit: money('GBP 588.30') };
  const found = (row: StatementEntry, changes: Line, other = inDoubt) =>
    judged([row, other, aRow(5, 12)], [line(changes), shown])[1];

  it.each<[string, StatementEntry, Line]>([
    ['its account and amount', paid, {}],
    ['its account and amount, and not those of the row with the id', dearer, {}],
    ['its account and amount, later', paid, { date: '2026-11-28' }],
    ['its amount, and no account', paid, { account: '' }],
    ['its amount, and our own account', paid, { account: '0009990001' }],
    ['no amount that can be read', paid, { amount: '?' }],
    [
      'the beginning of its tag',
      paid,
      { account: '', amount: '97.00', currency: 'USD', text: 'VIR PF-3AAA' },
    ],
  ])('stays with a row in doubt if only an id names the other one, and it shows %s', (_, row, changes) => {
    expect(found(row, changes)).toMatchObject({ kind: 'still_in_doubt', lines: [{ rowNumber: 2 }] });
  });

  it('stays with a row in doubt that has the same account and amount as the row with the id', () => {
    expect(found(paid, { account: '0244123456' }, doubt(3, 20))?.kind).toBe('still_in_doubt');
  });

  it.each<[string, Line]>([
    ['the tag of the other one', { text: 'PF-2AAAAAAA' }],
    ['the tag of no row', { text: 'PF-9AAAAAAA' }],
  ])('stays with a row in doubt whose account and amount it shows beside %s', (_, changes) => {
    expect(found(paid, { id: '', ...changes })?.kind).toBe('still_in_doubt');
  });

  it.each<[string, Line]>([
    ['an id, with account and amount', { account: '0244123456' }],
    ['a tag, with account and amount', { account: '0244123456', text: 'PF-2AAAAAAA' }],
    ['a tag, without an account', { account: '', text: 'PF-2AAAAAAA' }],
    ['a tag, with our own account', { account: '0009990001', text: 'PF-2AAAAAAA' }],
    ['the tag of no row, without an account', { account: '', text: 'PF-9AAAAAAA' }],
  ])('is not held against a row in doubt if it names the other one by %s', (_, changes) => {
    expect(found(paid, changes)).toMatchObject({ kind: 'propose_not_paid' });
  });

  it('is not held against two rows that tags tell apart, though both have one account and amount', () => {
    const [one, two] = [tagged({}), tagged({ text: 'PF-3AAAAAAA' })];
    expect(told(judged([aRow(2, 20), aRow(3, 20)], [one, two]))).toEqual(['matched 2@2', 'matched 3@3']);
    expect(told(judged([aRow(2, 20), doubt(3, 20)], [one]))).toEqual(['matched 2@2', 'propose_not_paid 3']);
  });

  it('is told beside a row that the service calls paid, failed or refused, and that has no line', () => {
    const text = 'line 2 has its account and amount, at its time: it may be this one';
    for (const status of ['settled', 'accepted', 'failed'] as const)
      expect(found(paid, {}, { ...inDoubt, status })).toMatchObject({ kind: 'unclear', text });
  });
});
