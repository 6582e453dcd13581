/** The words that stand for the period of a scheduled run. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isZone,
  PERIOD_WORDS,
  unknownPeriodWords,
  withPeriod,
} from '../../src/domain/schedules/period-words.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';

const at = (text: string) => timestampOf(Date.parse(text));

it('names the day on which the run was due, in the zone of its schedule', () => {
  const newYear = at('2026-12-31T22:30:00Z');
  expect(withPeriod('payroll-{yyyy-mm}.csv', newYear, 'Europe/London')).toBe('payroll-2026-12.csv');
  expect(withPeriod('payroll-{yyyy-mm}.csv', newYear, 'Africa/Nairobi')).toBe('payroll-2027-01.csv');
  expect(withPeriod('{yyyymm} {yyyy} {mm} {dd} {yyyy-mm-dd} {yyyymmdd}', newYear, 'UTC')).toBe(
    '202612 2026 12 31 2026-12-31 20261231',
  );
});

it('names the month and the day before, over the end of a year and of a leap year’s February', () => {
  const first = at('2028-03-01T06:15:00Z');
  expect(withPeriod('{previous yyyy-mm} {previous yyyymm}', first, 'UTC')).toBe('2028-02 202802');
  expect(withPeriod('{previous yyyy-mm-dd} {previous yyyymmdd}', first, 'UTC')).toBe('2028-02-29 20280229');
  expect(withPeriod('{previous yyyy-mm}', at('2026-01-31T00:00:00Z'), 'UTC')).toBe('2025-12');
});

it('finds every word that it does not know, and leaves no other behind', () => {
  expect(unknownPeriodWords('a-{yyyy-mm}-{yyy}-{previous mm}-{}.csv')).toEqual([
    '{yyy}',
    '{previous mm}',
    '{}',
  ]);
  for (const word of PERIOD_WORDS) {
    expect(unknownPeriodWords(word)).toEqual([]);
    expect(withPeriod(word, at('2026-05-25T03:15:00Z'), 'Africa/Nairobi')).toMatch(/^[\d-]+$/);
  }
  expect(unknownPeriodWords('{constructor}{toString}')).toEqual(['{constructor}', '{toString}']);
});

it('gives names that sort as their months do', () => {
  const moments = fc.date({ min: new Date('1990-01-01'), max: new Date('2120-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, moments, (one, other) => {
      const [first, second] = [one, other].map((each) =>
        withPeriod('{yyyy-mm}', timestampOf(each.getTime()), 'Africa/Accra'),
      );
      expect((first ?? '') <= (second ?? '') || one > other).toBe(true);
      const previous = withPeriod('{previous yyyy-mm}', timestampOf(one.getTime()), 'Africa/Accra');
      expect(previous < (first ?? '')).toBe(true);
    }),
  );
});

it('knows the zones of the zone list and no offsets', () => {
  expect(['Africa/Nairobi', 'UTC', 'Europe/Paris'].map(isZone)).toEqual([true, true, true]);
  expect(['Africa/Nairob', '+03:00', '', 'EAT+3'].map(isZone)).toEqual([false, false, false, false]);
});
