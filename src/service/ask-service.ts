/**
 * One try at a question: token, request, answer; and what to do when the answer may be about the token.
 *
 * A refused question is repeated with a newer token, and only when the profile shows that the old one was refused too.
 * Errors:  CredentialsRefused when a fresh token is refused that nobody replaced; an abort.
 */

import { withoutEchoesIn } from '../domain/text/sensitive.ts';
import { type Declined, type ReadAnswer, readAnswer, type Unusable } from './read-answer.ts';
import type { ExchangeOnce } from './read-client.ts';
import { printableWithout } from './service-text.ts';
import type { Session, Token } from './session.ts';
import { requestOf } from './session.ts';
import type { TokenCheck } from './token-check.ts';

export interface Question<Value> {
  readonly endpoint: string;
  readonly url: string;
  readonly read: (data: unknown) => Value | undefined;
}

export type Tried<Value> = { readonly kind: 'answered'; readonly answer: Value } | Declined | Unusable;

/** Whose `fetched` stamp may prove the service's zone. */
const PROVES_ZONE: ReadonlySet<string> = new Set(['estimate', 'rate']);

// Each further one shows that somebody else who shares the login renewed it meanwhile.
const REFUSALS_MAX = 5;

interface AskParts {
  readonly session: Session;
  readonly exchange: ExchangeOnce;
  readonly checkToken: TokenCheck;
}

export async function askService<Value>(
  question: Question<Value>,
  parts: AskParts,
  signal: AbortSignal | undefined,
): Promise<Tried<Value>> {
  let asked = await askWithToken(question, parts, signal);
  for (let refusals = 1; asked.kind === 'token_refused'; refusals += 1) {
    const { session } = parts;
    const isReplaced = refusals === 1 || (await session.isReplaced(asked.token));
    if (isReplaced === undefined || refusals > REFUSALS_MAX)
      return { kind: 'unusable', reason: 'sessions end faster than they can be used', again: 'soon' };
    if (!isReplaced)
      throw session.giveUp(
        'The service logs us in, then refuses the token that it gave. Check the account on its dashboard.',
      );
    session.invalidate(asked.token);
    asked = await askWithToken(question, parts, signal);
  }
  return asked;
}

async function askWithToken<Value>(
  question: Question<Value>,
  parts: AskParts,
  signal: AbortSignal | undefined,
): Promise<Tried<Value> | { readonly kind: 'token_refused'; readonly token: Token }> {
  const { session, exchange } = parts;
  const held = await session.token(signal);
  if (held.kind === 'unavailable') return { kind: 'unusable', reason: held.reason, again: 'soon' };
  const { token } = held;
  const reply = await exchange(requestOf(question, token), signal);
  // The profile is shown whole, whatever stands in it.
  const isShown = question.endpoint === 'profile';
  const answer: ReadAnswer<Value> = readAnswer(reply, (data) =>
    question.read(isShown ? withoutEchoesIn(data, token.echoes()) : data),
  );
  if (answer.kind === 'answered') {
    const date = reply.kind === 'answer' ? reply.date : undefined;
    if (PROVES_ZONE.has(question.endpoint) && answer.fetched !== undefined)
      session.learnZone(answer.fetched, date);
    return { kind: 'answered', answer: answer.answer };
  }
  if (answer.kind !== 'token_suspect') return cleaned(answer, token);
  // The profile's own refusal is the proof; any other question needs it asked.
  if (question.endpoint === 'profile') return { kind: 'token_refused', token };
  const verdict = await parts.checkToken(token, { notBeforeMs: undefined, signal });
  if (verdict === 'refused') return { kind: 'token_refused', token };
  if (verdict === 'good') return cleaned(answer.ifTokenIsGood, token);
  return { kind: 'unusable', reason: 'the token could not be checked', again: 'soon' };
}

/** A service that repeats our token in its refusal must not bring it into a log. */
function cleaned(answer: Declined | Unusable, token: Token): Declined | Unusable {
  if (answer.kind !== 'declined') return answer;
  return { ...answer, message: printableWithout(token.echoes(), answer.message) };
}
