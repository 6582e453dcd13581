/** The judge is no better than what it notices: each thing that must never happen is shown to it. */
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { type FileRow, someRows } from '../builders/payout-file.ts';
import { place, placedAs, runOf, told, type Work } from './commands.ts';
import { CoverageTable } from './coverage.ts';
import { Store } from './disk.ts';
import { checkEnd } from './end-check.ts';
import type { FaultPlan } from './faults.ts';
import { type Paper, type Scene, sceneOf, until } from './scene.ts';

const POLICY = { ...DEFAULT_POLICY, concurrency: 2, pollMinMs: 250, accountChanges: 'warn' as const };
const SMOOTH: FaultPlan = { has: () => false, strikes: () => false };

const store = await Store.make();
let scene: Scene;

const typed = async (work: Work<unknown>) => told(scene, await scene.start('runs').run(work));

/** Everybody is paid by a batch `may` of three rows. */
async function payMay(plan = SMOOTH): Promise<void> {
  const world = { plan, environment: 'sandbox', policy: POLICY } as const;
  scene = sceneOf(11, store, { coverage: new CoverageTable(), keepsLines: false, told: world });
  await bring('may', someRows(3));
  const may = scene.papers[0]?.batchId;
  if (may === undefined) throw new TypeError('There is no batch may');
  const asked = {
    agrees: true,
    skipsInvalid: true,
    deadlineMs: 90_000,
    signal: new AbortController().signal,
  };
  await until(typed(runOf(may, asked)), scene);
}

async function bring(name: string, rows: readonly FileRow[]): Promise<void> {
  const paper: Paper = { name, batchId: undefined, rows: [], trying: rows };
  scene.papers.push(paper);
  const work = place({
    ...{ rows, name, agrees: true, skipsInvalid: true, deadlineMs: 0, signal: new AbortController().signal },
    onImported: (id) => void scene.imported.set(Number(id), rows),
    onPlaced: (placed) => placedAs(paper, scene.papers, rows, placed),
  });
  await until(typed(work), scene);
}

function end(): void {
  for (const process of scene.processes) process.die();
  scene.eyes.close();
}
beforeEach(() => payMay());
afterEach(end);
afterAll(() => store.remove());

async function violations(): Promise<string> {
  await until(checkEnd(scene), scene);
  return scene.judge.violations.join('; ');
}
const firstExecution = () => {
  const [execution] = scene.oracle.book;
  if (execution === undefined) throw new TypeError('Nothing was executed');
  return execution;
};
/** Of the row at this place of all files. */
const payout = (nth: number) => [...scene.watch.payouts.keys()][nth] ?? 0;

it('has nothing to say of a run in which nothing went wrong', async () => {
  expect(await violations()).toBe('');
});

it('sees a row that was executed twice', async () => {
  const { id: _, ...order } = firstExecution();
  scene.judge.executed(scene.oracle.execute(order, undefined), payout(0));
  expect(await violations()).toContain('A: executed twice');
});

it('sees a request that no durable row stands for, and a second request of one attempt', async () => {
  scene.judge.writing('PF-00000000');
  scene.judge.writing(firstExecution().tag);
  expect(await violations()).toMatch(/PF-00000000 leaves, and no durable row.*two requests of attempt/);
});

it('sees a settled row that the service never executed', async () => {
  scene.oracle.book.shift();
  expect(await violations()).toContain('is settled by a transfer nobody made');
});

it('sees an execution of a row that the ledger calls unpaid, and a batch that nobody finished', async () => {
  await bring('june', someRows(1, { account: '0244999001' }));
  expect(await violations()).toContain('is still planned although nothing fails any more');
  const order = { ...firstExecution(), account: '0244999001' };
  scene.judge.executed(scene.oracle.execute(order, undefined), payout(3));
  expect(await violations()).toContain('is planned when it was executed, and the service executed it');
});

it('sees a row in doubt for which there is no cause, and lets one with a cause pass', async () => {
  end();
  let isLost = false;
  await payMay({
    has: () => false,
    strikes(kind) {
      const strikes = kind === 'answer_lost' && !isLost;
      isLost ||= strikes;
      return strikes;
    },
  });
  expect(await violations()).toBe('');
  scene.judge.unclear.clear();
  expect(await violations()).toContain('is in doubt (no_answer) without a cause');
});

it('sees a transfer id that came in a whole answer and is in no journal', async () => {
  const to = { name: 'p1', isAlive: () => true, isStopped: () => false, isDead: () => false };
  scene.judge.delivered.push({ id: 'tr-99', payout: payout(0), to });
  expect(await violations()).toContain('tr-99');
});

it('sees a row that is missing in the report', async () => {
  scene.imported.set(Number(scene.papers[0]?.batchId), someRows(4));
  expect(await violations()).toContain('the file has rows 2,3,4,5, the report has 2,3,4');
});
