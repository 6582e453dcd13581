/**
 * The edges of reading an amount, whole readings and not only their texts. Each line was written because a mutant
 * of the code survived without it.
 */
import { describe, expect, it } from 'vitest';
import { type AmountReading, readAmount } from '../../src/domain/money/read-amount.ts';

const one = (plain: string, proves?: 'point' | 'comma'): AmountReading => ({
  kind: 'one_way',
  plain,
  proves,
});
const three = (mark: 'point' | 'comma', asDecimal: string, asThousands?: string): AmountReading => ({
  kind: 'three_digits',
  mark,
  asDecimal,
  asThousands,
});
const wrong = (fault: Extract<AmountReading, { kind: 'wrong' }>['fault']): AmountReading => ({
  kind: 'wrong',
  fault,
});

describe('an amount that can be read', () => {
  it.each<[string, AmountReading]>([
    ['0', one('0')],
    ['7', one('7')],
    ['1200', one('1200')],
    ['12.5', one('12.5', 'point')],
    ['12.50', one('12.50', 'point')],
    ['12,5', one('12.5', 'comma')],
    ['0.505', three('point', '0.505')],
    ['0.5050', one('0.5050', 'point')],
    ['999999999999999', one('999999999999999')],
    ['999999999999999.99', one('999999999999999.99', 'point')],
    ['1.234', three('point', '1.234', '1234')],
    ['1,234', three('comma', '1.234', '1234')],
    ['1234,500', three('comma', '1234.500')],
    ['1.234,500', three('comma', '1234.500')],
    ['1,234.500', three('point', '1234.500')],
    ['1 234,500', three('comma', '1234.500')],
    ['1.234.567', one('1234567', 'comma')],
    ['1,234,567', one('1234567', 'point')],
    ['1.234,5', one('1234.5', 'comma')],
    ['1,234.5', one('1234.5', 'point')],
    ['1 234', one('1234')],
    ['1 234,5', one('1234.5', 'comma')],
    ['1’234.50', one('1234.50', 'point')],
    [`1.${'2'.repeat(38)}`, one(`1.${'2'.repeat(38)}`, 'point')],
  ])('%s', (text, expected) => {
    expect(readAmount(text)).toStrictEqual(expected);
  });
});

describe('an amount that cannot be read says why', () => {
  it.each<[string, AmountReading]>([
    [`1.${'2'.repeat(39)}`, wrong('amount_too_large')],
    ['9'.repeat(41), wrong('amount_too_large')],
    [`x${'9'.repeat(41)}`, wrong('amount_not_a_number')],
    [`${'9'.repeat(41)}x`, wrong('amount_not_a_number')],
    ['1000000000000000', wrong('amount_too_large')],
    ['1,000,000,000,000,000', wrong('amount_too_large')],
    ['1000000000000000.5', wrong('amount_too_large')],
    ['0123.45', wrong('amount_leading_zero')],
    ['0,123.45', wrong('amount_leading_zero')],
    ['0.123.456', wrong('amount_leading_zero')],
    ['0,123,456', wrong('amount_leading_zero')],
    ['00', wrong('amount_leading_zero')],
    ['1.', wrong('amount_unfinished')],
    ['1,', wrong('amount_unfinished')],
    ['1234,567.00', wrong('amount_grouping')],
    ['1,2345.00', wrong('amount_grouping')],
    ['1,234.56.7', wrong('amount_grouping')],
    ['1 234,567.00', wrong('amount_grouping')],
    ['1 23', wrong('amount_grouping')],
    ['1234 567', wrong('amount_grouping')],
    ['12 3456', wrong('amount_grouping')],
    ['-5', wrong('amount_negative')],
    ['5-', wrong('amount_negative')],
    ['−5', wrong('amount_negative')],
    ['(5)', wrong('amount_negative')],
    ['5-3', wrong('amount_not_a_number')],
    ['(5) x', wrong('amount_not_a_number')],
    ['x(5)', wrong('amount_not_a_number')],
    ['1e3', wrong('amount_scientific')],
    ['+1e35', wrong('amount_scientific')],
    ['1.5E-12', wrong('amount_scientific')],
    ['x1e3', wrong('amount_not_a_number')],
    ['1e3x', wrong('amount_not_a_number')],
    ['1e', wrong('amount_with_currency')],
    ['e3', wrong('amount_with_currency')],
    ['GHS100', wrong('amount_with_currency')],
    ['GHS.  100', wrong('amount_with_currency')],
    ['GHS 1,000.50', wrong('amount_with_currency')],
    ['100GHS', wrong('amount_with_currency')],
    ['100 GHS.', wrong('amount_with_currency')],
    ['F', wrong('amount_not_a_number')],
    ['FCFA 100', wrong('amount_with_currency')],
    ['CEDIS 100', wrong('amount_with_currency')],
    ['100 CEDIS', wrong('amount_with_currency')],
    ['GHS 100 now', wrong('amount_not_a_number')],
    ['at GHS 100', wrong('amount_not_a_number')],
    ['₵ of 100', wrong('amount_with_currency')],
    ['1２', wrong('amount_other_digits')],
    ['12\u00a034', wrong('amount_grouping')],
    ['12’34', wrong('amount_grouping')],
    ['1 234’567', wrong('amount_grouping')],
    ['31.05.2026', wrong('amount_date')],
    ['31/05/2026', wrong('amount_date')],
    ['5%', wrong('amount_percent')],
    ['1234.5 %', wrong('amount_percent')],
    ['x5%', wrong('amount_not_a_number')],
    ['5%x', wrong('amount_not_a_number')],
    ['=A1*2', wrong('amount_formula')],
    ['A1*2=', wrong('amount_not_a_number')],
    ['1O0', wrong('amount_look_alike')],
    [`${'A'.repeat(10)} 5`, wrong('amount_with_currency')],
    [`${'A'.repeat(11)} 5`, wrong('amount_not_a_number')],
    [`5 ${'A'.repeat(10)}`, wrong('amount_with_currency')],
    [`5 ${'A'.repeat(11)}`, wrong('amount_not_a_number')],
    ['', wrong('amount_not_a_number')],
  ])('“%s”', (text, expected) => {
    expect(readAmount(text)).toStrictEqual(expected);
  });
});
