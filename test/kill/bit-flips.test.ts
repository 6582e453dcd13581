/** A few hundred flipped bits every day; tens of thousands in a soak (bit-flips.ts). */
import { expect, it } from 'vitest';
import { flipBits } from './bit-flips.ts';

it('[L23] a flipped bit is found, or changes nothing of any payment', async () => {
  const { found, silent } = await flipBits(300, 7);
  expect(silent).toEqual([]);
  expect(found).toBeGreaterThan(20);
}, 60_000);
