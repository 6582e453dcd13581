/**
 * A mark with exactly three digits after it is never a decimal mark, but in a currency of three decimals whose style
 * was declared. The table names every case: mark, digits, style, decimals of the currency, several marks.
 */
import { describe, expect, it } from 'vitest';
import type { AmountStyle } from '../../src/domain/money/amount-style.ts';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { formatMoney } from '../../src/domain/money/money.ts';
import { type CheckedAmount, createAmountValidator } from '../../src/domain/rows/validate-amount.ts';

const STYLES = {
  'declared point': { kind: 'declared', decimal: 'point' },
  'declared comma': { kind: 'declared', decimal: 'comma' },
  'proven point': { kind: 'proven', decimal: 'point' },
  'proven comma': { kind: 'proven', decimal: 'comma' },
  'mostly comma': { kind: 'mixed', decimal: 'comma' },
  'not known': { kind: 'unproven' },
} as const satisfies Record<string, AmountStyle>;

function check(text: string, style: keyof typeof STYLES, code: string, isNumber = false): CheckedAmount {
  const currency = parseCurrency(code);
  return createAmountValidator(STYLES[style]).check({ rowNumber: 2, text, isNumber, currency });
}

function shown(checked: CheckedAmount): string {
  if (checked.kind === 'issue') return checked.issue.kind;
  return checked.money === undefined ? 'no currency' : formatMoney(checked.money);
}

const NO = 'amount_ambiguous';

const TABLE: readonly (readonly [
  text: string,
  style: keyof typeof STYLES,
  ...(readonly [KES: string, XOF: string, TND: string]),
])[] = [
  // One mark, three digits: thousands or nothing.
  ['27,500', 'declared point', 'KES 27,500.00', 'XOF 27,500', 'TND 27,500.000'],
  ['27,500', 'declared comma', NO, NO, 'TND 27.500'],
  ['27,500', 'proven point', 'KES 27,500.00', 'XOF 27,500', 'TND 27,500.000'],
  ['27,500', 'proven comma', NO, NO, NO],
  ['27,500', 'mostly comma', NO, NO, NO],
  ['27,500', 'not known', NO, NO, NO],
  ['27.500', 'declared point', NO, NO, 'TND 27.500'],
  ['27.500', 'declared comma', 'KES 27,500.00', 'XOF 27,500', 'TND 27,500.000'],
  ['27.500', 'proven point', NO, NO, NO],
  ['27.500', 'proven comma', 'KES 27,500.00', 'XOF 27,500', 'TND 27,500.000'],
  ['27.500', 'mostly comma', NO, NO, NO],
  ['27.500', 'not known', NO, NO, NO],
  ['25,000', 'declared comma', NO, NO, 'TND 25.000'],
  ['2,500', 'declared comma', NO, NO, 'TND 2.500'],
  // Three digits that cannot be thousands.
  ['0,500', 'declared comma', NO, NO, 'TND 0.500'],
  ['0,500', 'proven comma', NO, NO, NO],
  ['0,500', 'declared point', NO, NO, NO],
  ['0,500', 'not known', NO, NO, NO],
  ['1234,500', 'declared comma', NO, NO, 'TND 1,234.500'],
  ['1234,500', 'proven comma', NO, NO, NO],
  ['1234,500', 'proven point', NO, NO, NO],
  // Two marks: the last one has three digits after it.
  ['1.234,500', 'declared comma', NO, NO, 'TND 1,234.500'],
  ['1.234,500', 'proven comma', NO, NO, NO],
  ['1.234,500', 'declared point', NO, NO, NO],
  ['1,234.500', 'declared point', NO, NO, 'TND 1,234.500'],
  ['1,234.500', 'not known', NO, NO, NO],
  // Spaces and apostrophes between thousands.
  ['1 234,500', 'declared comma', NO, NO, 'TND 1,234.500'],
  ['1\u202f234,500', 'proven comma', NO, NO, NO],
  ["1'234.500", 'proven point', NO, NO, NO],
  ['27 500', 'proven comma', 'KES 27,500.00', 'XOF 27,500', 'TND 27,500.000'],
  ["27'500", 'not known', 'KES 27,500.00', 'XOF 27,500', 'TND 27,500.000'],
  ['27 500,25', 'proven comma', 'KES 27,500.25', 'amount_too_precise', 'TND 27,500.250'],
  // Several thousands marks are thousands marks.
  ['1,234,567', 'proven point', 'KES 1,234,567.00', 'XOF 1,234,567', 'TND 1,234,567.000'],
  ['1,234,567', 'declared comma', 'amount_other_style', 'amount_other_style', 'amount_other_style'],
  ['1.234.567', 'declared comma', 'KES 1,234,567.00', 'XOF 1,234,567', 'TND 1,234,567.000'],
  ['1.234.567,5', 'proven comma', 'KES 1,234,567.50', 'amount_too_precise', 'TND 1,234,567.500'],
  // One, two and four digits after a mark.
  ['27,5', 'proven comma', 'KES 27.50', 'amount_too_precise', 'TND 27.500'],
  ['27,50', 'declared comma', 'KES 27.50', 'amount_too_precise', 'TND 27.500'],
  ['27,00', 'declared comma', 'KES 27.00', 'XOF 27', 'TND 27.000'],
  ['27,5000', 'proven comma', 'KES 27.50', 'amount_too_precise', 'TND 27.500'],
  ['27,1250', 'declared comma', 'amount_too_precise', 'amount_too_precise', 'TND 27.125'],
  ['27,50', 'proven point', 'amount_other_style', 'amount_other_style', 'amount_other_style'],
];

