/** Amounts are read as a careful person reads them, or not at all. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AmountStyle, createAmountReader } from '../../src/domain/money/amount-style.ts';
import { type CurrencyCode, parseCurrency } from '../../src/domain/money/currency.ts';
import { formatDecimal } from '../../src/domain/money/money.ts';
import { readAmount } from '../../src/domain/money/read-amount.ts';
import { createAmountValidator } from '../../src/domain/rows/validate-amount.ts';

const currency = (code: string): CurrencyCode => {
  const known = parseCurrency(code);
  if (known === undefined) throw new Error(code);
  return known;
};

const READINGS: readonly (readonly [text: string, reading: string])[] = [
  ['1250', '1250'],
  ['0', '0'],
  ['0.5', '0.5 proves point'],
  ['1250.00', '1250.00 proves point'],
  ['1250,00', '1250.00 proves comma'],
  ['1,250.00', '1250.00 proves point'],
  ['1.250,00', '1250.00 proves comma'],
  ['1,234,567', '1234567 proves point'],
  ['1.234.567', '1234567 proves comma'],
  ['1 234 567', '1234567'],
  ['1 234,56', '1234.56 proves comma'],
  ['1\u202f234,56', '1234.56 proves comma'],
  ["1'234.50", '1234.50 proves point'],
  ["1'234", '1234'],
  ['1,500', 'three digits after the comma: 1500 or 1.500'],
  ['12.500', 'three digits after the point: 12500 or 12.500'],
  ['1234,567', 'three digits after the comma: 1234.567'],
  ['0,125', 'three digits after the comma: 0.125'],
  ['1.234,567', 'three digits after the comma: 1234.567'],
  ['1 234,567', 'three digits after the comma: 1234.567'],
  ["1'234.567", 'three digits after the point: 1234.567'],
  ['27,5000', '27.5000 proves comma'],
  ['1.2345', '1.2345 proves point'],
  ['-5', 'amount_negative'],
  ['−5', 'amount_negative'],
  ['5-', 'amount_negative'],
  ['(100)', 'amount_negative'],
  ['1e3', 'amount_scientific'],
  ['1.2E+3', 'amount_scientific'],
  ['0x10', 'amount_not_a_number'],
  ['12abc', 'amount_with_currency'],
  ['NaN', 'amount_not_a_number'],
  ['Infinity', 'amount_not_a_number'],
  ['', 'amount_not_a_number'],
  ['.50', '0.50 proves point'],
  [',50', '0.50 proves comma'],
  ['.500', 'three digits after the point: 0.500'],
  ['..50', 'amount_not_a_number'],
  ['.123.456', 'amount_leading_zero'],
  ['+75.00', '75.00 proves point'],
  ['+75', '75'],
  ['+.50', '0.50 proves point'],
  ['+1,250,000.00', '1250000.00 proves point'],
  ['+233244123456', 'amount_not_a_number'],
  ['+233 244 123 456', 'amount_not_a_number'],
  ['+233.244.123.456', 'amount_not_a_number'],
  ['++75', 'amount_not_a_number'],
  ['+ 75', 'amount_not_a_number'],
  ['+-75', 'amount_not_a_number'],
  ['12.', 'amount_unfinished'],
  ['1,250.', 'amount_unfinished'],
  ['GHS 100', 'amount_with_currency'],
  ['₵100', 'amount_with_currency'],
  ['100 F', 'amount_with_currency'],
  ['１２', 'amount_other_digits'],
  ['٣٤', 'amount_other_digits'],
  ['0244123456', 'amount_leading_zero'],
  ['007', 'amount_leading_zero'],
  ['12,34,567', 'amount_grouping'],
  ['1,23.00', 'amount_grouping'],
  ['1.234.56', 'amount_grouping'],
  ['12 34', 'amount_grouping'],
  ['1,234 567', 'amount_grouping'],
  ['1 234,567.00', 'amount_grouping'],
  ['1234567890123456', 'amount_too_large'],
  ['999999999999999', '999999999999999'],
  ['7', '7'],
  ['1200', '1200'],
  ['12.5', '12.5 proves point'],
  ['12.50', '12.50 proves point'],
  ['12,5', '12.5 proves comma'],
  ['0.505', 'three digits after the point: 0.505'],
  ['0.5050', '0.5050 proves point'],
  ['999999999999999.99', '999999999999999.99 proves point'],
  ['1.234', 'three digits after the point: 1234 or 1.234'],
  ['1,234', 'three digits after the comma: 1234 or 1.234'],
  ['1234,500', 'three digits after the comma: 1234.500'],
  ['1.234,500', 'three digits after the comma: 1234.500'],
  ['1,234.500', 'three digits after the point: 1234.500'],
  ['1 234,500', 'three digits after the comma: 1234.500'],
  ['1.234,5', '1234.5 proves comma'],
  ['1,234.5', '1234.5 proves point'],
  ['1 234', '1234'],
  ['1 234,5', '1234.5 proves comma'],
  ['1’234.50', '1234.50 proves point'],
  [`1.${'2'.repeat(38)}`, `1.${'2'.repeat(38)} proves point`],
  [`1.${'2'.repeat(39)}`, 'amount_too_large'],
  ['9'.repeat(41), 'amount_too_large'],
  [`x${'9'.repeat(41)}`, 'amount_not_a_number'],
  [`${'9'.repeat(41)}x`, 'amount_not_a_number'],
  ['1000000000000000', 'amount_too_large'],
  ['1,000,000,000,000,000', 'amount_too_large'],
  ['1000000000000000.5', 'amount_too_large'],
  ['0123.45', 'amount_leading_zero'],
  ['0,123.45', 'amount_leading_zero'],
  ['0.123.456', 'amount_leading_zero'],
  ['0,123,456', 'amount_leading_zero'],
  ['00', 'amount_leading_zero'],
  ['1.', 'amount_unfinished'],
  ['1,', 'amount_unfinished'],
  ['1234,567.00', 'amount_grouping'],
  ['1,2345.00', 'amount_grouping'],
  ['1,234.56.7', 'amount_grouping'],
  ['1 23', 'amount_grouping'],
  ['1234 567', 'amount_grouping'],
  ['12 3456', 'amount_grouping'],
  ['(5)', 'amount_negative'],
  ['5-3', 'amount_not_a_number'],
  ['(5) x', 'amount_not_a_number'],
  ['x(5)', 'amount_not_a_number'],
  ['+1e35', 'amount_scientific'],
  ['1.5E-12', 'amount_scientific'],
  ['x1e3', 'amount_not_a_number'],
  ['1e3x', 'amount_not_a_number'],
  ['1e', 'amount_with_currency'],
  ['e3', 'amount_with_currency'],
  ['GHS100', 'amount_with_currency'],
  ['GHS.  100', 'amount_with_currency'],
  ['GHS 1,000.50', 'amount_with_currency'],
  ['100GHS', 'amount_with_currency'],
  ['100 GHS.', 'amount_with_currency'],
  ['F', 'amount_not_a_number'],
  ['FCFA 100', 'amount_with_currency'],
  ['CEDIS 100', 'amount_with_currency'],
  ['100 CEDIS', 'amount_with_currency'],
  ['GHS 100 now', 'amount_not_a_number'],
  ['at GHS 100', 'amount_not_a_number'],
  ['₵ of 100', 'amount_with_currency'],
  ['1２', 'amount_other_digits'],
  ['12\u00a034', 'amount_grouping'],
  ['12’34', 'amount_grouping'],
  ['1 234’567', 'amount_grouping'],
  ['31.05.2026', 'amount_date'],
  ['31/05/2026', 'amount_date'],
  ['5%', 'amount_percent'],
  ['1234.5 %', 'amount_percent'],
  ['x5%', 'amount_not_a_number'],
  ['5%x', 'amount_not_a_number'],
  ['=A1*2', 'amount_formula'],
  ['A1*2=', 'amount_not_a_number'],
  ['1O0', 'amount_look_alike'],
  [`${'A'.repeat(10)} 5`, 'amount_with_currency'],
  [`${'A'.repeat(11)} 5`, 'amount_not_a_number'],
  [`5 ${'A'.repeat(10)}`, 'amount_with_currency'],
  [`5 ${'A'.repeat(11)}`, 'amount_not_a_number'],
];

const shownReading = (text: string): string => {
  const reading = readAmount(text);
  if (reading.kind === 'wrong') return reading.fault;
  if (reading.kind === 'three_digits') {
    const readings = [reading.asThousands, reading.asDecimal].filter((each) => each !== undefined);
    return `three digits after the ${reading.mark}: ${readings.join(' or ')}`;
  }
  return reading.proves === undefined ? reading.plain : `${reading.plain} proves ${reading.proves}`;
};

describe('a single amount', () => {
  it.each(READINGS)('[F19] %s is read as a person would: %s', (text, expected) => {
    expect(shownReading(text)).toBe(expected);
  });

  it('[F32] takes no time over a cell that is far too long', () => {
    const started = performance.now();
    for (const mark of ['9', '9,', '9 ', ' ', "'", '-', '(']) readAmount(mark.repeat(500_000));
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(readAmount('9'.repeat(100_000))).toEqual({ kind: 'wrong', fault: 'amount_too_large' });
  });

  it('comes back as the amount that was meant, however its thousands and decimals are written', () => {
    const grouped = (digits: string, mark: string) => digits.replace(/\B(?=(\d{3})+$)/g, mark);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
        fc.integer({ min: 0, max: 99 }),
        fc.constantFrom(['', '.'], ['', ','], [',', '.'], ['.', ','], [' ', ','], [' ', '.'], ["'", '.']),
        (whole, cents, [group = '', mark = '']) => {
          const fraction = String(cents).padStart(2, '0');
          const reading = readAmount(`${grouped(String(whole), group)}${mark}${fraction}`);
          expect(reading).toMatchObject({ kind: 'one_way', plain: `${whole}.${fraction}` });
        },
      ),
    );
  });

  it('never reads a digit that was not written, nor leaves one out', () => {
    const characters = fc.constantFrom(..."0123456789.,  '-+eE()xA₵１".split(''));
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 24 }), (text) => {
        const reading = readAmount(text.trim());
        // Nothing before the decimal mark is read as the zero that it stands for.
        const digits = text.replace(/^\s*\+?(?=[.,])/, '0').replace(/\D/g, '');
        if (reading.kind === 'one_way') expect(reading.plain.replace('.', '')).toBe(digits);
        if (reading.kind === 'three_digits') {
          expect(reading.asDecimal.replace('.', '')).toBe(digits);
          expect(reading.asThousands ?? digits).toBe(digits);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

/** What a file with these amounts comes to: the verdict after the first reading, then each row. */
function readFile(texts: readonly string[], style: AmountStyle = { kind: 'proving' }): string {
  const reader = createAmountReader(style);
  const rows = texts.map((text) => {
    const choice = reader.read(text, 2);
    return choice.kind === 'read' ? choice.plain : choice.kind;
  });
  const verdict = reader.verdict();
  return verdict.kind === 'again' ? readFile(texts, verdict.style) : rows.join(' | ');
}

