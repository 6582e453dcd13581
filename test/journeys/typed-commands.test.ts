/** What a refusal tells a person to type is understood as it stands there, in a shell, and is about the same thing. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  clock,
  GOOD,
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  startLiveService,
} from '../builders/office.ts';
import { callMain } from '../builders/process-context.ts';

const PLACE = ['--sandbox', '--ledger', 'my ledger.db', '--config', "it's.json"];
const PLACE_SHOWN = `--sandbox --ledger 'my ledger.db' --config 'it'\\''s.json'`;
const READING = [
  '--map',
  'amount=Net Pay',
  '--delimiter',
  ';',
  '--encoding',
  'windows-1252',
  '--source',
  'GB',
];
const READING_SHOWN = `'my pay.csv' --map 'amount=Net Pay' --source GB --delimiter semicolon --encoding windows-1252`;

/** A word that a person has to fill in. */
const BLANK = /\b(DIGEST|FILE|NAME|TEXT)\b/;

let office: Office;
beforeAll(async () => {
  office = openOffice();
  const head = 'Ref;Country;Bank;Account;Net Pay';
  office.file("it's.json", '{}');
  office.file('my pay.csv', `${head}\nA-1;GH;GCB Bank;${GOOD[0]};500.00\nA-2;GH;GCB Bank;${GOOD[1]};zehn\n`);
  office.file('good.csv', `${head}\nA-1;GH;GCB Bank;${GOOD[0]};500.00\n`);
  office.file('own.csv', `Nation;Pay via;Wallet no;Net\nGH;GCB Bank;${GOOD[0]};500.00\n`);
  office.file('half.csv', `Country;Bank;Account;Ours\nGH;GCB Bank;${GOOD[0]};500.00\n`);
  office.file('st.csv', 'Date,Amount,Account\n2026-05-01,1.00,1\n');
  const planned = await office.payfile('plan', 'good.csv', '--batch', 'may pay', ...READING, ...PLACE);
  expect(planned.code, planned.stderr).toBe(0);
}, 60_000);
afterAll(() => office.close());

it.each<[string, readonly string[], string]>([
  ['a file with wrong rows', ['check', 'my pay.csv', ...READING], `check ${READING_SHOWN}`],
  [
    'a check of what will be a batch',
    ['check', 'good.csv', ...READING, '--batch', 'july'],
    `plan ${READING_SHOWN.replace("'my pay.csv'", 'good.csv')} --batch july`,
  ],
  [
    'a plan of it, with what was expected',
    ['plan', 'my pay.csv', ...READING, '--batch', 'j', '--expect-count', '2'],
    `plan ${READING_SHOWN} --expect-count 2 --batch j`,
  ],
  ['an approval without a plan', ['approve', 'may pay'], "approve 'may pay' --digest DIGEST"],
  ['a decision without a reason', ['release', 'may pay', '--all'], "release 'may pay' --all --reason TEXT"],
  [
    'a statement that was not named',
    ['reconcile', 'may pay', '--date-order', 'day', '--map', 'date=Booked'],
    "reconcile 'may pay' --statement FILE --map date=Booked --date-order day",
  ],
  [
    'a report in a folder that is not there',
    ['report', 'may pay', '--format', 'csv', '--full-accounts', '-o', 'no/x.csv'],
    "report 'may pay' --format csv --full-accounts -o FILE",
  ],
  [
    'a table with headers of its own',
    ['check', 'own.csv'],
    'check own.csv --map country=HEADER --map institution=HEADER --map account=HEADER --map amount=HEADER',
  ],
  [
    'a table with one header of its own',
    ['run', 'half.csv', '--delimiter', ';', '--batch', 'j'],
    'run half.csv --delimiter semicolon --batch j --map amount=HEADER',
  ],
])(
  'after %s',
  async (_what, words, shown) => {
    const refused = await office.payfile(...words, ...PLACE);
    const command = shownIn(refused.stderr);
    expect(command, refused.stderr).toContain(`payfile ${shown}`);
    expect(command).toContain(PLACE_SHOWN);
    const asItStands = await inShell(command);
    const [blank] = BLANK.exec(command) ?? [];
    if (blank !== undefined) {
      expect(asItStands.code, asItStands.stderr).toBe(64);
      expect(asItStands.stderr).toContain(`has the placeholder “${blank}”; expected `);
    }
    const { code, stderr } = blank === undefined ? asItStands : await inShell(command.replace(BLANK, 'x'));
    expect(code, stderr).not.toBe(64);
    expect([0, 3, 5, 10, 65, 66], stderr).toContain(code);
  },
  60_000,
);