describe('[F18] a mark with three digits after it is no decimal mark', () => {
  it.each(TABLE)('%s, %s: %s in KES, %s in XOF, %s in TND', (text, style, ...expected) => {
    expect(['KES', 'XOF', 'TND'].map((code) => shown(check(text, style, code)))).toEqual(expected);
  });

  it('a number of a workbook has no mark, whatever the style of the texts', () => {
    expect(shown(check('27.125', 'proven comma', 'TND', true))).toBe('TND 27.125');
    expect(shown(check('27.125', 'declared comma', 'KES', true))).toBe('amount_too_precise');
  });

  it('while the style is not proven by the whole file, nothing is read with it for good', () => {
    const validator = createAmountValidator({ kind: 'proving' });
    const read = (text: string) =>
      shown(validator.check({ rowNumber: 2, text, isNumber: false, currency: parseCurrency('KES') }));
    expect([read('12.500,00'), read('27,500'), read('27.500')]).toEqual([
      'KES 12,500.00',
      'amount_ambiguous',
      'KES 27,500.00',
    ]);
    expect(validator.verdict()).toEqual({ kind: 'stands' });
  });
});

describe('what is said of an amount with two readings', () => {
  const said = (text: string, style: keyof typeof STYLES, code: string): string => {
    const checked = check(text, style, code);
    if (checked.kind !== 'issue') throw new Error(`${text} is read`);
    return `expected ${checked.issue.expected}. ${checked.issue.suggestion}`;
  };

  it('shows both, and how to write the one that is meant', () => {
    expect(said('27,500', 'proven comma', 'KES')).toBe(
      'expected an amount with one reading; with three digits after the comma, this may be 27500 or 27.500. ' +
        'Write 27500 if that is meant; write 27,50 if 27.500 is meant.',
    );
    expect(said('1234,500', 'proven point', 'KES')).toBe(
      'expected an amount without three digits after the comma; this may be 1234.500, or a mark in the wrong place. ' +
        'Write 1234.50 if 1234.500 is meant.',
    );
  });

  it('names the flag that makes a mark the thousands mark', () => {
    expect(said('25,000', 'not known', 'XOF')).toContain(
      'Say that the decimal mark is a point if 25000 is meant',
    );
    expect(said('2,500', 'declared comma', 'KES')).toContain(
      'say that the decimal mark is a point if the comma stands between thousands in the whole file',
    );
  });

  it('never offers a flag with which the amount would not be read', () => {
    for (const text of ['27,500', '25,000', '0,500', '1234,500', '1.234,500', '1,234.500', '12.345'])
      for (const style of Object.keys(STYLES) as (keyof typeof STYLES)[])
        for (const code of ['KES', 'XOF', 'TND']) {
          if (check(text, style, code).kind !== 'issue') continue;
          for (const [, flag, amount = ''] of said(text, style, code).matchAll(
            /--decimal (point|comma)(?: if (\d[\d.]*) is meant)?/g,
          )) {
            const followed = check(text, flag === 'point' ? 'declared point' : 'declared comma', code);
            expect(followed.kind === 'money' && followed.plain, `${text} ${style} ${code}`).toBe(
              amount === '' ? text.replace(/\D/g, '') : amount,
            );
          }
        }
  });

  it('never offers to write what would not be read in the same file', () => {
    for (const text of ['27,500', '25,000', '0,500', '1234,500', '1.234,500', '27.500'])
      for (const style of [
        'declared point',
        'declared comma',
        'proven point',
        'proven comma',
        'mostly comma',
      ] as const)
        for (const code of ['KES', 'XOF', 'TND']) {
          if (check(text, style, code).kind !== 'issue') continue;
          for (const [, written = ''] of said(text, style, code).matchAll(/[Ww]rite (\d[\d.,]*\d) if/g))
            expect(check(written, style, code).kind, `${text} as ${written}, ${style}, ${code}`).toBe(
              'money',
            );
        }
  });
});

