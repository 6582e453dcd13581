/**
 * One history: from a seed, a disk and a table of what was covered, to what happened. The same seed gives the
 * same history, step by step.
 */
import type { CoverageTable } from '../simulated-world/coverage.ts';
import type { Store } from '../simulated-world/disk.ts';
import { checkEnd, heal } from '../simulated-world/end-check.ts';
import type { FaultName } from '../simulated-world/faults.ts';
import { type Scene, sceneOf } from '../simulated-world/scene.ts';
import type { SimProcess } from '../simulated-world/sim-process.ts';
import { operate } from './operators.ts';

export interface History {
  readonly seed: number;
  readonly rows: number;
  readonly steps: number;
  readonly executions: number;
  readonly deliveredIds: number;
  readonly hash: string;
  readonly struck: readonly FaultName[];
  readonly apart: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
  readonly lines: readonly string[];
}

export interface HistoryWorld {
  readonly store: Store;
  readonly coverage: CoverageTable;
  readonly keepsLines?: boolean;
}

const STEPS_MAX = 60_000;
const STOPS = [500, 3_000, 20_000, 600_000, 7_200_000] as const;
const CLOCK_STEPS = [-86_400_000, -3_600_000, -30_000, 30_000, 3_600_000, 86_400_000] as const;

export async function runHistory(
  seed: number,
  { store, coverage, keepsLines = false }: HistoryWorld,
): Promise<History> {
  const scene = sceneOf(seed, store, { coverage, keepsLines });
  const { scheduler, judge, faults, oracle, trace, papers, eyes } = scene;
  try {
    await until(operate(scene), scene, () => troubleProcesses(scene));
    faults.heal();
    for (const process of scene.processes) process.goOn();
    await until(heal(scene), scene);
    await until(checkEnd(scene), scene);
  } catch (error) {
    judge.violation(`the history broke: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    for (const process of scene.processes) process.die();
    eyes.close();
  }
  return {
    ...{ seed, steps: scheduler.steps, hash: trace.hash(), lines: trace.lines() },
    rows: papers.reduce((most, { rows }) => Math.max(most, rows.length), 0),
    executions: oracle.book.length,
    deliveredIds: judge.delivered.length,
    struck: [...faults.struck()],
    apart: Object.fromEntries(judge.apart),
    violations: judge.violations,
  };
}

/** Steps until the work is done; a history that neither ends nor moves is a violation of its own. */
async function until(
  work: Promise<void>,
  scene: Scene,
  beforeStep: () => void = () => undefined,
): Promise<void> {
  let isDone = false;
  let failure: { readonly error: unknown } | undefined;
  void work
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      isDone = true;
    });
  for (let steps = 0; !isDone; steps += 1) {
    beforeStep();
    const isMoving = await scene.scheduler.step(() => isDone);
    if (isDone) break;
    if (!isMoving) throw new Error('Nothing moves any more, and the work is not done');
    if (steps > STEPS_MAX) throw new Error('The work does not end');
  }
  if (failure !== undefined) throw failure.error;
}

/** What may befall a process, or the clock of its machine, between any two steps. */
function troubleProcesses(scene: Scene): void {
  const { faults, processes, random, wall } = scene;
  const running = processes.filter((process) => process.isAlive() && !process.isStopped());
  if (running.length > 0 && faults.strikes('crash')) struckAll(scene, 'crash', random.pick(running)).die();
  const left = running.filter((process) => process.isAlive());
  if (left.length > 0 && faults.strikes('suspended'))
    struckAll(scene, 'suspended', random.pick(left)).stop(random.pick(STOPS));
  if (faults.strikes('clock_step')) wall.offMs += random.pick(CLOCK_STEPS);
}

/** Such a fault strikes every row on the wire. */
function struckAll({ faults, watch }: Scene, kind: FaultName, process: SimProcess): SimProcess {
  for (const { id, payout } of watch.payouts.values())
    if (payout.state.status === 'sending') faults.hit(kind, id);
  return process;
}
