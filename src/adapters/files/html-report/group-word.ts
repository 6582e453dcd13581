/** How the groups of the control totals are called and marked on a page. */
import type { Group } from '../../../domain/control-totals.ts';
import type { StatusWord } from '../../../domain/status-word.ts';

export const GROUP_WORDS: Readonly<Record<Group, Pick<StatusWord, 'symbol' | 'word'>>> = {
  settled: { symbol: '✔', word: 'Settled' },
  on_its_way: { symbol: '→', word: 'On its way' },
  in_doubt: { symbol: '?', word: 'In doubt' },
  failed: { symbol: '✖', word: 'Failed' },
  returned: { symbol: '↩', word: 'Returned' },
  held: { symbol: '–', word: 'Held' },
  canceled: { symbol: '–', word: 'Canceled' },
  invalid: { symbol: '–', word: 'Invalid' },
  not_yet_sent: { symbol: '–', word: 'Not yet sent' },
};
