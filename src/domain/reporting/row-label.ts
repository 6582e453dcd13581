/**
 * The label of a row: its status, and why a person has to look at it. It is the same on a terminal, in a workbook and on a
 * page.
 */
import { isOpenDifference } from '../payouts/difference.ts';
import type { LookConcern, Payout, Status } from '../payouts/payout.ts';
import { type Marks, marksOf } from './marks.ts';
import { STATUS_WORDS, type StatusWord } from './status-words.ts';

/** The marks of a row as programs get them. Each is left out where it does not hold. */
export interface RowFlags {
  /** It differs from what was asked, and nobody accepted that. */
  readonly differs?: true;
  /** More went out than was asked: an incident until a person accepts it. */
  readonly over?: true;
  /** It differs from what was asked, and a person accepted that. */
  readonly accepted?: true;
  /** On its way or settled. The service called it failed or returned, and that is not confirmed yet. */
  readonly suspected?: true;
  /** On its way, and a person has to ask the service about it. */
  readonly stuck?: LookConcern;
}

export function flagsOf({ isSuspected, stuck, difference }: Marks): RowFlags {
  return {
    ...(isOpenDifference(difference) && { differs: true }),
    ...(difference === 'over' && { over: true }),
    ...(difference === 'accepted' && { accepted: true }),
    ...(isSuspected && { suspected: true }),
    ...(stuck !== undefined && { stuck }),
  };
}

export interface RowLabel {
  /** `!`: a person has to look at it. */
  readonly symbol: StatusWord['symbol'] | '!';
  readonly word: string;
  readonly tone: StatusWord['tone'];
}

/** Of a row on its way. */
export const STUCK_WORDS: Readonly<Record<LookConcern, string>> = {
  missing: 'On its way, and not found',
  unknown_word: 'On its way, with an unknown word',
  late: 'On its way for too long',
};

/** The most serious mark names the row. */
export function rowLabel(status: Status, flags: RowFlags): RowLabel {
  const { symbol, word, tone } = STATUS_WORDS[status];
  const { differs, over, accepted, suspected, stuck } = flags;
  const look = (text: string) => ({ symbol: '!', word: text, tone: 'doubt' }) as const;
  if (over === true) return { symbol: '!', word: `${word}, more than was asked`, tone: 'bad' };
  if (stuck === 'missing') return look(STUCK_WORDS[stuck]);
  if (suspected === true) return look(`${word}, called failed or returned`);
  if (stuck !== undefined) return look(STUCK_WORDS[stuck]);
  if (differs === true) return look(`${word}, differs`);
  return { symbol, word: accepted === true ? `${word}, difference accepted` : word, tone };
}

/** Of a line of a report. */
export function lineLabel(line: Marks & { readonly status: Status }): RowLabel {
  return rowLabel(line.status, flagsOf(line));
}

export function payoutLabel(payout: Payout): RowLabel {
  return rowLabel(payout.state.status, flagsOf(marksOf(payout)));
}

/** `✔ Settled`. */
export function labelText({ symbol, word }: Pick<RowLabel, 'symbol' | 'word'>): string {
  return `${symbol} ${word}`;
}
