/**
 * The same requests by command line and by library, with the same clock, user and service: the journal and the rows that
 * come of it are the same, to the last byte.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { personOfLogin } from '../../src/domain/people/person.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { run } from '../../src/operations/run.ts';
import { systemClock } from '../../src/outside/system-clock.ts';
import { createPayfile, type Payfile } from '../../src/payfile.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { approvePlan, planFile } from '../builders/library-calls.ts';
import { GOOD, payrollCsv, type Row } from '../builders/office.ts';
import { money } from '../builders/payouts.ts';
import { callMain } from '../builders/process-context.ts';

/** A patience is longer, a wait between two looks shorter. */
const LONG_MS = 5_000;
const DAY_MS = 86_400_000;

interface Way {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: SteppingClock;
  readonly sandbox: Sandbox;
  file(name: string, rows: readonly Row[]): void;
  /** Everything that the ledger says of batches, rows and what happened to them. */
  kept(): readonly unknown[];
}

const ways: Way[] = [];
afterEach(async () => {
  for (const { folder, sandbox } of ways.splice(0)) {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

interface SteppingClock extends Clock {
  readonly advance: (ms: number) => void;
}

/** Time passes only in short sleeps; a wait for the end of somebody's patience never ends by itself. */
function createSteppingClock(): SteppingClock {
  let at = Date.UTC(2026, 4, 25, 6, 0);
  return {
    now: () => timestampOf(at),
    monotonicMs: () => at,
    random: () => 0.5,
    advance(ms) {
      at += ms;
    },
    async sleep(ms, signal) {
      if (ms > LONG_MS) return systemClock.sleep(ms, signal);
      await systemClock.sleep(1, signal);
      at += ms;
    },
  };
}

async function aWay(): Promise<Way> {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-both-'));
  const clock = createSteppingClock();
  const sandbox = await startSandbox({ seed: 7, speedFactor: 1_000, clock: () => clock.now() });
  const way: Way = {
    folder,
    clock,
    sandbox,
    env: {
      HOME: folder,
      XDG_STATE_HOME: folder,
      XDG_CONFIG_HOME: folder,
      CI: 'true',
      PAYFILE_BASE_URL: sandbox.baseUrl,
      PAYFILE_AUTH_URL: sandbox.authUrl,
      PAYFILE_ID: sandbox.credentials.id,
      PAYFILE_PASSWORD: sandbox.credentials.password,
      PAYFILE_SOURCE: 'GB',
      PAYFILE_POLL_MIN_MS: '50',
      PAYFILE_CONCURRENCY: '1',
      PAYFILE_LEDGER: join(folder, 'ledger.db'),
    },
    file: (name, rows) => writeFileSync(join(folder, name), payrollCsv(rows)),
    kept() {
      const db = new DatabaseSync(join(folder, 'ledger.db'), { readOnly: true });
      const all = (query: string) => db.prepare(query).all();
      // Where the service and the file are, the ledger's own entries say; each way has its own. Salts are of chance. The next row is asked about
      // while a row is written down, so the order of two rows in the journal is a matter of luck.
      const tables = [
        all('SELECT * FROM batches ORDER BY id'),
        all('SELECT * FROM payouts ORDER BY id').map((row) => ({
          ...row,
          salt: 'SALT',
          born: 0,
          seal: 'SEAL',
        })),
        all('SELECT batch, payout, at, kind, body FROM journal WHERE batch > 0 ORDER BY batch, payout, seq'),
      ];
      db.close();
      const text = JSON.stringify(tables).replaceAll(JSON.stringify(folder).slice(1, -1), 'FOLDER');
      // The number of a connection's port is the system's.
      return JSON.parse(text.replaceAll(/(localPort[\\":]+)\d+/g, '$10'));
    },
  };
  ways.push(way);
  return way;
}

/** A program that names another user than its login has its login kept, too. */
const user = personOfLogin(userInfo().username, process.getuid?.());
const AS = { user, host: 'desk', pid: process.pid, newLedgerId: () => '0123456789abcdef'.repeat(2) };

function byCommand(way: Way) {
  return async (...words: string[]) => {
    const { folder, env, clock } = way;
    const said = await callMain([...words, '--json'], { folder, env }, { ...AS, clock });
    return { ...said, json: JSON.parse(said.stdout) as { plan: { digest: string } } };
  };
}

/** Each request has a library of its own, as each command has a process. */
function byLibrary({ env, clock, folder }: Way) {
  const { PAYFILE_BASE_URL: baseUrl = '', PAYFILE_AUTH_URL: authUrl = '' } = env;
  const service = { baseUrl, authUrl, id: env['PAYFILE_ID'] ?? '', password: env['PAYFILE_PASSWORD'] ?? '' };
  const policy = { pollMinMs: 50, concurrency: 1 };
  const ledger = env['PAYFILE_LEDGER'] ?? '';
  return async <Result>(command: string, work: (payfile: Payfile) => Promise<Result>): Promise<Result> => {
    const options = { service, ledger, policy, source: 'GB', actor: AS.user };
    const at = { ...AS, clock, env, cwd: folder, command: `payfile ${command}` };
    const payfile = createPayfile(options, at);
    try {
      return await work(payfile);
    } finally {
      await payfile.close();
    }
  };
}

const SALARIES: readonly Row[] = GOOD.map((account, at) => [account, `${50 + at}.00`, '']);
/** The first repeats a salary; the others are new. */
const BONUSES: readonly Row[] = [
  [GOOD[0] ?? '', '50.00', ''],
  [GOOD[1] ?? '', '70.50', 'bonus 1'],
  [GOOD[2] ?? '', '70.50', 'bonus 2'],
];
const maxTotals = [money('GHS 1000.00')];

async function typed(way: Way): Promise<void> {
  const payfile = byCommand(way);
  const most = ['--max-total', 'GHS=1000.00'];
  await payfile('run', 'april.csv', '--batch', 'april', ...most, '--new-ledger');
  way.clock.advance(DAY_MS);
  const again = await payfile('run', 'may.csv', '--batch', 'may', ...most);
  expect(again.code, again.stderr).toBe(10);
  await payfile('run', 'may.csv', '--batch', 'may', ...most, '--repeats', 'april', '--deadline', '0s');
  await payfile('send', 'may', ...most);
  await payfile('settle', 'may');
  await payfile('plan', 'bonus.csv', '--batch', 'bonus');
  await payfile('release', 'bonus', '2', '--reason', 'ada asked');
  await payfile('cancel', 'bonus', '4', '--reason', 'ada asked');
  const { digest } = (await payfile('plan', 'bonus.csv', '--batch', 'bonus')).json.plan;
  const approved = await payfile('approve', 'bonus', '--digest', digest);
  expect(approved.code, approved.stderr).toBe(0);
  await payfile('send', 'bonus', '--canary', '1');
  await payfile('settle', 'bonus', '--watch-returns', '30d');
}

async function called(way: Way): Promise<void> {
  const library = byLibrary(way);
  await library('run', (payfile) =>
    payfile.call(run, { file: 'april.csv', batch: 'april', maxTotal: maxTotals, newLedger: true }),
  );
  way.clock.advance(DAY_MS);
  const again = await library('run', (payfile) =>
    payfile.call(run, { file: 'may.csv', batch: 'may', maxTotal: maxTotals }),
  );
  expect(again.end).toMatchObject({ kind: 'same_file', exitCode: 10 });
  const repeating = { file: 'may.csv', batch: 'may', maxTotal: maxTotals, repeats: 'april', deadline: 0 };
  await library('run', (payfile) => payfile.run(repeating));
  await library('send', (payfile) => payfile.send({ batch: 'may', maxTotal: maxTotals }));
  await library('settle', (payfile) => payfile.settle({ batch: 'may' }));
  await library('plan', (payfile) => planFile(payfile, 'bonus.csv', { batch: 'bonus' }));
  const reason = 'ada asked';
  await library('release', (payfile) => payfile.rows.release({ batch: 'bonus', rows: ['2'], reason }));
  await library('cancel', (payfile) => payfile.rows.cancel({ batch: 'bonus', rows: ['4'], reason }));
  const planned = await library('plan', (payfile) => planFile(payfile, 'bonus.csv', { batch: 'bonus' }));
  const digest = planned.plan?.plan.digest;
  const how = { how: 'approve_command' } as const;
  const approved = await library('approve', (payfile) => approvePlan(payfile, 'bonus', digest, how));
  expect(approved).toMatchObject({ kind: 'approved', count: 2 });
  await library('send', (payfile) => payfile.send({ batch: 'bonus', canary: 1 }));
  const days = 30 * DAY_MS;
  await library('settle', (payfile) => payfile.settle({ batch: 'bonus', watchReturns: days }));
}

it('keeps the same journal and the same rows', async () => {
  const [one, other] = [await aWay(), await aWay()];
  for (const way of [one, other]) {
    way.file('april.csv', SALARIES);
    way.file('may.csv', SALARIES);
    way.file('bonus.csv', BONUSES);
  }
  await typed(one);
  await called(other);
  expect(other.kept()).toEqual(one.kept());
  // Ten salaries, a repeat that was released, and one bonus.
  expect(one.sandbox.book.entries()).toHaveLength(12);
}, 60_000);

it('sends by library what a person let go as a repeat', async () => {
  const way = await aWay();
  way.file('april.csv', SALARIES);
  way.file('may.csv', SALARIES);
  const library = byLibrary(way);
  await library('run', (payfile) =>
    payfile.call(run, { file: 'april.csv', batch: 'april', maxTotal: maxTotals, newLedger: true }),
  );
  way.clock.advance(DAY_MS);
  const { plan } = await library('plan', (payfile) =>
    planFile(payfile, 'may.csv', { batch: 'may', repeats: 'april' }),
  );
  const digest = plan?.plan.digest;
  expect(await library('approve', (payfile) => approvePlan(payfile, 'may', digest))).toMatchObject({
    count: 5,
  });
  await library('send', (payfile) => payfile.send({ batch: 'may' }));
  expect(way.sandbox.book.entries()).toHaveLength(10);
}, 60_000);
