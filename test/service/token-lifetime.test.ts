/**
 * How long a token is used when its expiry names no zone.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatStamp } from '../../src/contract/wire-date.ts';
import {
  LIFETIME_MS_MAX,
  LIFETIME_MS_UNKNOWN,
  lifetimeOf,
  offsetOfStamp,
  renewalAgeOf,
} from '../../src/service/token-lifetime.ts';

const NOON = Date.UTC(2026, 4, 4, 12, 0, 0);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Hand-picked: Niue, Marquesas, New York, London, Lagos, Nairobi, Delhi, Kathmandu, Chatham in summer, Line Islands. */
const ZONES = [-660, -570, -300, 0, 60, 180, 330, 345, 825, 840];

describe('the lifetime of a token', () => {
  it.each(ZONES)('[T3] is exact once the zone (%i minutes) is proven', (offsetMinutes) => {
    for (const lifetime of [30_000, 20 * MINUTE, HOUR, 8 * HOUR]) {
      const expiry = formatStamp(NOON + lifetime, offsetMinutes);
      expect(lifetimeOf({ expiry, grantedAtMs: NOON, offsetMinutes })).toBe(lifetime);
    }
  });

  it.each(ZONES)('[T3] is never longer than granted while the zone (%i minutes) is not proven', (zone) => {
    for (const lifetime of [2 * MINUTE, 20 * MINUTE, HOUR, 90 * MINUTE, 8 * HOUR]) {
      const expiry = formatStamp(NOON + lifetime, zone);
      const assumed = lifetimeOf({ expiry, grantedAtMs: NOON, offsetMinutes: undefined });
      expect(assumed).toBeGreaterThanOrEqual(MINUTE);
      expect(assumed).toBeLessThanOrEqual(lifetime);
    }
  });

  it.each<[string, string, number]>([
    ['unreadable', 'tomorrow', LIFETIME_MS_UNKNOWN],
    ['empty', '', LIFETIME_MS_UNKNOWN],
    ['the first day of the calendar', '01/01/0001 00:00:00', LIFETIME_MS_UNKNOWN],
    ['a day that is none', '31/02/2026 10:00:00', LIFETIME_MS_UNKNOWN],
    ['an hour that is none', '04/05/2026 24:00:00', LIFETIME_MS_UNKNOWN],
    ['past in every zone', '01/05/2026 12:00:00', LIFETIME_MS_UNKNOWN],
    ['a year ahead', '04/05/2027 12:00:00', LIFETIME_MS_MAX],
    ['the last second of the calendar', '31/12/9999 23:59:59', LIFETIME_MS_MAX],
  ])('[T5] %s is clamped', (_what, expiry, expected) => {
    expect(lifetimeOf({ expiry, grantedAtMs: NOON, offsetMinutes: undefined })).toBe(expected);
    expect(lifetimeOf({ expiry, grantedAtMs: NOON, offsetMinutes: 0 })).toBe(expected);
  });

  it('[T1] reads 05/03 as the fifth of March, not the third of May', () => {
    const grantedAtMs = Date.UTC(2026, 2, 5, 9, 0, 0);
    expect(lifetimeOf({ expiry: '05/03/2026 10:00:00', grantedAtMs, offsetMinutes: 0 })).toBe(HOUR);
  });

  it('[T2][T5] is always positive and at most a day, whatever the service writes', () => {
    const stamp = fc.oneof(
      fc.string(),
      fc.date({ noInvalidDate: true }).map((at) => formatStamp(Math.max(0, at.getTime() % 4e12), 0)),
    );
    const offset = fc.option(
      fc.integer({ min: -48, max: 56 }).map((quarter) => quarter * 15),
      { nil: undefined },
    );
    fc.assert(
      fc.property(stamp, offset, (expiry, offsetMinutes) => {
        const lifetime = lifetimeOf({ expiry, grantedAtMs: NOON, offsetMinutes });
        expect(lifetime).toBeGreaterThan(0);
        expect(lifetime).toBeLessThanOrEqual(LIFETIME_MS_MAX);
      }),
    );
  });

  it('[T7] leaves room for a whole transfer, but never more than a fifth of itself', () => {
    expect(renewalAgeOf(HOUR, 120_000)).toBe(57 * MINUTE);
    expect(renewalAgeOf(5 * MINUTE, 120_000)).toBe(4 * MINUTE);
    expect(renewalAgeOf(10_000, 120_000)).toBe(8_000);
  });
});

describe('a day on which clocks are turned', () => {
  it.each([
    ['[T4] an hour that does not exist in Europe', '29/03/2026 02:30:00', Date.UTC(2026, 2, 29, 2, 30)],
    ['[T4] an hour that comes twice in Europe', '25/10/2026 02:30:00', Date.UTC(2026, 9, 25, 2, 30)],
  ])('%s never makes a token live longer than it does', (_what, expiry, wall) => {
    const before = process.env['TZ'];
    process.env['TZ'] = 'Europe/Paris';
    try {
      for (const [grantedAgoMs, offsetMinutes] of [
        [HOUR, 60],
        [HOUR, 120],
        [30 * MINUTE, 60],
      ] as const) {
        const endsAt = wall - offsetMinutes * MINUTE;
        const grantedAtMs = endsAt - grantedAgoMs;
        expect(lifetimeOf({ expiry, grantedAtMs, offsetMinutes })).toBe(grantedAgoMs);
        expect(lifetimeOf({ expiry, grantedAtMs, offsetMinutes: undefined })).toBeLessThanOrEqual(
          grantedAgoMs,
        );
      }
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });
});

describe('the proof of a zone', () => {
  it.each(ZONES)('[T3] is read off a stamp made in zone %i', (zone) => {
    expect(offsetOfStamp(formatStamp(NOON, zone), NOON)).toBe(zone);
    expect(offsetOfStamp(formatStamp(NOON, zone), NOON + 40_000)).toBe(zone);
  });

  it('[T3] is not taken from a stamp that is off, out of this world or unreadable', () => {
    expect(offsetOfStamp(formatStamp(NOON + 7 * MINUTE, 0), NOON)).toBeUndefined();
    expect(offsetOfStamp(formatStamp(NOON, 15 * 60), NOON)).toBeUndefined();
    expect(offsetOfStamp(formatStamp(NOON, -13 * 60), NOON)).toBeUndefined();
    expect(offsetOfStamp('just now', NOON)).toBeUndefined();
  });
});
