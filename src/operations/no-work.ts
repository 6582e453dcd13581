/** A file after which nothing was left to do: refused, the same as another batch, stopped, or finished before. */
import { batchLabel, knownBatchText } from '../domain/batches/batch.ts';
import { command, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import { STATUS_WORDS } from '../domain/reporting/status-words.ts';
import { type Piece, textOf, type Wording } from '../domain/text/message.ts';
import { countText } from '../domain/text/printable.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import type { NoWork } from '../use-cases/run-end.ts';
import type { FilePlan } from '../use-cases/run-file.ts';
import { batchJson } from './batch-json.ts';
import { aside, type Block } from './block.ts';
import { endedBlocks, endedJson } from './ended.ts';
import { type FileNamed, fileCommand } from './file-commands.ts';
import { fileJson, refusedBlocks, refusedJson, shortConflicts } from './placed-blocks.ts';
import { type ShortResult, toLookAt } from './short-result.ts';

export interface NothingToDo extends Pick<FilePlan, 'batch' | 'placed' | 'imported'> {
  readonly end: NoWork;
  /** undefined: nothing is kept of the file. */
  readonly batchEnd: BatchEnd | undefined;
  readonly environment: 'live' | 'sandbox';
  readonly asked: FileNamed;
  readonly verb: 'plan' | 'run';
}

export function noWorkBlocks(done: NothingToDo): readonly Block[] {
  const { end, placed, batchEnd } = done;
  if (end.kind === 'refused') return placed.kind === 'refused' ? refusedBlocks(placed, end.correct) : [];
  if (end.kind === 'same_file') return [aside(...sameFilePieces(done, end))];
  if (batchEnd === undefined) throw new Error('A file ended without saying how.');
  const hasTable = end.kind === 'canceled' ? end.hasTable : undefined;
  return endedBlocks(batchEnd, { hasTable, sentence: sentenceOf(done, end) });
}

export function noWorkJson(done: NothingToDo, wording: Wording) {
  const { end, placed, batchEnd, batch, imported, environment } = done;
  const of = { environment, batch: batchJson(batch) };
  if (end.kind === 'refused') {
    const refused = placed.kind === 'refused' ? refusedJson(placed, end.correct, wording) : {};
    return { ...of, outcome: end.outcome, ...refused };
  }
  if (end.kind === 'same_file') {
    const sentence = textOf(sameFilePieces(done, end), wording);
    return { ...of, outcome: end.outcome, sentence, file: fileJson(imported) };
  }
  if (batchEnd === undefined) throw new Error('A file ended without saying how.');
  const outcome = end.kind === 'finished' ? end.outcome : undefined;
  return endedJson(batchEnd, { outcome, sentence: textOf(sentenceOf(done, end), wording) }, wording);
}

export function noWorkSteps({ end, batchEnd, asked, verb }: NothingToDo): NextSteps {
  if (end.kind === 'refused') return nextSteps(end.correct[0]?.command ?? end.next);
  if (end.kind === 'same_file')
    return nextSteps(end.next, fileCommand(asked, verb, { more: end.again.more.flags }));
  return batchEnd === undefined ? {} : nextSteps(batchEnd.steps.next, batchEnd.steps.andThen);
}

export function noWorkExit({ end, batchEnd }: Pick<NothingToDo, 'end' | 'batchEnd'>): ExitCode {
  return 'exitCode' in end ? end.exitCode : (batchEnd?.exitCode ?? EXIT.bug);
}

export function noWorkShort({ end, placed, batch, batchEnd }: NothingToDo): ShortResult {
  if (end.kind === 'refused' && placed.kind === 'refused') {
    const conflicts = shortConflicts(placed);
    const left = placed.comparison.conflictCount - conflicts.length;
    return { batch, outcome: end.outcome, toLookAt: toLookAt(conflicts, (text) => text, left) };
  }
  const outcome = 'outcome' in end ? end.outcome : batchEnd?.outcome.word;
  return { batch, ...(outcome && { outcome }), ...(batchEnd && { totals: batchEnd.totals }) };
}

type SameFile = Extract<NoWork, { kind: 'same_file' }>;
type Ended = Extract<NoWork, { kind: 'finished' | 'canceled' }>;

/** Nobody said which of the two it is, so nothing is kept of the file. */
function sameFilePieces(
  { asked, verb }: NothingToDo,
  { known: { batch, rows, sums }, again }: SameFile,
): readonly Piece[] {
  return [
    `Batch ${batchLabel(batch)} has the same file. ${knownBatchText(batch, rows, sums)}. Nothing was kept of this file and nothing was sent. Look at that batch first. If these are the same payments, name it: `,
    fileCommand(asked, verb, { more: again.same.flags }),
    '. If they are paid once more, say which batch is repeated.',
  ];
}

function sentenceOf({ batch }: NothingToDo, end: Ended): readonly Piece[] {
  if (end.kind === 'canceled') return ['Stopped as you said; nothing was sent.'];
  const { unpaid, paidAgain } = end;
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
