/**
 * A file after which nothing was left to do: refused, the same as that of another batch, stopped, or finished before. Of
 * the first two nothing is kept, so no batch is shown.
 */
import { batchLabel, knownBatchText } from '../domain/batches/batch.ts';
import { command, type Flag, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { batchFlag } from '../domain/next-steps/file-commands.ts';
import type { ExitCode } from '../domain/reporting/exit-code.ts';
import { STATUS_WORDS } from '../domain/reporting/status-words.ts';
import { type Piece, textOf, type Wording } from '../domain/text/message.ts';
import { countText } from '../domain/text/printable.ts';
import type { BroughtFile, NoWork } from '../use-cases/intake/bring-file.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import { type EndJson, endingIn, type Said } from './batch-end-blocks.ts';
import { batchJson } from './batch-json.ts';
import { aside, type Block } from './block.ts';
import { type FileNamed, fileCommand } from './file-commands.ts';
import { fileJson, refusedBlocks, refusedJson, shortConflicts } from './placed-blocks.ts';
import { type Told, toLookAt } from './told.ts';

/** What became of a file. */
export interface FileDone extends Pick<BroughtFile, 'batch' | 'placed' | 'imported'> {
  readonly end: { readonly kind: string };
  /** undefined: nothing is kept of the file. */
  readonly batchEnd: BatchEnd | undefined;
  readonly environment: 'live' | 'sandbox';
  readonly asked: FileNamed;
}

export type Kept<Result> = Result & { readonly batchEnd: BatchEnd };
type NotKept = Extract<NoWork, { kind: 'refused' | 'same_file' }>;

/** Only what is there of every file is certain. */
type FileJson<More> = Pick<EndJson, 'environment' | 'batch'> & { readonly outcome: string } & Partial<
    EndJson & More
  >;

/** As `endingIn`, of work on a file. */
export function endingOfFile<Result extends FileDone, More extends object>(
  verb: 'plan' | 'run',
  saidOf: (result: Kept<Result>) => Said<More>,
) {
  const ending = endingIn(saidOf);
  const isKept = (result: Result): result is Kept<Result> => result.batchEnd !== undefined;
  const endOf = ({ end }: Result) => end as NotKept;
  return {
    view: (result: Result) => (isKept(result) ? ending.view(result) : view(result, endOf(result), verb)),
    json: (result: Result, wording: Wording): FileJson<More> =>
      isKept(result)
        ? ending.json(result, wording)
        : (json(result, endOf(result), { verb, wording }) as FileJson<More>),
    next: (result: Result) => (isKept(result) ? ending.next(result) : steps(result, endOf(result), verb)),
    exit: (result: Result): ExitCode => (isKept(result) ? ending.exit(result) : endOf(result).exitCode),
    told: (result: Result, wording: Wording) =>
      isKept(result) ? ending.told(result, wording) : told(result, endOf(result)),
  };
}

function view(done: FileDone, end: NotKept, verb: 'plan' | 'run'): readonly Block[] {
  if (end.kind === 'same_file') return [aside(...sameFilePieces(done, end, verb))];
  return done.placed.kind === 'refused' ? refusedBlocks(done.placed, end.correct) : [];
}

function json(
  done: FileDone,
  end: NotKept,
  { verb, wording }: { readonly verb: 'plan' | 'run'; readonly wording: Wording },
) {
  const { placed, batch, imported, environment } = done;
  const of = { environment, batch: batchJson(batch), outcome: end.kind };
  if (end.kind === 'same_file')
    return { ...of, sentence: textOf(sameFilePieces(done, end, verb), wording), file: fileJson(imported) };
  return { ...of, ...(placed.kind === 'refused' && refusedJson(placed, end.correct, wording)) };
}

function steps({ asked }: FileDone, end: NotKept, verb: 'plan' | 'run'): NextSteps {
  if (end.kind === 'refused') return nextSteps(end.correct[0]?.command ?? end.next);
  return nextSteps(end.next, fileCommand(asked, verb, { more: [REPEATS] }));
}

function told({ batch, placed }: FileDone, { kind: outcome }: NotKept): Told {
  if (placed.kind !== 'refused') return { batch, outcome };
  const conflicts = shortConflicts(placed);
  const left = placed.comparison.conflictCount - conflicts.length;
  return { batch, outcome, toLookAt: toLookAt(conflicts, left) };
}

/**
 * For one more payment. Which batch is paid once more is for a person to say: a command that names it pays everyone twice
 * when it is pasted.
 */
export const REPEATS: Flag = ['--repeats', { fillIn: 'BATCH' }];

/** Nobody said which of the two it is. */
function sameFilePieces(
  { asked }: FileDone,
  { known: { batch, rows, sums } }: Extract<NotKept, { kind: 'same_file' }>,
  verb: 'plan' | 'run',
): readonly Piece[] {
  return [
    `Batch ${batchLabel(batch)} has the same file. ${knownBatchText(batch, rows, sums)}. Nothing was kept of this file and nothing was sent. Look at that batch first. If these are the same payments, name it: `,
    fileCommand(asked, verb, { more: batchFlag(batch.name) }),
    '. If they are paid once more, say which batch is repeated.',
  ];
}

/** What is said of a file that a person stopped, or that was finished before. */
export function doneBefore({ batch, end }: FileDone & { readonly end: NoWork }): Said<Record<never, never>> {
  if (end.kind === 'canceled')
    return { hasTable: false, sentence: ['Stopped as you said; nothing was sent.'] };
  if (end.kind !== 'finished') return {};
  return { outcome: 'already_done', sentence: finishedPieces(batch, end) };
}

function finishedPieces(
  batch: FileDone['batch'],
  { unpaid, paidAgain }: Extract<NoWork, { kind: 'finished' }>,
): readonly Piece[] {
  const day = new Date(batch.createdAt).toISOString().slice(0, 10);
  const label = batchLabel(batch);
  const sentence = `Nothing to send: batch ${label} of ${day} was finished before with the same rows.`;
  const list = unpaid
    .map(({ status, count }) => `${countText(count)} ${STATUS_WORDS[status].counted}`)
    .join(', ');
  const left = unpaid.reduce((sum, { count }) => sum + count, 0) - paidAgain;
  if (left > 0) {
    const again = paidAgain === 0 ? '' : `; ${countText(paidAgain)} of these paid again in another batch`;
    return [`${sentence} Not all of it was paid: ${list}${again}. See: `, command('status', [label])];
  }
  return paidAgain > 0
    ? [`${sentence} What was not paid in it was paid again in another batch: ${list}.`]
    : [sentence];
}
