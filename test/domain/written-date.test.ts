/** Dates of the service and of statements: read strictly, and never trusted further than their zone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTransactionDate } from '../../src/contract/wire-date.ts';
import { dateDifference, mayBeDated } from '../../src/domain/payouts/attempt.ts';
import { provenOrder, readDate } from '../../src/domain/text/written-date.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';

const HOUR = 3_600_000;
const utc = (...parts: [number, number, number, number?, number?, number?]) => Date.UTC(...parts);

describe('a date', () => {
  it.each([
    ['25/12/2026 11:59 pm', utc(2026, 11, 25, 23, 59), 60_000],
    ['25/12/2026 12:00 am', utc(2026, 11, 25), 60_000],
    ['05/03/2026 10:00:00', utc(2026, 2, 5, 10), 1_000],
    ['5.3.2026', utc(2026, 2, 5), 24 * HOUR],
    ['2026-03-05', utc(2026, 2, 5), 24 * HOUR],
    ['20260925', utc(2026, 8, 25), 24 * HOUR],
    ['25/09/26', utc(2026, 8, 25), 24 * HOUR],
    ['25.09.26 10:00', utc(2026, 8, 25, 10), 60_000],
    ['25 Sep 2026', utc(2026, 8, 25), 24 * HOUR],
    ['25-Sep-26', utc(2026, 8, 25), 24 * HOUR],
    ['25SEP2026', utc(2026, 8, 25), 24 * HOUR],
    ['25 September 2026 14:30', utc(2026, 8, 25, 14, 30), 60_000],
    ['Sep 25, 2026', utc(2026, 8, 25), 24 * HOUR],
    ['September 25th, 2026', utc(2026, 8, 25), 24 * HOUR],
    ['25 sept. 2026', utc(2026, 8, 25), 24 * HOUR],
    ['1er août 2026', utc(2026, 7, 1), 24 * HOUR],
    ['3 févr. 2026', utc(2026, 1, 3), 24 * HOUR],
    ['14-juil-2026', utc(2026, 6, 14), 24 * HOUR],
    ['14 juin 2026', utc(2026, 5, 14), 24 * HOUR],
    ['25 de setembro de 2026', utc(2026, 8, 25), 24 * HOUR],
    ['7/Mar/2026', utc(2026, 2, 7), 24 * HOUR],
    ['7 março 2026', utc(2026, 2, 7), 24 * HOUR],
    ['12-dez-26', utc(2026, 11, 12), 24 * HOUR],
    ['5 out 2026', utc(2026, 9, 5), 24 * HOUR],
    ['8 fev 2026', utc(2026, 1, 8), 24 * HOUR],
    ['9 mai 2026', utc(2026, 4, 9), 24 * HOUR],
    ['2026-03-05T10:00:01.250Z', utc(2026, 2, 5, 10, 0, 1), 1_000],
    ['2026-03-05 10:00+02:00', utc(2026, 2, 5, 8), 60_000],
  ])('“%s” is read to what it leaves open', (text, from, span) => {
    const read = readDate(text, 'day_first');
    expect(read?.from).toBe(from);
    expect((read?.until ?? 0) - from).toBe(span);
  });

  it.each([
    '31/02/2026',
    '00/01/2026',
    '12/13/2026',
    '25 Sex 2026',
    '25 ju 2026',
    '31 Sep 2026',
    '20261325',
    '25092026',
    '25/12/6',
    '25/12/2026 24:00:00',
    '25/12/2026 13:00 pm',
    '25/12/2026 10:60',
    'yesterday',
    '',
    '1'.repeat(500),
  ])('“%s” is none', (text) => {
    expect(readDate(text, 'day_first')).toBeUndefined();
  });

  it('is told day first or month first only where it leaves no choice', () => {
    expect(provenOrder('25/12/2026')).toBe('day_first');
    expect(provenOrder('12/25/2026')).toBe('month_first');
    expect(provenOrder('2026-05-12')).toBe('either');
    expect(provenOrder('05/05/2026')).toBe('either');
    expect(provenOrder('05/12/2026')).toBeUndefined();
    expect(provenOrder('05/12/26')).toBeUndefined();
    expect(provenOrder('05 Dec 2026')).toBe('either');
  });
});

describe('the window of an attempt', () => {
  const window = { from: utc(2026, 10, 20, 12), until: utc(2026, 10, 20, 12, 2) };

  it('[E11] takes any date that a clock in any zone can have shown meanwhile', () => {
    const minutes = fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarter) => quarter * 15);
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 120_000 }), (offset, passed) => {
        const seen = formatTransactionDate(window.from + passed, offset);
        expect(dateDifference(seen, window)).toEqual([]);
      }),
    );
  });

  it('[E11] takes no date of another day', () => {
    expect(dateDifference('19/11/2026 08:00 pm', window)).toHaveLength(1);
    expect(dateDifference('21/11/2026 03:03 am', window)).toHaveLength(1);
    expect(dateDifference('20/11/2025 12:00 pm', window)).toHaveLength(1);
  });

  it('says of a date that cannot be read that it cannot, and nothing of one that is not there', () => {
    expect(dateDifference('soon', window)).toEqual([expect.stringContaining('“soon”')]);
    expect(dateDifference(undefined, window)).toEqual([]);
    expect(dateDifference(' ', window)).toEqual([]);
  });

  it('allows for no zone where the date names its own', () => {
    const at = readDate('2026-11-20T14:00:00Z', 'day_first');
    expect(at && mayBeDated(at, window)).toBe(false);
    expect(at && mayBeDated(at, window, 2 * HOUR)).toBe(true);
    expect(timestampOf(window.from)).toBe(window.from);
  });
});
