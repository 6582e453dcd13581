/**
 * What a batch came to, from how many of its payouts stand where: a word, a sentence and an exit code.
 *
 * Source:  design §9. Several may apply; the order of the checks below is the design's precedence
 *          (5, 6, 4, 3, 10). The codes that depend on anything but the counts belong to the command line.
 */
import type { StatusCounts } from './batch.ts';
import { counted, countText } from './counted.ts';
import { STATUSES, type Status } from './payout.ts';
import { STATUS_WORDS } from './status-word.ts';

export interface BatchOutcome {
  readonly exitCode: 0 | 3 | 4 | 5 | 6 | 10;
  readonly word: OutcomeWord;
  /** `24 payments: 22 settled, 1 failed, 1 in doubt` */
  readonly sentence: string;
}

export const OUTCOME_WORDS = [
  'settled',
  'finished_with_exceptions',
  'on_its_way',
  'in_doubt',
  'incident',
  'stopped',
  'needs_approval',
] as const;
export type OutcomeWord = (typeof OUTCOME_WORDS)[number];

/** `incidents`: payouts that were called failed and then turned out to be paid. */
export function batchOutcome(counts: StatusCounts, incidents = 0): BatchOutcome {
  const [exitCode, word] = verdict(counts, incidents);
  return { exitCode, word, sentence: sentenceOf(counts, incidents) };
}

function verdict(counts: StatusCounts, incidents: number): readonly [BatchOutcome['exitCode'], OutcomeWord] {
  const any = (...statuses: readonly Status[]) => statuses.some((status) => counts[status] > 0);
  // A payout left in `sending` may have moved money; whoever asks now does not know.
  if (any('in_doubt', 'sending')) return [5, 'in_doubt'];
  if (incidents > 0) return [5, 'incident'];
  if (any('approved')) return [6, 'stopped'];
  if (any('accepted')) return [4, 'on_its_way'];
  const waiting = any('quoted', 'planned');
  const everSent = any('settled', 'failed', 'returned');
  const exceptions = any('failed', 'returned', 'held', 'canceled', 'invalid');
  // Before anything is sent, held rows do not make a batch finished: it still waits for its approval.
  if (exceptions && (everSent || !waiting)) return [3, 'finished_with_exceptions'];
  return waiting ? [10, 'needs_approval'] : [0, 'settled'];
}

/** The order in which people are told of statuses. */
export const SPOKEN: readonly Status[] = [
  'settled',
  'accepted',
  'failed',
  'returned',
  'in_doubt',
  'sending',
  'held',
  'canceled',
  'invalid',
  'approved',
  'quoted',
  'planned',
];

function sentenceOf(counts: StatusCounts, incidents: number): string {
  const all = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  if (all === 0) return 'No payments';
  const parts = SPOKEN.filter((status) => counts[status] > 0).map(
    (status) => `${countText(counts[status])} ${STATUS_WORDS[status].counted}`,
  );
  const loud =
    incidents === 0 ? '' : `; INCIDENT: ${countText(incidents)} had failed and then turned out paid`;
  return `${counted(all, 'payment')}: ${parts.join(', ')}${loud}`;
}
