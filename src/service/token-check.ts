/**
 * Whether the service still takes a token: asks the profile with it, the one question that cannot be
 * refused for another reason.
 *
 * "Good" is remembered for a few seconds, so that a file full of unknown accounts does not double the requests;
 * "refused" is remembered for ever. After a transfer only an answer that was asked for afterwards counts.
 */

import type { Clock } from '../ports/clock.ts';
import { readAnswer } from './read-answer.ts';
import type { ExchangeOnce } from './read-client.ts';
import type { Token } from './session.ts';
import { requestOf } from './session.ts';

type TokenVerdict = 'good' | 'refused' | 'unknown';

interface TokenCheckOptions {
  /** On the monotonic clock: an older verdict is not enough. undefined: a few seconds old will do. */
  readonly notBeforeMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export type TokenCheck = (token: Token, options: TokenCheckOptions) => Promise<TokenVerdict>;

const GOOD_FOR_MS = 5_000;
const TRIES_MAX = 3;
const TRY_SPACING_MS = 500;

interface Remembered {
  readonly token: Token;
  readonly verdict: TokenVerdict;
  readonly askedMs: number;
}

export function createTokenCheck(profileUrl: string, exchange: ExchangeOnce, clock: Clock): TokenCheck {
  let remembered: Remembered | undefined;

  return async (token, { notBeforeMs, signal }) => {
    const sinceMs = notBeforeMs ?? clock.monotonicMs() - GOOD_FOR_MS;
    if (remembered?.token === token) {
      if (remembered.verdict === 'refused' && notBeforeMs === undefined) return 'refused';
      if (remembered.askedMs >= sinceMs) return remembered.verdict;
    }
    const askedMs = clock.monotonicMs();
    const request = requestOf({ endpoint: 'profile', url: profileUrl }, token);
    const answer = readAnswer(await exchange(request, signal), () => true);
    const verdict =
      answer.kind === 'answered' ? 'good' : answer.kind === 'token_suspect' ? 'refused' : 'unknown';
    if (verdict !== 'unknown') remembered = { token, verdict, askedMs };
    return verdict;
  };
}

interface AfterTransfer {
  readonly checkToken: TokenCheck;
  readonly clock: Clock;
  /** When the transfer's answer had come, on the monotonic clock. */
  readonly endedMs: number;
}

/** A few tries, because an unknown verdict leaves a payout in doubt and costs a person's time. Never rejects. */
export async function verdictAfterTransfer(token: Token, parts: AfterTransfer): Promise<TokenVerdict> {
  try {
    for (let tried = 1; tried <= TRIES_MAX; tried += 1) {
      const verdict = await parts.checkToken(token, { notBeforeMs: parts.endedMs, signal: undefined });
      if (verdict !== 'unknown') return verdict;
      if (tried < TRIES_MAX) await parts.clock.sleep(TRY_SPACING_MS * tried);
    }
  } catch {
    // The transfer is already out: whatever went wrong here, its outcome must be told.
  }
  return 'unknown';
}
