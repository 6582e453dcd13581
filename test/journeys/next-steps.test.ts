/** What stands behind `Next:` and `Then:` can be pasted where it was shown. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/domain/next-steps/command.ts';
import { fitted } from '../../src/faces/cli/terminal/table.ts';
import { commandPath } from '../builders/command.ts';
import { ANSWER_LOST, GOOD, type Office, payrollCsv, REFUSED } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';
import { callMain } from '../builders/process-context.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const newOffice = officesFor({ PAYFILE_SOURCE: 'GB' });

/** What was said, typed in a shell in a folder. */
function inShell(line: string, cwd: string, { env, folder }: Office) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd,
    // npm keeps its logs and its cache in the home folder.
    env: { ...env, HOME: folder, npm_config_update_notifier: 'false' },
    encoding: 'utf8',
  });
  const [, next = ''] = /^Next: (.*)$/m.exec(stderr) ?? [];
  return { code: status, stdout, stderr, next };
}

it('is the installed command, also where npm called it in a clone; files are meant from there', () => {
  const office = newOffice();
  const call = (words: string) =>
    inShell(`npm run -s payfile -- ${words} --sandbox`, join(ROOT, 'samples'), office);
  expect(call('status nobody').next).toBe('payfile status --sandbox');
  expect(call('check suppliers.csv').code).toBe(0);
}, 60_000);

it('is broken nowhere but behind its own words', () => {
  const typed = `payfile release ${'a'.repeat(40)} 5 --reason TEXT --ledger '/srv/my ledgers/may.db'`;
  expect(fitted(`Look at the fee; if it is worth it: ${typed}; else: ${typed}`, 60)).toBe(
    `Look at the fee; if it is worth it:\n  ${typed}\n  else:\n  ${typed}`,
  );
});

describe('a file that is read once more', () => {
  const ROW = 'GH;GCB Bank;1011130024501;500,00;Nobody Else';
  const READING = [
    '--delimiter',
    ';',
    '--decimal',
    'comma',
    '--source',
    'GB',
    '--map',
    'amount=What they get',
  ];
  const TYPED =
    "--map 'amount=What they get' --decimal comma --source GB --delimiter semicolon --batch may --sandbox";

  /** Held for its name, then released. */
  async function released(from: (office: Office) => string, change = (_: Office) => {}) {
    const office = newOffice();
    const pays = office.at('pay files');
    mkdirSync(pays);
    const cells = ROW.replace('500,00', `${500 + Math.round(Math.random() * 400)},00`);
    writeFileSync(join(pays, 'may.csv'), `country;institution;account;What they get;name\n${cells}\n`);
    const words = ['run', 'may.csv', '--batch', 'may', '--yes', '--sandbox', ...READING];
    expect((await callMain(words, { ...office, folder: pays })).code).toBe(3);
    change(office);
    const place = { ...office, folder: from(office) };
    const { stderr } = await callMain(['release', 'may', '2', '--reason', 'asked', '--sandbox'], place);
    const [line = ''] = /^(Next|Then): .*$/m.exec(stderr) ?? [];
    return { office, pays, line, stderr, cwd: place.folder };
  }

  it.each([
    ['its own folder', (office: Office) => office.at('pay files'), () => 'may.csv'],
    ['the folder above', (office: Office) => office.folder, () => "'pay files/may.csv'"],
    ['another folder', () => ROOT, (pays: string) => `'${pays}/may.csv'`],
  ])(
    'is named with its folder and as it was read, from %s',
    async (_, from, path) => {
      const { office, pays, line, stderr, cwd } = await released(from);
      expect(line).toBe(`Next: payfile run ${path(pays)} ${TYPED}`);
      expect(stderr).not.toContain('give them again');
      const pasted = inShell(
        `${shellWord(process.execPath)} ${commandPath()} ${line.replace('Next: payfile ', '')}`,
        cwd,
        office,
      );
      expect(pasted.code, pasted.stderr).toBe(10);
      expect(pasted.stdout).toContain('amounts: decimal comma, as declared');
    },
    60_000,
  );

  it('is left to be filled in when it is gone', async () => {
    const { line } = await released(
      ({ folder }) => folder,
      (office) => rmSync(office.at('pay files/may.csv')),
    );
    expect(line).toBe(`Then: payfile run FILE ${TYPED}`);
  });

  it('is named whole in a report, which is read anywhere', async () => {
    const { office, pays } = await released(({ folder }) => folder);
    await office.payfile('report', 'may', '-o', 'may.json', '--sandbox');
    const { rows } = JSON.parse(readFileSync(office.at('may.json'), 'utf8'));
    expect(rows[0].next_step).toBe(`Ask for name and fee: payfile run '${pays}/may.csv' ${TYPED}`);
  });

  it('has to be saved first when it came from standard input', async () => {
    const office = newOffice();
    const rows = 'country,institution,account,amount\nGH,GCB Bank,1011130024501,500.00\n';
    const stdin = Readable.from([Buffer.from(rows)]);
    const { stderr } = await callMain(['check', '-', '--sandbox'], office, { stdin });
    expect(stderr).toContain('Then: payfile plan FILE --sandbox\n');
  });
});

