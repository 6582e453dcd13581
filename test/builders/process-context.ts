/**
 * What a call of the command line stands in when a test makes it in its own process: a folder, an environment, and
 * streams in memory. Nobody sits there, no signal comes, and an error that nobody caught is the test runner's.
 */
import { hostname, userInfo } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import type { ProcessContext } from '../../src/cli/process-context.ts';

export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, as they came. */
  readonly text: string;
}

/** The command line, without a process of its own. */
export async function callMain(
  words: readonly string[],
  place: Place,
  given: Partial<ProcessContext> = {},
): Promise<Said> {
  const said = { stdout: '', stderr: '', text: '' };
  const into = (name: 'stdout' | 'stderr') =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        said[name] += String(chunk);
        said.text += String(chunk);
        done();
      },
    });
  const streams = { stdin: Readable.from([]), stdout: into('stdout'), stderr: into('stderr') };
  const code = await main(words, { ...contextOf(place), ...streams, ...given });
  return { code, ...said };
}

export function contextOf({ folder, env }: Place): ProcessContext {
  return {
    stdin: Readable.from([]),
    stdout: new Writable(),
    stderr: new Writable(),
    env,
    cwd: folder,
    home: env['HOME'],
    temporary: env['TMPDIR'] ?? folder,
    user: userInfo().username,
    host: hostname(),
    pid: process.pid,
    versions: process.versions,
    onSignal: () => () => undefined,
    onBug: () => () => undefined,
    exit: (code) => {
      throw new Error(`The command line wanted to end the process with ${code}`);
    },
  };
}
