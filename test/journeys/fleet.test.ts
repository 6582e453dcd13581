/** Two workers that share a ledger on a server pay one payroll. The service's book judges. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { payrollOf, someMachines, until } from '../builders/machines.ts';
import type { Office } from '../builders/office.ts';

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
    expect(stderr).toContain('Stopping: nothing is in flight.');
  }
  expect((await office.payfile('verify')).code).toBe(0);
}, 90_000);

it.each([20, 300])(
  'a second Ctrl-C %s ms after the first leaves no worker that begins a row, and says how many may be in flight',
  async (ms) => {
    const { office, service, worker } = await machines(60);
    office.file('may.csv', payrollOf(80));
    await worker('--concurrency', '2', '--lanes', '4');
    const paying = office.start(['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=100000']);
    await until(() => service.sandbox.book.size > 10);
    paying.child.kill('SIGINT');
    await wait(ms);
    paying.child.kill('SIGINT');
    const ended = await paying.ended;
    const sentThen = service.sandbox.book.size;
    expect(ended.code, ended.stderr).toBe(130);
    expect(ended.stderr).toContain('Stopped at once. The workers begin nothing more.');
    const inFlight = Number(/Stopped at once\..* At most (\d+) rows? w/.exec(ended.stderr)?.[1] ?? 0);
    await until(async () => (await counts(office)).sending === 0);
    expect(service.sandbox.book.size - sentThen).toBeLessThanOrEqual(inFlight);
    await wait(1_000);
    expect(service.sandbox.book.size).toBeLessThan(80);
    expect(await counts(office)).toMatchObject({ in_doubt: 0, sending: 0 });
    const rest = await office.start(['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=100000']).ended;
    expect(rest.code, rest.stderr).toBe(0);
    expect(service.sandbox.book.size).toBe(80);
  },
  300_000,
);

async function counts(office: Office): Promise<Readonly<Record<string, number>>> {
  return (await office.start(['status', 'may', '--json']).ended).json().counts ?? {};
}
