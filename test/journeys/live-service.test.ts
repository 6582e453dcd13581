/** A live service, as cron and an engineer meet it: approval, ceilings, credentials, ledgers, locks, signals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import {
  ANSWER_LOST,
  clock,
  GOOD,
  NEVER_FINISHES,
  openOffice,
  payrollCsv,
  type Row,
  startLiveService,
} from '../builders/office.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function liveOffice(options: SandboxOptions = {}, env: Record<string, string> = {}) {
  const service = await startLiveService(options);
  const office = openOffice({ ...service.env, ...env });
  open.push(service.sandbox, office);
  const transfers = () => service.sandbox.book.size;
  return { ...service, ...office, transfers };
}

const rows = (count: number): Row[] =>
  GOOD.slice(0, count).map((account, index) => [account, `${100 + index}.00`] as const);
const run = (...more: string[]) => ['run', 'may.csv', '--batch', 'may', ...more];

describe('agreeing to pay through a live service without a terminal', () => {
  it('[B12] sends nothing without a ceiling, above it, or in a currency without one, and everything below it', async () => {
    const { payfile, file, transfers } = await liveOffice();
    file('may.csv', payrollCsv(rows(2)));
    await payfile('init');
    const without = await payfile(...run());
    expect(without.code, without.stderr).toBe(10);
    expect(without.stdout).toContain('LIVE');
    expect(without.stderr).toContain('--max-total GHS=AMOUNT');
    const above = await payfile(...run('--max-total', 'GHS=200.99'));
    expect(above.code).toBe(10);
    expect(above.stderr).toContain('The batch pays GHS 201.00');
    const other = await payfile(...run('--max-total', 'KES=99999'));
    expect(other.code).toBe(10);
    expect(transfers()).toBe(0);
    const below = await payfile(...run('--max-total', 'GHS=201.00'));
    expect(below.code, below.stderr).toBe(0);
    expect(transfers()).toBe(2);
  });

  it('[B12] holds the ceiling over the whole batch, all runs together', async () => {
    const { payfile, file, transfers } = await liveOffice();
    file('may.csv', payrollCsv(rows(2)));
    await payfile(...run('--new-ledger', '--max-total', 'GHS=250'));
    file('may.csv', payrollCsv([...rows(2), ['1011130024509', '60.00']]));
    const more = await payfile(...run('--max-total', 'GHS=250'));
    expect(more.code).toBe(10);
    expect(more.stderr).toContain('The batch pays GHS 261.00, all runs together');
    expect(transfers()).toBe(2);
  });

  it('sends what was approved beforehand by its digest, unless a ceiling is below it', async () => {
    const { payfile, file, transfers } = await liveOffice();
    file('may.csv', payrollCsv(rows(2)));
    const planned = await payfile('plan', 'may.csv', '--batch', 'may', '--new-ledger', '--json');
    expect(planned.code, planned.stderr).toBe(0);
    const { digest } = planned.json()['plan'] as { digest: string };
    const wrong = await payfile('approve', 'may', '--digest', '0'.repeat(16));
    expect(wrong.code).toBe(10);
    expect((await payfile('approve', 'may', '--digest', digest.slice(0, 32))).code).toBe(0);
    for (const words of [run('--max-total', 'GHS=200.99'), ['send', 'may', '--max-total', 'GHS=200.99']])
      expect((await payfile(...words)).code).toBe(10);
    expect(transfers()).toBe(0);
    expect((await payfile(...run())).code).toBe(0);
    expect(transfers()).toBe(2);
  });
});

describe('what stops a live run before anything is sent', () => {
  it('never makes a ledger silently: 78, naming the path, and init only for whoever never paid before', async () => {
    const { payfile, file, folder, transfers } = await liveOffice();
    file('may.csv', payrollCsv(rows(1)));
    const ended = await payfile(...run('--max-total', 'GHS=999'));
    expect(ended.code).toBe(78);
    expect(ended.stderr).toContain(join(folder, 'state', 'payfile', 'ledger.db'));
    // Pasted on a new machine it would make a ledger that pays everything again.
    expect(ended.stderr).toMatch(/Next: payfile doctor.*\nThen: payfile init/);
    expect(transfers()).toBe(0);
  });

  it('[B11] refuses a sandbox ledger for a live run, and the other way round', async () => {
    const { payfile, file } = await liveOffice();
    file('may.csv', payrollCsv(rows(1)));
    await payfile('run', 'may.csv', '--sandbox', '--yes', '--ledger', 'one.db');
    const live = await payfile(...run('--max-total', 'GHS=999', '--ledger', 'one.db'));
    expect(live.code).toBe(78);
    await payfile('init', '--ledger', 'two.db');
    const sandbox = await payfile('run', 'may.csv', '--sandbox', '--yes', '--ledger', 'two.db');
    expect(sandbox.code).toBe(78);
  });

  it('[T10] tries a wrong password once and ends with 77', async () => {
    const { payfile, file, requests } = await liveOffice({}, { PAYFILE_PASSWORD: 'wrong-password' });
    file('may.csv', payrollCsv(rows(1)));
    const ended = await payfile(...run('--new-ledger', '--max-total', 'GHS=999', '--json'));
    expect(ended.code, ended.stderr).toBe(77);
    expect(requests).toHaveLength(1);
    expect(ended.stderr + ended.stdout).not.toContain('wrong-password');
    expect(ended.json()['error']).toMatchObject({ code: 'credentials_refused' });
  });

  it('ends with 78 without any service, naming both ways on', async () => {
    const office = openOffice();
    open.push(office);
    office.file('may.csv', payrollCsv(rows(1)));
    const ended = await office.payfile(...run());
    expect(ended.code).toBe(78);
    expect(ended.stderr).toContain('PAYFILE_BASE_URL');
    expect(ended.stderr).toContain('--sandbox');
  });

  it('ends with 69 when the service gives no answer', async () => {
    const { payfile, file, sandbox } = await liveOffice();
    await sandbox.close();
    file('may.csv', payrollCsv(rows(1)));
    const ended = await payfile(...run('--new-ledger', '--max-total', 'GHS=999'));
    expect(ended.code, ended.stderr).toBe(69);
    expect(ended.stderr).toContain('Nothing was sent');
  });

  it('asks for the originating country once, before anything is read into the ledger', async () => {
    const { payfile, file, env } = await liveOffice();
    delete env['PAYFILE_SOURCE'];
    file('may.csv', payrollCsv(rows(2)));
    await payfile('init');
    const ended = await payfile(...run('--max-total', 'GHS=999'));
    expect(ended.code).toBe(78);
    expect(ended.stderr).toContain('PAYFILE_SOURCE');
    expect((await payfile('status', '--json')).json()['batches']).toEqual([]);
  });

  it('refuses plain http to another host: 78, nothing asked', async () => {
    const { payfile, requests } = await liveOffice({}, { PAYFILE_BASE_URL: 'http://service.example/v1' });
    const ended = await payfile('countries');
    expect(ended.code).toBe(78);
    expect(requests).toEqual([]);
  });
});

describe('two processes and signals', () => {
  it('[B9][L20] gives 75 to the second runner and names the first, which then stops cleanly with 130', async () => {
    const { payfile, start, file, folder, transfers } = await liveOffice();
    const metrics = () => readFileSync(join(folder, 'job.prom'), 'utf8');
    const words = run('--max-total', 'GHS=999', '--deadline', '60s', '--metrics-file', 'job.prom');
    file('may.csv', payrollCsv([[NEVER_FINISHES, '70.00']]));
    const first = start([...words, '--new-ledger']);
    await first.saw('Sending  1 of 1');
    const before = metrics();
    expect(before).toContain('payfile_run_under_way{file="job"} 1\n');
    const second = await payfile(...words);
    expect(second.code, second.stderr).toBe(75);
    expect(second.stderr).toContain(`process ${first.child.pid}`);
    expect(metrics()).toBe(before);
    first.child.kill('SIGINT');
    const ended = await first.ended;
    expect(ended.code, ended.stderr).toBe(130);
    expect(ended.stdout).toContain('1 on its way');
    expect(ended.stderr).toMatch(/Next: payfile settle may/);
    expect(metrics()).toContain('payfile_last_run_exit_code{file="job",batch="may"} 130\n');
    expect(transfers()).toBe(1);
  });

  it('pause stops a batch, and resume lets it go on', async () => {
    const { payfile, file, transfers } = await liveOffice();
    file('may.csv', payrollCsv(rows(2)));
    await payfile('plan', 'may.csv', '--batch', 'may', '--new-ledger');
    const stopped = await payfile('pause', 'may', '--reason', 'waiting for funds');
    expect(stopped.code).toBe(0);
    expect(stopped.stderr).toContain('Then: payfile resume may');
    expect(stopped.stderr).not.toContain('Next:');
    const paused = await payfile(...run('--max-total', 'GHS=999'));
    expect(paused.code, paused.stderr).toBe(6);
    expect(paused.stderr).toContain('waiting for funds');
    expect(transfers()).toBe(0);
    expect((await payfile('resume', 'may')).code).toBe(0);
    expect((await payfile(...run('--max-total', 'GHS=999'))).code).toBe(0);
  });
});

describe('a ruling without a terminal', () => {
  const inDoubt = async () => {
    const office = await liveOffice({}, { PAYFILE_POST_TIMEOUT_MS: '1000' });
    office.file('may.csv', payrollCsv([...rows(1), [ANSWER_LOST, '70.00']]));
    const lost = await office.payfile(...run('--new-ledger', '--max-total', 'GHS=999'));
    expect(lost.code, lost.stderr).toBe(5);
    clock.advance(3_600_000);
    const stands = async () => (await office.payfile('explain', 'may', '3', '--json')).json()['status'];
    return { ...office, stands };
  };
  const NOT_PAID = ['resolve', 'may', '3', '--not-paid', '--evidence', 'not in the statement'];

  it('is not confirmed by --yes, by nothing, or by the word of the other ruling', async () => {
    const { payfile, stands, sandbox } = await inDoubt();
    const id = sandbox.book.entries().find(({ account }) => account === ANSWER_LOST)?.id ?? '';
    const paid = ['resolve', 'may', '3', '--paid', id];
    for (const words of [
      [...NOT_PAID, '--yes'],
      [...NOT_PAID, '--yes', '--accept', 'not-paid'],
      [...paid, '--yes'],
      NOT_PAID,
      paid,
      [...NOT_PAID, '--accept', 'paid'],
      [...NOT_PAID, '--accept'],
      [...paid, '--accept', 'not-paid'],
    ]) {
      const refused = await payfile(...words);
      expect(refused.code, words.join(' ')).toBe(64);
      expect(refused.stderr).not.toMatch(/(Next|Then):.*--accept/);
    }
    expect(await stands()).toBe('in_doubt');
    const ruled = await payfile(...paid, '--accept', 'paid');
    expect(ruled.code, ruled.stderr).toBe(0);
    expect(await stands()).toBe('accepted');
  }, 60_000);
});

describe('reading commands', () => {
  it('status, explain, report and verify need no service', async () => {
    const { payfile, file, env } = await liveOffice();
    file('may.csv', payrollCsv(rows(2)));
    await payfile(...run('--new-ledger', '--max-total', 'GHS=999'));
    for (const name of Object.keys(env).filter((each) => each.startsWith('PAYFILE_'))) delete env[name];
    expect((await payfile('status', 'may', '--json')).json()).toMatchObject({ outcome: 'settled' });
    expect((await payfile('explain', 'may', '2')).stdout).toContain('What happened, oldest first');
    expect((await payfile('report', 'may', '--format', 'csv')).stdout).toContain('payfile_status');
    expect((await payfile('verify')).code).toBe(0);
    expect((await payfile('status', 'm')).code).toBe(0);
    expect((await payfile('status', 'june')).code).toBe(64);
  });
});

it('[E10] never says that nothing changed when nobody could be asked whether a payment came back', async () => {
  const office = await liveOffice({}, { PAYFILE_POLL_MIN_MS: '50' });
  office.file('may.csv', payrollCsv(rows(2)));
  const paid = await office.payfile(...run('--new-ledger', '--max-total', 'GHS=201.00'));
  expect(paid.code, paid.stderr).toBe(0);
  await office.sandbox.close();
  // Rows that were looked at a moment ago are not due yet.
  clock.advance(3_600_000);
  const words = ['settle', 'may', '--watch-returns', '14d', '--deadline', '2s'];
  const watched = await office.payfile(...words);
  expect([4, 69]).toContain(watched.code);
  expect(watched.stdout).not.toContain('Nothing changed');
  expect(watched.stdout).toMatch(/[12] of 2 rows could not be looked up/);
  expect(watched.stdout).toMatch(
    /Batch may: no status came for row 2 \(next look-up (now|.* UTC)\), row 3 \(next look-up (now|.* UTC)\)\./,
  );
  expect(watched.stderr).toContain('Next: payfile settle may --watch-returns 14d');
}, 90_000);
