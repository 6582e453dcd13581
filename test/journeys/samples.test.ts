/** The samples to use: the cron script pays a month against a service, and the units and alert rules can be read. */

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { createWorkerMetrics } from '../../src/faces/cli/monitoring/worker-metrics.ts';
import { commandPath } from '../builders/command.ts';
import {
  GOOD,
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  startLiveService,
} from '../builders/office.ts';
import { unitOf } from '../builders/systemd-unit.ts';

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url));
const sample = (name: string) => readFileSync(join(SAMPLES, name), 'utf8');

let live: LiveService;
let office: Office;
const at = (name: string) => join(office.folder, name);

beforeAll(async () => {
  live = await startLiveService();
  office = openOffice();
  for (const folder of ['in', 'out', 'bin', 'home']) mkdirSync(at(folder));
  office.file('bin/payfile', `#!/bin/sh\nexec '${process.execPath}' '${commandPath()}' "$@"\n`);
  chmodSync(at('bin/payfile'), 0o755);
  office.file('payroll.password', live.env['PAYFILE_PASSWORD'] ?? '');
  chmodSync(at('payroll.password'), 0o600);
  office.file('payroll.json', ownConfiguration());
  expect((await inShell('payfile init --config payroll.json')).code).toBe(0);
});
afterAll(async () => {
  office.close();
  await live.sandbox.close();
});

/** The sample's configuration with values of this test; the password file stands beside it, as it does there. */
function ownConfiguration(): string {
  const { PAYFILE_BASE_URL: baseUrl, PAYFILE_AUTH_URL: authUrl, PAYFILE_ID: id } = live.env;
  const given = JSON.parse(sample('cron/payroll.json')) as Record<string, unknown>;
  expect(Object.keys(given)).toEqual(['baseUrl', 'authUrl', 'id', 'passwordFile', 'source', 'ledger']);
  return JSON.stringify({ ...given, baseUrl, authUrl, id, ledger: { path: at('ledger.db') } });
}

