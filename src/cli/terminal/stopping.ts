/**
 * Stopping on request. The first SIGINT, SIGTERM or SIGHUP (the terminal was closed) starts nothing new and
 * waits for what is in flight; the second ends the process at once and says how many rows are left in flight, and
 * what to type next. Where workers do the work, the second one waits until they are told, for some seconds.
 * A bug that nobody caught stops the work in the same orderly way, because money may be moving.
 */

import { stepLines } from '../../domain/next-steps/command.ts';
import { type ExitCode, Interrupted } from '../../domain/reporting/exit-code.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import type { InFlight } from '../../payfile.ts';
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
  /** What is on the wire now; asked at the second signal. */
  countInFlight(count: () => InFlight): void;
  /**
   * What to type after a second signal; asked then. undefined: nothing was begun that has to be looked at. `goesOn`: workers
   * may send more.
   */
  nextWouldBe(next: (goesOn: boolean) => string | undefined): void;
  end(): void;
}

type StopContext = Pick<ProcessContext, 'stderr' | 'exit' | 'onSignal' | 'onBug'>;

/** SIGHUP (the terminal was closed) is handled like SIGTERM: a clean stop. */
const CODES: Readonly<Record<StopSignal, 130 | 143>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 };
/** Longer than any transfer takes; after a bug, waiting for an event that never comes must have an end. */
const BUG_DRAIN_MS = 11 * 60_000;

/** As long as a server that answers needs to write a stop down. */
const TELL_WORKERS_MS = 5_000;
const LOOK_MS = 20;

export function listenForStop(context: StopContext): Stopping {
  const { stderr, exit } = context;
  const controller = new AbortController();
  let code: 130 | 143 | 1 | undefined;
  let broken: unknown;
  let tell = () => {};
  let inFlight = (): InFlight => ({ rows: 0, workers: undefined });
  let nextIs: (goesOn: boolean) => string | undefined = () => undefined;
  let waiting: NodeJS.Timeout | undefined;
  const stop = (as: 130 | 143 | 1, why: string) => {
    code = as;
    tell();
    controller.abort(new Interrupted(why, as));
  };
  const receive = (name: StopSignal) => {
    if (code === undefined) return stop(CODES[name], name);
    // A third one waits for nobody.
    if (waiting !== undefined || inFlight().workers !== 'at_work') return leave(name);
    const endMs = performance.now() + TELL_WORKERS_MS;
    waiting = setInterval(() => {
      if (inFlight().workers !== 'at_work' || performance.now() > endMs) leave(name);
    }, LOOK_MS);
  };
  const leave = (name: StopSignal) => {
    clearInterval(waiting);
    const left = inFlight();
    stderr.write(textAtOnce(left, nextIs(left.workers === 'at_work')));
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
      clearInterval(waiting);
      for (const end of ends) end();
    },
  };
}

function textAtOnce(left: InFlight, next: string | undefined): string {
  // A command of its own line, whatever the terminal's width.
  const more = stepLines({ next })
    .map((line) => `\n${line}`)
    .join('');
  return `\nStopped at once. ${leftIn(left)}${more}\n`;
}

function leftIn({ rows, workers }: InFlight): string {
  if (workers === 'at_work') return 'The workers were not told to stop: they may send more rows.';
  if (workers === 'stopped')
    return `${workersStopped(rows)}${rows === 0 ? '' : ' They write down what becomes of them.'}`;
  return rows === 0
    ? 'No row was in flight.'
    : `${rowsText(rows)} left in flight: ${rows === 1 ? 'it' : 'they'} will be in doubt.`;
}

/** `rows`: on the wire when the ledger took the stop. */
export function workersStopped(rows: number): string {
  const flying =
    rows === 0 ? 'No row was in flight.' : `At most ${counted(rows, 'row was', 'rows were')} in flight.`;
  return `The workers begin nothing more. ${flying}`;
}
