/**
 * The words and symbols of a status and of groups of them, the same on a terminal, in a workbook and on a page. A word always
 * stands beside its symbol; colour is never the only sign.
 */
import type { Status } from '../payouts/payout.ts';

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

/** What each status counts as. A payout being sent may have moved money, so it is not “not yet sent”. */
export const GROUP_OF: Readonly<Record<Status, Group>> = {
  settled: 'settled',
  accepted: 'on_its_way',
  in_doubt: 'in_doubt',
  sending: 'in_doubt',
  failed: 'failed',
  returned: 'returned',
  held: 'held',
  canceled: 'canceled',
  invalid: 'invalid',
  approved: 'not_yet_sent',
  quoted: 'not_yet_sent',
  planned: 'not_yet_sent',
};

export const GROUPS = [
  'settled',
  'on_its_way',
  'in_doubt',
  'failed',
  'returned',
  'held',
  'canceled',
  'invalid',
  'not_yet_sent',
] as const;
export type Group = (typeof GROUPS)[number];

/** Groups of rows whose money moved or may have moved. */
export const BOOKED_GROUPS = ['settled', 'on_its_way', 'in_doubt', 'returned'] as const satisfies Group[];

type GroupWord = Pick<StatusWord, 'symbol' | 'word'>;

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

/**
 * Our states in the words of ISO 20022 payment status reports (pain.002).
 *
 * A code never says more than is known: a payment in doubt is pending, with our own word and the reason beside
 * it; one that came back is rejected, because in the end the beneficiary does not have the money.
 * Source:  ISO 20022 external code sets, payment transaction status and payment group status.
 */

/**
 * Codes of pain.002, which never say more than is known: a doubt is PDNG, and what came back is RJCT, because the message
 * has no code for a return.
 */
type TransactionCode = 'ACSC' | 'ACSP' | 'PDNG' | 'RJCT';
type GroupCode = TransactionCode | 'PART';

export const TRANSACTION_CODES: Readonly<Record<Status, TransactionCode>> = {
  settled: 'ACSC',
  accepted: 'ACSP',
  in_doubt: 'PDNG',
  sending: 'PDNG',
  failed: 'RJCT',
  returned: 'RJCT',
  canceled: 'RJCT',
  invalid: 'RJCT',
  held: 'PDNG',
  planned: 'PDNG',
  quoted: 'PDNG',
  approved: 'PDNG',
};

/**
 * One word for many: the code that all have, else that they differ. Undefined where there is nothing. A group is not
 * ACSC while a row differs from what was asked.
 */
export function groupCodeOf(codes: readonly TransactionCode[], isAsAsked: boolean): GroupCode | undefined {
  const distinct = new Set(codes);
  const [only] = distinct;
  const isOne = distinct.size <= 1 && (only !== 'ACSC' || isAsAsked);
  return isOne ? only : 'PART';
}
