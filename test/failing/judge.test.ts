/** The judge of the loops is no better than what it notices: each thing that must never happen is shown to it. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aRow } from '../builders/payout-file.ts';
import type { Executed } from '../fakes/scripted-payment-service.ts';
import { judge } from './judge.ts';
import type { Scenario } from './scenario.ts';
import { aScene, type Scene } from './scene.ts';
import { placeMay, runMay } from './sending-scenarios.ts';

const SMOOTH: Scenario = {
  name: 'a smooth run',
  steps: [placeMay, runMay],
  ends: { may: 'settled settled settled' },
};

let scene: Scene;
beforeEach(async () => {
  scene = await aScene(SMOOTH);
  for (const step of SMOOTH.steps) await step(scene.person());
});
afterEach(() => scene.close());

const book = () => scene.service.book as Executed[];
const complaints = async (scenario: Partial<Scenario> = {}) =>
  (await judge({ ...SMOOTH, ...scenario }, scene, undefined)).join('; ');

it('has nothing to say of a run in which nothing went wrong', async () => {
  expect(await complaints()).toBe('');
});

it('sees a row that was executed twice', async () => {
  const [first] = book();
  if (first !== undefined) book().push(first);
  expect(await complaints()).toMatch(/executed 2 times.*account …001 was paid 2 times/);
});

it('sees a transfer that the ledger does not know', async () => {
  const [first] = book();
  if (first !== undefined) book().push({ ...first, account: '0244999999', note: 'PF-00000000' });
  expect(await complaints()).toContain('executed and not known: PF-00000000');
});

it('sees a settled row that the service never executed', async () => {
  book().pop();
  expect(await complaints()).toContain('is settled and was executed 0 times');
});

it('sees a row, a batch or an end that is not as it should be', async () => {
  expect(await complaints({ ends: { may: 'settled settled' } })).toContain('3 rows, not 2');
  expect(await complaints({ ends: { may: 'settled failed settled' } })).toContain(
    'row 3 is settled, not failed',
  );
  expect(await complaints({ ends: {} })).toContain('batch may was not expected');
  expect(await complaints({ ends: { ...SMOOTH.ends, june: 'settled' } })).toContain('batch june is lost');
});

it('sees a batch that nobody finished, and more rows in doubt than there may be', async () => {
  const person = scene.person();
  await person.place([aRow(7)], 'june');
  await person.approve('june');
  expect(await complaints()).toContain('june is not finished');
  scene.service.turns.push('lose_after');
  await person.send('june');
  expect(await complaints({ ends: { ...SMOOTH.ends, june: 'settled' } })).toContain(
    '1 rows in doubt, 0 at the most',
  );
});
