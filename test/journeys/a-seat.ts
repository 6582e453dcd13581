/**
 * A person's seat: a office with a terminal, on which answers are typed when a text has appeared. Needs Python.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { commandPath } from '../builders/command.ts';
import { type Office, openOffice } from '../builders/office.ts';

const DRIVER = fileURLToPath(new URL('a-terminal.py', import.meta.url));

export const hasPython =
  spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0;
export const DOWN = '\u001b[B';
export const CTRL_C = '\u0003';

export interface Seat extends Office {
  /** Runs a command; each answer is typed when its text is on the screen. */
  type(
    answers: readonly (readonly [text: string, typed: string])[],
    ...words: string[]
  ): { readonly code: number | null; readonly screen: string };
}

export function openSeat(env: Record<string, string> = {}): Seat {
  const office = openOffice({ PAYFILE_SOURCE: 'GB', TERM: 'xterm', ...env });
  return {
    ...office,
    type(answers, ...words) {
      const all = [DRIVER, JSON.stringify(answers), process.execPath, commandPath(), ...words];
      const ended = spawnSync('python3', all, {
        cwd: office.folder,
        env: office.env,
        encoding: 'utf8',
        timeout: 28_000,
      });
      return { code: ended.status, screen: stripVTControlCharacters(ended.stdout) };
    },
  };
}
