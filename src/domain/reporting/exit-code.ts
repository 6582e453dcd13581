/**
 * The exit codes of a command, and which one wins when several apply. The outcome of the payments comes first: another
 * error never hides it.
 */

export const EXIT = {
  done: 0,
  bug: 1,
  exceptions: 3,
  onItsWay: 4,
  inDoubt: 5,
  stopped: 6,
  needsPerson: 10,
  usage: 64,
  badFile: 65,
  noFile: 66,
  serviceUnavailable: 69,
  reportUnwritable: 73,
  busy: 75,
  credentials: 77,
  config: 78,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Strongest first. A file with bad rows was stopped before anything was sent: mending it comes before running
 * again. The reason why nothing was sent comes before the results of earlier runs. An error while waiting for final
 * statuses comes before “on their way”, which would mean that only the deadline came.
 */
const PRECEDENCE: readonly ExitCode[] = [5, 1, 77, 65, 6, 130, 143, 69, 75, 78, 4, 73, 66, 64, 3, 10, 0];

/** No notification: money is on its way, or another process works on the batch. */
const NO_PROBLEM: readonly ExitCode[] = [EXIT.done, EXIT.onItsWay, EXIT.busy];

export function isProblem(code: ExitCode): boolean {
  return !NO_PROBLEM.includes(code);
}

/** The code that a script should see when all of these apply. */
export function strongest(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? 0;
}

/** The reason with which work is stopped: by which signal, or by a bug. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly code = 'interrupted';
  readonly exitCode: 1 | 130 | 143;
  constructor(by: string, exitCode: 1 | 130 | 143) {
    super(`stopped by ${by}`);
    this.exitCode = exitCode;
  }
}

/** A stop from outside shows in the exit code, whatever the result of the rows is. */
export function stopCodes(signal: AbortSignal | undefined): readonly ExitCode[] {
  if (signal?.aborted !== true) return [];
  const { reason } = signal;
  return [reason instanceof Interrupted ? reason.exitCode : EXIT.interrupted];
}
