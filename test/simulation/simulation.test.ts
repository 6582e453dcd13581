/**
 * The simulator, every day: some dozens of histories of the real application and the real ledger with faults of
 * every kind, judged by the service's own book. A failing seed prints the command that plays it again; it then
 * belongs into regression-seeds.ts.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CoverageTable } from '../simulated-world/coverage.ts';
import { Store } from '../simulated-world/disk.ts';
import { FAULT_NAMES } from '../simulated-world/faults.ts';
import { type History, replayOf, runHistory } from './history.ts';
import { REGRESSION_SEEDS } from './regression-seeds.ts';

const HISTORIES = Number(process.env.PAYFILE_TEST_HISTORIES ?? 30);
/** On a busy machine fewer histories are run; these at least, and all of them where somebody asks for a number. */
const HISTORIES_MIN = Number(process.env.PAYFILE_TEST_HISTORIES ?? 25);
const BUDGET_MS = 10_000;
const FROM = Number(process.env.PAYFILE_TEST_SEED ?? 1);
const TIME_MS_MAX = 300_000;
/** In so many histories every kind of fault has struck, each in four of them at least. */
const ENOUGH_FOR_ALL = 75;

let store: Store;
beforeEach(() => {
  store = new Store();
});
afterEach(() => store.remove());

const play = (seed: number, hasWorkers = false) =>
  runHistory(seed, { store, coverage: new CoverageTable(), hasWorkers });
/** One in so many has workers and a server that loses answers; the soak has them in all. */
const WITH_WORKERS = 6;

/** Empty when all is well; else each violation with how to see it again. */
const storyOf = (history: History) =>
  history.violations.map((violation) => `${violation}\n  ${replayOf(history)}`);

describe('never pays a row twice and never loses one', () => {
  it(
    '[N25][N26][N28][E9][E10][E12][E14][T6][T9][L11][L34][B3][B4] whatever fails, dies, lies or is ruled, in any order',
    async () => {
      const struck = new Set<string>();
      const rows: number[] = [];
      const endMs = performance.now() + BUDGET_MS;
      const isTimeLeft = () => rows.length < HISTORIES_MIN || performance.now() < endMs;
      for (let seed = FROM; seed < FROM + HISTORIES && isTimeLeft(); seed += 1) {
        const history = await play(seed, seed % WITH_WORKERS === 0);
        expect(storyOf(history)).toEqual([]);
        for (const kind of history.struck) struck.add(kind);
        rows.push(history.rows);
      }
      // Proof that the histories were worth something: every kind of fault struck, in batches of real size.
      const idle = FAULT_NAMES.filter((kind) => !struck.has(kind));
      expect(idle.length).toBeLessThanOrEqual(rows.length >= ENOUGH_FOR_ALL ? 0 : 15);
      expect(rows.toSorted((a, b) => a - b)[rows.length >> 1]).toBeGreaterThanOrEqual(12);
    },
    TIME_MS_MAX,
  );

  it.each(REGRESSION_SEEDS)(
    'where it once went otherwise: $showed (seed $seed)',
    async ({ seed, hasWorkers }) => {
      expect(storyOf(await play(seed, hasWorkers))).toEqual([]);
    },
    TIME_MS_MAX,
  );
});

it(
  'plays the same seed the same way, step by step',
  async () => {
    for (const [seed, hasWorkers] of [
      [11, false],
      [12, false],
      [13, true],
    ] as const) {
      const [first, second] = [await play(seed, hasWorkers), await play(seed, hasWorkers)];
      expect(second.hash).toBe(first.hash);
      expect(first.steps).toBeGreaterThan(50);
    }
  },
  TIME_MS_MAX,
);
