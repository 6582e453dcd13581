/**
 * Stopping on request. The first SIGINT or SIGTERM starts nothing new and waits for what is in flight; the
 * second ends the process at once and says how many rows are left in flight.
 */
import type { ExitCode } from './exit-code.ts';

export interface Stopping {
  readonly signal: AbortSignal;
  /** 130 or 143 after a signal; undefined when none came. */
  exitCode(): ExitCode | undefined;
  /** Told once, when the first signal comes. */
  onFirst(tell: () => void): void;
  /** How many requests are on the wire now; asked at the second signal. */
  countInFlight(count: () => number): void;
  end(): void;
}

/** The reason with which the work is aborted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly code = 'interrupted';
}

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

export function listenForStop(): Stopping {
  const controller = new AbortController();
  let code: 130 | 143 | undefined;
  let tell = () => {};
  let inFlight = () => 0;
  const receive = (name: keyof typeof CODES) => {
    if (code === undefined) {
      code = CODES[name];
      tell();
      controller.abort(new Interrupted(`stopped by ${name}`));
      return;
    }
    const rows = inFlight();
    const left =
      rows === 0 ? 'No row was in flight.' : `${rows} row(s) left in flight: they will be in doubt.`;
    process.stderr.write(`\nStopped at once. ${left}\n`);
    process.exit(CODES[name]);
  };
  const onInterrupt = () => receive('SIGINT');
  const onTerminate = () => receive('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    signal: controller.signal,
    exitCode: () => code,
    onFirst(callback) {
      tell = callback;
    },
    countInFlight(count) {
      inFlight = count;
    },
    end() {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    },
  };
}
