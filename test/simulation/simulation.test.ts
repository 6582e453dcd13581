/**
 * The simulator, every day: some dozens of histories of the real application and the real ledger with faults of
 * every kind, judged by the service's own book. A failing seed prints the command that plays it again; what it
 * showed gets a test of its own.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CoverageTable } from '../simulated-world/coverage.ts';
import { Store } from '../simulated-world/disk.ts';
import { FAULT_NAMES, type FaultName } from '../simulated-world/faults.ts';
import { play as playOne } from './any-history.ts';
import { type History, type HistoryKind, replayOf } from './history.ts';

/** Of each kind. */
const HISTORIES = Number(process.env.PAYFILE_TEST_HISTORIES ?? 30);
/** On a busy machine fewer histories are run; these at least, and all of them where somebody asks for a number. */
const HISTORIES_MIN = Number(process.env.PAYFILE_TEST_HISTORIES ?? 25);
const BUDGET_MS = 10_000;
const FROM = Number(process.env.PAYFILE_TEST_SEED ?? 1);
const TIME_MS_MAX = 300_000;
/** In so many histories every kind of fault has struck, each in four of them at least. */
const ENOUGH_FOR_ALL = 75;
/** Of offices alone. */
const NOT_ON_THE_WIRE: readonly FaultName[] = ['foreign_id'];

let store: Store;
beforeEach(async () => {
  store = await Store.make();
});
afterEach(() => store.remove());

const play = (kind: HistoryKind, seed: number, hasWorkers = false) =>
  playOne({ seed, kind, hasWorkers }, { store, coverage: new CoverageTable() });

/** Empty when all is well; else each violation with how to see it again. */
const storyOf = (history: History) =>
  history.violations.map((violation) => `${violation}\n  ${replayOf(history)}`);

/** As many as there is time for. One of six has workers and a server that loses answers. */
async function playMany(kind: HistoryKind): Promise<readonly History[]> {
  const played: History[] = [];
  const endMs = performance.now() + BUDGET_MS;
  const isTimeLeft = () => played.length < HISTORIES_MIN || performance.now() < endMs;
  for (let seed = FROM; seed < FROM + HISTORIES && isTimeLeft(); seed += 1) {
    const history = await play(kind, seed, seed % 6 === 0);
    expect(storyOf(history)).toEqual([]);
    played.push(history);
  }
  return played;
}

describe('never pays a row twice and never loses one', () => {
  it(
    '[N25][N26][N28][E9][E10][E12][E14][T6][T9][L11][L34][B3][B4] whatever fails, dies, lies or is ruled, in any order',
    async () => {
      const played = await playMany('wire');
      // Proof that the histories were worth something: every kind of fault struck, in batches of real size.
      const struck = new Set(played.flatMap((history) => history.struck));
      const idle = FAULT_NAMES.filter((kind) => !struck.has(kind) && !NOT_ON_THE_WIRE.includes(kind));
      expect(idle.length).toBeLessThanOrEqual(played.length >= ENOUGH_FOR_ALL ? 0 : 15);
      const rows = played.map((history) => history.rows).toSorted((a, b) => a - b);
      expect(rows[rows.length >> 1]).toBeGreaterThanOrEqual(12);
    },
    TIME_MS_MAX,
  );
});

it(
  'sends only what somebody saw and agreed to, and nothing twice, whatever is released, corrected, or moves',
  async () => {
    const played = await playMany('office');
    const executions = played.reduce((sum, history) => sum + history.executions, 0);
    expect(executions).toBeGreaterThan(played.length);
  },
  TIME_MS_MAX,
);

it(
  'plays the same seed the same way, step by step',
  async () => {
    for (const [kind, seed, hasWorkers] of [
      ['wire', 11, false],
      ['wire', 13, true],
      ['office', 12, false],
      ['office', 14, true],
    ] as const) {
      const [first, second] = [await play(kind, seed, hasWorkers), await play(kind, seed, hasWorkers)];
      expect(second.hash).toBe(first.hash);
      expect(first.steps).toBeGreaterThan(50);
    }
  },
  TIME_MS_MAX,
);
