/** A server of the ledger that hangs while rows are on the wire, and Ctrl-C; the rest is in fleet/hanging-server.soak. */
import { expect, it } from 'vitest';
import { someMachines } from '../builders/machines.ts';
import { aRunThatHangs, isStopped } from '../fleet/hanging.ts';

const machines = someMachines();

it('Ctrl-C waits for no server that hangs, and no answered row is in doubt', async () => {
  const how = 'one connection, in a commit';
  const { code, stderr } = await isStopped(await aRunThatHangs(machines, how), how);
  expect(code, stderr).toBe(69);
  expect(stderr).toContain('it gave no answer after the stop');
  expect(stderr).toMatch(/\d transfers were begun before that; the ledger says what became of them/);
});
