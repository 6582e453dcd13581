/**
 * A line with a row's tag, and with the account and the amount of something else: another ledger gave that tag too, or
 * somebody copied it. It proves nothing of the row. Tables by hand; the days are those of November 2026.
 */
import { describe, expect, it } from 'vitest';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import { aRow, doubt, judged, type Line, refused, ruledUnpaid, told } from '../builders/judged-statement.ts';

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
      { kind: 'matched', text: expect.stringContaining('taken for fees') },
    ]);
  });
});