describe('[F18] the number style of a whole file', () => {
  const FILES: readonly (readonly [string, readonly string[], string])[] = [
    ['one decimal point proves what a comma means', ['1,500', '20.50'], '1500 | 20.50'],
    ['one decimal comma proves it for the rows above as well', ['1.500', '20,50'], '1500 | 20.50'],
    [
      'a decimal mark with three digits after it is not read',
      ['1,500', '20,50', '12.500,00'],
      'three_digits | 20.50 | 12500.00',
    ],
    ['without a proof a row with two readings is not read', ['1,500', '300'], 'three_digits | 300'],
    [
      'three digits after a mark prove nothing',
      ['0,500', '1234.500', '1,500'],
      'three_digits | three_digits | three_digits',
    ],
    ['the rarer style of a mixed file is not read', ['1.00', '2.00', '3,00'], '1.00 | 2.00 | other_style'],
    [
      'a mixed file proves nothing for two readings',
      ['1.00', '2.00', '3,00', '4,000'],
      '1.00 | 2.00 | other_style | three_digits',
    ],
    ['a file half and half has no style', ['1.00', '3,00', '7'], 'other_style | other_style | 7'],
    ['amounts without marks need no style', ['7', '1 250'], '7 | 1250'],
  ];
  it.each(FILES)('%s', (_, texts, expected) => {
    expect(readFile(texts)).toBe(expected);
  });

  it('a declared style is taken at its word and the other one refused', () => {
    expect(readFile(['1.500', '20,50', '20.50'], { kind: 'declared', decimal: 'comma' })).toBe(
      '1500 | 20.50 | other_style',
    );
  });
});

