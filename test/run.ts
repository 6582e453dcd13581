/**
 * Runs the tests with a time limit. At the end it kills every process that is left.
 *
 * Usage:   npm test [-- test files]
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { makeRunFolder, RUN_FOLDER, removeRunFolder } from './builders/run-folder.ts';

/** Several times as long as a slow machine needs. */
const MINUTES_MAX = 40;

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));
const words = [vitest, 'run', '--config', config, ...process.argv.slice(2)];
const folder = makeRunFolder();
const child = spawn(process.execPath, words, {
  // With an empty HOME, Vitest would write its data into the clone.
  env: { ...process.env, [RUN_FOLDER]: folder, XDG_DATA_HOME: folder },
  stdio: ['ignore', 'inherit', 'inherit'],
  // A process group of its own: all processes of the tests belong to it and end with it.
  detached: true,
});

const timer = setTimeout(() => {
  console.error(`The tests did not end within ${MINUTES_MAX} minutes, so they were ended.`);
  endGroup('SIGKILL');
}, MINUTES_MAX * 60_000);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => endGroup(signal));
child.once('error', (error) => {
  throw error;
});
child.once('exit', (code, signal) => {
  clearTimeout(timer);
  endGroup('SIGKILL');
  removeRunFolder(folder);
  process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
});

function endGroup(signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // All processes have already ended.
  }
}
