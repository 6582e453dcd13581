/** Cron as a user: silent when all is well, short when not, and monitors and pagers know what it knows. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  ANSWER_LOST,
  GOOD,
  type Office,
  openOffice,
  payrollCsv,
  REFUSED,
  type Row,
} from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';

const office = officesFor({ PAYFILE_SOURCE: 'GB' });

/** A pager that writes down what it is told. */
function pager({ folder }: Office, ending = 'exit 0') {
  const path = join(folder, 'page.sh');
  const heard = join(folder, 'paged.json');
  writeFileSync(path, `#!/bin/sh\ncat > ${heard}\n${ending}\n`);
  chmodSync(path, 0o755);
  return {
    flag: `exec:${path}`,
    heard: () => (existsSync(heard) ? JSON.parse(readFileSync(heard, 'utf8')) : undefined),
  };
}

const RUN = ['run', 'may.csv', '--batch', 'may', '--sandbox', '--yes', '--quiet', '--deadline', '20s'];

it('prints nothing and pages nobody when every row settled; the metrics say so', async () => {
  const at = office();
  const { flag, heard } = pager(at);
  at.file('may.csv', payrollCsv(GOOD.slice(0, 2).map((account): Row => [account, '100.50'])));
  const ended = await at.payfile(...RUN, '--metrics-file', 'payfile.prom', '--notify', flag);
  expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(heard()).toBeUndefined();
  const metrics = readFileSync(join(at.folder, 'payfile.prom'), 'utf8');
  expect(metrics).toContain('payfile_last_run_exit_code{file="payfile",batch="may"} 0\n');
  expect(metrics).toContain(
    'payfile_batch_rows{file="payfile",batch="may",status="settled",currency="GHS"} 2\n',
  );
  expect(metrics).toContain(
    'payfile_batch_amount{file="payfile",batch="may",status="settled",currency="GHS"} 201.00\n',
  );
  expect(metrics).toContain('payfile_batch_doubts{file="payfile",batch="may"} 0\n');
});

it('can be rehearsed in the sandbox word for word: a ceiling agrees there as it does to real payments', async () => {
  const at = office();
  at.file('may.csv', payrollCsv(GOOD.slice(0, 2).map((account): Row => [account, '100.50'])));
  const run = ['run', 'may.csv', '--sandbox', '--batch', 'may', '--quiet'];
  const low = await at.payfile(...run, '--max-total', 'GHS=200');
  expect(low).toMatchObject({ code: 10, stderr: expect.stringContaining('--max-total allows GHS 200.00') });
  const high = await at.payfile(...run, '--max-total', 'GHS=201');
  expect(high).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect((await at.payfile('status', 'may', '--sandbox')).stdout).toContain('2 rows (ceiling)');
}, 60_000);

it('[B10] says at most fifteen lines when rows are in doubt, with the next command last, and pages', async () => {
  const at = office();
  const { flag, heard } = pager(at);
  const refused = Array.from({ length: 12 }, (_, row): Row => [REFUSED, `${70 + row}.00`]);
  at.file('may.csv', payrollCsv([[GOOD[0] ?? '', '100.50'], [ANSWER_LOST, '70.00'], ...refused]));
  const ended = await at.payfile(...RUN, '--notify', flag, '--metrics-file', 'no/such/folder/x.prom');
  expect(ended.code, ended.stderr).toBe(5);
  const lines = `${ended.stdout}${ended.stderr}`.trim().split('\n');
  expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(15);
  expect(ended.stdout).toContain('payfile run batch may (sandbox), exit 5');
  expect(ended.stdout).toMatch(/Row 3 in_doubt \(PF-[0-9A-Z]{8}\): .*the money may have moved/);
  expect(ended.stderr).toMatch(
    /Next: payfile explain may 3 --sandbox\nThen: payfile reconcile may --statement FILE --sandbox\n$/,
  );
  expect(ended.stderr).toContain('The metrics file no/such/folder/x.prom could not be written: ENOENT');
  expect(heard()).toMatchObject({
    exitCode: 5,
    needsAttention: true,
    batch: { name: 'may' },
    counts: { in_doubt: 1 },
    next: 'payfile explain may 3 --sandbox',
  });
  expect(JSON.stringify(heard())).not.toMatch(/\d{12}/);
}, 60_000);

it('pages for what went wrong before any batch, and a pager that fails changes no exit code', async () => {
  const at = office();
  const { flag, heard } = pager(at, 'exit 9');
  const ended = await at.payfile(...RUN, '--metrics-file', 'payfile.prom', '--notify', flag);
  expect(ended.code).toBe(66);
  expect(heard()).toMatchObject({ exitCode: 66, batch: null, error: { code: 'file_missing' } });
  expect(ended.stderr).toContain(`No notification was sent: ${at.folder}/page.sh: it ended with 9`);
  expect(readFileSync(join(at.folder, 'payfile.prom'), 'utf8')).toContain(
    'payfile_last_run_exit_code{file="payfile",batch="may"} 66\n',
  );
});

