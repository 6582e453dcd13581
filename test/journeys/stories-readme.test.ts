/**
 * The three stories of the README, command for command and with what it shows of the answers, in a clean folder against a service that payfile takes for a
 * live one. Where a story types the total, the test gives the approval that payfile names instead.
 */
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  clock,
  type Ended,
  type LiveService,
  type Office,
  openOffice,
  startLiveService,
} from '../builders/office.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [, section = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n## Three stories\n');

/** A command as it is shown to be typed, and what is shown below it. */
interface Shown {
  readonly words: readonly string[];
  readonly lines: readonly string[];
}
const stories = (section.split('\n## ')[0] ?? '')
  .split('\n### ')
  .slice(1)
  .map((story) =>
    [...story.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) => shownIn(block)),
  );

function shownIn(block: string): Shown[] {
  const [, ...commands] = `\n${block.replace(/\\\n\s*/g, '').trimEnd()}`.split('\n$ ');
  return commands.map((text) => {
    const [command = '', ...lines] = text.split('\n');
    return { words: wordsOf(command), lines };
  });
}

/** As a shell splits them, as far as the stories go. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

let live: LiveService;
let office: Office;
beforeAll(async () => {
  live = await startLiveService();
  office = openOffice(live.env);
  expect((await office.payfile('init')).code).toBe(0);
});
afterAll(async () => {
  office.close();
  await live.sandbox.close();
});

const at = (name: string) => join(office.folder, name);
const transfers = () => live.requests.filter((line) => /POST \S*transfer/i.test(line)).length;

/** Types a command of a story; what README shows below it has to be what is seen. */
async function type(shown: Shown | undefined, change = (word: string) => word): Promise<Ended> {
  const said = await typed(shown, change);
  expectSeen(shown, `${said.stdout}${said.stderr}`);
  return said;
}

async function typed(shown: Shown | undefined, change = (word: string) => word): Promise<Ended> {
  const [program, ...words] = shown?.words ?? [];
  expect(program).toBe('payfile');
  return office.payfile(...words.map(change));
}

const QUESTIONS = readFileSync(join(ROOT, 'src/cli/terminal/questions.ts'), 'utf8');

/**
 * Line breaks and what was left out aside. On a terminal the total is typed and a question is answered; elsewhere the plan
 * shows the total, and what the question is about is said.
 */
function expectSeen(shown: Shown | undefined, output: string): void {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  const seen = plain(output);
  for (const line of shown?.lines ?? []) {
    const [, total, question] = /^◆ (?:.*: (GBP [\d,.]+)|(.*\.) What is .*\?)$/.exec(line) ?? [];
    const [, answer] = /^● +(.*)$/.exec(line) ?? [];
    if (answer === undefined) expect(seen).toContain(plain(total ?? question ?? line));
    else expect(QUESTIONS).toContain(`label: '${answer}'`);
  }
}

/** The person who types the total; without a terminal, payfile says what to type in its place. */
async function typeWithTotal(shown: Shown | undefined): Promise<Ended> {
  let said = await typed(shown);
  const plan = said.stdout;
  expect(said.code, said.stderr).toBe(10);
  // Without a terminal the digest is for the person to give: the plan shows it.
  const [, digest = ''] = /Digest +([0-9a-f]{64})/.exec(said.stdout) ?? [];
  const [, filledIn = ''] = /Then: payfile (approve .*)/.exec(said.stderr) ?? [];
  said = await office.payfile(...wordsOf(filledIn.replace('DIGEST', digest)));
  expect(said.code, said.stderr).toBe(0);
  const paid = await typed(shown);
  expectSeen(shown, `${plan}${said.stdout}${paid.stdout}`);
  return paid;
}

it('pays the payroll of the officer, one row after she let its name go, and nothing twice', async () => {
  const [template, check, run, release, again, html, june] = stories[0] ?? [];
  expect(stories.map((story) => story.length)).toEqual([7, 4, 4]);
  expect((await type(template)).code).toBe(0);
  expect(existsSync(at('payroll.xlsx'))).toBe(true);
  cpSync(join(ROOT, 'samples/payroll.xlsx'), at('payroll.xlsx'));
  expect((await type(check)).code).toBe(0);
  const first = await typeWithTotal(run);
  expect(first.code, first.stderr).toBe(3);
  expect(first.stdout).toContain('23 settled, 1 held');
  const released = await type(release);
  expect(released.code, released.stderr).toBe(0);
  const last = await typeWithTotal(again);
  expect(last.code, last.stderr).toBe(0);
  expect(existsSync(at('payroll-2026-05.xlsx'))).toBe(true);
  expect((await type(html)).code).toBe(0);
  const repeated = await type(june);
  expect(repeated.code).toBe(10);
  expect(repeated.stderr).toContain('You can pay a new period from ');
  expect(transfers()).toBe(24);
}, 120_000);

it('pays the suppliers of the engineer in silence, once, and her monitor knows', async () => {
  const [doctor, run, again, status] = stories[1] ?? [];
  cpSync(join(ROOT, 'samples/suppliers.csv'), at('suppliers.csv'));
  writeFileSync(at('page-oncall'), '#!/bin/sh\ncat >> paged\n');
  chmodSync(at('page-oncall'), 0o755);
  const looked = await type(doctor);
  expect(looked.code, looked.stdout).toBe(0);
  const before = transfers();
  expect(await type(run)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await type(again)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(transfers() - before).toBe(12);
  expect(existsSync(at('paged'))).toBe(false);
  expect(readFileSync(at('payfile.prom'), 'utf8')).toMatch(/^payfile_last_run_exit_code\{.*\} 0$/m);
  expect((await type(status)).json()).toMatchObject({ counts: { settled: 12 } });
}, 120_000);

it('closes the month of the accountant: one workbook, a statement that agrees, nothing returned, a status report', async () => {
  const [days, reconcile, settle, pain002] = stories[2] ?? [];
  const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10);
  // The stories play in May; the payments of this test were made today.
  const told = await type(days, (word) => word.replace('2026-05-01', day(-1)).replace('2026-05-31', day(1)));
  expect(told.code, told.stderr).toBe(0);
  expect(told.stdout).toContain('36 payments: 36 settled');
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(at('may.xlsx'));
  expect(book.getWorksheet('Payments')?.actualRowCount).toBe(37);

  const report = await office.payfile('report', 'payroll-2026-05', '--format', 'json');
  const { rows } = JSON.parse(report.stdout) as { rows: Record<string, string>[] };
  const lines = rows.map((row) => [row['sent_at'], row['transfer_id'], row['amount'], row['tag']].join(','));
  office.file('statement.csv', `Date,Transfer ID,Amount,Narration\n${lines.join('\n')}\n`);
  const compared = await type(reconcile);
  expect(compared.code, compared.stdout + compared.stderr).toBe(0);

  const watched = await type(settle);
  expect(watched.code, watched.stderr).toBe(0);
  clock.advance(10 * 60_000);
  const later = await typed(settle);
  expect([later.code, later.stdout]).toEqual([
    0,
    expect.stringContaining('Nothing changed since the last look-up.'),
  ]);
  expect((await type(pain002)).code).toBe(0);
  expect(readFileSync(at('payroll-2026-05.pain002.xml'), 'utf8').match(/<TxSts>ACSC</g)).toHaveLength(24);
}, 120_000);
