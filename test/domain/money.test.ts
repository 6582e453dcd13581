/** Money: exact, whole minor units, and never more decimals than ISO 4217 gives the currency. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf, parseCurrency } from '../../src/domain/money/currency.ts';
import {
  formatDecimal,
  formatMoney,
  isAtMost,
  type Money,
  MoneySums,
  parseDecimal,
} from '../../src/domain/money/money.ts';
import { overLimit } from '../../src/domain/plan/limits.ts';
import { money } from '../builders/payouts.ts';

const currency = (code: string) => {
  const parsed = parseCurrency(code);
  if (parsed === undefined) throw new TypeError(`${code} is no currency`);
  return parsed;
};

describe('currencies', () => {
  it.each([
    ['GHS', 2],
    ['NGN', 2],
    ['KES', 2],
    ['XOF', 0],
    ['XAF', 0],
    ['UGX', 0],
    ['RWF', 0],
    ['GNF', 0],
    ['TND', 3],
    ['LYD', 3],
    ['MGA', 2],
    ['MRU', 2],
    ['JPY', 0],
    ['HUF', 2],
  ])('gives %s %i decimals, as ISO 4217 does', (code, decimals) => {
    expect(decimalsOf(currency(code))).toBe(decimals);
  });

  it('knows no currency that ISO 4217 does not have', () => {
    for (const code of ['', 'GH', 'CEDI', 'XXX1', 'ZZZ']) expect(parseCurrency(code)).toBeUndefined();
    expect(parseCurrency(' ghs ')).toBe('GHS');
  });
});

describe('plain decimals', () => {
  it.each([
    ['GHS', '1200', 120000n],
    ['GHS', '1200.5', 120050n],
    ['GHS', '0.01', 1n],
    ['GHS', '10.100', 1010n],
    ['XOF', '150', 150n],
    ['XOF', '150.00', 150n],
    ['TND', '1.005', 1005n],
    ['NGN', '999999999999999.99', 99999999999999999n],
  ])('reads %s %s as %s minor units', (code, text, minor) => {
    expect(parseDecimal(text, currency(code))?.minor).toBe(minor);
  });

  it.each([
    ['GHS', '1.001'],
    ['XOF', '150.5'],
    ['GHS', '-1'],
    ['GHS', '1,200'],
    ['GHS', '1e3'],
    ['GHS', '1.'],
    ['GHS', '.5'],
    ['GHS', ' 1'],
    ['GHS', ''],
    ['GHS', '1234567890123456'],
    ['GHS', '١٢'],
  ])('[F20] reads %s “%s” as nothing rather than as something else', (code, text) => {
    expect(parseDecimal(text, currency(code))).toBeUndefined();
  });

  it('comes back as it went out, whatever the amount and the currency', () => {
    const codes = fc.constantFrom('GHS', 'XOF', 'TND', 'NGN', 'CLF');
    fc.assert(
      fc.property(codes, fc.bigInt({ min: 0n, max: 10n ** 14n }), (code, minor) => {
        const whole: Money = { minor, currency: currency(code) };
        expect(parseDecimal(formatDecimal(whole), whole.currency)).toEqual(whole);
      }),
    );
  });

  it('adds exactly, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 17n }), { minLength: 1 }), (minors) => {
        const all = minors.map((minor): Money => ({ minor, currency: currency('KES') }));
        const sum = new MoneySums(all).all();
        expect(sum).toEqual(new MoneySums(all.toReversed()).all());
        expect(sum).toEqual([{ minor: minors.reduce((left, right) => left + right, 0n), currency: 'KES' }]);
      }),
    );
  });
});

it('never adds two currencies', () => {
  const sums = new MoneySums([money('KES 1.00'), money('GHS 1.00'), money('KES 2.50')]);
  expect(sums.all()).toEqual([money('GHS 1.00'), money('KES 3.50')]);
  expect([sums.of(currency('KES')), sums.of(currency('NGN'))]).toEqual([350n, 0n]);
});

it.each([
  ['KES 4120000.00', 'KES 4,120,000.00'],
  ['XOF 1000', 'XOF 1,000'],
  ['GHS 0.05', 'GHS 0.05'],
  ['GHS 999.99', 'GHS 999.99'],
])('shows %s to people as %s', (written, shown) => {
  expect(formatMoney(money(written))).toBe(shown);
});

it('shows a negative difference with its sign', () => {
  expect(formatDecimal({ minor: -5n, currency: currency('GHS') })).toBe('-0.05');
});

it('shows nothing as nothing, without a sign', () => {
  const nothing = parseDecimal('0', currency('GHS'));
  expect(nothing).toEqual({ minor: 0n, currency: 'GHS' });
  if (nothing === undefined) return;
  expect([formatDecimal(nothing), formatMoney(nothing)]).toEqual(['0.00', 'GHS 0.00']);
});

describe('a bound', () => {
  const five = money('GHS 5.00');
  const bound = (minor: unknown) => ({ currency: 'GHS', minor }) as Money;

  it('is kept up to itself', () => {
    expect([499n, 500n, 501n].map((minor) => isAtMost(five, bound(minor)))).toEqual([false, true, true]);
    expect(isAtMost(five, money('KES 9.00'))).toBe(false);
    expect(isAtMost(five, undefined)).toBe(false);
  });

  it.each([[undefined], [Number.NaN], ['5.00 GHS'], ['900'], [900], [null]])(
    'bounds at nothing as %j',
    (minor) => {
      expect(isAtMost(five, bound(minor))).toBe(false);
      const limits = { rowMax: [], batchMax: [bound(minor)], dayMax: [] };
      const plan = { toApprove: [{ sum: five }], committed: [] } as never;
      expect(overLimit(plan, limits, [])).toMatchObject({ kind: 'over_limit', limit: 'batch', total: five });
    },
  );
});