it('takes the pager from the configuration, for every call where that is wanted', async () => {
  const at = office();
  const { flag, heard } = pager(at);
  mkdirSync(join(at.folder, 'config/payfile'), { recursive: true });
  at.file(
    'config/payfile/config.json',
    JSON.stringify({ notify: { to: flag, on: 'always' }, metricsFile: 'own.prom' }),
  );
  at.file('may.csv', payrollCsv([[GOOD[0] ?? '', '100.50']]));
  const ended = await at.payfile(...RUN);
  expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(heard()).toMatchObject({ exitCode: 0, needsAttention: false, outcome: 'settled' });
  expect(existsSync(join(at.folder, 'own.prom'))).toBe(true);
});

it('refuses a notification that would go over the open network, before anything is paid', async () => {
  const at = office();
  at.file('may.csv', payrollCsv([[GOOD[0] ?? '', '100.50']]));
  const ended = await at.payfile(...RUN, '--notify', 'http://hooks.example.com/token');
  expect(ended.code).toBe(64);
  expect(ended.stderr).toContain('expected an https:// address');
  expect(ended.stderr).not.toContain('token');
});

it('has the doctor look at metrics, pager, folder and disk before the first night', async () => {
  const at = openOffice({ PAYFILE_SOURCE: 'GB', CI: 'true' });
  try {
    const good = await at.payfile(
      'doctor',
      '--sandbox',
      '--json',
      '--metrics-file',
      'x.prom',
      '--notify',
      'https://h.example/x',
    );
    expect(good.code, good.stdout).toBe(0);
    const bad = await at.payfile(
      'doctor',
      '--sandbox',
      '--json',
      '--metrics-file',
      'no/x.prom',
      '--notify',
      'exec:/no/pager',
    );
    expect(bad.code).toBe(78);
    const checks = bad.json()['checks'] as { what: string; isGood: boolean; mend?: string }[];
    const found = Object.fromEntries(checks.map(({ what, isGood }) => [what, isGood]));
    expect(found).toMatchObject({
      'Ledger folder': true,
      Disk: true,
      'Metrics file': false,
      Notification: false,
    });
    for (const { isGood, mend } of checks) if (!isGood) expect(mend).toBeDefined();
  } finally {
    at.close();
  }
});

it('shows what a person did in the metrics after a settle, which sends nothing', async () => {
  const at = office();
  at.file('may.csv', payrollCsv([[ANSWER_LOST, '70.00']]));
  const watch = ['--metrics-file', 'payfile.prom'];
  const metrics = () => readFileSync(join(at.folder, 'payfile.prom'), 'utf8');
  expect((await at.payfile(...RUN, ...watch)).code).toBe(5);
  expect(metrics()).toContain('payfile_ledger_doubts{file="payfile"} 1\n');
  expect((await at.payfile('sandbox', '--book', '-o', 'statement.csv')).code).toBe(0);
  const ruling = ['reconcile', 'may', '--statement', 'statement.csv', '--accept', '--sandbox'];
  expect((await at.payfile(...ruling)).code).toBe(0);
  expect(metrics()).toContain('payfile_ledger_doubts{file="payfile"} 1\n');
  expect((await at.payfile('settle', 'may', '--sandbox', ...watch)).code).toBe(0);
  expect(metrics()).toContain('payfile_ledger_doubts{file="payfile"} 0\n');
  expect(metrics()).toContain('payfile_last_run_exit_code{file="payfile",batch="may"} 0\n');
});

it('counts held rows of an earlier batch until somebody acts, also where a call cannot read its settings', async () => {
  const at = office();
  const watch = ['--metrics-file', 'payfile.prom'];
  const metrics = () => readFileSync(join(at.folder, 'payfile.prom'), 'utf8');
  at.file(
    'may.csv',
    payrollCsv([
      [GOOD[0] ?? '', '100.50', 'M-1'],
      [GOOD[1] ?? '', '2.00', 'M-2'],
    ]),
  );
  expect((await at.payfile(...RUN, ...watch)).code).toBe(3);
  at.file('june.csv', payrollCsv([[GOOD[2] ?? '', '75.25', 'J-1']]));
  const [run = '', , flag = '', , ...rest] = RUN;
  expect((await at.payfile(run, 'june.csv', flag, 'june', ...rest, ...watch)).code).toBe(0);
  expect(metrics()).toContain('payfile_ledger_held{file="payfile"} 1\n');
  expect(metrics()).toContain('payfile_ledger_differing{file="payfile"} 0\n');
  expect(metrics()).toContain('payfile_ledger_oldest_on_its_way_timestamp_seconds{file="payfile"} 0.000\n');

  at.file('broken.json', '{');
  expect((await at.payfile(...RUN, ...watch, '--config', 'broken.json')).code).toBe(78);
  expect(metrics()).toContain('payfile_last_run_exit_code{file="payfile",batch="may"} 78\n');
  expect(metrics()).toContain('payfile_ledger_held{file="payfile"} 1\n');
  expect(metrics()).toContain('payfile_ledger_doubts{file="payfile"} 0\n');

  expect((await at.payfile('cancel', 'may', '3', '--reason', 'left the company', '--sandbox')).code).toBe(0);
  expect((await at.payfile('settle', 'june', '--sandbox', ...watch)).code).toBe(0);
  expect(metrics()).toContain('payfile_ledger_held{file="payfile"} 0\n');
});
