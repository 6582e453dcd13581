/** Nights of a cron job that do not go well: what stands in the mail, on the pager and in the metrics in the morning. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ANSWER_LOST, GOOD, type Office, openOffice, payrollCsv, REFUSED } from '../builders/office.ts';
import { openShop, type Shop } from '../stories/a-shop.ts';

const [AMA = '', KOFI = ''] = GOOD;
const NIGHT_MS = 120_000;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
function office(): Office {
  const made = openOffice({ PAYFILE_SOURCE: 'GB' });
  closers.push(made.close);
  return made;
}

/** A pager that writes down what it is told, and the flags of a job that has one. */
function watched({ folder }: Office) {
  const heard = join(folder, 'paged.json');
  writeFileSync(join(folder, 'page.sh'), `#!/bin/sh\ncat > ${heard}\n`);
  chmodSync(join(folder, 'page.sh'), 0o755);
  return {
    flags: ['--quiet', '--metrics-file', 'job.prom', '--notify', `exec:${join(folder, 'page.sh')}`],
    /** What was told since the last time this was asked. */
    paged() {
      if (!existsSync(heard)) return undefined;
      const told = JSON.parse(readFileSync(heard, 'utf8')) as Record<string, unknown>;
      rmSync(heard);
      return told;
    },
    metrics: () => readFileSync(join(folder, 'job.prom'), 'utf8'),
  };
}

it(
  'tells of a return once, with a command that pays it again, and is silent on the days after',
  async () => {
    const shop: Shop = await openShop();
    closers.push(shop.close);
    const { flags, paged } = watched(shop.office);
    shop.office.file(
      'may.csv',
      payrollCsv([
        [AMA, '50.00'],
        [KOFI, '60.00'],
      ]),
    );
    expect((await shop.run('may.csv', 'late')).code).toBe(0);
    shop.later(48);
    shop.says(KOFI, 'Returned');
    const watch = ['settle', 'late', '--watch-returns', '14d', ...flags];

    const first = await shop.payfile(...watch);
    expect(first.code, first.stderr).toBe(3);
    const next = 'payfile report late --only unpaid --as-input -o late-redo.csv';
    expect(first.stderr).toContain(`Next: ${next}\n`);
    expect(paged()).toMatchObject({ exitCode: 3, next });

    shop.later(24);
    const second = await shop.payfile(...watch);
    expect(second).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(paged()).toBeUndefined();
    const again = await shop.run('may.csv', 'late');
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('Not all of it was paid: 1 returned. See: payfile status late');

    const typed = await shop.payfile('reissue', 'late', '3');
    expect(typed.stdout).toContain('Planned again: 1 row (3)');
  },
  NIGHT_MS,
);

it(
  '[B10] names a batch with rows in doubt every night until somebody looked, whatever became of the night',
  async () => {
    const at = office();
    const { flags, paged, metrics } = watched(at);
    const run = (file: string, name: string, ...more: string[]) =>
      at.payfile('run', file, '--batch', name, '--sandbox', '--yes', '--deadline', '20s', ...flags, ...more);
    at.file('april.csv', payrollCsv([[ANSWER_LOST, '70.00', 'A-1']]));
    expect((await run('april.csv', 'april')).code).toBe(5);
    expect(paged()).toMatchObject({ exitCode: 5 });
    expect(metrics()).toContain('payfile_batch_doubts{file="job",batch="april"} 1\n');
    const line = 'Batch april has 1 row in doubt: payfile status april --sandbox\n';

    at.file('may.csv', payrollCsv([[AMA, '50.00', 'M-1']]));
    const good = await run('may.csv', 'may');
    expect(good).toMatchObject({ code: 0, stdout: '', stderr: line });
    expect(metrics()).toContain('payfile_ledger_doubts{file="job"} 1\n');

    const lost = await run('june.csv', 'june');
    expect(lost.code).toBe(66);
    expect(lost.stderr).toContain(line);
    expect(lost.stderr).toMatch(/Then: payfile run FILE --batch june --yes --sandbox\n$/);
    expect(metrics()).toContain('payfile_ledger_doubts{file="job"} 1\n');
    expect(metrics()).toContain('payfile_last_run_exit_code{file="job",batch="june"} 66\n');
    expect(paged()).toMatchObject({ exitCode: 66 });

    const typo = await run('may.csv', 'may', '--max-total', 'GHS');
    expect(typo.code).toBe(64);
    expect(typo.stderr).toMatch(/Next: payfile run --help\n$/);
    expect(metrics()).toContain('payfile_last_run_exit_code{file="job",batch="may"} 64\n');
    expect(paged()).toMatchObject({ exitCode: 64, error: { code: 'usage' } });

    const status = await at.payfile('status', 'may', '--sandbox');
    expect(status.stdout).toContain(line);
    const doctor = await at.payfile('doctor', '--sandbox', '--quiet');
    expect(doctor.code).toBe(5);
    expect(doctor.stdout).toContain('✖ Doubts: Batch april has 1 row in doubt');
    expect(doctor.stdout).not.toContain('✔');
    expect(doctor.stderr).not.toContain('All checks passed');
  },
  NIGHT_MS,
);

it(
  '[L37] finds a report folder that is missing before anything is paid, and pages with the reason',
  async () => {
    const at = office();
    const { flags, paged } = watched(at);
    at.file('may.csv', payrollCsv([[AMA, '50.00']]));
    const run = ['run', 'may.csv', '--batch', 'may', '--sandbox', '--yes', ...flags, '--report'];
    const early = await at.payfile(...run, 'no/such/folder/r.csv');
    expect(early.code).toBe(73);
    expect(early.stderr).toContain('its folder does not exist');
    expect(paged()).toMatchObject({ exitCode: 73, error: { code: 'report_unwritable' } });
    expect((await at.payfile('sandbox', '--book')).stderr).toContain('the sandbox never ran');

    const late = await at.payfile(...run, `${'r'.repeat(250)}.csv`);
    expect(late.code, late.stderr).toBe(73);
    expect(late.stdout.trim().split('\n')).toHaveLength(2);
    expect(late.stderr).toContain('the name is too long');
    expect(late.stderr).toMatch(/Next: payfile report may -o \S+r\.csv --sandbox\n$/);
    expect(paged()).toMatchObject({
      exitCode: 73,
      counts: { settled: 1 },
      error: { code: 'report_unwritable' },
    });
  },
  NIGHT_MS,
);

it(
  'shows a run that was killed as under way, and leaves a short mail when rows failed',
  async () => {
    const at = office();
    const { flags, metrics } = watched(at);
    at.file(
      'may.csv',
      payrollCsv([
        [AMA, '50.00'],
        [REFUSED, '70.00'],
      ]),
    );
    const run = ['run', 'may.csv', '--batch', 'may', '--sandbox', '--yes', ...flags];
    const first = await at.payfile(...run);
    expect(first.code, first.stderr).toBe(3);
    expect(first.stdout.split('\n')[1]).toBe('2 rows: 1 settled, 1 failed');
    expect(first.stderr).toBe(
      'Next: payfile report may --only unpaid --as-input -o may-redo.csv --sandbox\n',
    );
    expect(metrics()).toContain('payfile_run_under_way{file="job"} 0\n');

    const killed = at.start(run);
    while (!metrics().includes('payfile_run_under_way{file="job"} 1\n'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(metrics()).toContain('payfile_run_under_way{file="job"} 1\n');
    expect(metrics()).toContain('payfile_last_run_exit_code{file="job",batch="may"} 3\n');
  },
  NIGHT_MS,
);
