/**
 * Rates and fees lose no digit on the way in.
 */
import { expect, it } from 'vitest';
import { plainDecimal } from '../../src/service/read-answer.ts';

it.each<[string | undefined, string | undefined]>([
  ['0', '0'],
  ['12.50', '12.50'],
  ['007.5', '7.5'],
  ['-3', '-3'],
  ['1.5e-3', '0.0015'],
  ['15E-1', '1.5'],
  ['1.5e3', '1500'],
  ['1.2345e2', '123.45'],
  ['12345678901234567890.123', '12345678901234567890.123'],
  ['0.000000000001', '0.000000000001'],
  ['1e-1', '0.1'],
  ['', undefined],
  ['abc', undefined],
  [undefined, undefined],
])('%s is the plain decimal %s', (text, expected) => {
  expect(plainDecimal(text)).toBe(expected);
});
