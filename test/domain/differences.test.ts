/** Where the service's account differs from what was asked, and where a changed file differs from what was paid. */
import { describe, expect, it } from 'vitest';
import { differencesOf } from '../../src/domain/payouts/instruction-keys.ts';
import { discrepanciesOf } from '../../src/domain/payouts/service-status.ts';
import { anInstruction, aPricing, money } from '../builders/payouts.ts';

describe('[E11] a transaction', () => {
  const seen = (changes: object = {}) => ({
    amount: '1200',
    receiver: 'AMA MENSAH',
    institution: 'MTN Mobile Money',
    destination: 'Ghana',
    ...changes,
  });
  const found = (changes: object) => discrepanciesOf(anInstruction(), aPricing(), seen(changes));

  it.each([
    ['all the same', {}],
    ['the amount in full', { amount: '1200.00' }],
    ['the debit instead of the amount', { amount: '78.44' }],
    ['the debit within a percent', { amount: '77.70' }],
    ['names in another order', { receiver: 'Mensah Ama' }],
    ['other letter case and signs', { institution: 'mtn mobile-money', destination: 'GHANA' }],
    [
      'nothing at all',
      { amount: undefined, receiver: undefined, institution: undefined, destination: undefined },
    ],
    ['empty texts', { receiver: ' ', institution: '', destination: '' }],
  ])('agrees when it shows %s', (_, changes) => {
    expect(found(changes)).toEqual([]);
  });

  it.each([
    ['amount', { amount: '120' }, 'the service shows 120, asked was GHS 1,200.00 or GBP 78.44 debited'],
    ['amount', { amount: '79.30' }, 'the service shows 79.30'],
    ['amount', { amount: '1 200' }, 'the service shows “1 200”'],
    [
      'institution',
      { institution: 'Vodafone' },
      'the service shows “Vodafone”, asked was “MTN Mobile Money”',
    ],
    ['destination', { destination: 'Kenya' }, 'the service shows “Kenya”, asked was “Ghana”'],
    ['receiver', { receiver: 'Kofi Owusu' }, 'the service shows “Kofi Owusu”, asked was “Ama Mensah”'],
  ])('differs in the %s: %o', (what, changes, text) => {
    const [only, ...rest] = found(changes);
    expect(only).toContain(`${what}: ${text}`);
    expect(rest).toEqual([]);
  });

  it('never shows the account, where the service writes it in the place of the receiver', () => {
    expect(found({ receiver: 'User 0244 123 456' })).toEqual([
      'receiver: the service shows “User ••••3456”, asked was “Ama Mensah”',
    ]);
  });

  it('agrees with a receiver that is letter for letter what was sent, even one that shows only some letters', () => {
    const pricing = aPricing({ wireName: 'A** M*****' });
    expect(discrepanciesOf(anInstruction(), pricing, seen({ receiver: 'A** M*****' }))).toEqual([]);
  });

  it('compares with the amount alone when no quote is known', () => {
    const pricing = aPricing({ quote: undefined });
    expect(discrepanciesOf(anInstruction(), pricing, seen({ amount: '78.44' }))).toHaveLength(1);
  });
});

describe('a row that changed after it was agreed to', () => {
  it.each([
    [{ amount: money('GHS 1250.00') }, ['amount GHS 1,200.00 → GHS 1,250.00']],
    [{ account: '0244123499' }, ['account ••••3456 → ••••3499']],
    [{ account: '0555123456' }, ['account ••••3456 → another ending alike']],
    [{ reference: undefined }, ['reference GH-001 → (none)']],
    [{ note: 'June salary' }, ['note May salary → June salary']],
    [{ institutionName: 'Vodafone Cash' }, ['institution MTN Mobile Money → Vodafone Cash']],
    [{}, []],
  ])('is told as %o: %o', (changes, told) => {
    expect(differencesOf(anInstruction(), anInstruction(changes))).toEqual(told);
  });

  it('never shows a whole account number', () => {
    const told = differencesOf(anInstruction(), anInstruction({ account: '0209876543' })).join();
    expect(told).not.toMatch(/\d{5}/);
  });
});
