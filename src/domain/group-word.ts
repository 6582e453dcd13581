/** The words and symbols of the groups of control totals, the same on a terminal, in a workbook and on a page. */
import type { Group } from './control-totals.ts';
import { STATUS_WORDS, type StatusWord } from './status-word.ts';

export type GroupWord = Pick<StatusWord, 'symbol' | 'word'>;

export const GROUP_WORDS: Readonly<Record<Group, GroupWord>> = {
  settled: STATUS_WORDS.settled,
  on_its_way: STATUS_WORDS.accepted,
  in_doubt: STATUS_WORDS.in_doubt,
  failed: STATUS_WORDS.failed,
  returned: STATUS_WORDS.returned,
  held: { symbol: '–', word: 'Held' },
  canceled: { symbol: '–', word: 'Canceled' },
  invalid: { symbol: '–', word: 'Invalid' },
  not_yet_sent: { symbol: '–', word: 'Not yet sent' },
};

/** `✔ Settled`. */
export function groupLabel(group: Group): string {
  const { symbol, word } = GROUP_WORDS[group];
  return `${symbol} ${word}`;
}