/** As cron has it: almost no environment. */
function inShell(
  script: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string }> {
  const path = [at('bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  const own = {
    ...{ PAYROLL_CONFIG: at('payroll.json'), PAYROLL_IN: at('in'), PAYROLL_OUT: at('out') },
    PAYROLL_LAST: at('payroll.last'),
  };
  const env = { PATH: path, HOME: at('home'), ...own, ...more, PAYFILE_POLL_MIN_MS: '50' };
  const child = spawn('sh', ['-c', script], { cwd: office.folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

const transfers = () => live.requests.filter((line) => /POST \S*transfer/i.test(line)).length;

/** What the script's machine says that today is. */
function today(day: string): void {
  office.file('bin/date', `#!/bin/sh\necho ${day}\n`);
  chmodSync(at('bin/date'), 0o755);
}

it('pays a month from cron in silence, once, and the month that is due when no month is named', async () => {
  const script = join(SAMPLES, 'cron/pay-payroll');
  writeFileSync(at('in/payroll-202605.csv'), payrollCsv(GOOD.slice(0, 2).map((to) => [to, '100.50'])));
  for (const _time of ['morning', 'evening'])
    expect(await inShell(`${script} 202605`)).toEqual({ code: 0, output: '' });
  expect(transfers()).toBe(2);
  expect(readFileSync(at('out/payroll-202605.csv'), 'utf8').match(/,settled,/g)).toHaveLength(2);

  today('20260724');
  const early = await inShell(script);
  expect(early).toEqual({
    code: 64,
    output: `No month was paid from here yet, and none is due before the 25th. Name one: ${script} 202606\n`,
  });
  writeFileSync(at('in/payroll-202607.csv'), payrollCsv([[GOOD[2] ?? '', '75.25', 'N-1']]));
  today('20260725');
  for (const _time of ['morning', 'evening']) expect(await inShell(script)).toEqual({ code: 0, output: '' });
  expect(transfers()).toBe(3);
});

it('pays each month whose run was missed from its own file and under its own name, the oldest first', async () => {
  const script = join(SAMPLES, 'cron/pay-payroll');
  writeFileSync(at('in/payroll-202609.csv'), payrollCsv([[GOOD[3] ?? '', '91.00', 'S-1']]));
  writeFileSync(at('in/payroll-202610.csv'), payrollCsv([[GOOD[4] ?? '', '92.00', 'O-1']]));
  const before = transfers();
  // The machine was off from the end of July to 2 November. August has no file: a person is told, and is told once.
  today('20261102');
  const late = await inShell(script);
  expect(late.code, late.output).toBe(66);
  expect(late.output).toContain('payroll-202608.csv');
  expect(late.output).not.toContain('202611');
  expect(transfers()).toBe(before + 2);
  for (const month of ['202609', '202610'])
    expect(readFileSync(at(`out/payroll-${month}.csv`), 'utf8')).toMatch(/,settled,/);
  expect(readFileSync(at('payroll.last'), 'utf8')).toBe('202610\n');
  expect(await inShell(script)).toEqual({ code: 0, output: '' });
  expect(transfers()).toBe(before + 2);
});

it('pays a month again whose run was killed, and none by itself that was missed long ago', async () => {
  const script = join(SAMPLES, 'cron/pay-payroll');
  const last = () => readFileSync(at('payroll.last'), 'utf8');
  mkdirSync(at('killing'));
  office.file('killing/payfile', '#!/bin/sh\nkill -KILL $$\n');
  chmodSync(at('killing/payfile'), 0o755);
  today('20261125');
  const before = last();
  const killed = await inShell(`PATH='${at('killing')}':$PATH ${script}`);
  expect(killed.code).toBe(137);
  expect(last()).toBe(before);

  today('20270825');
  expect(await inShell(script)).toEqual({
    code: 64,
    output: `More than three months were missed. Name each that you still want to pay: ${script} 202611\n`,
  });
  expect(last()).toBe(before);
});

it('tells its pager, also when the configuration cannot be read, and names the configuration in what to type next', async () => {
  const script = join(SAMPLES, 'cron/pay-payroll');
  office.file('page', `#!/bin/sh\ncat > ${at('paged.json')}\n`);
  chmodSync(at('page'), 0o755);
  const notify = { PAYROLL_NOTIFY: `exec:${at('page')}` };
  const paged = () => JSON.parse(readFileSync(at('paged.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(at('in/payroll-202606.csv'), payrollCsv([[GOOD[3] ?? '', '60.00']]));
  const held = await inShell(`${script} 202606`, notify);
  expect(held.code, held.output).toBe(3);
  expect(paged()).toMatchObject({ exitCode: 3 });
  const next = /Next: (.*)/.exec(held.output)?.[1] ?? '';
  expect(next).toBe(`payfile explain payroll-202606 2 --config ${at('payroll.json')}`);
  expect((await inShell(`cd / && ${next}`)).code).toBe(0);

  office.file('broken.json', '{');
  const broken = await inShell(`${script} 202606`, {
    ...notify,
    PAYROLL_CONFIG: at('broken.json'),
    PAYROLL_OUT: at('bin'),
  });
  expect(broken.code, broken.output).toBe(78);
  expect(paged()).toMatchObject({ exitCode: 78 });
  const written = readFileSync(at('bin/payroll.prom'), 'utf8');
  expect(written).toContain('payfile_last_run_exit_code{file="payroll",batch="payroll-202606"} 78\n');
});

it('has alert rules about metrics that a run writes', async () => {
  const written = readFileSync(at('out/payroll.prom'), 'utf8') + ofAWorker();
  const metrics = new Set([...written.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name]) => name));
  const rules = rulesOf(sample('alerts.yml'));
  expect(rules.length).toBeGreaterThan(3);
  for (const { alert, expr, severity, summary } of rules) {
    expect(alert).toMatch(/^Payfile[A-Za-z]+$/);
    expect(severity).toMatch(/^(page|ticket)$/);
    expect(summary).not.toBe('');
    const named = [...expr.matchAll(/payfile_\w+/g)].map(([name]) => name);
    expect(named.length, expr).toBeGreaterThan(0);
    for (const name of named) expect(metrics, expr).toContain(name);
    const statuses = /status=~"([^"]*)"/.exec(expr)?.[1]?.split('|') ?? [];
    for (const status of statuses) expect(STATUSES).toContain(status);
    for (const [, label = ''] of summary.matchAll(/\$labels\.(\w+)/g))
      expect(written, summary).toMatch(new RegExp(`^${named.at(-1)}\\{[^}]*${label}="`, 'm'));
  }
});

function ofAWorker(): string {
  const { event, text } = createWorkerMetrics({ path: '/run/payfile/worker-1.prom', now: () => 0 });
  event({
    kind: 'seen',
    worker: { host: 'pay-1', pid: 1, user: 'payfile', queues: [], lanes: { all: 8, own: 8 } },
  });
  return text('', true);
}

/** The lines of a rule, each of which has one place; anything else in the file is a mistake. */
const RULE_LINES = [
  /^ {6}- alert: (?<alert>\S+)$/,
  /^ {8}expr: (?<expr>.+)$/,
  /^ {8}labels:$/,
  /^ {10}severity: (?<severity>\S+)$/,
  /^ {8}annotations:$/,
  /^ {10}summary: "(?<summary>[^"\\]*)"$/,
];

function rulesOf(yaml: string): { alert: string; expr: string; severity: string; summary: string }[] {
  const lines = yaml.split('\n').filter((line) => !/^ *(#|$)/.test(line));
  expect(lines.splice(0, 3)).toEqual(['groups:', '  - name: payfile', '    rules:']);
  expect(lines.length % RULE_LINES.length).toBe(0);
  const groups = lines.map((line, index) => {
    const form = RULE_LINES[index % RULE_LINES.length] ?? /^$/;
    expect(line).toMatch(form);
    return form.exec(line)?.groups ?? {};
  });
  return Array.from({ length: lines.length / RULE_LINES.length }, (_, rule) => {
    const found = Object.assign(
      {},
      ...groups.slice(rule * RULE_LINES.length, (rule + 1) * RULE_LINES.length),
    );
    return { alert: '', expr: '', severity: '', summary: '', ...found };
  });
}

it('has systemd units that run the same script at the same times as the crontab', () => {
  const service = unitOf(sample('systemd/payfile-payroll.service'));
  const timer = unitOf(sample('systemd/payfile-payroll.timer'));
  const [, minute, hours = '', day, script] =
    /^(\d+) (\d+,\d+) (\d+) \* \* +(\S+)$/m.exec(sample('cron/crontab')) ?? [];
  expect(service.get('Service.ExecStart')).toBe(script);
  expect(service.get('Service.Type')).toBe('oneshot');
  expect(service.get('Service.SuccessExitStatus')).toBe('4');
  const times = hours.split(',').map((hour) => `*-*-${day} ${hour.padStart(2, '0')}:${minute}`);
  expect(timer.get('Timer.OnCalendar')).toBe(times.join(','));
  const ledger = JSON.parse(sample('cron/payroll.json')) as { ledger: { path: string } };
  expect(ledger.ledger.path).toBe(`/var/lib/${service.get('Service.StateDirectory')}/ledger.db`);
  expect(timer.get('Install.WantedBy')).toBe('timers.target');
});
