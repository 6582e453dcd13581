/**
 * What the answer to a question means. Pure.
 *
 * Unlike a transfer, a question may be asked again, so nothing here is ever in doubt: it is an answer, a plain
 * no, a suspicion against the token, or no usable answer with a hint whether asking again can help.
 */
import { isFailureWord, isSuccessWord, isZeroCode } from '../../contract/envelope.ts';
import { parseEnvelope } from './login-answer.ts';
import type { Reply } from './read-client.ts';

export type ReadAnswer<Value> =
  | { readonly kind: 'answered'; readonly answer: Value; readonly fetched: string | undefined }
  | Declined
  /** It may be about the token or a true no; only the profile can tell. */
  | { readonly kind: 'token_suspect'; readonly ifTokenIsGood: Declined | Unusable }
  | Unusable;

export interface Declined {
  readonly kind: 'declined';
  readonly code: string;
  /** As the service wrote it: to be cleaned before it goes anywhere. */
  readonly message: string;
}

export interface Unusable {
  readonly kind: 'unusable';
  readonly reason: string;
  readonly again: 'never' | 'soon' | 'rate_limited';
}

/** `read` turns `data` into the answer, or gives undefined when its shape is not the documented one. */
export function readAnswer<Value>(
  reply: Reply,
  read: (data: unknown) => Value | undefined,
): ReadAnswer<Value> {
  if (reply.kind === 'no_answer') return { kind: 'unusable', reason: reply.reason, again: 'soon' };
  const { httpStatus } = reply;
  if (httpStatus === 429) return { kind: 'unusable', reason: 'HTTP 429', again: 'rate_limited' };
  const envelope = parseEnvelope(reply.body);
  if (envelope === undefined) return withoutEnvelope(httpStatus);
  const is2xx = httpStatus >= 200 && httpStatus <= 299;
  const { code } = envelope;
  if (isFailureWord(envelope.status) && !isZeroCode(code) && (is2xx || isPlain4xx(httpStatus))) {
    const declined: Declined = { kind: 'declined', code, message: envelope.message ?? '' };
    const isSuspect = httpStatus === 401 || /^0*1$/.test(code);
    return isSuspect ? { kind: 'token_suspect', ifTokenIsGood: declined } : declined;
  }
  if (httpStatus === 401) return withoutEnvelope(httpStatus);
  const answer =
    is2xx && isSuccessWord(envelope.status) && isZeroCode(code) ? read(envelope.data) : undefined;
  if (answer === undefined) return unusable(httpStatus);
  const fetched = typeof envelope.fetched === 'string' ? envelope.fetched : undefined;
  return { kind: 'answered', answer, fetched };
}

function withoutEnvelope(httpStatus: number): ReadAnswer<never> {
  if (httpStatus !== 401) return unusable(httpStatus);
  return { kind: 'token_suspect', ifTokenIsGood: { kind: 'unusable', reason: 'HTTP 401', again: 'never' } };
}

function unusable(httpStatus: number): Unusable {
  const is2xx = httpStatus >= 200 && httpStatus <= 299;
  const reason = is2xx ? `unreadable answer (HTTP ${httpStatus})` : `HTTP ${httpStatus}`;
  // A redirect or a page that is not there will be the same in a second.
  const isPassing = is2xx || httpStatus >= 500 || httpStatus === 408 || httpStatus === 425;
  return { kind: 'unusable', reason, again: isPassing ? 'soon' : 'never' };
}

function isPlain4xx(httpStatus: number): boolean {
  return httpStatus >= 400 && httpStatus <= 499 && httpStatus !== 408 && httpStatus !== 425;
}
