/** A person at a terminal: the plan is shown, the total is typed, and only the right total pays. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { type Desk, GOOD, openDesk, payrollCsv, type Row } from './a-desk.ts';

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const DRIVER = fileURLToPath(new URL('a-terminal.py', import.meta.url));
const hasPython = spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0;

const desks: Desk[] = [];
afterEach(() => {
  for (const desk of desks.splice(0)) desk.close();
});

function sit(env: Record<string, string> = {}) {
  const desk = openDesk({ PAYFILE_SOURCE: 'GB', TERM: 'xterm', ...env });
  desks.push(desk);
  const type = (answers: readonly (readonly [string, string])[], ...words: string[]) => {
    const all = [DRIVER, JSON.stringify(answers), process.execPath, BIN, ...words];
    const ended = spawnSync('python3', all, {
      cwd: desk.folder,
      env: desk.env,
      encoding: 'utf8',
      timeout: 28_000,
    });
    return { code: ended.status, screen: stripVTControlCharacters(ended.stdout) };
  };
  return { ...desk, type };
}

const rows: Row[] = GOOD.slice(0, 2).map((account) => [account, '1000.00'] as const);
const DOWN = '\u001b[B';
const CTRL_C = '\u0003';

describe.skipIf(!hasPython)('run on a terminal', () => {
  it('pays when the total shown is typed, and not for another number', () => {
    const { type, file } = sit();
    file('may.csv', payrollCsv(rows));
    const asked = type([['Type the total', CTRL_C]], 'run', 'may.csv', '--sandbox');
    expect(asked.code, asked.screen).toBe(10);
    const total = /Type the total to pay 2 rows: GBP ([\d,.]+)/.exec(asked.screen)?.[1] ?? '';
    expect(total).not.toBe('');
    const paid = type(
      [
        ['Type the total', '1.00\r'],
        ['That is not GBP', `${'\u007f'.repeat(4)}${total.replace(',', '')}\r`],
      ],
      'run',
      'may.csv',
      '--sandbox',
    );
    expect(paid.code, paid.screen).toBe(0);
    expect(paid.screen).toContain('2 settled');
  });

  it('asks about a file that was paid before, and pays it again only as a new period with a name', async () => {
    const { type, file, payfile } = sit();
    file('may.csv', payrollCsv(rows));
    await payfile('run', 'may.csv', '--sandbox', '--yes', '--batch', 'may');
    const shown = type([['What is this file?', '\r']], 'run', 'may.csv', '--sandbox', '--yes');
    expect(shown.code, shown.screen).toBe(0);
    expect(shown.screen).toContain('Nothing to send');
    const again = type(
      [
        ['What is this file?', `${DOWN}\r`],
        ['Name of the new batch', 'june\r'],
      ],
      'run',
      'may.csv',
      '--sandbox',
      '--yes',
    );
    expect(again.code, again.screen).toBe(0);
    expect((await payfile('sandbox', '--book', '--json')).json()['entries']).toHaveLength(4);
  });

  it('never asks where CI is set, although there is a terminal', () => {
    const { type, file } = sit({ CI: 'true' });
    file('may.csv', payrollCsv(rows));
    const ended = type([], 'run', 'may.csv', '--sandbox');
    expect(ended.code).toBe(10);
    expect(ended.screen).not.toContain('Type the total');
  });
});
