/** A server of the ledger that gives no answer for a minute while rows are on the wire. */
import { expect, it } from 'vitest';
import { someMachines } from '../builders/machines.ts';
import { aRunThatHangs, areStopped, HANGS, isStopped, outlasts } from './hanging.ts';

const machines = someMachines();

it.each(HANGS)(
  'a minute is outlasted, and what was answered meanwhile is recorded: %s',
  async (how) => {
    await outlasts(await aRunThatHangs(machines, how), how, 60_000);
  },
  300_000,
);

it('Ctrl-C waits for no connection that hangs, and no answered row is in doubt', async () => {
  const how = 'one connection, in a commit';
  const { code, stderr } = await isStopped(await aRunThatHangs(machines, how), how);
  expect(code, stderr).toBe(69);
  expect(stderr).toContain('it gave no answer after the stop');
  expect(stderr).toMatch(/\d transfers were started before that\. The ledger knows the state of each/);
}, 300_000);

it('Ctrl-C waits for no server that hangs whole', async () => {
  const how = 'the whole server';
  expect((await isStopped(await aRunThatHangs(machines, how), how)).code).toBe(69);
}, 300_000);

it('Ctrl-C ends a run that watches, and its worker, while the server hangs', async () => {
  await areStopped(await aRunThatHangs(machines, 'the whole server', true));
}, 300_000);
