/**
 * One POST of a small JSON document to a web address. Tried three times at the most and over after ten seconds,
 * whatever happens: nothing that money depends on waits for it.
 *
 * The answer is not read; a redirect is not followed, because it could lead anywhere.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds: for everything together, for one try, and between the tries. */
export interface NoticeLimits {
  readonly allMs: number;
  readonly oneMs: number;
  readonly waitsMs: readonly number[];
}

const LIMITS: NoticeLimits = { allMs: 10_000, oneMs: 4_000, waitsMs: [500, 1_500] };

/** Why it was not taken; undefined when it was. */
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
    // What was refused for what it is will be refused again; the rest may be a passing trouble.
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