describe('an amount in a currency', () => {
  const CASES: readonly (readonly [text: string, code: string, expected: string])[] = [
    ['1500.10', 'GHS', '1500.10'],
    ['1500.1', 'GHS', '1500.10'],
    ['1500.100', 'BHD', '1500.100'],
    ['1.2505', 'BHD', 'amount_too_precise'],
    ['10.00', 'XOF', '10'],
    ['10.50', 'XOF', 'amount_too_precise'],
    ['0.00', 'KES', 'amount_zero'],
    ['0.001', 'KES', 'amount_ambiguous'],
    ['0.0010', 'KES', 'amount_too_precise'],
    ['1.0055', 'USD', 'amount_too_precise'],
  ];
  it.each(CASES)('[F20] %s %s is exact or refused: %s', (text, code, expected) => {
    const validator = createAmountValidator({ kind: 'declared', decimal: 'point' });
    const checked = validator.check({ rowNumber: 2, text, isNumber: false, currency: currency(code) });
    const shown =
      checked.kind === 'issue' ? checked.issue.kind : checked.money && formatDecimal(checked.money);
    expect(shown).toBe(expected);
  });

  it('takes a spreadsheet number with its point in a file of decimal commas, and as no proof', () => {
    const validator = createAmountValidator({ kind: 'proving' });
    expect(
      validator.check({ rowNumber: 2, text: '1250.5', isNumber: true, currency: currency('GHS') }),
    ).toMatchObject({
      kind: 'money',
      money: { minor: 125_050n },
    });
    validator.check({ rowNumber: 3, text: '20,50', isNumber: false, currency: currency('GHS') });
    expect(validator.verdict()).toEqual({ kind: 'stands' });
  });
});
