/** The time of this machine, or of the server that a ledger stands on. */
import { timestampOf } from '../domain/timestamp.ts';
import type { Clock } from '../ports/clock.ts';

export interface SharedClock {
  readonly clock: Clock;
  readonly clockAhead: (ms: number) => void;
  /** Milliseconds; undefined: there is no server, or it was not asked yet. */
  readonly aheadMs: () => number | undefined;
}

/**
 * From when a ledger on a server is open, its time is everybody's: an approval, a quote or an entry of another machine is
 * then as old here as there. It is asked when the ledger asks; in between it goes on with this machine's.
 */
export function clockByServer(own: Clock): SharedClock {
  let aheadMs: number | undefined;
  return {
    clock: {
      now: () => timestampOf(own.now() + (aheadMs ?? 0)),
      monotonicMs: () => own.monotonicMs(),
      sleep: (...waiting) => own.sleep(...waiting),
      random: () => own.random(),
    },
    clockAhead(ms) {
      aheadMs = ms;
    },
    aheadMs: () => aheadMs,
  };
}
