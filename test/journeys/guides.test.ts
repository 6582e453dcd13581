/** What README and the guides tell people to type: the program knows each command, flag, setting and exit code in it. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyCommand } from '../../src/cli/parse/command-table.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/parse/flags.ts';
import { GUIDES } from '../../src/cli/parse/guides.ts';
import { DEFAULT_POLICY, lateAnswerMs } from '../../src/domain/policy.ts';
import { EXIT } from '../../src/domain/reporting/exit-code.ts';
import { ALL_SETTINGS } from '../../src/domain/settings.ts';
import { type Office, openOffice } from '../builders/office.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const guides = globSync('src/guide/*.md', { cwd: ROOT }).map(
  (path) => [basename(path, '.md'), read(path)] as const,
);
const COMMANDS = await everyCommand();

let office: Office;
beforeAll(() => {
  office = openOffice();
});
afterAll(() => office.close());

it('prints each guide whole, lists them all, and still explains commands', async () => {
  const topics = Object.keys(GUIDES);
  expect(guides.map(([topic]) => topic).sort()).toEqual([...topics].sort());
  const help = await office.payfile('help');
  const list = await office.payfile('help', 'guides');
  for (const [topic, text] of guides) {
    const { code, stdout, stderr } = await office.payfile('help', topic);
    // The guide to settings has its list from the settings.
    const parts = text.split(/<!--.*-->\n/);
    expect([code, stderr]).toEqual([0, '']);
    expect(parts.length === 1 ? stdout === text : parts.every((part) => stdout.includes(part))).toBe(true);
    expect(list.stdout).toContain(`  ${topic.padEnd(12)} ${GUIDES[topic]}`);
    expect(help.stdout).toMatch(new RegExp(`^Guides[^]*\\b${topic}\\b`, 'm'));
  }
  expect((await office.payfile('help', 'report')).stdout).toContain('Usage: payfile report');
}, 60_000);

/** Blocks, indented lines and words between backticks: what is meant to be typed. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const rest = text.replace(/```\w*\n[\s\S]*?```/g, '');
  const indented = [...rest.matchAll(/^ {4,}.*$/gm)].map(([line]) => line);
  const spans = [...rest.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return [...blocks.flatMap((block) => block.replace(/\\\n\s*/g, '').split('\n')), ...indented, ...spans];
}

/** `payfile WORD` and the flags behind it. */
function commandsIn(text: string): { command: string; flags: readonly string[] }[] {
  return codeIn(text).flatMap((line) =>
    [...line.matchAll(/(?:^[ $]*|: |-- )payfile ([a-z]+)(.*)/g)].map(([, command = '', rest = '']) => ({
      command,
      flags: [...rest.matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag),
    })),
  );
}

const flagNames = (options: readonly { readonly flags: string }[]) =>
  options.flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? []);
const everyFlag = new Set(flagNames([...GLOBAL_OPTIONS, ...COMMANDS.flatMap(({ options }) => options)]));

describe.each([['README', read('README.md')] as const, ...guides])('%s', (_name, text) => {
  it('names commands and flags that there are', () => {
    for (const { command, flags } of commandsIn(text)) {
      if (command === 'help') continue;
      const spec = COMMANDS.find(({ usage }) => usage.split(' ')[0] === command);
      expect(spec, `payfile ${command}`).toBeDefined();
      const taken = new Set(flagNames([...GLOBAL_OPTIONS, ...(spec?.options ?? [])]));
      for (const flag of flags) expect(taken, `payfile ${command} ${flag}`).toContain(flag);
    }
    const others = ['--no-color', '--version', '--help', '--now'];
    for (const [flag] of text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g))
      expect(others.includes(flag) || everyFlag.has(flag), flag).toBe(true);
  });

  it('leads to guides that there are, in lines that fit a screen', () => {
    for (const [, topic = ''] of text.matchAll(/payfile help ([a-z-]*[a-z])/g))
      expect([...Object.keys(GUIDES), ...COMMANDS.map(({ usage }) => usage.split(' ')[0])]).toContain(topic);
    expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });
});

/** What stands below the heading of each exit code; `130 and 143` is about both. */
function runbook(): ReadonlyMap<number, string> {
  const [, ...sections] = read('src/guide/exit-codes.md').split(/^## /m);
  return new Map(
    sections.flatMap((section) => {
      const [heading = ''] = section.split('\n');
      return [...heading.matchAll(/\b\d+\b/g)].map(([code]): [number, string] => [Number(code), section]);
    }),
  );
}

it('says of every exit code who acts, what to get, what to type, and what never to do', () => {
  const codes = runbook();
  expect([...codes.keys()].sort()).toEqual(Object.values<number>(EXIT).sort());
  for (const [code, section] of codes)
    for (const part of ['Who', 'Get', 'Type', 'Never'])
      expect(section.match(new RegExp(`^- ${part}: .`, 'gm')), `${code}: ${part}`).toHaveLength(1);
});

it('never says that nothing was sent where the code may come after transfers', () => {
  const codes = runbook();
  for (const code of [1, 3, 4, 5, 6, 10, 73, 77, 78, 130, 143])
    expect(codes.get(code), String(code)).not.toMatch(/nothing (of it )?was sent|sent nothing/i);
});

it('explains every setting, with its default, variable and flag', async () => {
  const { stdout } = await office.payfile('help', 'settings');
  for (const { name, file, variable } of ALL_SETTINGS) {
    if (file !== false) expect(stdout).toContain(`\`${name}\``);
    if (variable !== undefined) expect(stdout).toContain(`\`${variable}\``);
  }
  const list = stdout.split('\n');
  expect(list).toContain('- `feePercentMax` (20): a fee above this share of the debit holds the row.');
  expect(list).toContain(
    '- `concurrency` (8), also `PAYFILE_CONCURRENCY` and `--concurrency`: transfers under way at once.',
  );
  expect(list.filter((line) => line.length > 110 || line.includes('<!--'))).toEqual([]);
});

it('explains the line that an answer leaves which the ledger could not take', () => {
  const source = read('src/ledger/emergency.ts');
  const [, word = 'none'] = /say\(`([a-z-]+) /.exec(source) ?? [];
  expect(read('src/guide/doubt.md')).toContain(`## A line that begins with ${word}\n`);
  expect(read('src/guide/doubt.md')).toContain('`ledger.db.emergency`');
});

it('says how much longer than its deadline a run may take', async () => {
  const { postTimeoutMs } = DEFAULT_POLICY;
  expect(postTimeoutMs + lateAnswerMs(postTimeoutMs)).toBe(3 * 60_000);
  expect(read('src/guide/monitoring.md')).toMatch(/at most the\ndeadline and three minutes/);
  const { stdout } = await office.payfile('run', '--help');
  expect(stdout.replace(/\s+/g, ' ')).toContain('transfers in flight may take 3m more');
});
