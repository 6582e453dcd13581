/**
 * What the ledger asks of the machine it runs on, beside its file: time, turns, who else is alive, and a last
 * place to say something. Whoever owns time (a simulation) hands in another one.
 *
 * Units:   milliseconds; the clock of this file only measures how long something took.
 */
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Writer } from '../../domain/payout-event.ts';
import { isRunning, processStart } from './process-life.ts';

export interface Machine {
  /** Of this process. */
  readonly pid: number;
  readonly host: string;
  /** Never goes backwards. */
  monotonicMs(): number;
  /** Calls back when everything that waits now had its turn; with a delay, not before it has passed. */
  later(run: () => void, delayMs?: number): void;
  /** Calls back again and again until the returned function is called; keeps no process alive. */
  every(intervalMs: number, run: () => void): () => void;
  /** What tells a process from a later one of the same number; null where the system does not show it. */
  processStart(pid: number): string | null;
  isRunning(pid: number, started: unknown): boolean;
  /** Writes to the standard error output; may throw. */
  say(line: string): void;
}

export const THIS_MACHINE: Machine = {
  pid: process.pid,
  host: hostname(),
  monotonicMs: () => performance.now(),
  later(run, delayMs) {
    if (delayMs === undefined) setImmediate(run);
    else setTimeout(run, delayMs);
  },
  every(intervalMs, run) {
    const timer = setInterval(run, intervalMs).unref();
    return () => clearInterval(timer);
  },
  processStart,
  isRunning,
  say: (line) => void writeSync(2, line),
};

export function writerOf({
  pid,
  host,
  processStart: startOf,
}: Pick<Machine, 'pid' | 'host' | 'processStart'>): Writer {
  return { host, pid, started: startOf(pid) };
}