it.each<[string, readonly string[], string]>([
  ['--yes for real money', ['--yes', '--batch', 'j'], ' --batch j --ledger'],
  ['no name for a batch', ['--max-total', 'GHS=500'], ' --batch NAME --max-total CUR=AMOUNT --ledger'],
])(
  'after %s on a live service',
  async (_what, flags, shown) => {
    const refused = await office.payfile('run', 'my pay.csv', ...READING, ...flags, '--ledger', 'l.db');
    expect(refused.code).toBe(64);
    const command = shownIn(refused.stderr);
    expect(command).toContain(`${READING_SHOWN}${shown}`);
    // With a ceiling to fill in there is no such currency yet.
    expect((await inShell(command.replace('CUR=AMOUNT', 'GHS=1').replace('NAME', 'june'))).code).toBe(78);
  },
  60_000,
);

it.each([
  ['a line break and a colour', 'may\n\u001b[31mred.csv', 'june', 'l\nl\u001b[31m.db'],
  ['signs of a formula', 'may =$(touch pwned) =.csv', 'may =$(touch pwned)', 'l -b;.db,'],
])(
  'leads on from a file, a batch and a ledger whose names have %s',
  async (_what, file, batch, ledger) => {
    office.file(file, `Ref,Country,Bank,Account,Amount\nA-1,GH,GCB Bank,${GOOD[0]},500.00\n`);
    const checked = await office.payfile('check', file, '--batch', batch, '--sandbox', '--ledger', ledger);
    const planned = await inShell(shownIn(checked.stderr), office, 'bash');
    expect(planned.code, planned.stderr).toBe(0);
    const approved = await inShell(shownIn(planned.stderr), office, 'bash');
    expect(approved.stderr).toContain('--digest has the placeholder “DIGEST”');
    expect(readdirSync(office.folder)).toContain(ledger);
    expect(readdirSync(office.folder)).not.toContain('pwned');
    expect(checked.stderr + planned.stderr).not.toContain('\u001b');
  },
  60_000,
);

describe('a payroll that comes once more under another name', () => {
  let live: LiveService;
  let shop: Office;
  const cron = ['--max-total', 'GHS=600', '--quiet'];
  const transfers = () => live.requests.filter((line) => /POST \S*transfer/i.test(line)).length;

  beforeAll(async () => {
    live = await startLiveService();
    shop = openOffice(live.env);
    shop.file('pay.csv', payrollCsv(GOOD.map((account) => [account, '100.00'])));
    expect((await shop.payfile('init')).code).toBe(0);
    expect((await shop.payfile('run', 'pay.csv', '--batch', 'a', ...cron)).code).toBe(0);
  }, 60_000);
  afterAll(async () => {
    shop.close();
    await live.sandbox.close();
  });

  it.each([
    ['by cron', cron],
    ['by somebody who says yes to it, of another batch', [...cron, '--repeats', 'b']],
    ['with --json', ['--max-total', 'GHS=600', '--json']],
  ])(
    'pays nobody again whatever is pasted: run %s',
    async (_how, flags) => {
      const held = await shop.payfile('run', 'pay.csv', '--batch', 'b', ...flags);
      expect(held.code, held.stderr).not.toBe(0);
      const text = held.stderr + held.stdout;
      const shown = text.match(/payfile [a-z]+ [^"\n]*/g) ?? [];
      expect(shown.length).toBeGreaterThan(0);
      for (const command of shown)
        expect(command).not.toMatch(/--yes|--digest|--max-total|--repeats (?!BATCH)/);
      for (const command of shown) await inShell(command.replace(/\.$/, ''), shop);
      expect(transfers()).toBe(GOOD.length);
    },
    60_000,
  );
});

it('has one place in the sources that says what to type next', () => {
  const folder = fileURLToPath(new URL('../../src', import.meta.url));
  const saying = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /['"`](Next|Then): /.test(readFileSync(join(folder, name), 'utf8')));
  expect(saying).toEqual(['domain/next-steps/command.ts']);
});

/** What has to be filled in is tried as it stands, too: it must do no harm. */
function shownIn(text: string): string {
  return (/^Then: (payfile .*)$/m.exec(text) ?? /^Next: (payfile .*)$/m.exec(text))?.[1] ?? '';
}

/** A shell takes it apart and expands it, as where it is pasted; the command is called with the words that come of it. */
async function inShell(
  command: string,
  at: Office = office,
  shell: 'bash' | 'sh' = 'sh',
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const script = `payfile() { printf '%s\\0' "$@"; }\n${command}\n`;
  const said = spawnSync(shell, ['-c', script], { cwd: at.folder, env: at.env, encoding: 'utf8' });
  // A text around it may be nothing that a shell understands.
  if (said.stdout === '') return { code: said.status, stderr: said.stderr };
  return callMain(said.stdout.split('\0').slice(0, -1), at, { clock: clock.withPauses(9_000) });
}
