/** A server of the ledger that hangs for some seconds while rows are on the wire; 60 s of it are in fleet/hanging-server.soak. */
import { expect, it } from 'vitest';
import { someMachines } from '../builders/machines.ts';
import { aRunThatHangs, HANGS, isStopped, outlasts } from '../fleet/hanging.ts';

const machines = someMachines();

it('signs of life go on beside a commit that hangs, and what was answered meanwhile is recorded', async () => {
  const how = 'one connection, in a commit';
  await outlasts(await aRunThatHangs(machines, how), how, 6_000);
});

it.each(HANGS)('Ctrl-C waits for no server that hangs, and no answered row is in doubt: %s', async (how) => {
  const { code, stderr } = await isStopped(await aRunThatHangs(machines, how), how);
  expect(code, stderr).toBe(69);
  expect(stderr).toContain('it gave no answer after the stop');
  expect(stderr).toMatch(/\d transfers were begun before that; the ledger says what became of them/);
});
