/**
 * What the answer to a transfer means: one table, read from the top, the first row that fits decides.
 *
 * A row may say that nothing was paid only where the answer proves it. Everything else is in doubt.
 * Source:  the classification of answers in src/README.md; the service shows no error codes but 1.
 */
import type { DoubtReason } from '../../domain/payout.ts';
import { type AnswerFacts, factsOf, type TransferAnswer } from './answer-facts.ts';

export type AnswerOutcome =
  | { readonly kind: 'accepted'; readonly id: string }
  /** `message` as the service wrote it: to be cleaned before it goes anywhere. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'turned_away'; readonly why: 'rate_limited' }
  /** Only the profile, asked with the same token, can tell. A refused token turned the transfer away. */
  | {
      readonly kind: 'ask_token';
      readonly thenIfGood: 'refused' | 'in_doubt';
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'in_doubt'; readonly reason: DoubtReason };

/** An answer that the configuration declares to mean "refused, nothing was executed". */
export interface RefusedAnswer {
  readonly httpStatus: number;
  readonly code: string;
}

/** The outcome and the facts it was read from. Pure. */
export function outcomeOfAnswer(
  answer: TransferAnswer,
  refusedList: readonly RefusedAnswer[],
): { readonly outcome: AnswerOutcome; readonly facts: AnswerFacts } {
  const facts = factsOf(answer);
  const row = TABLE.find((candidate) => candidate.when(facts, refusedList));
  return { outcome: row === undefined ? doubt('answer_inconclusive') : row.means(facts), facts };
}

interface TableRow {
  readonly when: (facts: AnswerFacts, refusedList: readonly RefusedAnswer[]) => boolean;
  readonly means: (facts: AnswerFacts) => AnswerOutcome;
}

const TABLE: readonly TableRow[] = [
  // An answer that is not whole, or began as JSON and is not, may have held anything.
  { when: (facts) => !facts.complete, means: () => doubt('answer_incomplete') },
  { when: (facts) => facts.document === 'damaged', means: () => doubt('answer_unreadable') },
  {
    when: (facts) => is2xx(facts) && facts.word === 'success' && facts.codeIsZero && facts.id !== undefined,
    means: (facts) => ({ kind: 'accepted', id: facts.id ?? '' }),
  },
  // Success without an id we can look up, and every answer that says two things at once.
  {
    when: (facts) => is2xx(facts) && facts.word === 'success' && facts.codeIsZero && !facts.mentionsId,
    means: () => doubt('answer_inconclusive'),
  },
  {
    when: (facts) => facts.word === 'success' || facts.mentionsId,
    means: () => doubt('answer_contradictory'),
  },
  {
    when: (facts) => facts.word === 'failed' && facts.codeIsZero,
    means: () => doubt('answer_contradictory'),
  },
  { when: (facts) => facts.httpStatus === 429, means: () => ({ kind: 'turned_away', why: 'rate_limited' }) },
  // A token that ended and a plain no look alike here.
  { when: (facts) => facts.httpStatus === 401, means: (facts) => askToken(facts, 'in_doubt') },
  {
    when: (facts) => isConclusive(facts) && facts.word === 'failed' && isCodeOne(facts),
    means: (facts) => askToken(facts, facts.dataIsEmpty ? 'refused' : 'in_doubt'),
  },
  {
    when: (facts) =>
      isConclusive(facts) && facts.word === 'failed' && facts.codeIsNonZero && facts.dataIsEmpty,
    means: refused,
  },
  { when: isListed, means: refused },
  // Empty bodies and pages of proxies: they may stand before or behind the service.
  { when: (facts) => facts.document === 'none', means: () => doubt('answer_unreadable') },
];

// Statuses by which a server or a proxy says that it did not, or not yet, do something; none of them proves
// that the service behind it did not.
const INCONCLUSIVE_4XX = [408, 409, 411, 421, 425, 431];

function is2xx(facts: AnswerFacts): boolean {
  return facts.httpStatus >= 200 && facts.httpStatus <= 299;
}

function isConclusive(facts: AnswerFacts): boolean {
  const is4xx = facts.httpStatus >= 400 && facts.httpStatus <= 499;
  return is2xx(facts) || (is4xx && !INCONCLUSIVE_4XX.includes(facts.httpStatus));
}

function isCodeOne(facts: AnswerFacts): boolean {
  return facts.code !== undefined && /^0*1$/.test(facts.code);
}

function isListed(facts: AnswerFacts, refusedList: readonly RefusedAnswer[]): boolean {
  return refusedList.some((listed) => listed.httpStatus === facts.httpStatus && listed.code === facts.code);
}

function refused(facts: AnswerFacts): AnswerOutcome {
  return { kind: 'refused', code: facts.code ?? '', message: facts.message ?? '' };
}

function askToken(facts: AnswerFacts, thenIfGood: 'refused' | 'in_doubt'): AnswerOutcome {
  return { kind: 'ask_token', thenIfGood, code: facts.code ?? '', message: facts.message ?? '' };
}

function doubt(reason: DoubtReason): AnswerOutcome {
  return { kind: 'in_doubt', reason };
}
