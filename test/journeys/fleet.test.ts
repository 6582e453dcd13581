/** Two workers that share a ledger on a server pay one payroll. The service's book judges. */
import { expect, it } from 'vitest';
import { payrollOf, someMachines } from '../builders/machines.ts';

const machines = someMachines();

it('two workers pay one payroll, each row once, and whoever asked gets the outcome', async () => {
  const { office, service, worker } = await machines(20);
  office.file('may.csv', payrollOf(40));
  const lanes = ['--concurrency', '2', '--lanes', '2'];
  const workers = await Promise.all([worker(...lanes), worker(...lanes)]);
  const run = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=100000', '--json'];
  const paid = await office.start(run).ended;
  expect(paid.code, paid.stderr).toBe(0);
  expect(paid.json()).toMatchObject({ ties: true, counts: { settled: 40 } });
  expect(service.sandbox.book.size).toBe(40);
  for (const { child } of workers) child.kill('SIGTERM');
  for (const { code, stderr } of await Promise.all(workers.map((each) => each.ended))) {
    expect(code, stderr).toBe(143);
    expect(stderr).toMatch(/Sending may, part \d of 4: taken/);
    expect(stderr).toContain('Stopping: no transfer is in flight.');
  }
  expect((await office.payfile('verify')).code).toBe(0);
}, 90_000);
