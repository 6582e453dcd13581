/**
 * Runs a program of the user's with a small JSON document on its standard input. No shell; thirty seconds; what it
 * prints is dropped, and it does not get the password that may stand in our environment. When the time is over, whatever
 * it started is ended with it.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

const PATIENCE_MS = 30_000;

export interface NoticeProgram {
  readonly program: string;
  readonly args: readonly string[];
}

/** Why it failed; undefined when it ended well. */
export function runNoticeProgram(
  { program, args }: NoticeProgram,
  body: string,
  patienceMs = PATIENCE_MS,
): Promise<string | undefined> {
  const { PAYFILE_PASSWORD: _, ...env } = process.env;
  return new Promise((resolve) => {
    // In a group of its own, so that what it starts can be ended too.
    const stdio: StdioOptions = ['pipe', 'ignore', 'ignore'];
    const child = spawn(program, args, { shell: false, stdio, env, detached: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child);
    }, patienceMs);
    const end = (problem: string | undefined) => {
      clearTimeout(timer);
      resolve(problem);
    };
    child.once('error', (error) =>
      end(`it cannot be started (${'code' in error ? String(error.code) : error.name})`),
    );
    child.once('exit', (code, signal) => {
      if (isLate) end(`it took longer than ${Math.ceil(patienceMs / 1_000)} s and was stopped`);
      else end(code === 0 ? undefined : `it ended with ${code ?? signal ?? 'an error'}`);
    });
    // A program that does not read its input is none of our business.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(body);
  });
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // No such group on this system, or it is gone already.
    child.kill('SIGKILL');
  }
}
