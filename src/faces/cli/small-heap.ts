/**
 * Keeps the heap of the command small. Left alone, V8 grows the space of young objects to 3 × 16 MB and the old
 * one with it; rows live shorter than that, so only memory is lost. The old space grows by a quarter at a time
 * instead of up to fourfold: a workbook of 200,000 rows stays below 300 MB. Takes effect at any time, before
 * anything is loaded best of all. Only for the command: a program that uses the library has a heap of its own.
 *
 * Apart from bin.ts, which runs the command as soon as it is imported.
 */
import { setFlagsFromString } from 'node:v8';

export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=25');
}
