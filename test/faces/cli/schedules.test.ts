/** Schedules and the workers that pay by them, on a PostgreSQL server. What was paid is told by the service's own book. */
import { chmodSync, readFileSync } from 'node:fs';

import { connect, createServer, type Socket } from 'node:net';
import { hostname, userInfo } from 'node:os';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { withPeriod } from '../../../src/domain/schedules/period-words.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import {
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  startLiveService,
} from '../../builders/office.ts';
import { ownDatabase } from '../../builders/postgres.ts';
import type { RunningPostgres } from '../../builders/servers.ts';

let server: RunningPostgres;
let live: LiveService;
let office: Office;
let ledgers = 0;
let schema = '';

beforeAll(async () => {
  server = await ownDatabase();
  live = await startLiveService();
});
afterAll(async () => {
  await live.sandbox.close();
  await server.stop();
});

beforeEach(async () => {
  ledgers += 1;
  schema = `pay_${ledgers}`;
  const { user, host, port, database } = server.place;
  office = openOffice({
    ...live.env,
    PAYFILE_LEDGER: `postgres://${user}@${host}:${port}/${database}?schema=${schema}`,
  });
  office.file('ledger.password', `${server.place.password}\n`);
  chmodSync(office.at('ledger.password'), 0o600);
  Object.assign(office.env, { PAYFILE_LEDGER_PASSWORD_FILE: office.at('ledger.password') });
  allow({ payroll: { maxTotal: { GHS: '5000' } } });
  const made = await office.payfile('init', '--config', 'own.json');
  expect(made.code, made.stderr).toBe(0);
});
afterEach(() => office.close());

/** What runs may pay, as the owner of the machine says it. */
function allow(schedules: object): void {
  office.file('own.json', JSON.stringify({ schedules }));
}

const payfile = (...words: string[]) =>
  office.payfile(...words.slice(0, 1), '--config', office.at('own.json'), ...words.slice(1));
const RUN = ['--', 'run'];
const add = (name: string, cron: string, ...more: string[]) =>
  payfile(
    'schedule',
    'add',
    name,
    '--cron',
    cron,
    '--tz',
    'Africa/Nairobi',
    ...RUN,
    office.at('payroll-{yyyy-mm}.csv'),
    ...more,
  );
const BATCH = ['--batch', 'payroll-{yyyy-mm}'];

async function onServer(sql: string, ...values: unknown[]): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(server.place);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** As if the schedule had been added so many days ago, and nobody had worked since. */
async function sleptFor(days: number): Promise<void> {
  await onServer(
    `UPDATE ${schema}_jobs.schedule SET created_on = now() - make_interval(days => $1), data = data - 'begunUntil'`,
    days,
  );
}

const ZONE = 'Africa/Nairobi';
const thisMonth = () => withPeriod('{yyyy-mm}', timestampOf(Date.now()), ZONE);
const lastMonth = () => withPeriod('{previous yyyy-mm}', timestampOf(Date.now()), ZONE);
/** Begins each month. */
const MONTHLY = '0 0 1 * *';

const dayOfMonth = () => Number(withPeriod('{dd}', timestampOf(Date.now()), ZONE));

function payrollOf(month: string, account: string, amount: string): void {
  office.file(`payroll-${month}.csv`, payrollCsv([[account, amount, `${schema}-${month}`]]));
}

const paid = () =>
  live.sandbox.book
    .entries()
    .map(({ account, amount }) => `${account} ${amount}`)
    .filter((line) => line.includes(own()));
/** Accounts of this test alone. */
const own = () => `10111300${String(40_000 + ledgers)}`;

it('makes up for a month that was missed, once and under its own name, and then pays the month that is due', async () => {
  payrollOf(lastMonth(), own(), '90.00');
  payrollOf(thisMonth(), own(), '91.00');
  const added = await add('payroll', MONTHLY, ...BATCH);
  expect(added.code, added.stderr).toBe(0);
  expect(added.stdout).toMatch(
    /^Schedule payroll is added\. It pays batch payroll-\d{4}-\d\d next, due \d{4}-\d\d-01 00:00 Africa\/Nairobi\./,
  );
  const early = await payfile('worker', '--once');
  expect(early, early.stderr).toMatchObject({ code: 0, stdout: '' });

  await sleptFor(dayOfMonth() + 31);
  const worked = await payfile('worker', '--once');
  expect(worked.code, worked.stderr).toBe(0);
  expect(worked.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(
      new RegExp(
        `^payroll, batch payroll-${lastMonth()}, due ${lastMonth()}-01 .* exit 0\\. 1 payment: 1 settled`,
      ),
    ),
    expect.stringMatching(
      new RegExp(
        `^payroll, batch payroll-${thisMonth()}, due ${thisMonth()}-01 .* exit 0\\. 1 payment: 1 settled`,
      ),
    ),
  ]);
  expect(paid()).toEqual([`${own()} 90.00`, `${own()} 91.00`]);
  expect((await payfile('worker', '--once')).stdout).toBe('');
});

