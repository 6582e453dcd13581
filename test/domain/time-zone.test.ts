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
