/**
 * The words and symbols of a status, the same on a terminal, in a workbook and on a page. A word always
 * stands beside its symbol; colour is never the only sign.
 */
import type { Status } from './payout.ts';

export interface StatusWord {
  readonly symbol: '✔' | '→' | '✖' | '↩' | '?' | '–';
  readonly word: string;
  /** How the word goes into a sentence of counts: “22 settled”. */
  readonly counted: string;
  readonly tone: 'good' | 'moving' | 'bad' | 'returned' | 'doubt' | 'quiet';
}

export const STATUS_WORDS: Readonly<Record<Status, StatusWord>> = {
  settled: { symbol: '✔', word: 'Settled', counted: 'settled', tone: 'good' },
  accepted: { symbol: '→', word: 'On its way', counted: 'on its way', tone: 'moving' },
  in_doubt: { symbol: '?', word: 'In doubt', counted: 'in doubt', tone: 'doubt' },
  sending: { symbol: '?', word: 'Being sent', counted: 'being sent (no answer yet)', tone: 'doubt' },
  failed: { symbol: '✖', word: 'Failed', counted: 'failed', tone: 'bad' },
  returned: { symbol: '↩', word: 'Returned', counted: 'returned', tone: 'returned' },
  held: { symbol: '–', word: 'Not sent: held', counted: 'held', tone: 'quiet' },
  invalid: { symbol: '–', word: 'Not sent: invalid', counted: 'invalid', tone: 'quiet' },
  canceled: { symbol: '–', word: 'Not sent: canceled', counted: 'canceled', tone: 'quiet' },
  approved: { symbol: '–', word: 'Not sent: approved', counted: 'approved but not sent', tone: 'quiet' },
  quoted: {
    symbol: '–',
    word: 'Not sent: quoted',
    counted: 'waiting for approval',
    tone: 'quiet',
  },
  planned: { symbol: '–', word: 'Not sent: planned', counted: 'not priced yet', tone: 'quiet' },
};

/** `✔ Settled`. */
export function statusLabel(status: Status): string {
  const { symbol, word } = STATUS_WORDS[status];
  return `${symbol} ${word}`;
}
