/** A clock with the time of this machine, or of the ledger's server. */
import { timestampOf } from '../domain/timestamp.ts';
import type { Clock } from '../ports/clock.ts';

export interface SharedClock {
  readonly clock: Clock;
  /** Sets how far the server's clock is ahead of this machine. */
  readonly setAheadMs: (ms: number) => void;
  /** Milliseconds; undefined without a server, or before the first query. */
  readonly aheadMs: () => number | undefined;
}

/**
 * Once a server ledger is open, all machines use its time. So an approval or a quote has the same age on every machine.
 * The ledger reports the difference. Between reports, the clock of this machine continues.
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
    setAheadMs(ms) {
      aheadMs = ms;
    },
    aheadMs: () => aheadMs,
  };
}
