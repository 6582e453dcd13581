/**
 * Posts a small JSON document to a web address. At most three tries and ten seconds, because the command waits for it.
 *
 * Does not read the answer. Does not follow redirects, because they could lead anywhere.
 */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds for everything, for one try, and between tries. */
interface NoticeLimits {
  readonly totalMs: number;
  readonly tryMs: number;
  readonly waitsMs: readonly number[];
}

const LIMITS: NoticeLimits = { totalMs: 10_000, tryMs: 4_000, waitsMs: [500, 1_500] };

/** Why the receiver did not accept it; undefined if it did. */
export async function postNotice(url: string, body: string, limits = LIMITS): Promise<string | undefined> {
  const { totalMs, tryMs, waitsMs } = limits;
  const over = AbortSignal.timeout(totalMs);
  let problem = '';
  for (let tried = 0; tried <= waitsMs.length; tried += 1) {
    if (tried > 0) await sleep(waitsMs[tried - 1], undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) break;
    const result = await postOnce(url, body, AbortSignal.any([over, AbortSignal.timeout(tryMs)]));
    if (result === 'accepted') return undefined;
    problem = result.problem;
    if (result.isFinal) break;
  }
  return problem === '' ? 'no answer in time' : problem;
}

type PostFailure = { readonly problem: string; readonly isFinal: boolean };

async function postOnce(url: string, body: string, signal: AbortSignal): Promise<'accepted' | PostFailure> {
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
    if (status >= 200 && status < 300) return 'accepted';
    // The receiver would refuse the same content again. Other failures may be temporary.
    const isFinal = status < 500 && status !== 408 && status !== 429;
    return { problem: `HTTP ${status}`, isFinal };
  } catch (error) {
    return { problem: reasonOf(error), isFinal: false };
  }
}

/** Leaves out the address, because it may contain a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no connection';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code === '' ? 'no connection' : `no connection (${code})`;
}

/**
 * Runs a program with a small JSON document on its standard input. Uses no shell, and stops after thirty seconds. Drops
 * the output. The program does not get the password of our environment. At the time limit, its child processes end too.
 */

const PROGRAM_MS_MAX = 30_000;

interface NoticeProgram {
  readonly program: string;
  readonly args: readonly string[];
}

/** Environment and working folder of the program. */
interface ProgramContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Why it failed; undefined on success. */
export function runNoticeProgram(
  { program, args }: NoticeProgram,
  body: string,
  context: ProgramContext,
  programMsMax = PROGRAM_MS_MAX,
): Promise<string | undefined> {
  const { PAYFILE_PASSWORD: _, ...env } = context.env;
  const { cwd } = context;
  return new Promise((resolve) => {
    // A separate process group, so that payfile can end its child processes too.
    const stdio: StdioOptions = ['pipe', 'ignore', 'ignore'];
    const child = spawn(program, args, { shell: false, stdio, env, cwd, detached: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child);
    }, programMsMax);
    const end = (problem: string | undefined) => {
      clearTimeout(timer);
      resolve(problem);
    };
    child.once('error', (error) =>
      end(`it cannot be started (${'code' in error ? String(error.code) : error.name})`),
    );
    child.once('exit', (code, signal) => {
      if (isLate) end(`it took longer than ${Math.ceil(programMsMax / 1_000)} s and was stopped`);
      else end(code === 0 ? undefined : `it ended with ${code ?? signal ?? 'an error'}`);
    });
    // A program may ignore its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(body);
  });
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The system has no such group, or it has already ended.
    child.kill('SIGKILL');
  }
}
