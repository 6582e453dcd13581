/**
 * What a batch needs next: the one answer that every host shows, on its pages, in its lists and as its next command.
 *
 * It depends on the ledger alone, never on the time of day.
 */
import {
  type Batch,
  type BatchOutcome,
  batchLabel,
  isMoved,
  isPausedForStatement,
  type StatusCounts,
  unknownOutcomes,
} from '../batches/batch.ts';
import type { Deed } from '../people/person.ts';
import { counted, rowsText } from '../text/printable.ts';
import { pauseSteps, sendStep } from './batch-steps.ts';
import { command, type NextSteps, nextSteps } from './command.ts';
import { readAgain, runAgain } from './file-commands.ts';

export type NeedKind =
  /** A process works on the batch. */
  | 'wait'
  | 'read_file'
  /** Rows in doubt. */
  | 'find_out'
  /** A payment that was called unpaid is paid, or more went out than was asked. */
  | 'look'
  | 'compare'
  | 'resume'
  /** Rows without a name check and a fee. */
  | 'price'
  | 'approve'
  | 'send'
  /** Payments without an outcome yet. */
  | 'ask'
  | 'decide'
  | 'correct'
  | 'nothing';

export interface BatchNeed {
  readonly kind: NeedKind;
  /** The rows that need it. */
  readonly rows: number;
  /** How the batch stands: `24 rows wait for approval.` */
  readonly state: string;
  /** What to do, as a button says it: `Review and approve 24 rows`. Empty: nothing. */
  readonly action: string;
  /** Who may do it; undefined: everybody. */
  readonly deed: Deed | undefined;
  readonly steps: NextSteps;
}

export interface NeedFacts {
  readonly batch: Pick<Batch, 'id' | 'name' | 'file' | 'pause' | 'halfRead'>;
  readonly counts: StatusCounts;
  readonly outcome: Pick<BatchOutcome, 'word'>;
  /** Rows that failed or came back, and that another batch took over. */
  readonly elsewhere: number;
  readonly isAtWork: boolean;
}

export function batchNeed(facts: NeedFacts): BatchNeed {
  const found = needOf(facts);
  const rows = rowsOf(found, facts);
  const [state, action, deed] = WORDS[found](rows, facts);
  return { kind: found, rows, state, action, deed, steps: stepsOf(found, facts) };
}

function needOf({ batch, counts, outcome, isAtWork, ...facts }: NeedFacts): NeedKind {
  const { planned, quoted, approved, held, accepted } = counts;
  if (isAtWork) return 'wait';
  if (batch.halfRead !== undefined) return 'read_file';
  if (unknownOutcomes(counts) > 0) return 'find_out';
  if (outcome.word === 'incident') return 'look';
  if (batch.pause !== undefined && planned + quoted + approved + held > 0)
    return isPausedForStatement(batch) ? 'compare' : 'resume';
  // A row without a fee is in no plan yet, so it comes before the approval.
  if (planned > 0) return 'price';
  if (quoted > 0) return 'approve';
  if (approved > 0) return 'send';
  if (accepted > 0) return 'ask';
  if (held > 0) return 'decide';
  return unpaidHere(counts, facts.elsewhere) > 0 ? 'correct' : 'nothing';
}

function unpaidHere({ failed, returned }: StatusCounts, elsewhere: number): number {
  return Math.max(0, failed + returned - elsewhere);
}

function rowsOf(kind: NeedKind, { counts, elsewhere }: NeedFacts): number {
  const { planned, quoted, approved, held, accepted } = counts;
  const rows: Partial<Record<NeedKind, number>> = {
    find_out: unknownOutcomes(counts),
    price: planned,
    approve: quoted,
    send: approved,
    ask: accepted,
    decide: held,
    correct: unpaidHere(counts, elsewhere),
  };
  return rows[kind] ?? 0;
}

type Words = readonly [state: string, action: string, deed?: Deed];

const WORDS: Readonly<Record<NeedKind, (rows: number, facts: NeedFacts) => Words>> = {
  wait: (_rows, { counts, elsewhere }) => [
    ['payfile works on this batch now.', ...openTexts(unpaidHere(counts, elsewhere), counts.held)].join(' '),
    '',
  ],
  read_file: () => ['A newer file was read only in part.', 'Read the file to its end', 'bring'],
  find_out: (rows) => [
    `payfile does not know whether ${rowsText(rows)} ${rows === 1 ? 'was' : 'were'} paid. It does not send ${rows === 1 ? 'it' : 'them'} again.`,
    `Find out about ${rowsText(rows)} in doubt`,
  ],
  look: () => ['A payment is not as payfile reported it before. Look at once.', 'Look at the payment'],
  compare: () => [
    'Paused: the ledger may not know every payment.',
    'Compare the batch with a statement',
    'rule',
  ],
  resume: () => ['Paused: payfile sends nothing new.', 'Resume the batch', 'send'],
  price: (rows) => [
    `${rowsText(rows)} ${rows === 1 ? 'has' : 'have'} no name check and no fee yet.`,
    `Ask for names and fees of ${rowsText(rows)}`,
    'price',
  ],
  approve: (rows, { counts }) => [
    `${counted(rows, 'row waits', 'rows wait')} for approval.${isMoved(counts) ? '' : ' Nothing was sent.'}`,
    `Review and approve ${rowsText(rows)}`,
    'approve',
  ],
  send: (rows) => [
    `${counted(rows, 'approved row is', 'approved rows are')} not sent yet.`,
    `Send ${counted(rows, 'approved row')}`,
    'send',
  ],
  ask: (rows) => [
    `${counted(rows, 'payment is', 'payments are')} on the way.`,
    `Ask for the status of ${counted(rows, 'payment')}`,
    'send',
  ],
  decide: (rows, { counts }) => [
    `${counted(rows, 'row is', 'rows are')} held and not sent. ${isMoved(counts) ? 'All other payments have ended.' : 'Nothing was sent.'}`,
    `Decide about ${counted(rows, 'held row')}`,
  ],
  correct: (rows) => [
    `${counted(rows, 'payment', 'payments')} failed or came back. All others have ended.`,
    `Correct ${counted(rows, 'unpaid row')}`,
  ],
  nothing: (_rows, { counts }) => [finishedText(counts), ''],
};

/** What waits for a person while other rows are worked on. */
function openTexts(unpaid: number, held: number): readonly string[] {
  return [
    ...(unpaid > 0 ? [`${counted(unpaid, 'payment')} failed or came back.`] : []),
    ...(held > 0 ? [`${counted(held, 'row is', 'rows are')} held.`] : []),
  ];
}

function finishedText({ invalid, settled, failed, returned, canceled }: StatusCounts): string {
  if (invalid > 0) return `Finished. ${rowsText(invalid)} cannot be paid as written.`;
  if (settled === 0) return 'Finished. Nothing was paid here.';
  return failed + returned + canceled > 0
    ? 'Finished. Not every row was paid here.'
    : 'Every payment is settled.';
}

/** A doubt, an incident and an unpaid row have steps of their own. */
function stepsOf(kind: NeedKind, { batch }: NeedFacts): NextSteps {
  const label = batchLabel(batch);
  switch (kind) {
    case 'read_file':
      return nextSteps(readAgain(batch));
    case 'compare':
    case 'resume':
      return pauseSteps(batch);
    case 'price':
      return nextSteps(runAgain(batch));
    case 'approve':
      return { next: command('approve', [label]) };
    case 'send':
      return { next: sendStep(batch).command };
    case 'ask':
      return { next: command('settle', [label]) };
    default:
      return {};
  }
}
