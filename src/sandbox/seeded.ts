/**
 * Invented values without a random generator: each is a hash of a seed and of what it is for, so the same seed always
 * gives the same value, in whatever order it is asked.
 */
import { hash } from 'node:crypto';

// Crockford's alphabet, lower case: no i, l, o or u to be misread.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 32 bytes that depend on the seed and on every part. */
export function seededBytes(seed: string, ...parts: readonly (string | number)[]): Buffer {
  return hash('sha256', JSON.stringify([seed, ...parts]), 'buffer');
}

/** Text of `length` letters and digits (at most 32) that cannot be guessed from its neighbours. */
export function seededText(length: number, seed: string, ...parts: readonly (string | number)[]): string {
  const bytes = seededBytes(seed, ...parts);
  let text = '';
  for (let index = 0; index < length; index += 1) text += ALPHABET.charAt((bytes[index] ?? 0) & 31);
  return text;
}
