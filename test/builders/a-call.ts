/**
 * A command called in this process, as main.ts calls it, with its output in memory: for what does not need a
 * process of its own, which costs a second on a busy machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { failureOf } from '../../src/faces/cli/failure.ts';
import { listenForStop } from '../../src/faces/cli/terminal/stopping.ts';
import { createTerminal } from '../../src/faces/cli/terminal/terminal.ts';
import { parseWords } from '../../src/faces/cli/words/program.ts';

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of --json. */
  readonly json: () => Readonly<Record<string, unknown>>;
}

export interface Office {
  readonly folder: string;
  at(name: string): string;
  payfile(...words: string[]): Promise<Called>;
  close(): void;
}

/** A working folder of one's own, also for what payfile keeps. Calls must not overlap. */
export function openOffice(): Office {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-office-'));
  const own = {
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    PAYFILE_SOURCE: 'GB',
    PAYFILE_POLL_MIN_MS: '50',
    CI: 'true',
  };
  const before = Object.fromEntries(Object.keys(own).map((name) => [name, process.env[name]]));
  Object.assign(process.env, own);
  const cwd = process.cwd();
  process.chdir(folder);
  return {
    folder,
    at: (name) => join(folder, name),
    payfile: (...words) => called(words),
    close() {
      process.chdir(cwd);
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function called(words: readonly string[]): Promise<Called> {
  const [stdout, stderr] = [inMemory(), inMemory()];
  const has = (flag: string) => words.includes(flag);
  const terminal = createTerminal({
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: {},
    json: has('--json'),
    quiet: has('--quiet'),
    color: false,
  });
  const stopping = listenForStop();
  const closers: (() => Promise<void>)[] = [];
  const onEnd = (close: () => Promise<void>) => void closers.push(close);
  let code: number;
  try {
    const parsed = parseWords(words, 'test');
    if (parsed.kind === 'help') throw new Error('Help was asked for');
    const { command, args, flags } = parsed;
    code = await (await parsed.load())({ terminal, stopping, onEnd, command, args, flags });
  } catch (error) {
    const failure = failureOf(error, undefined);
    if (failure.code === 'bug') throw error;
    terminal.talk(failure.message);
    code = failure.exitCode;
  }
  for (const close of closers.reverse()) await close();
  stopping.end();
  await terminal.end(code);
  const answer = { code, stdout: stdout.text(), stderr: stderr.text() };
  return { ...answer, json: () => JSON.parse(answer.stdout) as Readonly<Record<string, unknown>> };
}

function inMemory() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}
