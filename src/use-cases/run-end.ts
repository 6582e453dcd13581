/**
 * The end of a run: why nothing, or nothing more, was sent, and the exit codes that follow from it and not from the rows.
 */
import { type Batch, batchLabel, type StatusCounts } from '../domain/batches/batch.ts';
import type { CurrencyCode } from '../domain/money/currency.ts';
import { type Command, command, type Flag, type Step } from '../domain/next-steps/command.ts';
import { batchFlag } from '../domain/next-steps/file-commands.ts';
import { correctedSteps } from '../domain/next-steps/pay-again.ts';
import type { Plan } from '../domain/plan/plan.ts';
import { EXIT, type ExitCode, Interrupted } from '../domain/reporting/exit-code.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { RepeatAnswer } from './decide/repeats.ts';
import type { KnownBatch } from './find-batch.ts';
import type { Placed } from './intake/place-import.ts';
import type { Run } from './run-batch.ts';
import type { SendBatchResult } from './send/send-batch.ts';
import type { Repeats } from './user-questions.ts';

export interface RunEnd {
  readonly kind: /** All that could be sent was; or sending stopped, as the result of sending says. */
    | 'sent'
    /** Somebody stopped it before all was sent, or before all that was sent had its outcome. */
    | 'interrupted'
    | 'silent'
    | 'unpriced'
    | 'invalid_rows'
    | 'over_ceiling'
    | 'not_agreed'
    | 'not_approved'
    | 'repeats_open';
  /** What applies besides what the rows say. */
  readonly codes: readonly ExitCode[];
  /** The word for programs, where it is not the rows' own. */
  readonly outcome?: 'over_ceiling' | 'over_limit' | 'invalid_rows' | undefined;
  /** What the rows came to is no news of this run. */
  readonly isDoneBefore: boolean;
  /** Something was, or may have been, sent: the rows are worth a table. */
  readonly hasTable: boolean;
  readonly moved: Moved;
  /** What to do next, where that is not what the rows ask for. */
  readonly next?: Command | undefined;
  /** What to do with the same file again. */
  readonly again?: FileAgain | undefined;
  /** What would agree where nobody can be asked: `--yes` in the sandbox, else a ceiling for each of these currencies. */
  readonly agreeBy?: 'yes' | readonly CurrencyCode[] | undefined;
  /** What is to be done with a batch that may be the same payment once more; with `repeats_open`. */
  readonly question?: OpenQuestion | undefined;
}

/** What became of a batch's money. */
export interface Moved {
  /** Any row ever went out, or may have. */
  readonly isMoved: boolean;
  /** Transfers that this run began, without those that are proven not to have left. */
  readonly begun: number;
}

/** The file as it was named and read, once more. */
export interface FileAgain {
  /** As it is when its rows were corrected. */
  readonly isMended: boolean;
  /** In place of the same flags of the call. */
  readonly flags: readonly Flag[];
}

/** Nobody said what most rows repeat. */
export interface OpenQuestion {
  readonly repeats: Repeats;
  /** For a file that is the same payment again. */
  readonly withdraw: Command;
  /** The batch that is repeated is looked at first. */
  readonly next: Command;
  /**
   * For one more payment. Which batch is paid once more is for a person to say: a command that names it pays everyone
   * twice when it is pasted.
   */
  readonly again: FileAgain;
}

export function openQuestion(repeats: Repeats): OpenQuestion {
  const { batch } = repeats;
  return {
    repeats,
    withdraw: command('cancel', [batchLabel(batch)], [['--all'], ['--reason', { fillIn: 'TEXT' }]]),
    next: command('status', [batchLabel(repeats.of)]),
    again: { isMended: false, flags: [...batchFlag(batch.name), ['--repeats', { fillIn: 'BATCH' }]] },
  };
}

/** A file after which nothing was left to do, and why. */
export type NoWork =
  | {
      readonly kind: 'refused';
      readonly outcome: 'refused';
      readonly exitCode: ExitCode;
      readonly next: Command;
      /** The way on for rows that can be withdrawn or paid as corrected; empty where there are none. */
      readonly correct: readonly Step[];
    }
  /** A batch of another name has the same file, and nobody said which of the two it is. */
  | {
      readonly kind: 'same_file';
      readonly outcome: 'same_file';
      readonly exitCode: ExitCode;
      readonly known: KnownBatch;
      /** That batch is looked at first. */
      readonly next: Command;
      /** The file as that batch; or as one more payment, which a person has to say. */
      readonly again: { readonly same: FileAgain; readonly more: FileAgain };
    }
  /** A person stopped it: nothing of the batch was done, so its rows are no news. */
  | ({ readonly kind: 'canceled'; readonly hasTable: false } & DoneBefore)
  /** The same rows as a batch that is finished: nothing is sent, and that is success, whatever it came to. */
  | ({
      readonly kind: 'finished';
      readonly outcome: 'already_done';
      readonly unpaid: readonly Unpaid[];
      /** How many of these another batch has paid since. */
      readonly paidAgain: number;
    } & DoneBefore);

