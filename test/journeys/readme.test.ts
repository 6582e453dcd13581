/** What the README shows is what happens: its commands are run, its library example is compiled and run. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { STATE_SENTENCE, STATUSES } from '../../src/domain/payouts/payout.ts';
import { type Office, openOffice, startLiveService } from '../builders/office.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

let office: Office;
beforeEach(() => {
  office = openOffice();
});
afterEach(() => office.close());

/** The link that a console prints, which is then ended as by Ctrl-C; and its exit code. */
async function aConsole(line: string): Promise<{ readonly link: string; readonly code: number | null }> {
  const { child, ended } = office.start([...line.split(' '), '--no-open']);
  const [link] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGINT');
  return { link: link.toString().trim(), code: (await ended).code };
}

it('has commands to try at once, and they do what the comment beside them says', async () => {
  const lines = [...readme.matchAll(/^npm run -s payfile -- (.+?)(?:\s+#.*)?$/gm)].map(
    (match) => match[1]?.trim() ?? '',
  );
  expect(lines).toEqual([
    'check samples/every-fault.csv --sandbox',
    'run samples/suppliers.csv --sandbox --yes --batch suppliers-2026-05',
    'console --sandbox',
  ]);
  const [first = '', second = '', third = ''] = lines;
  cpSync(join(root, 'samples'), office.at('samples'), { recursive: true });
  expect((await office.payfile(...first.split(' '))).code).toBe(65);
  const run = await office.payfile(...second.split(' '));
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('12 settled');
  // One line for each stage, and at most one screen in all.
  expect((run.stdout + run.stderr).trimEnd().split('\n').length).toBeLessThanOrEqual(28);
  for (const stage of ['Names and fees', 'Sending', 'Settling'])
    expect(run.stderr.split(`\n${stage}  12 of 12`)).toHaveLength(2);
  const { link, code } = await aConsole(third);
  expect(link).toMatch(/^http:\/\/localhost:\d+\/enter\/[\w-]{43}$/);
  expect(code).toBe(0);
}, 90_000);

it('shows a library example that is the one compiled with the tests, and it rehearses and pays', async () => {
  const [, shown = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const example = join(root, 'test/examples/library.ts');
  expect(shown.replace("'payfile'", "'../../src/index.ts'")).toBe(readFileSync(example, 'utf8'));
  cpSync(join(root, 'samples'), office.at('samples'), { recursive: true });
  const { sandbox, env } = await startLiveService();
  const own = { PATH: process.env.PATH, HOME: office.folder, NODE_NO_WARNINGS: '1' };
  try {
    for (const settings of [{}, env]) {
      const options = { cwd: office.folder, env: { ...own, ...settings } };
      const { stdout } = await promisify(execFile)(process.execPath, [example], options);
      expect(stdout).toBe('settled 0 12 payments: 12 settled true\n');
    }
    expect(sandbox.book.entries()).toHaveLength(12);
  } finally {
    await sandbox.close();
  }
}, 90_000);

it('says of every state what the program says', () => {
  for (const status of STATUSES) expect(readme).toContain(`| \`${status}\` | ${STATE_SENTENCE[status]} |`);
});

it('leads from its first lines to every chapter, in the order that they have', () => {
  const links = [...(readme.split('\n## ')[0]?.matchAll(/\]\(#([a-z0-9-]+)\)/g) ?? [])].map(([, to]) => to);
  const chapters = [...readme.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  expect(links).toEqual(chapters);
});

it('is short enough to be read to its end', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(251);
  const built = readFileSync(join(root, 'src/README.md'), 'utf8');
  expect(built.split('\n').length).toBeLessThanOrEqual(151);
});

it('links to files that are there', () => {
  const links = [...readme.matchAll(/\]\(([a-z][^)#]*)\)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('sends whoever wants to know how it is built to files that are there', () => {
  const built = readFileSync(join(root, 'src/README.md'), 'utf8');
  const named = [...built.matchAll(/`((?:[a-z0-9-]+\/)+[a-z0-9*.-]*)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(40);
  const missing = named.filter((path) => globSync([join(root, 'src', path), join(root, path)]).length === 0);
  expect(missing).toEqual([]);
});
