/**
 * A file that left nothing to do: refused, same file as another batch, stopped, or already finished. payfile stores
 * nothing of the first two, so it shows no batch.
 */
import { batchLabel, knownBatchText, type OutcomeWord } from '../domain/batches/batch.ts';
import { type Command, command, type Flag, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { batchFlag } from '../domain/next-steps/file-commands.ts';
import type { ExitCode } from '../domain/reporting/exit-code.ts';
import { STATUS_WORDS } from '../domain/reporting/status-words.ts';
import { type Piece, textOf, type Wording } from '../domain/text/message.ts';
import { countText } from '../domain/text/printable.ts';
import type { BroughtFile, NoWork } from '../use-cases/intake/bring-file.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import { type EndAddition, type EndJson, presentBatchEnd } from './batch-end-blocks.ts';
import { batchJson } from './batch-json.ts';
import { aside, type Block } from './block.ts';
import { type CallSummary, toLookAt } from './call-summary.ts';
import { type FileNamed, fileCommand } from './file-commands.ts';
import { fileJson, refusedBlocks, refusedJson, shortConflicts } from './placed-blocks.ts';

/** The result of a plan or run of a file. */
export interface FileResult extends Pick<BroughtFile, 'batch' | 'placed' | 'imported'> {
  readonly end: { readonly kind: string };
  /** undefined if payfile stored nothing of the file. */
  readonly batchEnd: BatchEnd | undefined;
  readonly environment: 'live' | 'sandbox';
  readonly asked: FileNamed;
}

export function isNoWork(end: { readonly kind: string }): end is NoWork {
  return ['refused', 'same_file', 'canceled', 'finished'].includes(end.kind);
}

export type StoredResult<Result> = Result & { readonly batchEnd: BatchEnd };
type UnstoredEnd = Extract<NoWork, { kind: 'refused' | 'same_file' }>;

/** Only the required keys are present for every file. */
type FileJson<More, Word extends string> = Pick<EndJson, 'environment' | 'batch'> & {
  readonly outcome: OutcomeWord | UnstoredEnd['kind'] | Word;
} & Partial<Omit<EndJson, 'outcome'> & More>;

/** Like `presentBatchEnd`, for work on a file. */
export function presentFileEnd<Result extends FileResult, More extends object, Word extends string>(
  verb: 'plan' | 'run',
  additionOf: (result: StoredResult<Result>) => EndAddition<More, Word>,
) {
  const ending = presentBatchEnd(additionOf);
  const isStored = (result: Result): result is StoredResult<Result> => result.batchEnd !== undefined;
  const endOf = ({ end }: Result) => end as UnstoredEnd;
  return {
    view: (result: Result) => (isStored(result) ? ending.view(result) : view(result, endOf(result), verb)),
    json: (result: Result, wording: Wording): FileJson<More, Word> =>
      isStored(result)
        ? ending.json(result, wording)
        : (json(result, endOf(result), { verb, wording }) as FileJson<More, Word>),
    next: (result: Result) => (isStored(result) ? ending.next(result) : steps(result, endOf(result), verb)),
    exit: (result: Result): ExitCode => (isStored(result) ? ending.exit(result) : endOf(result).exitCode),
    summarize: (result: Result, wording: Wording) =>
      isStored(result) ? ending.summarize(result, wording) : summarize(result, endOf(result)),
  };
}

function view(done: FileResult, end: UnstoredEnd, verb: 'plan' | 'run'): readonly Block[] {
  if (end.kind === 'same_file') return [aside(...sameFilePieces(done, end, verb))];
  return done.placed.kind === 'refused' ? refusedBlocks(done.placed, end.correct) : [];
}

function json(
  done: FileResult,
  end: UnstoredEnd,
  { verb, wording }: { readonly verb: 'plan' | 'run'; readonly wording: Wording },
) {
  const { placed, batch, imported, environment } = done;
  const of = { environment, batch: batchJson(batch), outcome: end.kind };
  if (end.kind === 'same_file')
    return { ...of, sentence: textOf(sameFilePieces(done, end, verb), wording), file: fileJson(imported) };
  return { ...of, ...(placed.kind === 'refused' && refusedJson(placed, end.correct, wording)) };
}

function steps({ asked }: FileResult, end: UnstoredEnd, verb: 'plan' | 'run'): NextSteps {
  if (end.kind === 'refused') return nextSteps(end.correct[0]?.command ?? end.next);
  const again = fileCommand(asked, verb, { more: [REPEATS_FLAG] });
  return nextSteps(end.next, end.tooEarly === undefined ? again : undefined);
}

function summarize({ batch, placed }: FileResult, { kind: outcome }: UnstoredEnd): CallSummary {
  if (placed.kind !== 'refused') return { batch, outcome };
  const conflicts = shortConflicts(placed);
  const left = placed.comparison.conflictCount - conflicts.length;
  return { batch, outcome, toLookAt: toLookAt(conflicts, left) };
}

/**
 * Flag for a new payment of the same file. A person must fill in the batch: a pasted command that names it would pay
 * everyone twice.
 */
export const REPEATS_FLAG: Flag = ['--repeats', { fillIn: 'BATCH' }];

/** The command with the file of this call where it has a placeholder. */
export function withOwnFile(next: Command | undefined, asked: FileNamed, verb: 'plan' | 'run') {
  const hasBlank = next?.verb === verb && next.words.some((word) => typeof word === 'object');
  return hasBlank ? fileCommand(asked, verb, { more: next.flags }) : next;
}

/** The user must say whether it is the same payment or a new one. */
function sameFilePieces(
  { asked }: FileResult,
  { known: { batch, rows, sums }, tooEarly }: Extract<UnstoredEnd, { kind: 'same_file' }>,
  verb: 'plan' | 'run',
): readonly Piece[] {
  return [
    `Batch ${batchLabel(batch)} has the same file. ${knownBatchText(batch, rows, sums)}. payfile stored and sent nothing. Look at that batch first. If these are the same payments, name it: `,
    fileCommand(asked, verb, { more: batchFlag(batch.name) }),
    tooEarly === undefined
      ? '. If these are new payments, name the batch that they repeat.'
      : `. ${tooEarly}`,
  ];
}

/** Describes a file that a person stopped, or whose batch was already finished. */
export function describeNoWork({
  batch,
  end,
}: FileResult & { readonly end: NoWork }): EndAddition<Record<never, never>, 'already_done'> {
  if (end.kind === 'canceled')
    return { hasTable: false, sentence: ['Stopped as you asked. Nothing was sent.'] };
  if (end.kind !== 'finished') return {};
  return { outcome: 'already_done', sentence: finishedPieces(batch, end) };
}

function finishedPieces(
  batch: FileResult['batch'],
  { unpaid, paidAgain }: Extract<NoWork, { kind: 'finished' }>,
): readonly Piece[] {
  const day = new Date(batch.createdAt).toISOString().slice(0, 10);
  const label = batchLabel(batch);
  const sentence = `Nothing to send: batch ${label} of ${day} is already finished with the same rows.`;
  const list = unpaid
    .map(({ status, count }) => `${countText(count)} ${STATUS_WORDS[status].counted}`)
    .join(', ');
  const left = unpaid.reduce((sum, { count }) => sum + count, 0) - paidAgain;
  if (left > 0) {
    const again = paidAgain === 0 ? '' : `; ${countText(paidAgain)} of these paid again in another batch`;
    return [`${sentence} Not all of it was paid: ${list}${again}. See: `, command('status', [label])];
  }
  return paidAgain > 0 ? [`${sentence} Another batch paid its unpaid rows again: ${list}.`] : [sentence];
}
