/**
 * What a status word of the service means for a payout that it has. Only Finished is shown by the service;
 * the failure and return words are configuration, and every other word is pending, shown verbatim.
 *
 * A failure needs two equal words some time apart: a passing word must not make a payment payable again.
 */
import type { TransferId } from './instruction.ts';
import type { Payout, PayoutIn } from './payout.ts';
import type { PayoutEvent } from './payout-event.ts';
import type { Policy } from './policy.ts';
import type { Timestamp } from './timestamp.ts';

export interface PollAnswer {
  /** Verbatim, made harmless. */
  readonly status: string;
  readonly discrepancies: readonly string[];
  /** A second name of the transfer that was not known before. */
  readonly otherId?: TransferId;
  readonly at: Timestamp;
}

type Words = Pick<Policy, 'failedWords' | 'returnedWords' | 'failConfirmMs'>;

/** The event the answer makes, or undefined when nothing changed. */
export function eventOfPoll(
  payout: PayoutIn<'accepted' | 'settled' | 'failed'>,
  answer: PollAnswer,
  words: Words,
): PayoutEvent | undefined {
  const { state } = payout;
  const { at, discrepancies, otherId } = answer;
  const other = otherId === undefined ? {} : { otherId };
  const facts = { serviceStatus: answer.status, discrepancies, ...other, at };
  const word = meaningOf(answer.status, words);
  if (state.status === 'failed') {
    return word === 'finished' && state.basis !== 'refused' && state.transferId !== undefined
      ? { kind: 'settle', ...facts }
      : undefined;
  }
  if (word === 'returned') return { kind: 'return', ...facts };
  // What settled stays settled unless it came back: a word that goes backwards proves nothing.
  if (state.status === 'settled') return undefined;
  if (word === 'finished') return { kind: 'settle', ...facts };
  if (word === 'failed') return afterFailureWord(state, facts, words);
  const isNews =
    state.serviceStatus !== answer.status ||
    state.suspicion !== undefined ||
    otherId !== undefined ||
    state.discrepancies.join() !== discrepancies.join();
  return isNews ? { kind: 'progress', ...facts } : undefined;
}

export function meaningOf(status: string, words: Words): 'finished' | 'failed' | 'returned' | 'pending' {
  const folded = status.trim().toLowerCase();
  if (folded === 'finished') return 'finished';
  if (words.failedWords.some((word) => word.toLowerCase() === folded)) return 'failed';
  if (words.returnedWords.some((word) => word.toLowerCase() === folded)) return 'returned';
  return 'pending';
}

type Facts = {
  serviceStatus: string;
  discrepancies: readonly string[];
  otherId?: TransferId;
  at: Timestamp;
};
type Accepted = Extract<Payout['state'], { status: 'accepted' }>;

function afterFailureWord(state: Accepted, facts: Facts, words: Words): PayoutEvent | undefined {
  const isSame = state.suspicion?.word.toLowerCase() === facts.serviceStatus.toLowerCase();
  if (!isSame || state.suspicion === undefined) return { kind: 'suspect', ...facts };
  return facts.at - state.suspicion.firstAt >= words.failConfirmMs ? { kind: 'fail', ...facts } : undefined;
}