it('gives one run to one of two workers', async () => {
  payrollOf(thisMonth(), own(), '92.00');
  expect((await add('payroll', MONTHLY, ...BATCH)).code).toBe(0);
  await sleptFor(dayOfMonth());
  const words = ['worker', '--once', '--config', office.at('own.json')];
  const both = await Promise.all([office.start(words).ended, office.start(words).ended]);
  expect(
    both.map(({ code }) => code),
    both.map(({ stderr }) => stderr).join(),
  ).toEqual([0, 0]);
  expect(both.map(({ stdout }) => stdout).filter((text) => text !== '')).toHaveLength(1);
  expect(paid()).toEqual([`${own()} 92.00`]);
});

it('pays a run once whose stages other workers do', async () => {
  payrollOf(thisMonth(), own(), '93.00');
  expect((await add('payroll', MONTHLY, ...BATCH)).code).toBe(0);
  await sleptFor(dayOfMonth());
  const config = ['--config', office.at('own.json')];
  const queues = 'price,send-head,send,settle,recover';
  const doing = [1, 2].map(() => office.start(['worker', '--queues', queues, ...config]));
  for (const worker of doing) await worker.saw('Waiting for what is due.');
  const led = await office.start(['worker', '--once', '--queues', 'runs', ...config]).ended;
  expect(led.code, led.stderr).toBe(0);
  expect(led.stdout).toContain('1 payment: 1 settled');
  for (const { child } of doing) child.kill('SIGTERM');
  const ended = await Promise.all(doing.map((worker) => worker.ended));
  expect(ended.map(({ code }) => code)).toEqual([143, 143]);
  expect(ended.map(({ stderr }) => stderr).join('')).toMatch(/Leading the sending of .*: taken/);
  expect(paid()).toEqual([`${own()} 93.00`]);
}, 60_000);

it('begins no run again by itself that was killed, says what to type, and pays nothing twice', async () => {
  const accounts = Array.from({ length: 8 }, (_, index) => String(1011130024600 + index));
  const rows = accounts.map((account): [string, string] => [account, '50.00']);
  office.file(`payroll-${thisMonth()}.csv`, payrollCsv(rows));
  expect((await add('payroll', MONTHLY, ...BATCH, '--concurrency', '1')).code).toBe(0);
  await sleptFor(dayOfMonth());
  const worker = office.start(['worker', '--config', office.at('own.json')]);
  await firstTransfer(accounts);
  worker.child.kill('SIGKILL');
  expect((await worker.ended).signal).toBe('SIGKILL');
  const executed = () => live.sandbox.book.entries().filter(({ account }) => accounts.includes(account));
  expect(executed().length).toBeLessThan(accounts.length);

  // Nobody has heard of it for a minute.
  await onServer(
    `UPDATE ${schema}_jobs.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`,
  );
  await onServer(`UPDATE ${schema}_jobs.queue SET monitor_claim_on = NULL, monitor_on = NULL`);
  office.file('page', `#!/bin/sh\ncat > ${office.at('paged.json')}\n`);
  chmodSync(office.at('page'), 0o755);
  const after = await payfile('worker', '--once', '--notify', `exec:${office.at('page')}`);
  expect(after.code, after.stderr).toBe(6);
  expect(after.stdout).toBe('');
  const again = `run ${office.at(`payroll-${thisMonth()}.csv`)} --batch payroll-${thisMonth()} --config ${office.at('own.json')}`;
  expect(after.stderr).toContain(
    `was cut off, and is not begun again by itself. Run again: payfile ${again}`,
  );

  expect(JSON.parse(readFileSync(office.at('paged.json'), 'utf8'))).toMatchObject({
    ...{ command: 'worker', exitCode: 6, needsAttention: true, next: `payfile ${again}` },
  });

  const person = await office.payfile(...again.split(' '), '--max-total', 'GHS=5000', '--json');
  expect([0, 5], person.stderr).toContain(person.code);
  const times = new Map<string, number>();
  for (const { account } of executed()) times.set(account, (times.get(account) ?? 0) + 1);
  expect([...times.values()].filter((count) => count > 1)).toEqual([]);
  expect(accounts.length - times.size).toBeLessThanOrEqual(1);
  expect(await payfile('worker', '--once')).toMatchObject({ code: 0, stdout: '' });
});