export function isNoWork(end: { readonly kind: string }): end is NoWork {
  return ['refused', 'same_file', 'canceled', 'finished'].includes(end.kind);
}

interface DoneBefore {
  readonly codes: readonly ExitCode[];
  readonly isDoneBefore: true;
}

type RefusedFile = Extract<Placed, { kind: 'refused' }>;

export function refused({ batch, comparison }: RefusedFile, redoName: string): NoWork {
  const next = command('status', [batchLabel(batch)]);
  const rows = comparison.conflicts.map(({ rowNumber, state }) => ({ rowNumber, status: state.status }));
  const correct = correctedSteps(batch, rows, redoName);
  return { kind: 'refused', outcome: 'refused', exitCode: EXIT.badFile, next, correct };
}

export function sameFile(known: KnownBatch): NoWork {
  const { batch } = known;
  const same = { isMended: false, flags: batchFlag(batch.name) };
  const more = { isMended: false, flags: [['--repeats', { fillIn: 'BATCH' }] as const] };
  const next = command('status', [batchLabel(batch)]);
  const kind = 'same_file';
  return { kind, outcome: kind, exitCode: EXIT.needsPerson, known, next, again: { same, more } };
}

export function canceled(): NoWork {
  return { kind: 'canceled', codes: [EXIT.needsPerson], isDoneBefore: true, hasTable: false };
}

export function finishedBefore(counts: StatusCounts, paidAgain: number): NoWork {
  const unpaid = unpaidOf(counts);
  return { kind: 'finished', codes: [], isDoneBefore: true, outcome: 'already_done', unpaid, paidAgain };
}

/** Rows of a finished batch that were not paid; the gravest first. */
interface Unpaid {
  readonly status: 'failed' | 'returned' | 'held' | 'canceled' | 'invalid';
  readonly count: number;
}

const UNPAID: readonly Unpaid['status'][] = ['failed', 'returned', 'held', 'canceled', 'invalid'];

function unpaidOf(counts: StatusCounts): readonly Unpaid[] {
  return UNPAID.map((status) => ({ status, count: counts[status] })).filter(({ count }) => count > 0);
}

export interface Ending {
  readonly environment: 'live' | 'sandbox';
  /** That somebody was asked to agree to, where it was shown. */
  readonly plan: Plan;
  readonly answer: RepeatAnswer;
  readonly moved: Moved;
  readonly signal: AbortSignal | undefined;
}

export function endOfRun(batch: Batch, run: Run, { answer, moved, signal, ...asked }: Ending): RunEnd {
  const isOpen = answer.kind === 'open';
  const { isMoved } = moved;
  const { codes, ...ended } = whyEnded(batch, run, isOpen, isMoved);
  const isInterrupted = ended.kind === 'sent' && signal?.aborted === true;
  const why = isInterrupted ? { ...ended, kind: 'interrupted' as const } : ended;
  const isAboveCeiling =
    why.kind === 'over_ceiling' || (run.sent?.stop?.kind === 'over_debit' && run.sent.doubts === 0);
  const isAsked = why.kind === 'repeats_open' && answer.kind === 'open';
  const isUnsaid = isOpen || answer.kind === 'too_early';
  return {
    // With the question open and nothing sent, the rows are held for that question only; after a silence they wait.
    // Above the ceiling “stopped, run again” would be wrong: every run would end like this one.
    isDoneBefore: isAboveCeiling || ((isUnsaid || run.silence !== undefined) && !isMoved),
    hasTable: isMoved || run.sent?.stop !== undefined || run.notAgreed === undefined,
    moved,
    codes: [...stopCodes(signal), ...codes],
    agreeBy: agreeBy(run, asked),
    ...why,
    ...(isAsked ? { question: openQuestion(answer.repeats) } : {}),
  };
}

type Why = Pick<RunEnd, 'kind' | 'codes' | 'outcome' | 'next' | 'again'>;

