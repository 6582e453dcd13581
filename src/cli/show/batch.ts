/**
 * The end of every command that works on a batch: reports written, what it came to, what to look at, what to
 * type next, and the exit code.
 *
 * --json: {schemaVersion, command, environment, batch: {id, name, digest, revision}, outcome, exitCode,
 * sentence, totals, ties, parts, attention, reports: [{path, problem}], next, andThen, …} and what the command adds. With exit
 * code 73 there is `error: {code, message, next, andThen}` too.
 */

import { batchLabel } from '../../domain/batches/batch.ts';
import { type Command, command, nextSteps, type Steps } from '../../domain/next-steps/command.ts';
import { takenJson, totalsJson } from '../../domain/reporting/control-totals.ts';
import { unaccountedJson } from '../../domain/reporting/currency-totals.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { EXIT } from '../../domain/reporting/exit-code.ts';
import { batchJson } from '../../operations/batch-json.ts';
import { differsText, outcomeBlocks } from '../../operations/outcome-blocks.ts';
import { bothOf, type ToLookAt, toLookAt } from '../../operations/short-result.ts';
import { attentionJson } from '../../operations/status.ts';
import type { Ended, WrittenReport } from '../../payfile.ts';
import { type Call, type Opened, placeOf, tellSteps, typedSteps } from '../call.ts';
import { attentionLine } from '../monitoring/run-facts.ts';
import { draw, wordingIn } from './blocks.ts';

/** What a command adds to the end of a batch. */
export interface Said {
  /** The word for programs, where it is not the rows' own. */
  readonly outcome?: string | undefined;
  /** False: the table is not shown. */
  readonly hasTable?: boolean | undefined;
  /** A sentence of the command's own, shown above what to do next. */
  readonly sentence?: string | undefined;
  /** In place of what the batch needs next, both. */
  readonly next?: Command | undefined;
  readonly andThen?: Command | undefined;
  readonly json?: Readonly<Record<string, unknown>> | undefined;
  /** What could not be asked. The batch's own sentence comes before it; shown with --quiet too. */
  readonly unseen?: string | undefined;
  /** What else a person has to look at. */
  readonly toLookAt?: ToLookAt | undefined;
  /** What broke the work off. */
  readonly error?: { readonly code: string; readonly message: string; readonly steps: Steps } | undefined;
}

interface Asked {
  readonly opened: Pick<Opened, 'progress'>;
  readonly call: Call;
}

export function showEnded(ended: Ended, said: Said, { opened, call }: Asked): ExitCode {
  const { terminal } = call;
  const place = placeOf(call);
  const { batch, exitCode, environment, outcome, totals, reports } = ended;
  opened.progress.clear();
  if (said.hasTable !== false) {
    const title = `Batch ${batchLabel(batch)}`;
    const listedBy = command('status', [batchLabel(batch)]);
    for (const block of outcomeBlocks({ ...ended, title, listedBy })) draw(block, place, 'result', terminal);
  }
  const differs = differsText(ended);
  if (differs !== undefined && terminal.isQuiet) terminal.print(`Batch ${batchLabel(batch)}: ${differs}`);
  for (const { path, problem } of reports) {
    if (problem === undefined) terminal.result(`Report: ${path}`);
    else terminal.talk(problem);
  }
  if (said.sentence !== undefined) terminal.talk(said.sentence);
  if (said.unseen !== undefined) terminal.print(said.unseen);
  const { next = said.andThen === undefined ? ended.steps.next : undefined, andThen = ended.steps.andThen } =
    said;
  const commands = nextSteps(next, andThen);
  const steps = typedSteps(call, commands);
  tellSteps(steps, terminal);
  const sentence = sentenceOf(said, outcome);
  const word = said.outcome ?? outcome.word;
  const error = said.error ?? unwritten(exitCode, reports, steps);
  const attention = attentionJson(ended.attention, wordingIn(place));
  const document = {
    command: call.command,
    environment,
    batch: batchJson(batch),
    outcome: word,
    exitCode,
    sentence,
    counts: totals.counts,
    totals: totalsJson(totals),
    ...unaccountedJson(totals),
    staysTaken: takenJson(totals),
    ties: totals.ties,
    parts: totals.parts,
    attention,
    reports,
    ...steps,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message, ...error.steps } }),
    ...said.json,
  };
  terminal.answer(document, {
    ...{ batch, outcome: word, sentence, steps: commands, totals, error },
    isOnlyCounts: sentence === outcome.sentence && totals.incidents === 0 && ended.paidAgain.size === 0,
    toLookAt: bothOf(toLookAt(attention, attentionLine, ended.attentionLeft), said.toLookAt),
    unwritten: reports.flatMap(({ problem }) => problem ?? []),
  });
  return exitCode;
}

function sentenceOf({ unseen, sentence }: Said, outcome: Ended['outcome']): string {
  return unseen === undefined ? (sentence ?? outcome.sentence) : `${outcome.sentence}. ${unseen}`;
}

/** When only a report is missing, programs get an `error` as for any other failure. */
function unwritten(exitCode: ExitCode, reports: readonly WrittenReport[], steps: Steps): Said['error'] {
  const message = reports.find(({ problem }) => problem !== undefined)?.problem;
  if (exitCode !== EXIT.reportUnwritable || message === undefined) return undefined;
  return { code: 'report_unwritable', message, steps };
}
