/** The samples: the script pays months against a service. The test reads the units, the CronJob and the alert rules. */

import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorkerMetrics } from '../../src/cli/monitoring/worker-metrics.ts';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { commandPath } from '../builders/command.ts';

import {
  GOOD,
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  type Row,
  startLiveService,
} from '../builders/office.ts';
import { isMap, type Plain, plainYaml } from '../builders/plain-yaml.ts';
import { callMain } from '../builders/process-context.ts';
import { unitOf } from '../builders/systemd-unit.ts';
import { until } from '../builders/until.ts';

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url));
const sample = (name: string) => readFileSync(join(SAMPLES, name), 'utf8');

const LATER = new URL('../builders/later.ts', import.meta.url).href;
const HOUR_MS = 3_600_000;

let live: LiveService;
let office: Office;
const at = (name: string) => join(office.folder, name);
/** A copy, because the path of the clone may have a space. */
const script = () => at('bin/pay-payroll');

beforeAll(async () => {
  live = await startLiveService();
  office = openOffice();
  for (const folder of ['in', 'out', 'bin', 'home']) mkdirSync(at(folder));
  command();
  copyFileSync(join(SAMPLES, 'cron/pay-payroll'), script());
  office.file('payroll.password', live.env['PAYFILE_PASSWORD'] ?? '');
  chmodSync(at('payroll.password'), 0o600);
  office.file('payroll.json', ownConfiguration());
  expect((await office.payfile('init', '--config', 'payroll.json')).code).toBe(0);
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
  // A month passes in a second here.
  const own = { baseUrl, authUrl, id, ledger: { path: at('ledger.db') }, repeatHours: 0 };
  return JSON.stringify({ ...given, ...own });
}

/** As cron has it: almost no environment. */
function inShell(
  script: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string }> {
  const path = [at('bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  const own = {
    ...{ PAYROLL_CONFIG: at('payroll.json'), PAYROLL_IN: at('in'), PAYROLL_OUT: at('out') },
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

/** The command in the script's path, whose clock is ahead. */
function command(aheadMs = 0): void {
  const ahead = `STORY_AHEAD_MS=${aheadMs} NODE_OPTIONS=--import=${LATER}`;
  office.file('bin/payfile', `#!/bin/sh\n${ahead} exec '${process.execPath}' '${commandPath()}' "$@"\n`);
  chmodSync(at('bin/payfile'), 0o755);
}

const transfers = () => live.requests.filter((line) => /POST \S*transfer/i.test(line)).length;

/** What the script's machine says that today is. */
function today(day: string): void {
  office.file('bin/date', `#!/bin/sh\necho ${day}\n`);
  chmodSync(at('bin/date'), 0o755);
}

it('pays a month from cron once and without output, and later the rows that are left', async () => {
  writeFileSync(at('in/payroll-2026-05.csv'), payrollCsv(GOOD.slice(0, 2).map((to) => [to, '100.50'])));
  expect(await inShell(`${script()} 2026-05`)).toEqual({ code: 0, output: '' });
  expect(transfers()).toBe(2);
  expect(readFileSync(at('out/payroll-2026-05.csv'), 'utf8').match(/,settled,/g)).toHaveLength(2);
  today('2026-05-25');
  expect(await inShell(script())).toEqual({ code: 0, output: '' });
  expect(transfers()).toBe(2);
});

it('pays each missed month from its own file and under its own name, also when wages stay the same', async () => {
  const own = { '2026-06': '91.00', '2026-07': '92.00' };
  // June pays one as May did, and July another as June did.
  const asMay: Row = [GOOD[0] ?? '', '100.50'];
  const asJune: Row = [GOOD[3] ?? '', '88.00', 'W-1'];
  office.file('in/payroll-2026-06.csv', payrollCsv([asMay, asJune, [GOOD[2] ?? '', own['2026-06'], 'J-1']]));
  office.file('in/payroll-2026-07.csv', payrollCsv([asJune, [GOOD[2] ?? '', own['2026-07'], 'J-2']]));
  // The machine was off from the end of May to 2 August.
  today('2026-08-02');
  command(21 * HOUR_MS);
  expect(await inShell(script())).toEqual({ code: 10, output: waits('2026-07', '2026-06') });
  expect(transfers()).toBe(5);
  today('2026-08-03');
  command(42 * HOUR_MS);
  expect(await inShell(script())).toEqual({ code: 0, output: '' });
  command();
  expect(transfers()).toBe(7);
  const paid = live.sandbox.book.entries().filter(({ account }) => account === GOOD[2]);
  expect(paid.map(({ amount }) => amount)).toEqual(Object.values(own));
  const settledIn = (month: string) =>
    readFileSync(at(`out/payroll-${month}.csv`), 'utf8').match(/,settled,/g)?.length;
  expect(Object.keys(own).map(settledIn)).toEqual([3, 2]);
});

const waits = (month: string, before: string) =>
  `payroll-${month} waits, because it may repeat payroll-${before}, which was sent just now. Start again tomorrow: ${script()}\n`;

/** A fake payfile: it prints the status of each month, and ends each run with the code of the test. */
function scripted(known: Readonly<Record<string, string>>, codes: Readonly<Record<string, number>> = {}) {
  rmSync(at('scripted'), { recursive: true, force: true });
  for (const folder of ['scripted/known', 'scripted/codes']) mkdirSync(at(folder), { recursive: true });
  for (const [month, status] of Object.entries(known)) office.file(`scripted/known/${month}`, status);
  for (const [month, code] of Object.entries(codes)) office.file(`scripted/codes/${month}`, `${code}`);
  const lines = [
    `#!/bin/sh`,
    `cd ${at('scripted')}`,
    `if [ "$1" = status ]; then`,
    `  [ ! -e "unreadable-\${2#payroll-}" ] || exit 78`,
    `  [ -e "known/\${2#payroll-}" ] || exit 64`,
    `  printf '{\n  "status": "%s"\n}\n' "$(cat "known/\${2#payroll-}")"`,
    `  exit`,
    `fi`,
    `if [ "$1" = settle ]; then`,
    `  echo "$*" >> settled`,
    `  exit "$(cat codes/settle 2> /dev/null || echo 0)"`,
    `fi`,
    `month="\${4#payroll-}"`,
    `echo "$month" >> runs`,
    `if [ -e slow ]; then`,
    `  trap 'echo TERM >> signals; sleep 0.3; echo ended >> signals; exit 143' TERM`,
    `  echo begun > slow`,
    `  while :; do sleep 0.05; done`,
    `fi`,
    `exit "$(cat "codes/$month" 2> /dev/null || echo 0)"`,
  ];
  office.file('scripted/payfile', `${lines.join('\n')}\n`);
  chmodSync(at('scripted/payfile'), 0o755);
  return {
    start: () => inShell(`echo $$ > ${at('scripted/pid')}; PATH='${at('scripted')}':$PATH exec ${script()}`),
    runs: () => linesOf('scripted/runs'),
  };
}

const linesOf = (name: string) =>
  existsSync(at(name)) ? readFileSync(at(name), 'utf8').trim().split('\n') : [];

it.each([
  ['2026-06-02', { '2026-05': 'finished' }, ['2026-05']],
  ['2026-06-25', { '2026-05': 'finished' }, ['2026-06']],
  // Rows of May were not sent, and April was passed over.
  ['2026-07-24', { '2026-05': 'sending', '2026-03': 'finished' }, ['2026-05', '2026-06']],
  // A row in doubt of May waits for a person, and June for nobody.
  ['2026-06-25', { '2026-05': 'settling' }, ['2026-06']],
  ['2026-11-25', { '2026-10': 'canceled' }, ['2026-11']],
  // Rows of May were not sent, and June was only planned, so that a person could look at it.
  [
    '2026-06-25',
    { '2026-04': 'finished', '2026-05': 'sending', '2026-06': 'planned' },
    ['2026-05', '2026-06'],
  ],
  // A person passed over May and paid June early; or only planned June.
  ['2026-06-12', { '2026-04': 'finished', '2026-06': 'finished' }, []],
  ['2026-06-12', { '2026-04': 'finished', '2026-06': 'planned' }, ['2026-05']],
  // A new payroll.
  ['2026-06-25', {}, ['2026-06']],
])('runs on %s after %j the months %j', async (day, known, months) => {
  today(day);
  const { start, runs } = scripted(known as Record<string, string>);
  expect(await start()).toEqual({ code: 0, output: '' });
  expect(runs()).toEqual(months);
});

it.each([
  ['2027-01-25', { '2026-10': 'canceled' }, 0, ['2026-11'], ['2026-12', '2026-11'], 10],
  // Of May nothing was sent.
  ['2026-07-24', { '2026-05': 'planned', '2026-03': 'finished' }, 0, ['2026-05'], ['2026-06', '2026-05'], 10],
  // The rest of May goes, and June; July may repeat June.
  ['2026-07-25', { '2026-05': 'sending' }, 4, ['2026-05', '2026-06'], ['2026-07', '2026-06'], 10],
  ['2026-07-25', { '2026-05': 'finished' }, 3, ['2026-06'], ['2026-07', '2026-06'], 3],
] as const)(
  'begins on %s after %j, where a run ends with %i, one new month and says which one waits',
  async (day, known, code, months, [next, before], worst) => {
    today(day);
    const codes = Object.fromEntries(months.map((month) => [month, code]));
    const { start, runs } = scripted(known as Record<string, string>, codes);
    expect(await start()).toEqual({ code: worst, output: waits(next, before) });
    expect(runs()).toEqual(months);
  },
);

it('pays nothing before the first month is due or named, and nothing when more than three months are due', async () => {
  today('2026-07-24');
  const early = scripted({});
  expect(await early.start()).toEqual({
    code: 64,
    output: `The ledger has no recent month. None is due before the 25th. Name the first: ${script()} 2026-06\n`,
  });
  today('2026-10-25');
  const late = scripted({ '2026-06': 'finished' });
  expect(await late.start()).toEqual({
    code: 64,
    output: `More than three months are due. Name each month to pay: ${script()} 2026-07\n`,
  });
  expect([...early.runs(), ...late.runs()]).toEqual([]);
  expect(await inShell(`${script()} 202605`)).toMatchObject({ code: 64 });
});

it('stops at the first month with another code than 0, 3 or 4, and ends with the worst code', async () => {
  today('2026-08-25');
  // Rows of June and July were left.
  const known = { '2026-05': 'finished', '2026-06': 'sending', '2026-07': 'sending' };
  for (const [codes, code, months] of [
    [{ '2026-07': 66 }, 66, ['2026-06', '2026-07']],
    [{ '2026-06': 75 }, 75, ['2026-06']],
    [{ '2026-06': 3, '2026-07': 4 }, 3, ['2026-06', '2026-07', '2026-08']],
    [{ '2026-06': 4 }, 4, ['2026-06', '2026-07', '2026-08']],
  ] as const) {
    const { start, runs } = scripted(known, codes);
    expect(await start()).toEqual({ code, output: '' });
    expect(runs()).toEqual(months);
  }
});

it.each([
  // Settings or ledger cannot be read.
  [78, 78, ''],
  // A server was away for a moment. August would be paid, and June and July never.
  [64, 78, 'The ledger could not be read a moment ago, so nothing was paid. Start again: '],
])(
  'pays no month when it cannot tell which is due, and tells its pager (%i)',
  async (settled, code, said) => {
    today('2026-08-25');
    const { start, runs } = scripted({ '2026-05': 'finished' }, { settle: settled });
    office.file('scripted/unreadable-2026-07', '');
    expect(await start()).toEqual({ code, output: said === '' ? '' : `${said}${script()}\n` });
    expect(runs()).toEqual([]);
    expect(linesOf('scripted/settled')[0]).toMatch(/^settle payroll-2026-07 .*--metrics-file /);
  },
);

it('passes a stop on to payfile once, waits for its end, and begins no other month', async () => {
  today('2026-07-25');
  const { start, runs } = scripted({ '2026-05': 'finished' });
  office.file('scripted/slow', '');
  const ended = start();
  await until(() => readFileSync(at('scripted/slow'), 'utf8') !== '');
  const pid = Number(linesOf('scripted/pid')[0]);
  process.kill(pid, 'SIGTERM');
  expect(await ended).toEqual({ code: 143, output: '' });
  expect(linesOf('scripted/signals')).toEqual(['TERM', 'ended']);
  expect(runs()).toEqual(['2026-06']);
});

it('tells its pager, also when the configuration cannot be read, and names the configuration in what to type next', async () => {
  office.file('page', `#!/bin/sh\ncat > ${at('paged.json')}\n`);
  chmodSync(at('page'), 0o755);
  const notify = { PAYROLL_NOTIFY: `exec:${at('page')}` };
  const paged = () => JSON.parse(readFileSync(at('paged.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(at('in/payroll-2026-04.csv'), payrollCsv([[GOOD[3] ?? '', '60.00']]));
  const held = await inShell(`${script()} 2026-04`, notify);
  expect(held.code, held.output).toBe(3);
  expect(paged()).toMatchObject({ exitCode: 3 });
  const next = /Next: (.*)/.exec(held.output)?.[1] ?? '';
  expect(next).toBe(`payfile explain payroll-2026-04 2 --config ${at('payroll.json')}`);
  const [, ...words] = next.split(' ');
  expect((await callMain(words, { ...office, folder: '/' })).code).toBe(0);

  office.file('broken.json', '{');
  const broken = await inShell(`${script()} 2026-04`, {
    ...notify,
    PAYROLL_CONFIG: at('broken.json'),
    PAYROLL_OUT: at('bin'),
  });
  expect(broken.code, broken.output).toBe(78);
  expect(paged()).toMatchObject({ exitCode: 78 });
  const written = readFileSync(at('bin/payroll.prom'), 'utf8');
  expect(written).toContain('payfile_last_run_exit_code{file="payroll",batch="payroll-2026-04"} 78\n');
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
  const { hear, text } = createWorkerMetrics({ path: '/run/payfile/worker-1.prom', now: () => 0 });
  const worker = { host: 'pay-1', pid: 1, user: 'payfile', queues: [], lanes: { all: 8, own: 8 } };
  hear({ kind: 'worker', event: { kind: 'seen', worker } });
  return text(true);
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
  expect(service.get('Service.SuccessExitStatus')).toBe('4 75');
  // The script passes the signal on. A second signal would leave rows in doubt.
  expect(service.get('Service.KillMode')).toBe('mixed');
  const times = hours.split(',').map((hour) => `*-*-${day} ${hour.padStart(2, '0')}:${minute}`);
  expect(timer.get('Timer.OnCalendar')).toBe(times.join(','));
  const ledger = JSON.parse(sample('cron/payroll.json')) as { ledger: { path: string } };
  expect(ledger.ledger.path).toBe(`/var/lib/${service.get('Service.StateDirectory')}/ledger.db`);
  expect(timer.get('Install.WantedBy')).toBe('timers.target');
});

/** The value at a path in maps and lists. */
function partOf(value: Plain, ...keys: readonly (string | number)[]): Plain {
  return keys.reduce<Plain>((from, key) => {
    if (Array.isArray(from)) return (from as readonly Plain[])[Number(key)] ?? '';
    return isMap(from) ? (from[key] ?? '') : '';
  }, value);
}

const pod = () =>
  partOf(plainYaml(sample('kubernetes/cronjob.yaml')), 'spec', 'jobTemplate', 'spec', 'template', 'spec');
const listIn = (value: Plain): readonly Plain[] => (Array.isArray(value) ? value : []);

it('has a CronJob at the same times, whose pods never overlap and have settings, secret and ledger in files', () => {
  const job = plainYaml(sample('kubernetes/cronjob.yaml'));
  const [, times] = /^([\d, *]+) +\/\S+$/m.exec(sample('cron/crontab')) ?? [];
  expect(partOf(job, 'spec', 'schedule')).toBe(times?.trim());
  expect(partOf(job, 'spec', 'concurrencyPolicy')).toBe('Forbid');
  // Kubernetes must not start the job again before a person looked at it.
  expect(partOf(job, 'spec', 'jobTemplate', 'spec', 'backoffLimit')).toBe('0');
  expect(partOf(pod(), 'restartPolicy')).toBe('Never');
  const mounts = listIn(partOf(pod(), 'containers', 0, 'volumeMounts'));
  const placeOf = new Map(mounts.map((mount) => [partOf(mount, 'name'), partOf(mount, 'mountPath')]));
  const volumes = listIn(partOf(pod(), 'volumes'));
  expect(volumes.map((volume) => partOf(volume, 'name'))).toEqual([...placeOf.keys()]);
  const sources = listIn(partOf(volumes[0] ?? '', 'projected', 'sources'));
  expect(sources.flatMap((source) => (isMap(source) ? Object.keys(source) : []))).toEqual([
    'configMap',
    'secret',
  ]);
  const { ledger, passwordFile } = JSON.parse(sample('kubernetes/payroll.json')) as {
    ledger: { path: string; id: unknown };
    passwordFile: string;
  };
  // The secret is in the folder of the configuration. The ledger has its own folder, because payfile sets its mode.
  expect(passwordFile).not.toContain('/');
  expect(dirname(dirname(ledger.path))).toBe(placeOf.get('ledger'));
  expect(ledger.id).toBeNull();
});

it('pays in a pod with an empty home by the id of its ledger, and with no other ledger', async () => {
  const { command = '', env = '' } = partOf(pod(), 'containers', 0) as Readonly<Record<string, Plain>>;
  const place = new Map([
    ['/etc/payfile/pay-payroll', script()],
    ['/home/payroll', at('pod-home')],
  ]);
  const inPlace = (value: Plain) => place.get(String(value)) ?? String(value);
  const own = listIn(env).map((each) => [String(partOf(each, 'name')), inPlace(partOf(each, 'value'))]);
  const { PAYROLL_NOTIFY: _nobody, ...variables } = Object.fromEntries(own) as Record<string, string>;
  const configure = (id: string | null) => {
    const ledger = { path: at('volume/ledger/ledger.db'), id };
    const given = {
      ...JSON.parse(sample('kubernetes/payroll.json')),
      ...JSON.parse(ownConfiguration()),
      ledger,
    };
    office.file('payroll.json', JSON.stringify(given));
  };
  const newPod = () => {
    rmSync(at('pod-home'), { recursive: true, force: true });
    mkdirSync(at('pod-home'));
  };
  const inPod = (...words: string[]) => {
    newPod();
    return callMain([...words, '--config', 'payroll.json'], { folder: office.folder, env: variables });
  };
  const start = () => {
    newPod();
    return inShell(`${listIn(command).map(inPlace).join(' ')} 2026-05`, variables);
  };
  mkdirSync(at('volume'));
  configure(null);
  const { text } = await inPod('init');
  const [, id = ''] = /\(live, ([0-9a-f]{32})\)/.exec(text) ?? [];
  configure(id);
  const before = transfers();
  expect(await start()).toEqual({ code: 0, output: '' });
  expect(transfers()).toBe(before + 2);

  copyFileSync(at('volume/ledger/ledger.db'), at('older.db'));
  const settle = () => inPod('settle', 'payroll-2026-05');
  configure(null);
  expect((await settle()).code).toBe(78);
  configure('f'.repeat(32));
  expect(await settle()).toMatchObject({
    code: 78,
    text: expect.stringContaining('the configuration names'),
  });
  configure(id);
  expect(await start()).toEqual({ code: 0, output: '' });
  // An older state that somebody put in its place.
  renameSync(at('volume/ledger/ledger.db'), at('newer.db'));
  copyFileSync(at('older.db'), at('volume/ledger/ledger.db'));
  expect(await settle()).toMatchObject({ code: 78, text: expect.stringContaining('is older than') });
  renameSync(at('newer.db'), at('volume/ledger/ledger.db'));
  expect((await settle()).code).toBe(0);
  renameSync(at('volume/ledger'), at('volume/elsewhere'));
  expect(await settle()).toMatchObject({ code: 78, text: expect.stringContaining('is gone') });
  expect(existsSync(at('volume/ledger/ledger.db'))).toBe(false);
  expect(transfers()).toBe(before + 2);
});
