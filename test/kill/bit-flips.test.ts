/** A few hundred flipped bits every day, thousands with SOAK=1. */
import { expect, it } from 'vitest';
import { flipBits } from './bit-flips.ts';

const IS_SOAK = process.env['SOAK'] === '1';

it('[L23] a flipped bit is found, or changes nothing of any payment', { timeout: 1_800_000 }, async () => {
  const { found, silent } = await flipBits(IS_SOAK ? 10_000 : 200, 7);
  expect(silent).toEqual([]);
  expect(found).toBeGreaterThan(20);
});
