/**
 * The dates of the service: day before month, no zone, and only days that are on a calendar.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatStamp, formatTransactionDate, parseStamp } from '../../src/contract/wire-date.ts';

const SECOND = 1_000;
const instant = fc.integer({ min: Date.UTC(2024, 0, 1) / SECOND, max: Date.UTC(2040, 11, 31) / SECOND });
const offset = fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * 15);

describe('a stamp', () => {
  it('[T1] is read back as the wall time it was written from, in every zone, from 2024 to 2040', () => {
    fc.assert(
      fc.property(instant, offset, (seconds, offsetMinutes) => {
        const at = seconds * SECOND;
        expect(parseStamp(formatStamp(at, offsetMinutes))).toBe(at + offsetMinutes * 60 * SECOND);
      }),
    );
  });

  it('[T1] of every day from 2024 to 2040 puts the day first', () => {
    for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2041, 0, 1); at += 86_400_000) {
      const day = new Date(at);
      const text = formatStamp(at, 0);
      expect(text.slice(0, 5)).toBe(
        `${String(day.getUTCDate()).padStart(2, '0')}/${String(day.getUTCMonth() + 1).padStart(2, '0')}`,
      );
      expect(parseStamp(text)).toBe(at);
    }
  });

  it.each<[string, number | undefined]>([
    ['25/12/2026 23:59:59', Date.UTC(2026, 11, 25, 23, 59, 59)],
    ['05/03/2026 10:00:00', Date.UTC(2026, 2, 5, 10)],
    ['5/3/2026 9:00:00', Date.UTC(2026, 2, 5, 9)],
    ['  05/03/2026  10:00:00 ', Date.UTC(2026, 2, 5, 10)],
    ['29/02/2028 00:00:00', Date.UTC(2028, 1, 29)],
    ['29/02/2026 00:00:00', undefined],
    ['31/02/2026 00:00:00', undefined],
    ['31/04/2026 00:00:00', undefined],
    ['00/01/2026 00:00:00', undefined],
    ['01/13/2026 00:00:00', undefined],
    ['12/25/2026 00:00:00', undefined],
    ['01/01/2026 24:00:00', undefined],
    ['01/01/2026 10:60:00', undefined],
    ['01/01/2026 10:00:60', undefined],
    ['01/01/0001 00:00:00', undefined],
    ['2026-03-05 10:00:00', undefined],
    ['05/03/26 10:00:00', undefined],
    ['05/03/2026 10:00', undefined],
    ['05/03/2026T10:00:00Z', undefined],
    ['', undefined],
  ])('[T1][T5] %s', (text, expected) => {
    expect(parseStamp(text)).toBe(expected);
  });

  it('[T2] never throws and never gives NaN', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\d{1,2}\/\d{1,2}\/\d{4} \d{1,2}:\d\d:\d\d$/)),
        (text) => {
          const at = parseStamp(text);
          expect(at === undefined || Number.isSafeInteger(at)).toBe(true);
        },
      ),
    );
  });
});

describe('the date of a transaction', () => {
  it.each([
    ['04/05/2026 12:00 am', Date.UTC(2026, 4, 4, 0), 0],
    ['04/05/2026 12:00 pm', Date.UTC(2026, 4, 4, 12), 0],
    ['04/05/2026 01:05 pm', Date.UTC(2026, 4, 4, 13, 5, 59), 0],
    ['04/05/2026 11:59 pm', Date.UTC(2026, 4, 4, 22, 59), 60],
    ['05/05/2026 12:30 am', Date.UTC(2026, 4, 4, 18, 30), 360],
    ['03/05/2026 11:00 pm', Date.UTC(2026, 4, 4, 1), -120],
  ])('%s', (expected, at, offsetMinutes) => {
    expect(formatTransactionDate(at, offsetMinutes)).toBe(expected);
  });
});
