/** You can paste each command behind `Next:` and `Then:` where it was printed. The tests run each kind once. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { wrapMessage } from '../../src/cli/terminal/table.ts';
import {
  ANSWER_LOST,
  clock,
  GOOD,
  LOST_UNPAID,
  NEVER_FINISHES,
  type Office,
  payrollCsv,
  REFUSED,
  startLiveService,
} from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';
import { callMain } from '../builders/process-context.ts';
import { typeAndFollow } from '../builders/shown-steps.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const newOffice = officesFor({ PAYFILE_SOURCE: 'GB' });

/** Splits a command as a shell does. */
function words(line: string): string[] {
  const said = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return said.split('\0').slice(0, -1);
}

/** Hours pass, or files change, between two commands. */
type Step = string | ((office: Office) => unknown);

const later = () => clock.advance(3_600_000);
const fileWith =
  (name: string, ...rows: readonly (readonly [account: string, amount: string])[]): Step =>
  ({ file }) =>
    file(name, payrollCsv(rows.map(([account, amount], at) => [account, amount, `${name}-${at + 1}`])));

/** Calls in the sandbox that cover the usual outcomes. Each call may be refused. */
const IN_THE_SANDBOX: Readonly<Record<string, readonly Step[]>> = {
  'a file is read and approved': [
    'valdate',
    'chek good.csv',
    'good.csv',
    'guide fleet',
    'status nobody',
    'approve nobody',
    'name GH/Nobank 1',
    'check gone.csv',
    'check wrong.csv',
    'check wrong.csv --expect-count 3',
    'check good.csv --batch july',
    'check good.csv --expect-count 2 --expect-total GHS=1201.00',
    'plan wrong.csv --batch wrong --expect-count 2',
    'run gone.csv --batch gone --yes',
    'run wrong.csv --yes',
    'run wrong.csv --batch wrong --yes',
    'run wrong.csv --batch some --yes --skip-invalid',
    'plan good.csv --batch -planned',
    'status -planned',
    'approve --digest ffffffffffffffff -- -planned',
    'run good.csv --batch april',
    'approve april',
    'approve april --digest ffffffffffffffff',
    'status april',
    'explain april 2',
  ],
  'a batch was paid': [
    'run good.csv --batch april --yes',
    'report april',
    'report april --only unpaid',
    'report april --include canceled -o x.csv',
    'report april --format csv -o no/x.csv',
    'report april --only unpaid --as-input -o no/x.csv',
    'report --from 2026-01-01 --to 2099-12-31',
    fileWith('good.csv', [GOOD[0] ?? '', '900.50']),
    'run good.csv --batch april --yes',
    'run many.csv --batch m1 --yes',
    'run many.csv --batch m2 --yes',
    `run many.csv --batch m1 --yes --report ${'r'.repeat(250)}.csv`,
  ],
  'rows are in doubt, held and failed': [
    'run mixed.csv --batch mixed --yes --deadline 9s',
    'status mixed',
    'status',
    'explain mixed 2',
    'explain mixed 3',
    'explain mixed 4',
    'settle mixed --deadline 1s',
    'reconcile mixed',
    'reconcile mixed --date-order day',
    'reconcile mixed --statement early.csv',
    'resolve mixed 3 --not-paid',
    'resolve mixed 3 --not-paid --evidence seen --yes --accept paid',
    'resolve mixed 3 --paid trf-unknown --accept paid',
    later,
    'sandbox --book -o st.csv',
    'sandbox -o x.csv',
    'reconcile mixed --statement st.csv --payments both',
    'reconcile mixed --statement st.csv --payments plus',
    'reconcile mixed --statement st.csv',
    'reconcile mixed --statement st.csv --accept',
    'settle mixed',
    'release mixed 4',
    'release mixed --all',
    'release mixed 4 --reason seen',
    'report mixed --only unpaid --as-input -o redo.csv',
    ({ at, file }) => file('redo.csv', readFileSync(at('redo.csv'), 'utf8').replace(REFUSED, GOOD[2] ?? '')),
    'plan redo.csv --batch redo',
    'explain redo 2',
    'reissue mixed 2',
    'cancel redo --all --reason left',
    'reissue mixed 2',
    'reissue mixed 2',
    'explain mixed 2',
    'run mixed.csv --batch mixed --yes',
    'plan canary.csv --batch canary',
    'pause canary --reason funds',
    'run canary.csv --batch canary --yes',
    'resume canary',
    'run unpaid.csv --batch unpaid --yes',
    later,
    'sandbox --book -o st.csv',
    'reconcile unpaid --statement st.csv',
    'resolve unpaid 2 --not-paid --evidence seen --accept not-paid',
    'settle unpaid',
    'reissue unpaid 2',
    'settle unpaid',
    'status unpaid',
  ],
  'a run was cut short': [
    'run late.csv --batch late --yes --deadline 1s',
    'explain late 2',
    'settle late --deadline 1s',
    'run canary.csv --batch canary --yes --canary 1',
    'run many.csv --batch refused --yes --scenario no-instrument --concurrency 1',
    fileWith('failed.csv', [REFUSED, '61.00']),
    'run failed.csv --batch failed --yes',
    'explain failed 2',
    fileWith('failed.csv', [GOOD[1] ?? '', '61.00']),
    'run failed.csv --batch failed --yes',
    'reissue failed 2',
    'run failed.csv --batch failed --yes',
  ],
  'a form, a reading and a damaged ledger': [
    'run good.csv --batch may --yes',
    'status --readings',
    'check good.csv --reading x',
    'check good.csv --set note=May --save-reading mine',
    'check good.csv --forget-reading mine',
    'template -o form.xlsx',
    'template -o other.xlsx --country Gahna',
    'verify',
    'doctor',
    ({ at }) => writeFileSync(at('my ledger.db'), 'not a ledger'.repeat(1_000)),
    'backup -o copy.db',
    'status april',
  ],
};

