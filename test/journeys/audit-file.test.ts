/** An audit file is checked by what its own page says, without payfile: with standard tools, typed as they stand there. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { GOOD, type Office, openOffice, REFUSED } from '../builders/office.ts';

let office: Office;
const sandbox = (...words: string[]) => office.payfile(...words, '--sandbox');

/** GHS 50.00, 60.00, 80.00 are paid, 70.00 is refused; then the batch is compared with a statement. */
beforeAll(async () => {
  office = openOffice();
  const rows = [GOOD[0], GOOD[1], REFUSED, GOOD[2]].map(
    (account, at) => `R-${at},GH,GCB Bank,${account},${50 + at * 10}.00`,
  );
  office.file('may.csv', `Reference,Country,Institution,Account,Amount\n${rows.join('\n')}\n`);
  expect((await sandbox('run', 'may.csv', '--batch', 'may', '--yes')).code).toBe(3);
  await sandbox('sandbox', '--book', '-o', 'st.csv');
  expect((await sandbox('reconcile', 'may', '--statement', 'st.csv')).stdout).toContain('Matched');
});
afterAll(() => office.close());

const audit = () => join(office.folder, 'audit');
const text = (name: string) => readFileSync(join(audit(), name), 'utf8');

let said: string;
beforeEach(async () => {
  rmSync(audit(), { recursive: true, force: true });
  const made = await sandbox('report', 'may', '--audit', '-o', 'audit.zip', '--overwrite');
  expect(made.code).toBe(0);
  said = made.stdout;
  mkdirSync(audit());
  await shell(`unzip -q ../audit.zip`);
});

const shell = (script: string) =>
  new Promise<string>((done) => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
    execFile('sh', ['-c', script], { cwd: audit(), env }, (_, out, err) => done(out + err));
  });

const MARKS = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' } as const;

