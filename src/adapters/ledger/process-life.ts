/**
 * Is the process with this number on this machine still the one that wrote its number down?
 */
import { readFileSync } from 'node:fs';

/** `started` is what processStart said of it then; null where the system does not show it. */
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
