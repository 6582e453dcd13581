/**
 * Retry-After and Date, as servers really write them.
 */
import { describe, expect, it } from 'vitest';
import { parseHttpDate, parseRetryAfter } from '../../src/service/http-date.ts';

const NOW = Date.UTC(2026, 4, 4, 12, 0, 0);

describe('a service that asks us to wait', () => {
  it.each<[string | undefined, number | undefined]>([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['300', 300_000],
    ['1000000000', 86_400_000],
    ['99999999999999999999999', 86_400_000],
    ['Mon, 04 May 2026 12:00:09 GMT', 9_000],
    ['Mon, 04 May 2099 12:00:00 GMT', 86_400_000],
    ['Mon, 04 May 2026 11:00:00 GMT', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    ['Mon, 04 Foo 2026 12:00:09 GMT', undefined],
    ['Monday, 04-May-26 12:00:09 GMT', undefined],
  ])('[H9] Retry-After: %s', (text, expected) => {
    expect(parseRetryAfter(text, NOW)).toBe(expected);
  });

  it('shows its clock in the Date header', () => {
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(784_111_777_000);
  });
});
