/** Workers that share a ledger on a server: two pay one payroll, one dies, one is told to end. The service's book judges. */
import { chmodSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { aPostgres } from '../adapters/ledger/a-postgres.ts';
import {
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  type Running,
  startLiveService,
} from '../builders/office.ts';

const server = aPostgres();
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Machines {
  readonly office: Office;
  readonly service: LiveService;
  worker(...words: string[]): Promise<Running>;
}

async function machines(latencyMs: number): Promise<Machines> {
  const { user, host, port, database, schema, password = '' } = server.place();
  const service = await startLiveService({ latencyMs });
  open.push(() => service.sandbox.close());
  const office = openOffice({
    ...service.env,
    PAYFILE_LEDGER: `postgres://${user}@${host}:${port}/${database}?schema=${schema}`,
    PAYFILE_LEDGER_PASSWORD_FILE: 'ledger-password',
    PAYFILE_LANES: '4',
  });
  open.push(() => office.close());
  office.file('ledger-password', password);
  chmodSync(office.at('ledger-password'), 0o600);
  expect((await office.payfile('init')).code).toBe(0);
  return {
    office,
    service,
    async worker(...words) {
      const running = office.start(['worker', ...words]);
      open.push(async () => {
        running.child.kill('SIGKILL');
        await running.ended;
      });
      await running.saw('Waiting for what is due.');
      return running;
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 2_000) throw new Error('It did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function status(office: Office): Promise<Readonly<Record<string, number>>> {
  const { json } = await office.start(['status', 'may', '--json']).ended;
  return json().counts ?? {};
}

const executedTwice = ({ sandbox }: LiveService) => {
  const accounts = sandbox.book.entries().map(({ account }) => account);
  return accounts.filter((account, index) => accounts.indexOf(account) !== index);
};

const accountOf = (index: number) => `10111300${String(10_000 + index).padStart(5, '0')}`;
const payroll = (rows: number) =>
  payrollCsv(Array.from({ length: rows }, (_, index) => [accountOf(index), '100.00', `P-${index + 1}`]));
const RUN = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=100000'];

it('two workers pay one payroll, each row once, and whoever asked gets the outcome', async () => {
  const { office, service, worker } = await machines(20);
  office.file('may.csv', payroll(120));
  const workers = [
    await worker('--concurrency', '2', '--lanes', '2'),
    await worker('--concurrency', '2', '--lanes', '2'),
  ];
  const paid = await office.start(RUN).ended;
  expect(paid.code, paid.stderr).toBe(0);
  expect(service.sandbox.book.size).toBe(120);
  for (const { child } of workers) child.kill('SIGTERM');
  const ended = await Promise.all(workers.map((each) => each.ended));
  for (const { stderr } of ended) expect(stderr).toMatch(/Sending .*, part \d of 4: taken/);
  expect((await office.payfile('verify')).code).toBe(0);
}, 90_000);

const RUN_SLOW = [...RUN, '--deadline', '2m'];

it('a worker that dies leaves rows in doubt at the most, and another one pays the rest', async () => {
  const { office, service, worker } = await machines(60);
  office.file('may.csv', payroll(160));
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
}, 120_000);

it('a worker that is told to end leaves its part to others, without a doubt', async () => {
  const { office, service, worker } = await machines(60);
  office.file('may.csv', payroll(160));
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
}, 120_000);

it('whoever asked stops the sending, and a run afterwards pays the rest', async () => {
  const { office, service, worker } = await machines(60);
  office.file('may.csv', payroll(200));
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
}, 120_000);

it('a run goes on by itself when the last worker is gone', async () => {
  const { office, service, worker } = await machines(60);
  office.file('may.csv', payroll(120));
  const only = await worker('--concurrency', '2', '--lanes', '4');
  const paying = office.start(RUN_SLOW);
  await until(() => service.sandbox.book.size > 10);
  only.child.kill('SIGTERM');
  const paid = await paying.ended;
  expect(paid.code, paid.stderr).toBe(0);
  expect(paid.stderr).toContain('No worker is at work any more');
  expect(service.sandbox.book.size).toBe(120);
}, 120_000);
