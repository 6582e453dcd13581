/**
 * A copied tree and the process that runs tests in it. If a run takes too long, the bench kills the process and its
 * children. The next run gets a new process and a new tree.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyTree, ROOT, type TestTree } from './test-tree.ts';
import type { RunOrder, RunResult } from './tree-runner.ts';

export type BenchResult = RunResult | { readonly timedOut: true };

const RUNNER = new URL('./tree-runner.ts', import.meta.url).pathname;

export class TestBench {
  readonly #root: string;
  #tree: TestTree | undefined;
  #child: ChildProcess | undefined;

  /** `root`: the project to copy. */
  constructor(root: string = ROOT) {
    this.#root = root;
  }

  async run(order: RunOrder, timeoutMs: number): Promise<BenchResult> {
    const result = await this.#runOnce(order, timeoutMs);
    // Vitest's module cache can break after hundreds of changes. Such a failure proves nothing.
    if ('timedOut' in result || result.broken?.includes('Internal server error') !== true) return result;
    this.#kill();
    return this.#runOnce(order, timeoutMs);
  }

  async #runOnce(order: RunOrder, timeoutMs: number): Promise<BenchResult> {
    this.#child ??= await this.#start();
    const child = this.#child;
    child.send(order);
    const { promise, resolve } = Promise.withResolvers<BenchResult>();
    const timer = setTimeout(() => resolve({ timedOut: true }), timeoutMs);
    const onMessage = (result: RunResult) => resolve(result);
    const onExit = () =>
      resolve({ passed: [], failed: [], broken: 'the process that ran the tests ended', unhandled: [] });
    child.once('message', onMessage).once('exit', onExit);
    const result = await promise;
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit);
    if ('timedOut' in result || child.exitCode !== null) this.#kill();
    return result;
  }

  close(): void {
    this.#kill();
  }

  async #start(): Promise<ChildProcess> {
    this.#tree ??= copyTree(this.#root);
    const child = spawn(process.execPath, [RUNNER, this.#tree.path], {
      // A process group of its own, so that all children of a hanging test end with it.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: environment(),
    });
    await once(child, 'message');
    return child;
  }

  #kill(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
    this.#tree?.remove();
    this.#tree = undefined;
  }
}

export interface Benches {
  /** How many work at once. */
  readonly count: number;
  /** The project to copy. */
  readonly root: string;
}

/** Runs a list on several benches at once, in the order of the list. */
export async function onBenches<Item>(
  items: readonly Item[],
  { count, root }: Benches,
  work: (item: Item, bench: TestBench) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const benches = Array.from({ length: count }, () => new TestBench(root));
  try {
    await Promise.all(
      benches.map(async (bench) => {
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item, bench);
      }),
    );
  } finally {
    for (const bench of benches) bench.close();
  }
}

/** The environment without the variables that an outer Vitest sets for its workers. */
function environment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_OPTIONS$)/.test(name));
  return Object.fromEntries(kept);
}
