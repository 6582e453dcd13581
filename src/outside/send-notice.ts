/**
 * One POST of a small JSON document to a web address: at most three tries and ten seconds in all, because the command
 * waits for it.
 *
 * The answer is not read; a redirect is not followed, because it could lead anywhere.
 */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds: for everything together, for one try, and between the tries. */
interface NoticeLimits {
  readonly allMs: number;
  readonly oneMs: number;
  readonly waitsMs: readonly number[];
}

const LIMITS: NoticeLimits = { allMs: 10_000, oneMs: 4_000, waitsMs: [500, 1_500] };

/** Why it was not accepted; undefined when it was. */
export async function postNotice(url: string, body: string, limits = LIMITS): Promise<string | undefined> {
  const { allMs, oneMs, waitsMs } = limits;
  const over = AbortSignal.timeout(allMs);
  let problem = '';
  for (let tried = 0; tried <= waitsMs.length; tried += 1) {
    if (tried > 0) await sleep(waitsMs[tried - 1], undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) break;
    const result = await postOnce(url, body, AbortSignal.any([over, AbortSignal.timeout(oneMs)]));
    if (result === 'taken') return undefined;
    problem = result.problem;
    if (result.isFinal) break;
  }
  return problem === '' ? 'no answer in time' : problem;
}

type Refused = { readonly problem: string; readonly isFinal: boolean };

async function postOnce(url: string, body: string, signal: AbortSignal): Promise<'taken' | Refused> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'payfile' },
      redirect: 'manual',
      signal,
    });
    await answer.body?.cancel();
    const { status } = answer;
    if (status >= 200 && status < 300) return 'taken';
    // A request that was refused for its content will be refused again; other failures may be temporary.
    const isFinal = status < 500 && status !== 408 && status !== 429;
    return { problem: `HTTP ${status}`, isFinal };
  } catch (error) {
    return { problem: reasonOf(error), isFinal: false };
  }
}

/** Without the address: it may hold a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no connection';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code === '' ? 'no connection' : `no connection (${code})`;
}

/**
 * Runs a program of the user's with a small JSON document on its standard input. No shell; thirty seconds; what it
 * prints is dropped, and it does not get the password that may stand in our environment. When the time is over, whatever
 * it started is ended with it.
 */

const PATIENCE_MS = 30_000;

interface NoticeProgram {
  readonly program: string;
  readonly args: readonly string[];
}

/** The program's environment, and the folder that it starts in. */
interface ProgramContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Why it failed; undefined when it ended well. */
export function runNoticeProgram(
  { program, args }: NoticeProgram,
  body: string,
  context: ProgramContext,
  patienceMs = PATIENCE_MS,
): Promise<string | undefined> {
  const { PAYFILE_PASSWORD: _, ...env } = context.env;
  const { cwd } = context;
  return new Promise((resolve) => {
    // In a group of its own, so that what it starts can be ended too.
    const stdio: StdioOptions = ['pipe', 'ignore', 'ignore'];
    const child = spawn(program, args, { shell: false, stdio, env, cwd, detached: true });
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
    // A program may ignore its input; that is no error.
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