/** What the page tells to type, each with what came out. */
async function followed(): Promise<readonly string[]> {
  const typed = [...text('check.html').matchAll(/<pre>([^<]*)<\/pre>/g)].map(([, commands = '']) =>
    commands.replaceAll(/&(?:quot|#39|lt|gt|amp);/g, (mark) => MARKS[mark as keyof typeof MARKS]),
  );
  const told: string[] = [];
  for (const commands of typed) told.push(await shell(commands));
  return told;
}

const ZEROS = `${'0'.repeat(64)}\n`;
const head = () => /<code>([0-9a-f]{64})<\/code>/.exec(text('check.html'))?.[1];

it('proves by its own page that no file was changed, that the chain holds, and what the amounts are', async () => {
  const [files, list, parted, unfound, last, amounts] = await followed();
  expect(files?.trim().split('\n')).toEqual(
    ['chain.txt', 'check.html', 'journal.csv', 'payments.csv', 'report.html', 'workbook.xlsx'].map(
      (name) => `${name}: OK`,
    ),
  );
  expect(said).toContain(list?.slice(0, 64));
  expect(parted).toBe('');
  expect(unfound).toBe(ZEROS);
  expect(last).toBe(`${head()}\n`);
  expect(amounts?.replaceAll(/payment \d+ /g, '')).toBe(
    'row 2 GHS 5000\nrow 3 GHS 6000\nrow 4 GHS 7000\nrow 5 GHS 8000\n',
  );
});

it('shows by its page that an amount was changed, also when the list of hashes was made anew', async () => {
  const before = text('chain.txt');
  const at = before.search(/^\d+\t\d+\t\d+\tGHS\t6000\t/m);
  writeFileSync(join(audit(), 'chain.txt'), before.slice(0, at) + before.slice(at).replace('6000', '9000'));
  const [files, , , unfound, last] = await followed();
  expect(files).toContain('chain.txt: FAILED');
  expect(unfound).not.toBe(ZEROS);
  expect(last?.trim().split('\n')).toHaveLength(2);
  rmSync(join(audit(), 'texts'), { recursive: true });
  await shell('sha256sum chain.txt check.html *.csv report.html workbook.xlsx > SHA256SUMS');
  const [anew, list, , again] = await followed();
  expect(anew).not.toContain('FAILED');
  expect(said).not.toContain(list?.slice(0, 64));
  expect(again).not.toBe(ZEROS);
});

it.each([
  ['an approval by another person', /"by":"[a-z0-9-]+","at"/, '"by":"mallory","at"'],
  ['an entry that is not there', /^\d+\t\d+\t\d+\tsettle\t.*\n/m, ''],
])('shows %s', async (_, from, to) => {
  const before = text('chain.txt');
  const changed = before.replace(from, to);
  expect(changed).not.toBe(before);
  writeFileSync(join(audit(), 'chain.txt'), changed);
  const [, , , unfound] = await followed();
  expect(unfound).not.toBe(ZEROS);
});

it('says who agreed to what, what was decided and with what it was compared, and names nobody', async () => {
  const page = text('check.html').replaceAll(/<[^>]+>/g, ' ');
  expect(page).toMatch(/Approvals .*4 payments \(GHS 260\.00\), which takes GBP \d+\.\d\d by the quotes/s);
  expect(page).toMatch(/Comparisons with statements .*st\.csv +[0-9a-f]{64}/s);
  for (const name of readdirSync(audit())) {
    const content = readFileSync(join(audit(), name), 'latin1');
    expect([name, GOOD.some((account) => content.includes(account))]).toEqual([name, false]);
  }
});

it('is a folder as well, refuses what does not go with it, and replaces nothing by itself', async () => {
  expect((await sandbox('report', 'may', '--audit', '-o', 'one/')).code).toBe(0);
  expect(readdirSync(join(office.folder, 'one')).toSorted()).toEqual(readdirSync(audit()).toSorted());
  const full = await sandbox('report', 'may', '--audit', '-o', 'one/');
  expect([full.code, full.stderr]).toEqual([73, expect.stringContaining('files are in the folder already')]);
  const there = await sandbox('report', 'may', '--audit', '-o', 'audit.zip');
  expect([there.code, there.stderr]).toEqual([73, expect.stringContaining('--overwrite')]);
  for (const words of [['--audit'], ['--audit', '-o', '-'], ['--audit', '-o', 'x.zip', '--format', 'csv']]) {
    const refused = await sandbox('report', 'may', ...words);
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('--audit -o audit.zip')]);
  }
  expect((await sandbox('report', '--audit', '--from', '2026-01-01', '--to', '2026-01-31')).code).toBe(64);
  expect((await sandbox('report', 'may', '--audit', '-o', 'whole.zip', '--full-accounts')).code).toBe(0);
  expect(await shell('unzip -p ../whole.zip payments.csv')).toContain(GOOD[0]);
  expect(readdirSync(office.folder).filter((name) => name.startsWith('.audit'))).toEqual([]);
});

it('holds as well for a batch that was read from a newer file, with a head for each file', async () => {
  const rows = (amount: string) =>
    `Reference,Country,Institution,Account,Amount\nN-1,GH,GCB Bank,${GOOD[3]},${amount}\n`;
  office.file('june.csv', rows('51.00'));
  await sandbox('plan', 'june.csv', '--batch', 'june');
  office.file('june.csv', rows('52.00'));
  expect((await sandbox('run', 'june.csv', '--batch', 'june', '--yes')).code).toBe(0);
  rmSync(audit(), { recursive: true });
  expect((await sandbox('report', 'june', '--audit', '-o', 'audit')).code).toBe(0);
  const [, , , unfound, last, amounts] = await followed();
  expect(unfound).toBe(ZEROS);
  expect(last?.trim().split('\n')).toHaveLength(2);
  expect(last).toContain(head());
  expect(amounts?.replaceAll(/payment \d+ /g, '')).toBe('row 2 GHS 5100\nrow 2 GHS 5200\n');
});