describe('[F21] an amount with a sign of another currency', () => {
  const said = (text: string, code: string) => {
    const checked = check(text, 'not known', code);
    return checked.kind === 'issue'
      ? [checked.issue.kind, `${checked.issue.expected}. ${checked.issue.suggestion}`]
      : [];
  };

  it('is said to be so, and nobody is told to leave the sign out', () => {
    expect(said('$1250.50', 'GHS')).toEqual([
      'amount_other_currency',
      'an amount in GHS, the currency of the institution; “$” stands for another one (USD, CAD, AUD …). ' +
        'Find out how much is meant in GHS. Do not just take the sign away.',
    ]);
    for (const text of ['1250.50 €', 'USD 1250.50', '1250.50USD', '£1,250', 'KES 12'])
      expect(said(text, 'GHS')[0], text).toBe('amount_other_currency');
  });

  it('that people also use for the currency of the institution is asked about', () => {
    expect(said('$1250.50', 'NAD')).toEqual([
      'amount_with_currency',
      'an amount in NAD; “$” may stand for another currency (USD, CAD, AUD …). If NAD is meant, write NAD in place of “$”.',
    ]);
  });

  it('that is the code of the currency of the institution is read without it', () => {
    for (const text of ['GHS 1250.50', 'ghs 1,250.50', '1250.50GHS', '1250.50\u00a0GHS', '+GHS 1250.50']) {
      expect(said(text, 'GHS'), text).toEqual([]);
      expect(said(text, 'KES')[0], text).toBe('amount_other_currency');
    }
    for (const text of ['GHS -5', '+GHS -5', '-GHS 5', 'GHS GHS 5', 'GHS', 'GHS 1e3'])
      expect(said(text, 'GHS')[0], text).toMatch(/^amount_/);
  });

  it('or with a word that we do not know, is to be written in the currency of the institution', () => {
    expect(said('1250.50 COINS', 'GHS')).toEqual([
      'amount_with_currency',
      'an amount such as 1250.00, in GHS. Write the amount in GHS, without words.',
    ]);
  });
});
