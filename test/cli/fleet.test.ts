/** `payfile fleet` and the doctor: who is at work with a ledger on a server, what waits, and what a person has to look at. */
import { hostname } from 'node:os';
import pg from 'pg';
import { expect, it } from 'vitest';
import type { StopSignal } from '../../src/cli/process-context.ts';
import { createPayfile } from '../../src/payfile.ts';
import { createQueueAt } from '../../src/setup/work-queue.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { someMachines, until } from '../builders/machines.ts';
import { ANSWER_LOST, GOOD, type Office, payrollCsv } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';
import { callMain } from '../builders/process-context.ts';

const machines = someMachines();
const newOffice = officesFor({ PAYFILE_SOURCE: 'GB' });

const shown = async (office: Office) => (await office.payfile('fleet')).stdout;

it('says that nobody is at work and that nothing waits, and a worker with --once ends at once', async () => {
  const { office } = await machines(0);
  const { code, stdout } = await office.payfile('fleet');
  expect(code).toBe(0);
  expect(stdout).toBe(
    'No worker is running. The process that starts a run does all of its work.\nNothing waits.\n',
  );
  expect((await office.payfile('doctor')).stdout).toContain('✔ Workers: none running\n');
  expect((await office.payfile('fleet', '--json')).json()).toMatchObject({
    ...{ exitCode: 0, workers: [], works: [], lanes: [], doubts: [], inDoubt: 0 },
    ...{ rate: null, pausedUntil: null },
  });
  const ended = await office.payfile('worker', '--once', '--json');
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.json()).toEqual({ schemaVersion: 1, command: 'worker', environment: 'live', exitCode: 0 });
});

it('shows workers, what waits for nobody, a pause of the service, the rate and doubts by batch', async () => {
  const { office, service, place } = await machines(0);
  office.file(
    'may.csv',
    payrollCsv([
      [GOOD[0] ?? '', '100.00'],
      [ANSWER_LOST, '110.00'],
    ]),
  );
  const paid = await office.payfile('run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=1000');
  expect(paid.code, paid.stderr).toBe(5);
  const { env } = office;
  const over = new AbortController();
  const library = createPayfile(
    {
      ledger: env['PAYFILE_LEDGER'] ?? '',
      ...{ ledgerPassword: place.password ?? '', actor: 'ada', source: 'GB' },
      service: {
        ...{ baseUrl: service.sandbox.baseUrl, authUrl: service.sandbox.authUrl },
        ...service.sandbox.credentials,
      },
    },
    { env: { ...env } },
  );
  const { signal } = over;
  const working = library.fleet.work({ queues: ['settle', 'recover'], lanes: 2 }, { signal });
  await until(async () => (await library.fleet.status()).workers.length > 0);
  expect((await office.payfile('doctor')).stdout).toContain('✔ Workers: 1 running\n');

  const queue = await createQueueAt(place);
  const [batch] = await batchesOf(library);
  const asker = { pid: 1, host: 'desk', user: 'ben', command: 'payfile run' };
  if (batch === undefined) throw new Error('There is no batch');
  await queue.fleet.ask({ batchId: batch.id, stage: 'price', request: '{}', asker });
  const client = new pg.Client(place);
  await client.connect();
  await client.query(
    `INSERT INTO ${place.schema}.pace VALUES ('shop', 'x', '{"pausedUntil": ${Date.parse('2100-01-01T06:20:04.5Z')}}')`,
  );
  await client.end();
  office.configure({ rate: 50 });

  const { code, stdout, stderr } = await office.payfile('fleet');
  expect(code, stderr).toBe(4);
  const name = `${hostname()}/${process.pid}/[0-9a-f]{8}`;
  expect(stdout).toMatch(/^1 worker running\. 0 of 8 lanes in use\.\n/);
  expect(stdout).toMatch(new RegExp(`^${name} +ada +[\\d-]+ [\\d:]+ +0 of 2 +settle, recover$`, 'm'));
  expect(stdout).toMatch(/^may +names and fees +ben on desk +[\d-]+ [\d:]+ +nobody yet$/m);
  expect(stdout).toMatch(/^price +1 +0$/m);
  expect(stdout).toContain('No worker takes price.\n');
  expect(stdout).toContain('at most 50 requests per second, by the settings of this machine.\n');
  expect(stdout).toContain(
    'The service limits requests (HTTP 429). payfile sends none before 2100-01-01 06:20:05 UTC.\n',
  );
  expect(stdout).toContain('Batch may has 1 row in doubt: payfile status may\n');
  expect(stderr).toContain('Next: payfile worker\n');
  expect((await office.payfile('fleet', '--json')).json()).toMatchObject({
    exitCode: 4,
    workers: [{ user: 'ada', queues: ['settle', 'recover'], lanes: { all: 8, own: 2, inUse: 0 } }],
    works: [{ batch: 'may', stage: 'price', askedBy: 'ben@desk', worker: null, stopping: false, parts: [] }],
    ...{ rate: 50, pausedUntil: '2100-01-01T06:20:04.500Z', inDoubt: 1, next: 'payfile worker' },
    doubts: [{ batchId: batch.id, name: 'may', inDoubt: 1, leftInFlight: 0, firstRow: 3 }],
  });
  office.configure({});
  expect((await office.payfile('fleet', '--json')).json()['rate']).toBe(null);
  let stop: (name: StopSignal) => void = () => undefined;
  const onSignal = (receive: typeof stop) => {
    stop = receive;
    return () => undefined;
  };
  const slow = callMain(['worker', '--rate', '6'], office, { onSignal });
  await until(async () => (await office.payfile('fleet', '--json')).json()['rate'] === 6);
  expect(await shown(office)).toContain('send at most 6 requests per second.\n');
  stop('SIGTERM');
  expect((await slow).code).toBe(143);
  over.abort();
  expect(await working).toEqual({ environment: 'live', exitCode: 130 });
  await library.close();
  await queue.close();
  expect(await shown(office)).toMatch(/^No worker is running\./);
});

it('needs a ledger on a server; for a ledger file it names cron, systemd and Kubernetes', async () => {
  const office = newOffice();
  for (const words of [['worker', '--once'], ['fleet']]) {
    const { code, stderr } = await office.payfile(...words, '--ledger', office.at('ledger.db'));
    expect(code).toBe(78);
    expect(stderr).toContain('need a ledger on a PostgreSQL server');
    expect(stderr).toContain('payfile help schedules');
  }
});

it('has a place of its own for each file that a worker writes', async () => {
  const both = ['--metrics-file', 'worker.prom', '--log-file', './worker.prom'];
  const { code, stderr } = await newOffice().payfile('worker', '--once', ...both);
  expect(code).toBe(64);
  expect(stderr).toContain('are the same file');
});

it('makes a sandbox ledger on a server only on request, and has no worker for it', async () => {
  const { office, place } = await machines(0);
  const { user, host, port, database, schema } = place;
  const ledger = `postgres://${user}@${host}:${port}/${database}?schema=${schema}_sandbox`;
  const sandbox = ['--sandbox', '--ledger', ledger];
  const before = await office.payfile('fleet', ...sandbox);
  expect(before.code).toBe(78);
  expect(before.stderr).toContain('There is no ledger');
  expect((await office.payfile('init', ...sandbox)).code).toBe(0);
  expect((await office.payfile('fleet', ...sandbox)).stdout).toContain('Nothing waits.\n');
  const worker = await office.payfile('worker', '--once', ...sandbox);
  expect(worker.code).toBe(64);
  expect(worker.stderr).toContain('Workers cannot share its work');
});
