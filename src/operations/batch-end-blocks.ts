/**
 * The end of every operation that works on a batch: what it came to, its reports, what to look at, and what to do next.
 *
 * JSON: {environment, batch, outcome, sentence, counts, totals, notAccountedFor?, staysTaken, ties, parts, attention,
 * reports: [{path, problem}], error?} and what the operation adds. A report that is not written is an `error`, too.
 */
import { batchLabel } from '../domain/batches/batch.ts';
import { type Command, command, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import { type Piece, piecesOf, textOf, type Wording, wordedIn } from '../domain/text/message.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import { batchJson, summaryJson } from './batch-json.ts';
import { aside, type Block, line, when } from './block.ts';
import { outcomeBlocks } from './outcome-blocks.ts';
import { attentionJson } from './status.ts';
import { attentionLine, bothOf, type ToLookAt, type Told, toLookAt } from './told.ts';

/** What an operation adds to the end of a batch. */
export interface Said<More extends object = object> {
  /** Shown above everything else. */
  readonly before?: readonly Block[];
  /** The word for programs if it is not the rows' own. */
  readonly outcome?: string | undefined;
  /** False: the table is not shown. */
  readonly hasTable?: boolean | undefined;
  /** A sentence of its own, above what to do next. */
  readonly sentence?: readonly Piece[] | undefined;
  /** What could not be asked, behind the sentence of the batch. A quiet call shows it, too. */
  readonly unseen?: string | undefined;
  /** In place of what the batch needs next, both. */
  readonly next?: Command | undefined;
  readonly andThen?: Command | undefined;
  /** What else a person has to look at. */
  readonly toLookAt?: ToLookAt | undefined;
  /** What broke the work off. */
  readonly error?: ErrorSaid | undefined;
  readonly json?: More;
}

interface ErrorSaid {
  readonly code: string;
  readonly message: string;
  readonly steps: NextSteps;
}

interface Ended {
  readonly batchEnd: BatchEnd;
}

/** View, JSON, next steps, exit code and summary of an operation that ends so. */
export function endingIn<Result extends Ended, More extends object>(saidOf: (result: Result) => Said<More>) {
  return {
    view: (result: Result) => view(result.batchEnd, saidOf(result)),
    json: (result: Result, wording: Wording) => {
      const said = saidOf(result);
      return { ...json(result.batchEnd, said, wording), ...(said.json as More) };
    },
    next: (result: Result) => stepsOf(result.batchEnd, saidOf(result)),
    exit: ({ batchEnd }: Result): ExitCode => batchEnd.exitCode,
    told: (result: Result, wording: Wording) => told(result.batchEnd, saidOf(result), wording),
  };
}

function view(ended: BatchEnd, said: Said): readonly Block[] {
  const title = `Batch ${batchLabel(ended.batch)}`;
  const listedBy = command('status', [batchLabel(ended.batch)]);
  return [
    ...(said.before ?? []),
    ...(said.hasTable === false ? [] : outcomeBlocks({ ...ended, title, listedBy })),
    ...ended.reports.map(({ path, problem }) =>
      problem === undefined ? line(`Report: ${path}`) : aside(...piecesOf(problem)),
    ),
    ...when(said.sentence, (pieces) => [aside(...pieces)]),
    ...when(said.unseen, (text) => [{ ...line(text), isAlways: true }]),
  ];
}

function stepsOf({ steps }: BatchEnd, { next, andThen }: Said): NextSteps {
  return nextSteps(next ?? (andThen === undefined ? steps.next : undefined), andThen ?? steps.andThen);
}

export type EndJson = ReturnType<typeof json>;

function json(ended: BatchEnd, said: Said, wording: Wording) {
  const { batch, environment, outcome, totals, attention, reports } = ended;
  const error = errorOf(ended, said, wording);
  return {
    environment,
    batch: batchJson(batch),
    ...summaryJson(ended),
    outcome: said.outcome ?? outcome.word,
    sentence: sentenceOf(ended, said, wording),
    counts: totals.counts,
    attention: attentionJson(attention, wording),
    reports: reports.map(({ path, problem }) => ({ path, problem: problem && wordedIn(problem, wording) })),
    ...(error && { error: { code: error.code, message: error.message, ...wording.steps(error.steps) } }),
  };
}

function told(ended: BatchEnd, said: Said, wording: Wording): Told {
  const { batch, outcome, totals, attention, attentionLeft, reports, paidAgain } = ended;
  const sentence = sentenceOf(ended, said, wording);
  return {
    batch,
    outcome: said.outcome ?? outcome.word,
    sentence,
    totals,
    error: errorOf(ended, said, wording),
    isOnlyCounts: sentence === outcome.sentence && totals.incidents === 0 && paidAgain.size === 0,
    toLookAt: bothOf(toLookAt(attention.map(attentionLine), attentionLeft), said.toLookAt),
    unwritten: reports.flatMap(({ problem }) => (problem === undefined ? [] : wordedIn(problem, wording))),
  };
}

function sentenceOf({ outcome }: BatchEnd, { unseen, sentence }: Said, wording: Wording): string {
  if (unseen !== undefined) return `${outcome.sentence}. ${unseen}`;
  return sentence === undefined ? outcome.sentence : textOf(sentence, wording);
}

/** If only a report is missing, programs get an error as for any other failure. */
function errorOf(ended: BatchEnd, said: Said, wording: Wording): ErrorSaid | undefined {
  if (said.error !== undefined) return said.error;
  const message = ended.reports.find(({ problem }) => problem !== undefined)?.problem;
  if (ended.exitCode !== EXIT.reportUnwritable || message === undefined) return undefined;
  return { code: 'report_unwritable', message: wordedIn(message, wording), steps: stepsOf(ended, said) };
}
