/**
 * A clock that goes on while something hangs, so that whoever waits for less wakes first.
 *
 * It stands still while the ledger answers: a commit on a server takes many turns of the loop, and no time of the test.
 */
import type { Ports } from '../../src/use-cases/ports.ts';
import { withSilenceLimit } from '../../src/use-cases/silent-service.ts';
import type { VirtualClock } from '../fakes/virtual-clock.ts';
import { KEPT, type Workplace } from './workplace.ts';

/** As long as the real client asks: four tries of half a minute. */
export const TRIES_MS = 120_000;

/** Open calls of a ledger, by the clock of its workplace. */
const ledgerCalls = new WeakMap<VirtualClock, number>();

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
    if ((ledgerCalls.get(clock) ?? 0) === 0) clock.advance(100);
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
  const world = { ...place.world, ledger: countingLedger(place), clock: { ...clock, sleep } };
  return withSilenceLimit(world, patienceMs);
}

function countingLedger({ ledger, clock }: Workplace): Ports['ledger'] {
  const count = (by: number) => ledgerCalls.set(clock, (ledgerCalls.get(clock) ?? 0) + by);
  return new Proxy(ledger, {
    get: (_, key) => {
      const value: unknown = Reflect.get(ledger, key, ledger);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const result: unknown = value.apply(ledger, given);
        if (!(result instanceof Promise)) return result;
        count(1);
        return result.finally(() => count(-1));
      };
    },
  });
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
