/** The samples to use: the cron script pays a month against a service, and the units and alert rules can be read. */

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { commandPath } from '../builders/command.ts';
import {
  GOOD,
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  startLiveService,
} from '../builders/office.ts';

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url));
const sample = (name: string) => readFileSync(join(SAMPLES, name), 'utf8');

let live: LiveService;
let office: Office;
const at = (name: string) => join(office.folder, name);

beforeAll(async () => {
  live = await startLiveService();
  office = openOffice();
  for (const folder of ['in', 'out', 'bin']) mkdirSync(at(folder));
  office.file('bin/payfile', `#!/bin/sh\nexec '${process.execPath}' '${commandPath()}' "$@"\n`);
  chmodSync(at('bin/payfile'), 0o755);
  office.file('password', live.env['PAYFILE_PASSWORD'] ?? '');
  chmodSync(at('password'), 0o600);
  office.file('payfile.env', ownSettings());
  expect((await inShell('. ./payfile.env; payfile init')).code).toBe(0);
});
afterAll(async () => {
  office.close();
  await live.sandbox.close();
});

/** The sample's settings with values of this test; the sample names each of them. */
function ownSettings(): string {
  const values: Readonly<Record<string, string | undefined>> = {
    ...live.env,
    PAYFILE_PASSWORD_FILE: at('password'),
    XDG_STATE_HOME: at('state'),
    XDG_CONFIG_HOME: at('config'),
    PAYROLL_IN: at('in'),
    PAYROLL_OUT: at('out'),
  };
  const names = [...sample('cron/payfile.env').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
  expect(names.filter((name) => values[name] === undefined)).toEqual([]);
  return names.map((name) => `export ${name}='${values[name]}'\n`).join('');
}

/** As cron has it: almost no environment. */
function inShell(script: string): Promise<{ code: number | null; output: string }> {
  const path = [at('bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  const env = { PATH: path, PAYFILE_ENV: at('payfile.env'), PAYFILE_POLL_MIN_MS: '50' };
  const child = spawn('sh', ['-c', script], { cwd: office.folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

const transfers = () => live.requests.filter((line) => /POST \S*transfer/i.test(line)).length;

it('pays a month from cron in silence, once, and this month when no month is named', async () => {
  const script = join(SAMPLES, 'cron/pay-payroll');
  writeFileSync(at('in/payroll-202605.csv'), payrollCsv(GOOD.slice(0, 2).map((to) => [to, '100.50'])));
  for (const _time of ['morning', 'evening'])
    expect(await inShell(`${script} 202605`)).toEqual({ code: 0, output: '' });
  expect(transfers()).toBe(2);
  expect(readFileSync(at('out/payroll-202605.csv'), 'utf8').match(/,settled,/g)).toHaveLength(2);

  const now = (await inShell('date +%Y%m')).output.trim();
  writeFileSync(at(`in/payroll-${now}.csv`), payrollCsv([[GOOD[2] ?? '', '75.25', 'N-1']]));
  expect(await inShell(script)).toEqual({ code: 0, output: '' });
  expect(transfers()).toBe(3);
});

it('has alert rules about metrics that a run writes', async () => {
  const written = readFileSync(at('out/payroll.prom'), 'utf8');
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

/** What systemd.service(5) and systemd.timer(5) know, as far as the units use it. */
const UNIT_KEYS: Readonly<Record<string, readonly string[]>> = {
  Unit: ['Description', 'Wants', 'After'],
  Service: ['Type', 'User', 'ExecStart', 'SuccessExitStatus', 'TimeoutStopSec', 'KillMode'],
  Timer: ['OnCalendar', 'Persistent'],
  Install: ['WantedBy'],
};

function unitOf(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n').filter((each) => !/^(#|$)/.test(each))) {
    const [, opened] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? [];
    section = opened ?? section;
    if (opened !== undefined) continue;
    expect(UNIT_KEYS[section], line).toContain(key);
    settings.set(`${section}.${key}`, value);
  }
  return settings;
}

it('has systemd units that run the same script on the day of the crontab', () => {
  const service = unitOf(sample('systemd/payfile-payroll.service'));
  const timer = unitOf(sample('systemd/payfile-payroll.timer'));
  const [, minute, hour, day, script] =
    /^(\d+) (\d+),\d+ (\d+) \* \* +(\S+)$/m.exec(sample('cron/crontab')) ?? [];
  expect(service.get('Service.ExecStart')).toBe(script);
  expect(service.get('Service.Type')).toBe('oneshot');
  expect(service.get('Service.SuccessExitStatus')).toBe('4');
  expect(timer.get('Timer.OnCalendar')).toBe(`*-*-${day} ${hour?.padStart(2, '0')}:${minute}`);
  expect(timer.get('Install.WantedBy')).toBe('timers.target');
});
