/**
 * The sum of many histories, made in parts and added up.
 */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { CoverageTable } from '../simulated-world/coverage.ts';
import type { Store } from '../simulated-world/disk.ts';
import { play, playedAs } from './any-history.ts';
import type { History } from './history.ts';

export interface Tally {
  histories: number;
  faulty: number;
  steps: number;
  executions: number;
  deliveredIds: number;
  violations: number;
  /** How many histories had how many rows. */
  readonly rows: number[];
  readonly apart: Record<string, number>;
  readonly failures: Failure[];
  readonly together: readonly number[];
  readonly direct: readonly number[];
}

export interface Failure {
  readonly seed: number;
  readonly violations: readonly string[];
  /** Of what happened, in order: a seed that is played again has the same, unless something else than the seed decides. */
  readonly hash: string;
  /** The same seed at once once more, in the same process. */
  readonly again: { readonly hash: string; readonly violations: number };
}

const FAILURES_KEPT = 20;

export function emptyTally(): Tally {
  const sums = { histories: 0, faulty: 0, steps: 0, executions: 0, deliveredIds: 0, violations: 0 };
  return { ...sums, rows: [], apart: {}, failures: [], ...new CoverageTable().saved() };
}

/** Runs the seeds one after another. */
export async function tallyOf(seeds: readonly number[], store: Store): Promise<Tally> {
  const coverage = new CoverageTable();
  const tally = emptyTally();
  for (const seed of seeds) {
    const history = await play(playedAs(seed), { store, coverage });
    addHistory(tally, history);
    if (history.violations.length > 0 && tally.failures.length < FAILURES_KEPT)
      tally.failures.push(await failureOf(history, store));
  }
  return { ...tally, ...coverage.saved() };
}

export function addTallies(one: Tally, other: Tally): Tally {
  const coverage = new CoverageTable(one);
  coverage.add(other);
  const apart = { ...one.apart };
  for (const [kind, count] of Object.entries(other.apart)) apart[kind] = (apart[kind] ?? 0) + count;
  const rows = [...one.rows];
  other.rows.forEach((count, index) => {
    rows[index] = (rows[index] ?? 0) + (count ?? 0);
  });
  return {
    histories: one.histories + other.histories,
    faulty: one.faulty + other.faulty,
    steps: one.steps + other.steps,
    executions: one.executions + other.executions,
    deliveredIds: one.deliveredIds + other.deliveredIds,
    violations: one.violations + other.violations,
    ...{ rows, apart },
    failures: [...one.failures, ...other.failures].slice(0, FAILURES_KEPT),
    ...coverage.saved(),
  };
}

export function medianRows({ rows, histories }: Tally): number {
  let seen = 0;
  for (const [count, many] of rows.entries()) {
    seen += many ?? 0;
    if (seen * 2 >= histories) return count;
  }
  return 0;
}

function addHistory(tally: Tally, history: History): void {
  tally.histories += 1;
  tally.faulty += history.struck.length > 0 ? 1 : 0;
  tally.steps += history.steps;
  tally.executions += history.executions;
  tally.deliveredIds += history.deliveredIds;
  while (tally.rows.length <= history.rows) tally.rows.push(0);
  tally.rows[history.rows] = (tally.rows[history.rows] ?? 0) + 1;
  for (const [kind, count] of Object.entries(history.apart))
    tally.apart[kind] = (tally.apart[kind] ?? 0) + count;
  tally.violations += history.violations.length;
}

/** What a process that ran for long has kept may decide, too: a new one that plays the seed would not show that. */
async function failureOf({ seed, violations, hash }: History, store: Store): Promise<Failure> {
  const again = await play(playedAs(seed), { store, coverage: new CoverageTable() });
  return { seed, violations, hash, again: { hash: again.hash, violations: again.violations.length } };
}

export interface SoakDone {
  readonly done: readonly number[];
  readonly tally: Tally;
}

export interface SoakSums {
  load(): SoakDone | undefined;
  save(done: SoakDone): void;
}

export function sumsIn(path: string): SoakSums {
  return {
    load: () => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SoakDone) : undefined),
    save: (done) => {
      writeFileSync(`${path}.new`, JSON.stringify(done));
      renameSync(`${path}.new`, path);
    },
  };
}
