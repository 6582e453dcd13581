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

const SETTLED = { symbol: '✔', word: 'Settled', counted: 'settled', tone: 'good' } as const;
const ACCEPTED = { symbol: '→', word: 'On its way', counted: 'on its way', tone: 'moving' } as const;
const IN_DOUBT = { symbol: '?', word: 'In doubt', counted: 'in doubt', tone: 'doubt' } as const;
const FAILED = { symbol: '✖', word: 'Failed', counted: 'failed', tone: 'bad' } as const;
const RETURNED = { symbol: '↩', word: 'Returned', counted: 'returned', tone: 'returned' } as const;

const notSent = (counted: string, word = counted): StatusWord => ({
  ...{ symbol: '–', tone: 'quiet' },
  ...{ word: `Not sent: ${word}`, counted },
});

export const STATUS_WORDS: Readonly<Record<Status, StatusWord>> = {
  settled: SETTLED,
  accepted: ACCEPTED,
  failed: FAILED,
  returned: RETURNED,
  in_doubt: IN_DOUBT,
  sending: { ...IN_DOUBT, word: 'Being sent', counted: 'being sent (no answer yet)' },
  held: notSent('held'),
  canceled: notSent('canceled'),
  invalid: notSent('invalid'),
  approved: notSent('approved but not sent', 'approved'),
  quoted: notSent('waiting for approval', 'waits for approval'),
  planned: notSent('not priced yet', 'no fee yet'),
};

/** The order in which statuses are shown to people. */
export const STATUS_ORDER = Object.keys(STATUS_WORDS) as readonly Status[];

interface GroupWord extends Pick<StatusWord, 'symbol' | 'word'> {
  /** A payout being sent may have moved money, so it is not “not yet sent”. */
  readonly statuses: readonly Status[];
}

const GROUP_TABLE = {
  settled: { ...SETTLED, statuses: ['settled'] },
  on_its_way: { ...ACCEPTED, statuses: ['accepted'] },
  in_doubt: { ...IN_DOUBT, statuses: ['in_doubt', 'sending'] },
  failed: { ...FAILED, statuses: ['failed'] },
  returned: { ...RETURNED, statuses: ['returned'] },
  held: { symbol: '–', word: 'Held', statuses: ['held'] },
  canceled: { symbol: '–', word: 'Canceled', statuses: ['canceled'] },
  invalid: { symbol: '–', word: 'Invalid', statuses: ['invalid'] },
  not_yet_sent: { symbol: '–', word: 'Not yet sent', statuses: ['approved', 'quoted', 'planned'] },
} as const satisfies Readonly<Record<string, GroupWord>>;
export type Group = keyof typeof GROUP_TABLE;

export const GROUP_WORDS: Readonly<Record<Group, GroupWord>> = GROUP_TABLE;
export const GROUPS = Object.keys(GROUP_TABLE) as readonly Group[];

export const GROUP_OF = Object.fromEntries(
  GROUPS.flatMap((group) => GROUP_WORDS[group].statuses.map((status) => [status, group])),
) as Readonly<Record<Status, Group>>;

/** Groups of rows whose money moved or may have moved. */
export const BOOKED_GROUPS = ['settled', 'on_its_way', 'in_doubt', 'returned'] as const satisfies Group[];
