/**
 * Stops on request. After the first SIGINT, SIGTERM or SIGHUP (closed terminal), payfile starts nothing new and waits
 * for transfers in flight. The second signal ends the process at once. It prints the number of rows in flight and the
 * next command. With workers, it first waits some seconds until the ledger recorded the stop. An uncaught bug stops the
 * work the same way, because money may be moving.
 */

import { stepLines } from '../../domain/next-steps/command.ts';
import { type ExitCode, Interrupted } from '../../domain/reporting/exit-code.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import type { InFlight } from '../../payfile.ts';
import type { ProcessContext, StopSignal } from '../process-context.ts';

export interface Stopping {
  readonly signal: AbortSignal;
  /** 130 or 143 after a signal, 1 after a bug; undefined if nothing stopped the work. */
  exitCode(): ExitCode | undefined;
  /**
   * Stops cleanly because nobody can answer, as for a closed terminal. `cause`: the error of the input. It is no bug,
   * even if it appears again.
   */
  abandon(cause?: unknown): void;
  /** Sets a callback for the first signal. */
  onFirst(onFirstSignal: () => void): void;
  /** Sets a function that counts rows in flight, for the second signal. */
  countInFlight(count: () => InFlight): void;
  /**
   * Sets a function for the next command after a second signal. undefined: no work started, so there is nothing to look at.
   * `workersContinue`: workers may send more.
   */
  setNextCommand(next: (workersContinue: boolean) => string | undefined): void;
  end(): void;
}

type StopContext = Pick<ProcessContext, 'stderr' | 'exit' | 'onSignal' | 'onBug'>;

/** SIGHUP (closed terminal) stops cleanly, like SIGTERM. */
const CODES: Readonly<Record<StopSignal, 130 | 143>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 };
/** Limit of the wait after a bug. Longer than any transfer takes. */
const BUG_WAIT_MS_MAX = 11 * 60_000;

/** Time that a server needs to record a stop. */
const TELL_WORKERS_MS = 5_000;
const LOOK_MS = 20;

export function listenForStop(context: StopContext): Stopping {
  const { stderr, exit } = context;
  const controller = new AbortController();
  let code: 130 | 143 | 1 | undefined;
  let inputError: unknown;
  let onFirstSignal = () => {};
  let inFlight = (): InFlight => ({ rows: 0, workers: undefined });
  let nextIs: (workersContinue: boolean) => string | undefined = () => undefined;
  let waiting: NodeJS.Timeout | undefined;
  const stop = (as: 130 | 143 | 1, why: string) => {
    code = as;
    onFirstSignal();
    controller.abort(new Interrupted(why, as));
  };
  const receive = (name: StopSignal) => {
    if (code === undefined) return stop(CODES[name], name);
    // A third signal does not wait.
    if (waiting !== undefined || inFlight().workers !== 'at_work') return leave(name);
    const endMs = performance.now() + TELL_WORKERS_MS;
    waiting = setInterval(() => {
      if (inFlight().workers !== 'at_work' || performance.now() > endMs) leave(name);
    }, LOOK_MS);
  };
  const leave = (name: StopSignal) => {
    clearInterval(waiting);
    const left = inFlight();
    stderr.write(immediateStopText(left, nextIs(left.workers === 'at_work')));
    exit(CODES[name]);
  };
  const onBug = (error: unknown) => {
    if (inputError !== undefined && error === inputError) return;
    const message = error instanceof Error ? error.message : String(error);
    stderr.write(`\nThis is a bug of payfile: ${message}\n`);
    setTimeout(() => exit(1), BUG_WAIT_MS_MAX).unref();
    if (code === undefined) stop(1, 'a bug');
  };
  const ends = [context.onSignal(receive), context.onBug(onBug)];
  return {
    signal: controller.signal,
    exitCode: () => code,
    abandon(cause) {
      inputError = cause;
      if (code === undefined) stop(CODES.SIGHUP, 'a closed input');
    },
    onFirst(callback) {
      onFirstSignal = callback;
    },
    countInFlight(count) {
      inFlight = count;
    },
    setNextCommand(next) {
      nextIs = next;
    },
    end() {
      clearInterval(waiting);
      for (const end of ends) end();
    },
  };
}

function immediateStopText(left: InFlight, next: string | undefined): string {
  // Keeps the command on its own line at any terminal width.
  const more = stepLines({ next })
    .map((line) => `\n${line}`)
    .join('');
  return `\nStopped at once. ${inFlightText(left)}${more}\n`;
}

function inFlightText({ rows, workers }: InFlight): string {
  if (workers === 'at_work')
    return 'The ledger did not record the stop for the workers. They may send more rows.';
  if (workers === 'stopped')
    return `${workersStopped(rows)}${rows === 0 ? '' : ' They record the outcomes.'}`;
  return rows === 0
    ? 'No row was in flight.'
    : `${rowsText(rows)} left in flight: ${rows === 1 ? 'it' : 'they'} will be in doubt.`;
}

/** `rows`: in flight when the ledger recorded the stop. */
export function workersStopped(rows: number): string {
  const inFlight =
    rows === 0 ? 'No row was in flight.' : `At most ${counted(rows, 'row was', 'rows were')} in flight.`;
  return `The workers start no new transfer. ${inFlight}`;
}