async function firstTransfer(accounts: readonly string[]): Promise<void> {
  while (!live.sandbox.book.entries().some(({ account }) => accounts.includes(account)))
    await new Promise((resolve) => setTimeout(resolve, 5));
}

it('runs no schedule whose ceilings are not in the configuration, and makes up for it when they are', async () => {
  allow({ other: { maxTotal: { GHS: '10' } } });
  payrollOf(thisMonth(), own(), '93.00');
  const added = await add('payroll', MONTHLY, ...BATCH);
  const said = 'payroll is not run: the configuration does not say what it may pay.';
  expect(added.code).toBe(0);
  expect(added.stderr).toContain(said);
  await sleptFor(dayOfMonth());
  const refused = await payfile('worker', '--once');
  expect(refused.stderr).toContain(said);
  const listed = await payfile('schedule', 'list');
  expect(listed.stderr).toContain(said);
  expect(listed.stdout).toMatch(/^ {2}Batch payroll-\d{4}-\d\d is due .+, but it is not run\.$/m);
  expect(paid()).toEqual([]);

  allow({ payroll: { maxTotal: { GHS: '92.99' } } });
  const above = await payfile('worker', '--once');
  expect(above.code, above.stderr).toBe(10);
  expect(paid()).toEqual([]);
});

it('lists a schedule with who added it and its next run, and removes it', async () => {
  expect((await payfile('schedule', 'list')).stdout).toBe('There are no schedules.\n');
  expect((await add('payroll', '15 6 25 * *', ...BATCH, '--deadline', '45m')).code).toBe(0);
  const { schedules } = (await payfile('schedule', 'list', '--json')).json();
  const [listed] = schedules as Record<string, unknown>[];
  expect(listed).toMatchObject({
    ...{ name: 'payroll', cron: '15 6 25 * *', timeZone: ZONE },
    nextBatch: expect.stringMatching(/^payroll-\d{4}-\d\d$/),
    next: expect.stringMatching(/-25T03:15:00\.000Z$/),
    maxTotals: [{ currency: 'GHS', amount: '5000.00' }],
    addedBy: `${userInfo().username}@${hostname()}`,
  });
  expect((await add('payroll', '15 7 25 * *', ...BATCH)).stderr).toContain(
    'There is a schedule payroll already.',
  );
  expect((await payfile('schedule', 'remove', 'payroll')).code).toBe(0);
  expect((await payfile('schedule', 'remove', 'payroll')).code).toBe(64);
  expect((await payfile('schedule', 'list')).stdout).toBe('There are no schedules.\n');
});

it('refuses a schedule that could not run alone, before it is kept', async () => {
  const refused = async (said: Promise<{ code: number | null; stderr: string }>) => {
    const { code, stderr } = await said;
    expect(code, stderr).toBe(64);
    return stderr;
  };
  expect(await refused(add('p', '61 6 25 * *', ...BATCH))).toContain('61');
  expect(await refused(add('p', '0 0 6 25 * *', ...BATCH))).toContain('five fields');
  expect(await refused(add('p q', MONTHLY, ...BATCH))).toContain('A schedule cannot be called “p q”');
  expect(await refused(add('p', MONTHLY))).toContain('needs --batch with a period');
  expect(await refused(add('p', MONTHLY, '--batch', 'payroll'))).toContain('has no period');
  expect(await refused(add('p', MONTHLY, '--batch', '{yyyy-mmm}'))).toContain(
    '{yyyy-mmm} is no word of a period',
  );
  expect(await refused(add('p', MONTHLY, ...BATCH, '--max-total', 'GHS=1'))).toContain(
    '--max-total: what a schedule may pay',
  );
  expect(await refused(add('p', MONTHLY, ...BATCH, '--notify', 'exec:/bin/x'))).toContain(
    '--notify: who is told',
  );
  expect(await refused(add('p', MONTHLY, ...BATCH, '--yes'))).toContain('--yes');
  expect(await refused(add('p', MONTHLY, ...BATCH, '--password', 'x'))).toContain('a secret is never a flag');
  expect(await refused(add('p', MONTHLY, ...BATCH, '--report', 'out.csv'))).toContain(
    '“out.csv” is no whole path',
  );
  expect(await refused(add('p', MONTHLY, ...BATCH, '--conurrency', '1'))).toContain('--conurrency');
  const zone = payfile(
    'schedule',
    'add',
    'p',
    '--cron',
    MONTHLY,
    '--tz',
    'Nairobi',
    ...RUN,
    '/p.csv',
    ...BATCH,
  );
  expect(await refused(zone)).toContain('“Nairobi” is no time zone');
  expect((await payfile('schedule', 'list')).stdout).toBe('There are no schedules.\n');
});