/** Calls with a live service. It has no copy, so only commands that read are run; the parser reads the others. */
const LIVE: readonly Step[] = [
  'run good.csv',
  'run good.csv --yes --batch may',
  'run good.csv --max-total GHS=1',
  'run good.csv --password=x',
  'run good.csv --batch may --max-total GHS=1',
  'init',
  'run good.csv --batch may',
  'run good.csv --batch may --max-total GHS=1',
  'approve may --digest ffffffffffffffff',
  'run good.csv --batch may --max-total GHS=9999',
  'run many.csv --batch m1 --max-total GHS=9999',
  'run many.csv --batch m2 --max-total GHS=9999',
  'run mixed.csv --batch mixed --max-total GHS=9999 --deadline 9s',
  'explain mixed 2',
  'explain mixed 3',
  'resolve mixed 3 --not-paid --evidence seen --yes',
  'settle mixed --deadline 9s',
  'run canary.csv --batch canary --max-total GHS=9999 --canary 1',
  'send canary --canary 0 --max-total GHS=1',
  ({ env }) => Object.assign(env, { PAYFILE_PASSWORD: 'wrong' }),
  'run late.csv --batch late --max-total GHS=9999',
  ({ env }) => Object.assign(env, { PAYFILE_BASE_URL: 'http://service.example/v1' }),
  'countries',
];

async function pasteAll(office: Office, steps: readonly Step[], ...place: string[]): Promise<string[]> {
  const [first = '', second = '', third = '', , fifth = ''] = GOOD;
  const mixed = [[REFUSED, ''] as const, [ANSWER_LOST, ''], ['1011130990002', 'Ama Serwaa'], [fifth, '']];
  const cells = mixed.map(([account, name], at) => `GH,GCB Bank,${account},${800 + at}.50,${name}`);
  office.file('mixed.csv', ['country,institution,account,amount,name', ...cells, ''].join('\n'));
  office.file('early.csv', 'Date,Transfer ID,Amount,Account,Narration\n2026-05-01,x-1,5.00,999,charges\n');
  office.file('many.csv', payrollCsv(GOOD.map((account) => [account, '81.00', ''])));
  const files = [
    fileWith('good.csv', [first, '500.50'], [second, '700.50']),
    fileWith('wrong.csv', [first, '600.50'], [third, 'zehn']),
    fileWith('unpaid.csv', [LOST_UNPAID, '55.00']),
    fileWith('late.csv', [NEVER_FINISHES, '70.00']),
    fileWith('canary.csv', [REFUSED, '71.00'], [second, '72.00']),
  ];
  const shown: string[] = [];
  for (const step of [...files, ...steps]) {
    if (typeof step !== 'string') {
      step(office);
      continue;
    }
    const { code, stderr } = await typeAndFollow(office, ...step.split(' '), ...place);
    expect(code, `${step}\n${stderr}`).not.toBe(1);
    shown.push(...[...stderr.matchAll(/^(?:Next|Then): (.*)$/gm)].map(([, line = '']) => line));
  }
  return shown;
}

it.each(Object.entries(IN_THE_SANDBOX))(
  'runs as printed, or with its placeholders filled in, where %s',
  async (_, steps) => {
    const office = newOffice();
    const ledger = office.at('my ledger.db');
    const shown = await pasteAll(office, steps, '--sandbox', '--ledger', ledger);
    for (const line of shown) {
      expect(line).toMatch(/^payfile /);
      if (!line.includes('help')) expect(line).toContain(`--ledger '${ledger}'`);
    }
  },
);

it('is a valid command after every call with a live service', async () => {
  const service = await startLiveService();
  try {
    expect(await pasteAll(newOffice(service.env), LIVE)).not.toContain('');
  } finally {
    await service.sandbox.close();
  }
});

