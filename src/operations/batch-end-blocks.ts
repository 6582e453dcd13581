/**
 * The result of every operation on a batch: outcome, reports, rows to look at, and next steps.
 *
 * JSON: {environment, batch, outcome, sentence, counts, totals, notAccountedFor?, staysTaken, ties, parts, attention,
 * reports: [{path, problem}], error?} and what the operation adds. A report that could not be written is an `error`
 * too.
 */
import { batchLabel } from '../domain/batches/batch.ts';
import { type Command, command, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import { type Piece, piecesOf, textOf, type Wording, wordedIn } from '../domain/text/message.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import { batchJson, summaryJson } from './batch-json.ts';
import { aside, type Block, line, when } from './block.ts';
import {
  attentionLine,
  type CallSummary,
  joinRowsToLookAt,
  type RowsToLookAt,
  toLookAt,
} from './call-summary.ts';
import { outcomeBlocks } from './outcome-blocks.ts';
import { attentionJson } from './status.ts';

/** What an operation adds to the result of a batch. `Word`: the outcomes that do not come from the rows. */
export interface EndAddition<More extends object = object, Word extends string = never> {
  /** Shown above everything else. */
  readonly before?: readonly Block[];
  /** Outcome in JSON, if the rows do not decide it. */
  readonly outcome?: Word | undefined;
  /** False hides the table. */
  readonly hasTable?: boolean | undefined;
  /** A sentence above the next steps. */
  readonly sentence?: readonly Piece[] | undefined;
  /** A sentence about rows that got no answer. Follows the sentence of the batch. A quiet call shows it too. */
  readonly unanswered?: string | undefined;
  /** `next` and `andThen` replace the next steps of the batch. */
  readonly next?: Command | undefined;
  readonly andThen?: Command | undefined;
  /** More rows that a person must look at. */
  readonly toLookAt?: RowsToLookAt | undefined;
  /** The error that stopped the work. */
  readonly error?: ShownError | undefined;
  readonly json?: More;
}

interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly steps: NextSteps;
}

interface Ended {
  readonly batchEnd: BatchEnd;
}

/** View, JSON, next steps, exit code and summary of an operation on a batch. */
export function presentBatchEnd<Result extends Ended, More extends object, Word extends string = never>(
  additionOf: (result: Result) => EndAddition<More, Word>,
) {
  return {
    view: (result: Result) => view(result.batchEnd, additionOf(result)),
    json: (result: Result, wording: Wording) => {
      const addition = additionOf(result);
      return { ...json(result.batchEnd, addition, wording), ...(addition.json as More) };
    },
    next: (result: Result) => stepsOf(result.batchEnd, additionOf(result)),
    exit: ({ batchEnd }: Result): ExitCode => batchEnd.exitCode,
    summarize: (result: Result, wording: Wording) => summarize(result.batchEnd, additionOf(result), wording),
  };
}

function view(ended: BatchEnd, addition: EndAddition<object, string>): readonly Block[] {
  const title = `Batch ${batchLabel(ended.batch)}`;
  const listedBy = command('status', [batchLabel(ended.batch)]);
  return [
    ...(addition.before ?? []),
    ...(addition.hasTable === false ? [] : outcomeBlocks({ ...ended, title, listedBy })),
    ...ended.reports.map(({ path, problem }) =>
      problem === undefined ? line(`Report: ${path}`) : aside(...piecesOf(problem)),
    ),
    ...when(addition.sentence, (pieces) => [aside(...pieces)]),
    ...when(addition.unanswered, (text) => [{ ...line(text), isAlways: true }]),
  ];
}

function stepsOf({ steps }: BatchEnd, { next, andThen }: EndAddition<object, string>): NextSteps {
  return nextSteps(next ?? (andThen === undefined ? steps.next : undefined), andThen ?? steps.andThen);
}

export type EndJson = ReturnType<typeof json<never>>;

function json<Word extends string>(ended: BatchEnd, addition: EndAddition<object, Word>, wording: Wording) {
  const { batch, environment, outcome, totals, attention, reports } = ended;
  const error = errorOf(ended, addition, wording);
  return {
    environment,
    batch: batchJson(batch),
    ...summaryJson(ended),
    outcome: addition.outcome ?? outcome.word,
    sentence: sentenceOf(ended, addition, wording),
    counts: totals.counts,
    attention: attentionJson(attention, wording),
    reports: reports.map(({ path, problem }) => ({ path, problem: problem && wordedIn(problem, wording) })),
    ...(error && { error: { code: error.code, message: error.message, ...wording.steps(error.steps) } }),
  };
}

function summarize(ended: BatchEnd, addition: EndAddition<object, string>, wording: Wording): CallSummary {
  const { batch, outcome, totals, attention, attentionLeft, reports, paidAgain } = ended;
  const sentence = sentenceOf(ended, addition, wording);
  return {
    batch,
    outcome: addition.outcome ?? outcome.word,
    sentence,
    totals,
    error: errorOf(ended, addition, wording),
    isOnlyCounts: sentence === outcome.sentence && totals.incidents === 0 && paidAgain.size === 0,
    toLookAt: joinRowsToLookAt(toLookAt(attention.map(attentionLine), attentionLeft), addition.toLookAt),
    unwritten: reports.flatMap(({ problem }) => (problem === undefined ? [] : wordedIn(problem, wording))),
  };
}

function sentenceOf(
  { outcome }: BatchEnd,
  { unanswered, sentence }: EndAddition<object, string>,
  wording: Wording,
): string {
  if (unanswered !== undefined) return `${outcome.sentence}. ${unanswered}`;
  return sentence === undefined ? outcome.sentence : textOf(sentence, wording);
}

/** A missing report is an error in JSON, like any other failure. */
function errorOf(
  ended: BatchEnd,
  addition: EndAddition<object, string>,
  wording: Wording,
): ShownError | undefined {
  if (addition.error !== undefined) return addition.error;
  const message = ended.reports.find(({ problem }) => problem !== undefined)?.problem;
  if (ended.exitCode !== EXIT.reportUnwritable || message === undefined) return undefined;
  const steps = stepsOf(ended, addition);
  return { code: 'report_unwritable', message: wordedIn(message, wording), steps };
}
