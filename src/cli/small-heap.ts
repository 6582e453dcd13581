/**
 * Keeps the heap of the command small. Left alone, V8 grows the space of young objects step by step to 3 × 16 MB and the
 * old one up to fourfold: 330 MB for 100,000 rows that need 210. Young objects have 16 MB from the start, in which the rows
 * of a page die before they are copied; the old space at most doubles. Less costs time (a tenth of that of staging with a
 * quarter at a time), more saves none. Takes effect at any time, before anything is loaded best of all. Only for the
 * command: a program that uses the library has a heap of its own.
 *
 * Apart from bin.ts, which runs the command as soon as it is imported.
 */
import { setFlagsFromString } from 'node:v8';

export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--min-semi-space-size=16');
  setFlagsFromString('--heap-growing-percent=100');
}