describe('in what is read elsewhere', () => {
  const FILE = payrollCsv([
    [GOOD[0] ?? '', '500.50'],
    [REFUSED, '700.50'],
  ]);
  const PLACE = ['--sandbox', '--ledger', 'my ledger.db', '--config', 'own.json'];
  const NOTIFIED = ['--notify', 'exec:./note', '--quiet'];

  /** A row failed; the reports and the message that came of it. */
  async function failed() {
    const office = newOffice();
    office.file('may.csv', FILE);
    office.file('own.json', '{}');
    writeFileSync(office.at('note'), '#!/bin/sh\ncat > note.json\n', { mode: 0o755 });
    const reports = ['json', 'csv', 'html', 'xlsx'].flatMap((format) => ['--report', `report.${format}`]);
    const ran = await office.payfile(
      'run',
      'may.csv',
      '--batch',
      'may',
      '--yes',
      ...PLACE,
      ...NOTIFIED,
      ...reports,
    );
    expect(ran.code, ran.stderr).toBe(3);
    const read = (name: string) => readFileSync(office.at(name), 'utf8');
    const { rows } = JSON.parse(read('report.json')) as { rows: { next_step: string }[] };
    const { next } = JSON.parse(read('note.json')) as { next: string };
    const at = `--sandbox --ledger '${office.at('my ledger.db')}' --config ${office.at('own.json')}`;
    return { office, read, next, stderr: ran.stderr, step: rows[1]?.next_step ?? '', at };
  }

  it('names ledger and configuration from any folder, in reports, messages and short mails', async () => {
    const { office, read, next, stderr, step, at } = await failed();
    const write = `payfile report may --only unpaid --as-input -o may-redo.csv ${at}`;
    expect(step).toContain(`run that file: ${write}; if`);
    expect(step).toContain(`: payfile reissue may 3 ${at}`);
    expect(next).toBe(write);
    expect(stderr).toContain(`Next: ${next}\n`);
    expect(read('report.csv')).toContain(step);
    expect(read('report.html')).toContain(`payfile reissue may 3 ${at}`.replaceAll("'", '&#39;'));
    const elsewhere = { ...office, folder: office.at('elsewhere') };
    mkdirSync(elsewhere.folder);
    const [, ...said] = words(next);
    expect((await callMain(said, elsewhere)).code).toBe(0);
  });

  it('is the same, to the byte, wherever the same report is asked for', async () => {
    const { office, at } = await failed();
    const [first, second] = ['first.csv', 'second.csv'];
    await office.payfile('report', 'may', '-o', first ?? '', ...PLACE);
    await callMain(['report', 'may', '-o', office.at(second ?? ''), ...words(at)], {
      ...office,
      folder: ROOT,
    });
    expect(readFileSync(office.at('first.csv'), 'utf8')).toBe(readFileSync(office.at('second.csv'), 'utf8'));
  });
});

/** As a shell takes it apart. */
function words(line: string): string[] {
  const said = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return said.split('\0').slice(0, -1);
}

