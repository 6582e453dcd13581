/** The judge is no better than what it notices: each thing that must never happen is shown to it. */
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { someRows } from '../builders/payout-file.ts';
import { byAccount, FIRST, placeMay, runMay, type Scenario } from '../failing/scenario.ts';
import { begin, judgeEnd, Sweep } from '../failing/sweep.ts';
import { Store } from './disk.ts';
import { until } from './scene.ts';

const SMOOTH: Scenario = {
  name: 'a smooth run',
  steps: [placeMay, runMay],
  ends: { may: 'settled settled settled' },
};

const store = await Store.make();
let begun: ReturnType<typeof begin>;
const play = async (scenario: Scenario = SMOOTH) => {
  begun = begin(scenario, store, new Sweep(scenario));
  const { scene, person } = begun;
  const steps = async () => {
    for (const step of scenario.steps) await step(person);
  };
  await until(steps(), scene);
};
beforeEach(() => play());
afterEach(() => begun.end());
afterAll(() => store.remove());

const violations = async (scenario: Partial<Scenario> = {}) => {
  await judgeEnd({ ...SMOOTH, ...scenario }, begun, false);
  return begun.scene.judge.violations.join('; ');
};
const firstExecution = () => {
  const [execution] = begun.scene.oracle.book;
  if (execution === undefined) throw new TypeError('Nothing was executed');
  return execution;
};
const firstPayout = () => Number(begun.person.payouts('may')[0]?.id);

it('has nothing to say of a run in which nothing went wrong', async () => {
  expect(await violations()).toBe('');
});

it('sees a row that was executed twice', async () => {
  const { scene } = begun;
  const { id: _, ...order } = firstExecution();
  scene.judge.executed(scene.oracle.execute(order, undefined), firstPayout());
  expect(await violations()).toMatch(/A: executed twice.*account …00\d was paid 2 times/);
});

it('sees a request that no durable row stands for, and a second request of one attempt', async () => {
  begun.scene.judge.writing('PF-00000000');
  begun.scene.judge.writing(firstExecution().tag);
  expect(await violations()).toMatch(/PF-00000000 leaves, and no durable row.*two requests of attempt/);
});

it('sees a settled row that the service never executed', async () => {
  begun.scene.oracle.book.shift();
  expect(await violations()).toContain('is settled by a transfer nobody made');
});

it('sees an execution of a row that the ledger calls unpaid, and a batch that nobody finished', async () => {
  begun.end();
  const june = someRows(1, { account: '0244999001' });
  const ends = { ...SMOOTH.ends, june: 'settled' };
  await play({ ...SMOOTH, steps: [...SMOOTH.steps, (person) => person.place(june, 'june')], ends });
  expect(await violations({ ends })).toContain('is still planned although nothing fails any more');
  const { scene, person } = begun;
  const order = { ...firstExecution(), account: '0244999001' };
  scene.judge.executed(scene.oracle.execute(order, undefined), Number(person.payouts('june')[0]?.id));
  expect(await violations({ ends })).toContain(
    'is planned when it was executed, and the service executed it',
  );
});

it('sees a row in doubt for which there is no cause, and lets one with a cause pass', async () => {
  begun.end();
  const lost = { ...SMOOTH, service: byAccount({ [FIRST]: 'answer_lost' }) };
  await play(lost);
  expect(await violations()).toBe('');
  begun.scene.judge.unclear.clear();
  expect(await violations()).toContain('is in doubt (no_answer) without a cause');
});

it('sees a transfer id that came in a whole answer and is in no journal', async () => {
  const { scene } = begun;
  const to = { name: 'p1', isAlive: () => true, isStopped: () => false, isDead: () => false };
  scene.judge.delivered.push({ id: 'tr-99', payout: firstPayout(), to });
  expect(await violations()).toContain('tr-99');
});

it('sees a row that is missing in the report', async () => {
  const { scene, person } = begun;
  scene.imported.set(Number(person.batch('may')), someRows(4));
  expect(await violations()).toContain('the file has rows 2,3,4,5, the report has 2,3,4');
});

it('sees a row, a batch or an end that is not as it should be', async () => {
  expect(await violations({ ends: { may: 'settled settled' } })).toContain('3 rows, not 2');
  expect(await violations({ ends: { may: 'settled failed settled' } })).toContain(
    'row 3 is settled, not failed',
  );
  expect(await violations({ ends: { ...SMOOTH.ends, june: 'settled' } })).toContain('june: 0 rows, not 1');
});
