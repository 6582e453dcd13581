/**
 * Questions that wait for a signature, in memory alone: each is answered once, within minutes, in this process. Whoever
 * names one has used it up, whatever the answer is worth.
 */
import { type ApprovalSaid, QUESTION_MS } from '../../domain/people/passkey.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';

export type SignedQuestion = { readonly origin: string; readonly challenge: string } & (
  | { readonly kind: 'entry' }
  | { readonly kind: 'approval'; readonly person: string; readonly said: ApprovalSaid }
);

export interface SignedQuestions {
  ask(nonce: string, question: SignedQuestion, now: Timestamp): void;
  /** undefined: it was never asked, was taken before, or its time is over. */
  take(nonce: string, now: Timestamp): SignedQuestion | undefined;
}

const WAITING_MAX = 1_000;

export function createSignedQuestions(): SignedQuestions {
  const waiting = new Map<string, { readonly question: SignedQuestion; readonly until: Timestamp }>();
  return {
    ask(nonce, question, now) {
      for (const [key, { until }] of waiting) if (now > until) waiting.delete(key);
      const [oldest] = waiting.keys();
      if (waiting.size >= WAITING_MAX && oldest !== undefined) waiting.delete(oldest);
      waiting.set(nonce, { question, until: plusMs(now, QUESTION_MS) });
    },
    take(nonce, now) {
      const found = waiting.get(nonce);
      waiting.delete(nonce);
      return found === undefined || now > found.until ? undefined : found.question;
    },
  };
}