it('names the installed command, also under npm in a clone, with paths from the folder of the call', () => {
  const { env } = newOffice();
  const { status, stderr } = spawnSync(
    'npm',
    ['run', '-s', 'payfile', '--', 'check', 'suppliers.csv', '--sandbox'],
    {
      cwd: join(ROOT, 'samples'),
      env,
      encoding: 'utf8',
    },
  );
  expect(status, stderr).toBe(0);
  expect(stderr).toContain('Next: payfile plan suppliers.csv --sandbox\n');
}, 60_000);

it('has no line break inside a command', () => {
  const typed = `payfile release ${'a'.repeat(40)} 5 --reason TEXT --ledger '/srv/my pay.db'`;
  expect(wrapMessage(`Look at the fee; if it is worth it: ${typed}; otherwise: ${typed}`, 60)).toBe(
    `Look at the fee; if it is worth it:\n  ${typed}\notherwise:\n  ${typed}`,
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

  /** Held for its name, and released. */
  async function released(change = (_pays: string) => {}) {
    const office = newOffice();
    const pays = office.at('pay files');
    mkdirSync(pays);
    writeFileSync(join(pays, 'may.csv'), `country;institution;account;What they get;name\n${ROW}\n`);
    const run = ['run', 'may.csv', '--batch', 'may', '--yes', '--sandbox', ...READING];
    expect((await callMain(run, { ...office, folder: pays })).code).toBe(3);
    change(pays);
    const said = await office.payfile('release', 'may', '2', '--reason', 'asked', '--sandbox');
    return { office, pays, said };
  }

  it('is named with its reading options and its path from the current folder', async () => {
    const { office, pays } = await released();
    for (const [folder, path] of [
      [pays, 'may.csv'],
      [office.folder, "'pay files/may.csv'"],
      [ROOT, `'${pays}/may.csv'`],
    ] as const) {
      const { stderr } = await callMain(['explain', 'may', '2', '--sandbox'], { ...office, folder });
      expect(stderr).toContain(`Next: payfile run ${path} ${TYPED}\n`);
    }
    const [, ...pasted] = words(`payfile run 'pay files/may.csv' ${TYPED}`);
    const again = await office.payfile(...pasted);
    expect(again.code, again.stderr).toBe(10);
    expect(again.stdout).toContain('amounts: decimal comma, as declared');
  }, 60_000);

  it('is left to be filled in when it is gone', async () => {
    const { said } = await released((pays) => rmSync(join(pays, 'may.csv')));
    expect(said.stderr).toContain(`Then: payfile run FILE ${TYPED}\n`);
  });

  it('has to be saved first when it came from standard input', async () => {
    const rows = 'country,institution,account,amount\nGH,GCB Bank,1011130024501,500.00\n';
    const stdin = Readable.from([Buffer.from(rows)]);
    const { stderr } = await callMain(['check', '-', '--sandbox'], newOffice(), { stdin });
    expect(stderr).toContain('Then: payfile plan FILE --sandbox\n');
  });
});

it('names ledger and configuration from any folder, in reports, messages and short mails', async () => {
  const office = newOffice();
  const rows = [
    [GOOD[0] ?? '', '500.50'],
    [REFUSED, '700.50'],
  ] as const;
  office.file('may.csv', payrollCsv(rows));
  office.file('own.json', '{}');
  writeFileSync(office.at('note'), '#!/bin/sh\ncat > note.json\n', { mode: 0o755 });
  const reports = ['json', 'csv', 'html'].flatMap((format) => ['--report', `report.${format}`]);
  const place = ['--sandbox', '--ledger', 'my ledger.db', '--config', 'own.json'];
  const told = ['--notify', 'exec:./note', '--quiet', ...reports];
  const ran = await office.payfile('run', 'may.csv', '--batch', 'may', '--yes', ...place, ...told);
  expect(ran.code, ran.stderr).toBe(3);
  const read = (name: string) => readFileSync(office.at(name), 'utf8');
  const at = `--sandbox --ledger '${office.at('my ledger.db')}' --config ${office.at('own.json')}`;
  const write = `payfile report may --only unpaid --as-input -o may-redo.csv ${at}`;
  const step: string = JSON.parse(read('report.json')).rows[1].next_step;
  expect(step).toContain(`run that file: ${write}; if`);
  expect(step).toContain(`: payfile reissue may 3 ${at}`);
  expect(JSON.parse(read('note.json')).next).toBe(write);
  expect(ran.stderr).toContain(`Next: ${write}\n`);
  expect(read('report.csv')).toContain(step);
  expect(read('report.html')).toContain(`payfile reissue may 3 ${at}`.replaceAll("'", '&#39;'));
  // The same report has the same bytes from another folder.
  const elsewhere = { ...office, folder: office.at('elsewhere') };
  mkdirSync(elsewhere.folder);
  const [, ...again] = words(`payfile report may -o again.csv ${at}`);
  expect((await callMain(again, elsewhere)).code).toBe(0);
  expect(read('elsewhere/again.csv')).toBe(read('report.csv'));
});
