import { expect, it } from 'vitest';
import { isTimeZone, WallClock } from '../../src/domain/time-zone.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';

const at = (text: string) => timestampOf(Date.parse(text));

it('shows an instant as the clocks of the zone do, in summer and in winter', () => {
  expect(new WallClock().minute(at('2026-05-25T23:30:00Z'))).toBe('2026-05-25 23:30');
  const nairobi = new WallClock('Africa/Nairobi');
  expect(nairobi.minute(at('2026-05-25T23:30:00Z'))).toBe('2026-05-26 02:30');
  expect(nairobi.day(at('2026-12-31T22:00:00Z'))).toBe('2027-01-01');
  const berlin = new WallClock('Europe/Berlin');
  expect(berlin.minute(at('2026-03-29T00:59:00Z'))).toBe('2026-03-29 01:59');
  expect(berlin.minute(at('2026-03-29T01:00:00Z'))).toBe('2026-03-29 03:00');
});

it('knows zones by their names', () => {
  expect(['UTC', 'Africa/Lagos', '', 'Mars/Olympus', 'x'].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it.each([
  ['UTC', '2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['Africa/Nairobi', '2026-05-01', '2026-04-30T21:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  // Clocks go from 00:00 to 01:00: the day begins at 01:00.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  // Clocks go from 00:00 back to 23:00 of the day before.
  ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'],
  // A day that was left out begins with the next one.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
])('begins a day in %s: %s', (zone, day, start) => {
  const clock = new WallClock(zone);
  expect(new Date(clock.startOf(day)).toISOString()).toBe(start);
});

it('refuses what is no day', () => {
  expect(() => new WallClock('UTC').startOf('2026-02-30')).toThrow(RangeError);
});