it('needs a ledger on a server, and says what there is for a file', async () => {
  for (const words of [
    ['worker', '--once'],
    ['schedule', 'list'],
  ]) {
    const { code, stderr } = await office.payfile(...words, '--ledger', office.at('ledger.db'));
    expect(code).toBe(78);
    expect(stderr).toContain('need a ledger on a PostgreSQL server');
    expect(stderr).toContain('use cron or the systemd timer');
  }
});

it('makes a sandbox ledger on a server only when it is asked to', async () => {
  const { user, host, port, database } = server.place;
  const fresh = [
    '--sandbox',
    '--ledger',
    `postgres://${user}@${host}:${port}/${database}?schema=${schema}_sandbox`,
  ];
  const before = await office.payfile('schedule', 'list', ...fresh);
  expect(before.code).toBe(78);
  expect(before.stderr).toContain('There is no ledger');
  expect((await office.payfile('init', ...fresh)).code).toBe(0);
  expect((await office.payfile('schedule', 'list', ...fresh)).stdout).toBe('There are no schedules.\n');
});

it('ends cleanly when it is told to stop', async () => {
  const worker = office.start(['worker', '--config', office.at('own.json')]);
  await worker.saw('Waiting for what is due.');
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ code: 143, signal: null, stdout: '' });
});

const SOAK = process.env['SOAK'] === '1';

it.runIf(SOAK)('stops a run cleanly when it is told to stop, and leaves the rest to a person', async () => {
  const accounts = Array.from({ length: 8 }, (_, index) => String(1011130024700 + index));
  office.file(`payroll-${thisMonth()}.csv`, payrollCsv(accounts.map((account) => [account, '50.00'])));
  expect((await add('payroll', MONTHLY, ...BATCH, '--concurrency', '1')).code).toBe(0);
  await sleptFor(dayOfMonth());
  const worker = office.start(['worker', '--config', office.at('own.json')]);
  await firstTransfer(accounts);
  worker.child.kill('SIGTERM');
  const stopped = await worker.ended;
  expect(stopped).toMatchObject({ code: 143, signal: null });
  expect(stopped.stdout).toContain('exit 6. Stopped as asked.');
  const doubts = (await payfile('status', `payroll-${thisMonth()}`, '--json')).json();
  expect(doubts.counts).toMatchObject({ in_doubt: 0, sending: 0 });
  const after = await payfile('worker', '--once');
  expect(after).toMatchObject({ code: 6, stdout: '' });
  expect(after.stderr).toContain('was cut off');
});

it.runIf(SOAK)('waits for a server that went away, and works when it is back', async () => {
  const way = await openWay();
  payrollOf(thisMonth(), own(), '94.00');
  expect((await add('payroll', MONTHLY, ...BATCH)).code).toBe(0);
  const url = String(office.env['PAYFILE_LEDGER']).replace(`:${server.place.port}/`, `:${way.port}/`);
  const worker = office.start(['worker', '--config', office.at('own.json'), '--ledger', url]);
  await worker.saw('Waiting for what is due.');
  way.cut();
  await worker.saw('The server of the ledger gives no answer');
  await sleptFor(dayOfMonth());
  await way.mend();
  await worker.saw('The server of the ledger answers again.');
  while (paid().length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(143);
  expect(paid()).toEqual([`${own()} 94.00`]);
  way.cut();
});

/** A way to the server that can be cut and mended. */
async function openWay() {
  const open = new Set<Socket>();
  const ends = (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
  };
  const way = createServer((from) => {
    const to = connect(server.place.port, server.place.host);
    ends(from);
    ends(to);
    from.pipe(to).pipe(from);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => void way.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const address = way.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    cut() {
      way.close();
      for (const socket of open) socket.destroy();
    },
    mend: () => listen(port),
  };
}
