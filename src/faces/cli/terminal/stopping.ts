/**
 * Stopping on request. The first SIGINT, SIGTERM or SIGHUP (the terminal was closed) starts nothing new and
 * waits for what is in flight; the second ends the process at once and says how many rows are left in flight, and
 * what to type next.
 * A bug that nobody caught stops the work in the same orderly way, because money may be moving.
 */

import { stepLines } from '../../../domain/next-steps/command.ts';
import { type ExitCode, Interrupted } from '../../../domain/reporting/exit-code.ts';
import { rowsText } from '../../../domain/text/printable.ts';
import type { ProcessContext, StopSignal } from '../process-context.ts';

export interface Stopping {
  readonly signal: AbortSignal;
  /** 130 or 143 after a signal, 1 after a bug; undefined when nothing stopped the work. */
  exitCode(): ExitCode | undefined;
  /**
   * Nobody is left who could answer: a clean stop, as when the terminal is closed. `cause` is what the input broke with;
   * it is no bug, wherever it turns up again.
   */
  abandon(cause?: unknown): void;
  /** Called once, at the first signal. */
  onFirst(tell: () => void): void;
  /** How many requests are on the wire now; asked at the second signal. */
  countInFlight(count: () => number): void;
  /** What to type after a second signal; asked then. undefined: nothing was begun that has to be looked at. */
  nextWouldBe(next: () => string | undefined): void;
  end(): void;
}

type StopContext = Pick<ProcessContext, 'stderr' | 'exit' | 'onSignal' | 'onBug'>;

/** SIGHUP (the terminal was closed) is handled like SIGTERM: a clean stop. */
const CODES: Readonly<Record<StopSignal, 130 | 143>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 };
/** Longer than any transfer takes; after a bug, waiting for an event that never comes must have an end. */
const BUG_DRAIN_MS = 11 * 60_000;

export function listenForStop(context: StopContext): Stopping {
  const { stderr, exit } = context;
  const controller = new AbortController();
  let code: 130 | 143 | 1 | undefined;
  let broken: unknown;
  let tell = () => {};
  let inFlight = () => 0;
  let nextIs: () => string | undefined = () => undefined;
  const stop = (as: 130 | 143 | 1, why: string) => {
    code = as;
    tell();
    controller.abort(new Interrupted(why, as));
  };
  const receive = (name: StopSignal) => {
    if (code === undefined) return stop(CODES[name], name);
    const next = nextIs();
    // A command of its own line, whatever the terminal's width.
    const more = stepLines({ next })
      .map((line) => `\n${line}`)
      .join('');
    stderr.write(`\nStopped at once. ${leftIn(inFlight())}${more}\n`);
    exit(CODES[name]);
  };
  const onBug = (error: unknown) => {
    if (broken !== undefined && error === broken) return;
    const message = error instanceof Error ? error.message : String(error);
    stderr.write(`\nThis is a bug of payfile: ${message}\n`);
    setTimeout(() => exit(1), BUG_DRAIN_MS).unref();
    if (code === undefined) stop(1, 'a bug');
  };
  const ends = [context.onSignal(receive), context.onBug(onBug)];
  return {
    signal: controller.signal,
    exitCode: () => code,
    abandon(cause) {
      broken = cause;
      if (code === undefined) stop(CODES.SIGHUP, 'a closed input');
    },
    onFirst(callback) {
      tell = callback;
    },
    countInFlight(count) {
      inFlight = count;
    },
    nextWouldBe(next) {
      nextIs = next;
    },
    end() {
      for (const end of ends) end();
    },
  };
}

function leftIn(rows: number): string {
  return rows === 0
    ? 'No row was in flight.'
    : `${rowsText(rows)} left in flight: ${rows === 1 ? 'it' : 'they'} will be in doubt.`;
}
