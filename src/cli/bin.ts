#!/usr/bin/env node
/**
 * The command `payfile`. Checks the Node version before it loads modern code. An old Node then prints one clear line
 * instead of a syntax error.
 *
 * Why:     this file uses only old JavaScript on purpose. The dynamic import loads modern code.
 */
import { existsSync, readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import type { ProcessContext, StopSignal } from './process-context.ts';
import { keepHeapSmall } from './small-heap.ts';

const versions: { readonly node: string; readonly sqlite?: string | undefined } = process.versions;

if (!isAtLeast(versions.node, [24, 15, 0])) {
  refuse(`payfile needs Node 24.15 or newer; this is Node ${versions.node}.`);
} else if (!isAtLeast(versions.sqlite || '0', [3, 51, 3])) {
  refuse(`payfile needs a Node whose SQLite is 3.51.3 or newer; this one has ${versions.sqlite || 'none'}.`);
} else {
  keepHeapSmall();
  keepCompiledCode();
  import('./main.ts')
    .then((loaded) => loaded.main(process.argv.slice(2), currentProcess()))
    .then(exit, crash);
}

function isAtLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (let index = 0; index < wanted.length; index += 1) {
    const part = parts[index] || 0;
    const least = wanted[index] || 0;
    if (part !== least) return part > least;
  }
  return true;
}

/**
 * Node keeps the compiled code of payfile between two runs, so that a command starts a fifth sooner. It compares each file
 * with its source, and does without where it cannot write. The folder for caches is the user's own, never a shared one.
 */
function keepCompiledCode(): void {
  const { XDG_CACHE_HOME: caches, HOME: home } = process.env;
  const folder = caches || (home ? `${home}/.cache` : '');
  if (folder.startsWith('/')) nodeModule.enableCompileCache(`${folder}/payfile`);
}

function refuse(text: string): void {
  process.stderr.write(`${text} Nothing was done. Install a newer Node: https://nodejs.org\n`);
  process.exitCode = 78;
}

function exit(code: number): void {
  // All output is already flushed. A forgotten handle must not keep a cron job alive.
  process.exit(code);
}

function crash(error: unknown): void {
  process.stderr.write(
    `payfile could not start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
}

/** Only here the command line reads the real process. */
function currentProcess(): ProcessContext {
  changeToCallersFolder();
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    home: orUndefined(homedir),
    temporary: tmpdir(),
    // A container may run as a user id that has no name.
    user: orUndefined(() => userInfo().username) || '',
    uid: process.getuid ? process.getuid() : undefined,
    host: hostname(),
    pid: process.pid,
    isAbandoned: createAbandonedCheck(),
    versions,
    program: {
      words: [process.execPath, ...process.argv.slice(1, 2)],
      platform: process.platform,
      hasSystemd: existsSync('/run/systemd/system'),
    },
    onSignal,
    onBug,
    exit: (code) => process.exit(code),
  };
}

/**
 * Returns a function that tells whether a parent process has ended. npm starts a shell, and the shell starts this
 * process. A signal that ends npm does not end this process. SIGTERM ends the shell too, SIGKILL ends only npm. So the
 * function compares both parents.
 */
function createAbandonedCheck(): () => boolean {
  const isScript = process.env['npm_lifecycle_event'] !== undefined;
  const parents = () => `${process.ppid} ${isScript ? parentOf(process.ppid) : ''}`;
  const first = parents();
  return () => parents() !== first;
}

/** undefined if the system does not show it. */
function parentOf(pid: number): string | undefined {
  try {
    return /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** `npm run payfile` changes to the package folder. File names are relative to the caller's folder. */
function changeToCallersFolder(): void {
  const { npm_lifecycle_event: script, INIT_CWD: typedIn } = process.env;
  if (script === 'payfile' && typedIn !== undefined) process.chdir(typedIn);
}

function orUndefined(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

function onSignal(receive: (name: StopSignal) => void): () => void {
  const names: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const name of names) process.on(name, receive);
  return () => {
    for (const name of names) process.off(name, receive);
  };
}

function onBug(receive: (error: unknown) => void): () => void {
  const received = (error: unknown) => {
    // Set now, in case nothing else ends this process properly.
    process.exitCode = 1;
    receive(error);
  };
  process.on('uncaughtException', received);
  return () => {
    process.off('uncaughtException', received);
  };
}
