/** A machine that is new to a ledger on a server accepts it: the effects on all machines. */
import { expect, it } from 'vitest';
import { payrollOf, someMachines } from '../builders/machines.ts';
import type { Office } from '../builders/office.ts';

const machines = someMachines();
const RUN = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=100000'];

/** One that nothing was written to yet may be used by everybody. */
async function aWorkedOne() {
  const made = await machines(5);
  made.office.file('april.csv', payrollOf(1));
  const words = ['run', 'april.csv', '--batch', 'april', '--max-total', 'GHS=100000'];
  expect((await made.office.payfile(...words)).code).toBe(0);
  made.office.file('may.csv', payrollOf(2));
  return made;
}

/** As another machine: nothing is remembered on it. */
function asNew(office: Office, name: string): void {
  for (const kind of ['CONFIG', 'STATE']) office.env[`XDG_${kind}_HOME`] = office.at(`${name}-${kind}`);
}

it('says after an acceptance what holds for a server, and what ends the pause of a batch', async () => {
  const { office } = await aWorkedOne();
  asNew(office, 'new');
  const accepted = await office.payfile('verify', '--accept-ledger');
  expect(accepted.code, accepted.stderr).toBe(0);
  expect(accepted.stderr).toContain('This applies to all machines');
  expect(accepted.stderr).not.toContain('Use this one alone');
  const waiting = await office.payfile(...RUN);
  expect(waiting.code, waiting.stderr).toBe(6);
  expect(waiting.stdout + waiting.stderr).toContain('this ends it for all of them: payfile resume --all');
  expect((await office.payfile('status', 'may')).stdout).toContain('payfile resume --all');
  expect((await office.payfile('resume', '--all')).code).toBe(0);
  expect((await office.payfile(...RUN)).code).toBe(3);
});
