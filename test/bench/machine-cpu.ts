/**
 * CPU time in ms of the other processes of a benchmark (those of PostgreSQL, and those beside), and of all that runs on the
 * machine. From /proc, so on Linux only.
 */
import { readFileSync } from 'node:fs';
import { withDescendants } from '../builders/child-processes.ts';

/** A tick of the kernel's counters. */
const TICK_MS = 10;

interface OthersCpu {
  readonly server: number;
  readonly beside: number;
  readonly machine: number;
}

/** Of all that `root` started, but for this process and `root` itself. Ended connections count with the server. */
export function othersCpu(root: number): OthersCpu {
  let [server, beside] = [0, 0];
  for (const pid of withDescendants(root)) {
    if (pid === process.pid || pid === root) continue;
    const { name, ms } = cpuOf(pid);
    if (name === 'postgres') server += ms;
    else beside += ms;
  }
  return { server, beside, machine: machineMs() };
}

function cpuOf(pid: number): { readonly name: string; readonly ms: number } {
  try {
    const [head = '', tail = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/);
    const name = head.slice(head.indexOf('(') + 1);
    const fields = tail.split(' ');
    // utime, stime; and of a server's ended connections cutime, cstime.
    const own = Number(fields[11]) + Number(fields[12]);
    const ended = name === 'postgres' ? Number(fields[13]) + Number(fields[14]) : 0;
    return { name, ms: (own + ended) * TICK_MS };
  } catch {
    return { name: '', ms: 0 };
  }
}

/** user, nice, system; irq, softirq. */
function machineMs(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.split(/\s+/).slice(1).map(Number);
  return [0, 1, 2, 5, 6].reduce((sum, index) => sum + (ticks[index] ?? 0), 0) * TICK_MS;
}
