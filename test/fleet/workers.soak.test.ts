/**
 * Workers that share a ledger on a server. A worker is killed or stopped, a run is stopped, no worker is left, and four
 * workers share one session. The service's book shows what was paid.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connectPg } from '../../src/ledger/pg-connection.ts';
import { parseScenario } from '../../src/sandbox/scenarios.ts';
import { payrollOf, someMachines, until } from '../builders/machines.ts';
import type { LiveService, Office } from '../builders/office.ts';

const machines = someMachines();

async function status(office: Office): Promise<Readonly<Record<string, number>>> {
  const { json } = await office.start(['status', 'may', '--json']).ended;
  return json().counts ?? {};
}

const executedTwice = ({ sandbox }: LiveService) => {
  const accounts = sandbox.book.entries().map(({ account }) => account);
  return accounts.filter((account, index) => accounts.indexOf(account) !== index);
};

const RUN = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=100000'];

const RUN_SLOW = [...RUN, '--deadline', '2m'];

it('a worker that dies leaves rows in doubt at the most, and another one pays the rest', async () => {
  const { office, service, worker } = await machines(60);
  office.file('may.csv', payrollOf(160));
  const [dying, living] = [
    await worker('--concurrency', '2', '--lanes', '2'),
    await worker('--concurrency', '2', '--lanes', '2'),
  ];
  const paying = office.start(RUN_SLOW);
  await Promise.race([dying.saw(', part '), paying.ended]);
  await until(() => service.sandbox.book.size > 20);
  dying.child.kill('SIGKILL');
  const paid = await paying.ended;
  const { in_doubt: inDoubt = 0 } = await status(office);
  expect(inDoubt).toBeLessThanOrEqual(4);
  expect(service.sandbox.book.size).toBeGreaterThanOrEqual(160 - inDoubt);
  expect(executedTwice(service)).toEqual([]);
  expect([0, 5]).toContain(paid.code);
  living.child.kill('SIGTERM');
  expect((await office.payfile('verify')).code).toBe(0);
}, 300_000);

it('a worker that is stopped leaves its part to others, without a row in doubt', async () => {
  const { office, service, worker } = await machines(60);
  office.file('may.csv', payrollOf(160));
  const leaving = await worker('--concurrency', '2', '--lanes', '2');
  const staying = await worker('--concurrency', '2', '--lanes', '2');
  const paying = office.start(RUN_SLOW);
  await Promise.race([leaving.saw(', part '), paying.ended]);
  await until(() => service.sandbox.book.size > 20);
  leaving.child.kill('SIGTERM');
  expect((await leaving.ended).code).toBe(143);
  const paid = await paying.ended;
  expect(paid.code, paid.stderr + staying.child.pid).toBe(0);
  expect(service.sandbox.book.size).toBe(160);
}, 300_000);

it('the run that asked can stop the sending, and a later run pays the rest', async () => {
  const { office, service, worker } = await machines(60);
  office.file('may.csv', payrollOf(200));
  await worker('--concurrency', '2', '--lanes', '4');
  const paying = office.start(RUN);
  await until(() => service.sandbox.book.size > 10);
  paying.child.kill('SIGINT');
  const stopped = await paying.ended;
  expect(stopped.code, stopped.stderr).toBe(6);
  const sent = service.sandbox.book.size;
  expect(sent).toBeLessThan(200);
  expect(await status(office)).toMatchObject({ in_doubt: 0, sending: 0 });
  const paid = await office.start(RUN).ended;
  expect(paid.code, paid.stderr).toBe(0);
  expect(service.sandbox.book.size).toBe(200);
}, 300_000);

it.each(['waiting for a worker', 'at the workers'])(
  'a run goes on when somebody deleted every job row while its sending was %s',
  async (when) => {
    const { office, service, place, worker } = await machines(60);
    office.file('may.csv', payrollOf(80));
    const isWaiting = when === 'waiting for a worker';
    const client = await connectPg(place);
    const jobs = `${place.schema}_jobs.job`;
    const deleteJobs = async () =>
      (await client.query(`DELETE FROM ${jobs} WHERE name LIKE 'send%' AND state <= 'active'`)).rowCount ?? 0;
    const first = await worker(
      '--concurrency',
      '2',
      '--lanes',
      '2',
      ...(isWaiting ? ['--queues', 'price,settle'] : []),
    );
    // So that it is asked for, and nobody takes it yet.
    if (isWaiting)
      await client.query(
        `UPDATE ${place.schema}_jobs.fleet_workers SET facts = jsonb_set(facts, '{queues}', '["price", "settle", "send-head", "send", "recover"]')`,
      );
    const paying = office.start(RUN_SLOW);
    let deleted = 0;
    await until(async () => {
      if (isWaiting || service.sandbox.book.size > 10) deleted += await deleteJobs();
      return deleted > 0;
    });
    if (isWaiting) await worker('--concurrency', '2', '--lanes', '2');
    const paid = await paying.ended;
    await client.end();
    expect(paid.code, paid.stderr + first.child.pid).toBe(0);
    expect(service.sandbox.book.size).toBe(80);
    expect(executedTwice(service)).toEqual([]);
  },
  300_000,
);

it('a worker with a wrong password of the service ends with 77, and the run goes on at another one', async () => {
  const { office, service, worker } = await machines(60);
  office.file('may.csv', payrollOf(40));
  const wrong = office.start(['worker', '--concurrency', '2', '--lanes', '2'], { PAYFILE_PASSWORD: 'wrong' });
  await wrong.saw('Waiting for work.');
  const paying = office.start(RUN_SLOW);
  const ended = await wrong.ended;
  expect(ended.code, ended.stderr).toBe(77);
  const good = await worker('--concurrency', '2', '--lanes', '2');
  const paid = await paying.ended;
  expect(paid.code, paid.stderr + good.child.pid).toBe(0);
  expect(paid.stderr).not.toContain('No worker is at work any more');
  expect(service.sandbox.book.size).toBe(40);
  expect(executedTwice(service)).toEqual([]);
}, 300_000);

it('a run continues by itself when no worker is left', async () => {
  const { office, service, worker } = await machines(60);
  office.file('may.csv', payrollOf(120));
  const only = await worker('--concurrency', '2', '--lanes', '4');
  const paying = office.start(RUN_SLOW);
  await until(() => service.sandbox.book.size > 10);
  only.child.kill('SIGTERM');
  const paid = await paying.ended;
  expect(paid.code, paid.stderr).toBe(0);
  expect(paid.stderr).toContain('No worker is at work any more');
  expect(service.sandbox.book.size).toBe(120);
}, 300_000);

it('four workers share sessions of five seconds, log in once for each session, and keep working', async () => {
  const rows = 700;
  const [logins, transfers]: [number[], number[]] = [[], []];
  const { office, service, worker } = await machines(400, {
    scenario: parseScenario('one-session,short-sessions'),
    log(line) {
      if (line.startsWith('POST /auth/login')) logins.push(performance.now());
      if (line.startsWith('POST /v1/transfer')) transfers.push(performance.now());
    },
  });
  office.file('may.csv', payrollOf(rows));
  const done = async (...words: string[]) => {
    const ended = await office.start([...words, '--json']).ended;
    // 4: sent, and not settled yet.
    expect(words[0] === 'send' ? [4] : [0], ended.stderr).toContain(ended.code);
    return ended.json();
  };
  await done('plan', 'may.csv', '--batch', 'may', '--concurrency', '64');
  await done('approve', 'may', '--digest', String((await done('status', 'may'))['planDigest']));
  const workers = await Promise.all([1, 2, 3, 4].map(() => worker('--concurrency', '2', '--lanes', '1')));
  await done('send', 'may', '--max-total', 'GHS=100000');
  for (const { child } of workers) child.kill('SIGTERM');
  for (const { code, stderr } of await Promise.all(workers.map((each) => each.ended))) {
    expect(code, stderr).toBe(143);
    expect(stderr).toMatch(/Sending .*, part \d of 4: taken/);
  }
  const [first = 0, last = 0] = [transfers[0], transfers.at(-1)];
  expect(last - first).toBeGreaterThan(30_000);
  const whileSending = logins.filter((at) => at > first && at < last);
  // A session lasts five to six seconds, and is renewed at four fifths of them.
  const lastedMs = whileSending.slice(1).map((at, index) => at - (whileSending[index] ?? 0));
  expect(lastedMs.filter((ms) => ms < 3_500)).toEqual([]);
  expect(whileSending.length).toBeGreaterThan(4);
  expect(service.sandbox.book.size).toBe(rows);
  expect(executedTwice(service)).toEqual([]);
  await done('settle', 'may', '--concurrency', '64');
  expect(await status(office)).toMatchObject({ in_doubt: 0, sending: 0 });
  expect(await done('report', 'may')).toMatchObject({ ties: true, outcome: 'settled' });
}, 300_000);

it.each([20, 300])(
  'a second Ctrl-C %s ms after the first leaves no worker that begins a row, and says how many may be in flight',
  async (ms) => {
    const { office, service, worker } = await machines(60);
    office.file('may.csv', payrollOf(80));
    await worker('--concurrency', '2', '--lanes', '4');
    const paying = office.start(RUN);
    await until(() => service.sandbox.book.size > 10);
    paying.child.kill('SIGINT');
    await wait(ms);
    paying.child.kill('SIGINT');
    const ended = await paying.ended;
    const sentThen = service.sandbox.book.size;
    expect(ended.code, ended.stderr).toBe(130);
    expect(ended.stderr).toContain('Stopped at once. The workers start no new transfer.');
    const inFlight = Number(/Stopped at once\..* At most (\d+) rows? w/.exec(ended.stderr)?.[1] ?? 0);
    await until(async () => (await status(office)).sending === 0);
    expect(service.sandbox.book.size - sentThen).toBeLessThanOrEqual(inFlight);
    await wait(1_000);
    expect(service.sandbox.book.size).toBeLessThan(80);
    expect(await status(office)).toMatchObject({ in_doubt: 0, sending: 0 });
    const rest = await office.start(RUN).ended;
    expect(rest.code, rest.stderr).toBe(0);
    expect(service.sandbox.book.size).toBe(80);
  },
  300_000,
);
