/**
 * Another time and another machine: the clock is set to an instant and goes on from there, and the host is
 * `office`. Old ledgers are made and worked with in the days that they tell of, on any machine.
 *
 * Loaded with `--import` it takes the instant from PAYFILE_TEST_SHIFT_MS, for children; a test calls `setClock`.
 */

import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const RealDate = globalThis.Date;
let shiftMs = Number(process.env['PAYFILE_TEST_SHIFT_MS'] ?? 0);

class ShiftedDate extends RealDate {
  constructor(...words: unknown[]) {
    if (words.length === 0) super(RealDate.now() + shiftMs);
    else super(...(words as [number]));
  }
  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

/** From now on it is this instant, and time goes on. */
export function setClock(instant: string): void {
  shiftMs = shiftTo(instant);
}

/** How far the real clock is from an instant. */
export function shiftTo(instant: string): number {
  return RealDate.parse(instant) - RealDate.now();
}

globalThis.Date = ShiftedDate as DateConstructor;
os.hostname = () => 'office';
const { userInfo } = os;
os.userInfo = (() => ({ ...userInfo(), username: 'ama' })) as typeof os.userInfo;
syncBuiltinESMExports();
