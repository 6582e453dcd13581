/** The scripts for the tab key, in the shells that are here. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { completionOf, SHELLS } from '../../src/cli/parse/completion.ts';

/** What bash would offer for the last of these words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const asked = `COMP_WORDS=(payfile ${typed}); COMP_CWORD=${words.length}; _payfile; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `${await completionOf('bash')}\n${asked}`], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

it('offers commands, their flags and guides in bash', async () => {
  expect(await offered('re')).toEqual(
    expect.arrayContaining(['report', 'release', 'reissue', 'reconcile', 'restore', 'resume']),
  );
  expect(await offered('run', 'may.csv', '--max')).toEqual(['--max-total', '--max-debit']);
  expect(await offered('--sandbox', 'reconcile', 'may', '--state')).toEqual(['--statement']);
  expect(await offered('help', 'exit')).toEqual(['exit-codes']);
});

it('leaves names of files to bash', async () => {
  expect(await offered('run', 'ma')).toEqual([]);
  expect(await offered('run', 'may.csv', '--report', '--')).toEqual([]);
});

it.each(SHELLS)('is a script that %s reads', async (shell) => {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-completion-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // From a file, because fish takes no script from a socket.
  const script = join(folder, `payfile.${shell}`);
  writeFileSync(script, await completionOf(shell));
  const { error, status, stderr } = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
  // A machine need not have all shells.
  if (error === undefined) expect(status, stderr).toBe(0);
});