/** Everything that a night, a morning and a month may end with, in one ledger; each call may be refused. */
const DAYS: readonly (readonly string[])[] = [
  ['status', 'nobody'],
  ['check', 'wrong.csv'],
  ['run', 'wrong.csv', '--batch', 'wrong', '--yes'],
  ['run', 'wrong.csv', '--batch', 'some', '--yes', '--skip-invalid'],
  ['plan', 'good.csv', '--batch', '-planned'],
  ['status', '-planned'],
  ['approve', 'nobody'],
  ['run', 'good.csv', '--batch', 'april', '--yes'],
  ['run', 'good.csv', '--batch', 'april', '--yes'],
  ['report', 'april'],
  ['run', 'good.csv', '--batch', 'may', '--yes'],
  ['run', 'mixed.csv', '--batch', 'mixed', '--yes', '--deadline', '9s'],
  ['status', 'mixed'],
  ['explain', 'mixed', '2'],
  ['explain', 'mixed', '3'],
  ['explain', 'mixed', '4'],
  ['settle', 'mixed', '--deadline', '1s'],
  ['reissue', 'mixed', '2'],
  ['release', 'mixed', '4'],
  ['reconcile', 'mixed'],
  ['reconcile', 'mixed', '--statement', 'early.csv'],
  ['resolve', 'mixed', '3', '--not-paid'],
  ['pause', 'mixed'],
  ['status', 'mixed'],
  ['run', 'gone.csv', '--batch', 'gone', '--yes'],
  ['verify'],
  ['doctor'],
  ['mapping', 'list'],
  ['template', '-o', 'form.xlsx'],
];

const FILLED: Readonly<Record<string, string>> = {
  BATCH: 'april',
  DIGEST: 'f'.repeat(64),
  FILE: 'good.csv',
  INSTITUTION: "'GCB Bank'",
  NAME: 'another',
  TEXT: "'asked on the telephone'",
  TRANSFER_ID: 'trf-unknown',
};

it('runs, as it stands or with its words filled in, whatever a command ends with', async () => {
  const office = newOffice();
  office.file(
    'good.csv',
    payrollCsv([
      [GOOD[0] ?? '', '500.50'],
      [GOOD[1] ?? '', '700.50'],
    ]),
  );
  office.file(
    'wrong.csv',
    payrollCsv([
      [GOOD[2] ?? '', '600.50'],
      [GOOD[3] ?? '', 'zehn'],
    ]),
  );
  const mixed = [
    [REFUSED, ''],
    [ANSWER_LOST, ''],
    ['1011130990002', 'Ama Serwaa'],
    [GOOD[4], ''],
  ];
  const cells = mixed.map(([account, name], at) => `GH,GCB Bank,${account},${800 + at}.50,${name}`);
  office.file('mixed.csv', ['country,institution,account,amount,name', ...cells, ''].join('\n'));
  office.file('early.csv', 'Date,Transfer ID,Amount,Account,Narration\n2026-05-01,x-1,5.00,999,charges\n');
  const ledger = office.at('my ledger.db');
  const typed = new Set<string>();
  for (const typedNow of DAYS) {
    const ended = await office.payfile(...typedNow, '--sandbox', '--ledger', ledger);
    expect(ended.code, `${typedNow.join(' ')}\n${ended.stderr}`).not.toBe(1);
    const shown = [...ended.stderr.matchAll(/^(?:Next|Then): (.*)$/gm)].map(([, line = '']) => line);
    for (const line of shown) {
      expect(line, typedNow.join(' ')).toMatch(/^payfile /);
      if (!line.includes('--help')) expect(line).toContain(`--ledger '${ledger}'`);
      const filled = line.replace(/\b[A-Z]+(?:_[A-Z]+)?\b/g, (word) => FILLED[word] ?? word);
      if (typed.has(filled)) continue;
      typed.add(filled);
      const [, ...said] = words(filled);
      const pasted = await office.payfile(...said);
      // At a terminal the person is asked instead.
      const isAsked = pasted.code === 64 && /without a terminal/i.test(pasted.stderr);
      const story = `${typedNow.join(' ')}\n${filled}\n${pasted.stderr}`;
      if (!isAsked) expect([1, 64, 66], story).not.toContain(pasted.code);
    }
  }
  expect(typed.size).toBeGreaterThan(20);
}, 120_000);

it('stands apart from the words of an error', async () => {
  const office = newOffice();
  office.file('may.csv', payrollCsv([[GOOD[0] ?? '', '500.50']]));
  const place = ['--sandbox', '--ledger', 'my ledger.db'];
  expect((await office.payfile('run', 'may.csv', '--batch', 'may', '--yes', ...place)).code).toBe(0);
  writeFileSync(office.at('my ledger.db'), 'not a ledger'.repeat(1000));
  const { code, stderr } = await office.payfile('backup', '-o', 'copy.db', ...place);
  expect(code, stderr).toBe(78);
  expect(stderr).toMatch(/^Next: payfile \w+ --sandbox --ledger 'my ledger.db'$/m);
  expect(stderr).not.toMatch(/(?<!^Next: )\bpayfile (?:--|[a-z]+ -)/m);
});
