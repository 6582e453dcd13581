/**
 * Questions that wait for a signature, in memory alone: each is answered once, within minutes, in this process. Whoever
 * names one has used it up, whatever the answer is worth.
 *
 * Why:     anybody may ask to come in, as often as he likes, and the oldest of those questions go when there are too many.
 *          So approvals wait apart: what a person was asked to sign stays until it is signed, asked anew, or too late.
 */
import { type ApprovalSaid, QUESTION_MS } from '../../domain/people/passkey.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';

export type SignedQuestion = { readonly origin: string; readonly challenge: string } & (
  | { readonly kind: 'entry' }
  | { readonly kind: 'approval'; readonly person: string; readonly said: ApprovalSaid }
);

const ENTRIES_MAX = 1_000;

interface Waiting {
  readonly question: SignedQuestion;
  readonly until: Timestamp;
}

export type SignedQuestions = ReturnType<typeof createSignedQuestions>;

export function createSignedQuestions() {
  const entries = new Map<string, Waiting>();
  const approvals = new Map<string, Waiting>();
  const makeRoomFor = (question: SignedQuestion, now: Timestamp) => {
    for (const waiting of [entries, approvals])
      for (const [nonce, { until }] of waiting) if (now > until) waiting.delete(nonce);
    const [oldest] = entries.keys();
    if (question.kind === 'entry' && entries.size >= ENTRIES_MAX && oldest !== undefined)
      entries.delete(oldest);
    for (const [nonce, waiting] of approvals)
      if (isOfSamePlan(question, waiting.question)) approvals.delete(nonce);
  };
  return {
    ask(nonce: string, question: SignedQuestion, now: Timestamp): void {
      makeRoomFor(question, now);
      const waiting = question.kind === 'entry' ? entries : approvals;
      waiting.set(nonce, { question, until: plusMs(now, QUESTION_MS) });
    },
    /** undefined: it was never asked, was taken before, or its time is over. */
    take(nonce: string, now: Timestamp): SignedQuestion | undefined {
      const found = entries.get(nonce) ?? approvals.get(nonce);
      entries.delete(nonce);
      approvals.delete(nonce);
      return found === undefined || now > found.until ? undefined : found.question;
    },
  };
}

/** One person has one question about a batch: the newest. */
function isOfSamePlan(one: SignedQuestion, other: SignedQuestion): boolean {
  if (one.kind === 'entry' || other.kind === 'entry') return false;
  return one.person === other.person && one.said.batchId === other.said.batchId;
}
