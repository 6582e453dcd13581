/**
 * Ends the processes that a test started, also when the test fails.
 *
 * Why:     a stopped child keeps the output of its worker open, and the run would never end.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';

const started = new Set<ChildProcess>();
const keeping = new AsyncLocalStorage<true>();

/** From now on, `endChildren` knows every process that this one starts. */
export function watchChildren(): void {
  subscribe('child_process', (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    if (keeping.getStore() === true) return;
    started.add(child);
    child.once('exit', () => started.delete(child));
  });
}

/** For a process that serves several tests or files. The code that starts it also ends it. */
export function keepChild<Result>(start: () => Result): Result {
  return keeping.run(true, start);
}

export function runningChildren(): readonly ChildProcess[] {
  return [...started];
}

/** Ends these processes and all that they started. */
export function endChildren(children: Iterable<ChildProcess>): void {
  for (const { pid } of children)
    if (pid !== undefined) for (const one of withDescendants(pid)) killIfThere(one);
}

/** `SIGKILL` reaches a stopped process, too. */
export function killIfThere(pid: number, signal: 'SIGINT' | 'SIGKILL' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

/** The process, its children, their children and so on. */
export function withDescendants(pid: number): number[] {
  const all = [pid];
  const parents = parentsById();
  for (const one of all) for (const [id, parent] of parents) if (parent === one) all.push(id);
  return all;
}

function parentsById(): ReadonlyMap<number, number> {
  return new Map(process.platform === 'linux' ? parentsInProc() : parentsFromPs());
}

/** Reads /proc, because small images have no `ps`. */
function* parentsInProc(): Iterable<[number, number]> {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // “(name) state parent”: the name may hold any character.
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      yield [Number(name), Number(parent)];
    } catch {
      // The process ended meanwhile.
    }
  }
}

function parentsFromPs(): [number, number][] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return [pid ?? 0, parent ?? 0];
  });
}