function whyEnded(batch: Batch, run: Run, isOpen: boolean, isMoved: boolean): Why {
  const { sent, settled, silence, priced, plan } = run;
  const again = { isMended: false, flags: batchFlag(batch.name) };
  const known = [...sendCodes(sent), ...((settled?.incidents ?? []).length > 0 ? IN_DOUBT : [])];
  if (silence !== undefined) {
    // Before anything of the batch was sent it is an outage like any other, afterwards a stop.
    const codes: readonly ExitCode[] = isMoved
      ? [...known, EXIT.stopped]
      : [...known.filter((code) => code !== EXIT.stopped), EXIT.serviceUnavailable];
    return { kind: 'silent', codes, again };
  }
  if (priced.unpriced > 0) {
    const isSent = sent !== undefined && (plan.counts.accepted ?? 0) + (plan.counts.settled ?? 0) > 0;
    const codes: readonly ExitCode[] = [...known, isSent ? EXIT.stopped : EXIT.serviceUnavailable];
    return { kind: 'unpriced', codes, again };
  }
  if (run.notAgreed !== undefined) return notAgreed(batch, run, run.notAgreed, { known, isOpen });
  if (isOpen) return { kind: 'repeats_open', codes: [...known, EXIT.needsPerson] };
  return { kind: 'sent', codes: known, next: canaryNext(batch, sent) };
}

const IN_DOUBT: readonly ExitCode[] = [EXIT.inDoubt];

function notAgreed(
  batch: Batch,
  { plan }: Run,
  why: NonNullable<Run['notAgreed']>,
  { known, isOpen }: { readonly known: readonly ExitCode[]; readonly isOpen: boolean },
): Why {
  const codes: readonly ExitCode[] = [...known, EXIT.needsPerson];
  switch (why.kind) {
    case 'invalid_rows': {
      const again = { isMended: true, flags: batchFlag(batch.name) };
      return { kind: why.kind, outcome: why.kind, codes: [...known, EXIT.badFile], again };
    }
    case 'over_ceiling': {
      // Rows that were agreed to before need no other approval: a person looks at what is left.
      const verb = (plan.counts.quoted ?? 0) > 0 ? 'approve' : 'status';
      return { kind: why.kind, outcome: why.kind, codes, next: command(verb, [batchLabel(batch)]) };
    }
    case 'not_agreed':
      return isOpen ? { kind: 'repeats_open', codes } : { kind: 'not_agreed', codes, next: why.next };
    case 'approval':
      return {
        kind: 'not_approved',
        outcome: why.result.kind === 'over_limit' ? why.result.kind : undefined,
        codes,
      };
  }
}

function agreeBy(
  { notAgreed: why }: Run,
  { environment, plan }: Pick<Ending, 'environment' | 'plan'>,
): RunEnd['agreeBy'] {
  if (why?.kind !== 'not_agreed' || why.why !== 'nobody') return undefined;
  return environment === 'sandbox' ? 'yes' : plan.toApprove.map(({ currency }) => currency);
}

/** A stop from outside shows in the exit code, whatever the result of the rows is. */
export function stopCodes(signal: AbortSignal | undefined): readonly ExitCode[] {
  if (signal?.aborted !== true) return [];
  const { reason } = signal;
  return [reason instanceof Interrupted ? reason.exitCode : EXIT.interrupted];
}

/** What sending says of a batch, apart from who interrupted it. */
export function sendCodes(sent: SendBatchResult | undefined): readonly ExitCode[] {
  if (sent === undefined) return [];
  const isOverDebit = sent.stop?.kind === 'over_debit';
  const isStopped = sent.stop !== undefined && sent.stop.kind !== 'interrupted' && !isOverDebit;
  const needsPerson = sent.moved.length > 0 || isOverDebit;
  return [...(isStopped ? STOPPED : []), ...(needsPerson ? NEEDS_PERSON : [])];
}

const STOPPED: readonly ExitCode[] = [EXIT.stopped];
const NEEDS_PERSON: readonly ExitCode[] = [EXIT.needsPerson];

/** A canary that is no good is looked at first; one that was only slow is waited for again. */
export function canaryNext(batch: Batch, sent: SendBatchResult | undefined): Command | undefined {
  if (sent?.stop?.kind !== 'canary') return undefined;
  const { row } = sent.stop;
  const label = batchLabel(batch);
  return row === undefined ? command('send', [label]) : command('explain', [label, row]);
}

/** Whether any row of the batch ever went out, or may have. */
export async function hasMoved(batchId: Batch['id'], ledger: Pick<Ledger, 'counts'>): Promise<boolean> {
  return isMoved(await ledger.counts(batchId));
}

export function isMoved(counts: StatusCounts): boolean {
  const { sending, in_doubt, accepted, settled, failed, returned } = counts;
  return sending + in_doubt + accepted + settled + failed + returned > 0;
}
