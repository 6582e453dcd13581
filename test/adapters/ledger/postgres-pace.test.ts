/** How many slots of a shared pace are reserved at once, and when they are on our own clock. */
import { describe, expect, it } from 'vitest';
import { slotsAtOnce, slotTimes } from '../../../src/adapters/ledger/postgres/access/pace-on-server.ts';

describe('slots that are reserved at once', () => {
  it.each([
    [100, 1, 1],
    [100, 10, 10],
    [100, 64, 10],
    [400, 64, 40],
    [2, 5, 1],
    [0.5, 5, 1],
  ])('at %d a second with %d waiting: %d', (rate, waiting, count) => {
    expect(slotsAtOnce(rate, waiting)).toBe(count);
  });

  it('follow each other on our own clock, at the distance of the rate', () => {
    const reserved = { first: 5_030_000, now: 5_000_000, pausedUntil: 0 };
    const slots = slotTimes(reserved, { count: 3, spacingUs: 10_000, receivedMs: 700 });
    expect(slots.map(({ atMs }) => atMs)).toEqual([730, 740, 750]);
    expect(slots.map(({ pausedUntilMs }) => pausedUntilMs)).toEqual([0, 0, 0]);
  });

  it.each([
    ['over', 4_000_000, 0],
    ['of two seconds', 7_000_000, 2_700],
    ['by a clock that was set back', 9_000_000_000, 300_700],
  ])('tell of a pause %s', (_what, pausedUntil, pausedUntilMs) => {
    const [slot] = slotTimes(
      { first: 5_000_000, now: 5_000_000, pausedUntil },
      { count: 1, spacingUs: 10_000, receivedMs: 700 },
    );
    expect(slot).toEqual({ atMs: 700, pausedUntilMs });
  });
});
