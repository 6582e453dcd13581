/** A server of the ledger that gives no answer for a minute while rows are on the wire. */
import { it } from 'vitest';
import { someMachines } from '../builders/machines.ts';
import { aRunThatHangs, HANGS, outlasts } from './hanging.ts';

const machines = someMachines();

it.each(HANGS)(
  'a minute is outlasted, and what was answered meanwhile is recorded: %s',
  async (how) => {
    await outlasts(await aRunThatHangs(machines, how), how, 60_000);
  },
  300_000,
);
