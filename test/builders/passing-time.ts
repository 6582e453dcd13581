/** A clock that goes on while something hangs, so that whoever waits for less wakes first. */
import type { Ports } from '../../src/use-cases/ports.ts';
import { withSilenceLimit } from '../../src/use-cases/silent-service.ts';
import { KEPT, type Workplace } from './workplace.ts';

/** As long as the real client asks: four tries of half a minute. */
export const TRIES_MS = 120_000;

/** Time passes step by step. */
export async function sleepThrough(
  { clock }: Workplace,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  const end = clock.monotonicMs() + milliseconds;
  while (clock.monotonicMs() < end) {
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) throw signal.reason;
    clock.advance(100);
  }
}

export async function whileTimePasses<Result>(
  place: Workplace,
  work: () => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const passing = sleepThrough(place, 3_600_000, over.signal).catch(() => undefined);
  const result = await work();
  over.abort();
  await passing;
  return result;
}

/** Waiting wakes when the time has come, and moves no time itself. */
export function patientWorld(place: Workplace, patienceMs: number): Ports {
  const { clock } = place;
  const sleep: typeof clock.sleep = async (milliseconds, signal) => {
    const end = clock.monotonicMs() + milliseconds;
    while (clock.monotonicMs() < end) {
      signal?.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return withSilenceLimit({ ...place.world, clock: { ...clock, sleep } }, patienceMs);
}

/** The looks for these transfers hang until the client gives up. Returns how often each transfer is asked for. */
export function lookUpsHang(
  place: Workplace,
  isHanging: (transfer: number) => boolean,
): ReadonlyMap<number, number> {
  const { transaction } = place.service;
  const asked = new Map<number, number>();
  place.service.transaction = async (id, signal) => {
    const transfer = Number(id.slice(3));
    asked.set(transfer, (asked.get(transfer) ?? 0) + 1);
    if (!isHanging(transfer)) return transaction(id, signal);
    await sleepThrough(place, TRIES_MS, signal ?? KEPT);
    return { kind: 'unavailable', reason: 'timeout' };
  };
  return asked;
}
