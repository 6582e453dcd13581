/**
 * What the ledger needs from the machine apart from its file: a timer, which processes are alive, and standard error. A
 * simulation passes in its own.
 *
 * Units:   milliseconds; the clock of this file only measures how long something took.
 */
import { readFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Writer } from '../domain/payouts/payout-event.ts';

export interface Machine {
  /** Of this process. */
  readonly pid: number;
  readonly host: string;
  /** Never goes backwards. */
  monotonicMs(): number;
  /** Calls back after everything that waits now has run; with a delay, not before it has passed. */
  later(run: () => void, delayMs?: number): void;
  /** Calls back again and again, without waiting for what comes of it, until the returned function is called; keeps no process alive. */
  every(intervalMs: number, run: () => unknown): () => void;
  /** Identifies a process among later ones with the same number; null where the system does not show it. */
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

export function writerOf(machine: Pick<Machine, 'pid' | 'host' | 'processStart'>): Writer {
  const { host, pid } = machine;
  return { host, pid, started: machine.processStart(pid) };
}

/** Whether the process still runs. `started` is what processStart said of it then; null where the system does not show it. */
export function isRunning(pid: number, started: unknown): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const startNow = processStart(pid);
  // A number that another process was given since then is not the holder.
  return startNow === null || started === null || startNow === started;
}

/** Boot and start tick of a process on Linux; null where the system does not show it. */
export function processStart(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in brackets may hold spaces; the start tick is the 20th field after it.
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return null;
  }
}
