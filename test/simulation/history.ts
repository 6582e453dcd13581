/**
 * One history: from a seed, a disk and a table of what was covered, to what happened. The same seed gives the
 * same history, step by step.
 */

import { told } from '../simulated-world/commands.ts';
import type { CoverageTable } from '../simulated-world/coverage.ts';
import type { Store } from '../simulated-world/disk.ts';
import { checkEnd, finishWork } from '../simulated-world/end-check.ts';
import type { FaultName } from '../simulated-world/faults.ts';
import { type Scene, sceneOf, troubleProcesses, until } from '../simulated-world/scene.ts';
import { operate } from './operators.ts';
import { withdraw } from './people.ts';

export interface History {
  readonly seed: number;
  /** `office`: few faults, many decisions about money. */
  readonly kind: HistoryKind;
  readonly hasWorkers: boolean;
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

export type HistoryKind = 'wire' | 'office';

export interface HistoryWorld {
  readonly store: Store;
  readonly coverage: CoverageTable;
  readonly keepsLines?: boolean;
  /** Workers share the ledger, whose server loses answers. */
  readonly hasWorkers?: boolean;
}

/** Share of histories in which an institution pays in another currency in the end. */
const LIST_CHANGES = 0.1;
/** Share of batches of which somebody withdraws rows before the work is finished. */
const LATE_WITHDRAWALS = 0.25;

export async function runHistory(
  seed: number,
  { store, coverage, keepsLines = false, hasWorkers = false }: HistoryWorld,
): Promise<History> {
  const scene = sceneOf(seed, store, { coverage, keepsLines, hasWorkers });
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
    ...{ seed, kind: 'wire', hasWorkers, steps: scheduler.steps, hash: trace.hash(), lines: trace.lines() },
    rows: papers.reduce((most, { rows }) => Math.max(most, rows.length), 0),
    executions: oracle.book.length,
    deliveredIds: judge.delivered.length,
    struck: [...faults.struck()],
    apart: Object.fromEntries(judge.apart),
    violations: judge.violations,
  };
}

export function replayOf({ seed, kind, hasWorkers }: Pick<History, 'seed' | 'kind' | 'hasWorkers'>): string {
  return `node test/simulation/replay.ts ${seed} --${kind}${hasWorkers ? ' --workers' : ''} --trace`;
}

/** Somebody withdraws rows, an institution changes its currency; then everyone finishes the work. */
async function heal(scene: Scene): Promise<void> {
  const { papers, random, oracle } = scene;
  for (const { batchId } of papers)
    if (batchId !== undefined && random.chance(LATE_WITHDRAWALS))
      told(scene, await scene.start('decides').run((world) => withdraw(batchId, world, scene)));
  // Of a file that may or may not have become the batch's, a refusal would not tell which.
  const isKnown = papers.every(({ batchId, trying }) => batchId !== undefined && trying === undefined);
  if (isKnown && random.chance(LIST_CHANGES)) oracle.market.changeCurrencies();
  await finishWork(scene, { bringsAgain: true });
}
