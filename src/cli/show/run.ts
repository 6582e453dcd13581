/**
 * What a run came to besides what its rows say: why nothing (more) was sent, and what to type next.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { Command } from '../../domain/next-steps/command.ts';
import { overLimitSentence } from '../../domain/plan/limits.ts';
import {
  passkeyRefusedSentence,
  passkeySentence,
  samePersonSentence,
} from '../../domain/plan/typed-totals.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { textOf } from '../../domain/text/message.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import { issueBlocks, issuesJson, shortIssues } from '../../operations/issue-blocks.ts';
import { noWorkBlocks, noWorkExit, noWorkJson, noWorkShort, noWorkSteps } from '../../operations/no-work.ts';
import { fileJson, fixFileJson } from '../../operations/placed-blocks.ts';
import { heldBefore, questionPieces } from '../../operations/plan.ts';
import { changesJson, planJson } from '../../operations/plan-json.ts';
import { toLookAt } from '../../operations/short-result.ts';
import { stopSentence } from '../../operations/words/why-stopped.ts';
import {
  type FileRun,
  isNoWork,
  type NotAgreed,
  type NoWork,
  type OpenQuestion,
  type Payfile,
  type Run,
  type RunEnd,
} from '../../payfile.ts';
import { argument, type Call, type Opened, placeOf, tellSteps, typedSteps } from '../call.ts';
import { fileCommand } from '../parse/file-flags.ts';
import { type Said, showEnded } from './batch.ts';
import { drawAll, wordingIn } from './blocks.ts';
import { LIFT_CANARY, overCeilingSentence, sentSentence, tellMoved } from './why-stopped.ts';

type Done = Awaited<ReturnType<Payfile['run']>>;

export function showRun(done: Done, opened: Opened, call: Call): ExitCode {
  const { end, run, batchEnd } = done;
  if (isNoWork(end)) return showNoWork(done, end, { opened, call });
  if (run === undefined || batchEnd === undefined) throw new Error('A run ended without saying how.');
  tellBeside(run, done.batch, call);
  const { hasTable, outcome } = end;
  const said = saidOf({ ...done, run, end }, call);
  const beside = { plan: planJson(run.plan), changes: changesJson(done.seen?.changes) };
  const json = { ...beside, file: fileJson(done.imported), ...said.json };
  return showEnded(batchEnd, { ...said, outcome, hasTable, json }, { opened, call });
}

function tellBeside(run: Run, batch: Batch, call: Call): void {
  const { recovered, sent } = run;
  tellHeldBefore(run, batch, call);
  if (recovered > 0)
    call.terminal.talk(
      `${counted(recovered, 'row was', 'rows were')} on the wire when the last run ended: in doubt, not sent again.`,
    );
  if (sent === undefined) return;
  tellMoved(sent, call);
}

/** A row that is held stays held whatever `--names` says later. */
function tellHeldBefore({ plan }: Run, batch: Batch, call: Call): void {
  const { names = {} } = call.flags;
  const isLoosened = (['close_match', 'no_match', 'not_found'] as const).some(
    (result) => names[result] !== undefined && names[result] !== 'hold',
  );
  if (isLoosened) drawAll(heldBefore(plan, batch), call);
}

interface Ended extends Omit<FileRun, 'run' | 'end'> {
  readonly run: Run;
  readonly end: RunEnd;
}

function saidOf(done: Ended, call: Call): Said {
  const { end, run } = done;
  const next = againCommand(done, call);
  switch (end.kind) {
    case 'silent': {
      const waits = end.moved.isMoved ? 'What is not sent waits' : 'Nothing was sent';
      const sentence = `The service is not waited for any longer: ${run.silence}. ${waits}; run again when the service answers.`;
      return { sentence, next };
    }
    case 'unpriced': {
      const { unpriced, reason = 'the service gave no usable answer' } = run.priced;
      const rows = counted(unpriced, 'row', 'rows');
      const sentence = `${rows} could not be asked about: ${reason}. Nothing of that was sent; run again when the service answers.`;
      return { sentence, next };
    }
    case 'invalid_rows':
      return invalidRows(done, call);
    case 'repeats_open':
      return end.question === undefined ? {} : questionSaid(end.question, call);
    case 'sent':
    case 'interrupted':
      return { sentence: run.sent === undefined ? undefined : stopSentence(run.sent, LIFT_CANARY) };
    default:
      return run.notAgreed === undefined ? {} : notAgreedSaid(run.notAgreed, done);
  }
}

function notAgreedSaid(why: NotAgreed, done: Ended): Said {
  switch (why.kind) {
    case 'over_ceiling':
      return { sentence: overCeilingSentence(why) };
    case 'not_agreed':
      return { sentence: `${notAgreedText(why, done)} ${sentSentence(done.end.moved)}` };
    case 'approval':
      return { sentence: `${notApproved(why.result, done.batch)} ${sentSentence(done.end.moved)}` };
    case 'invalid_rows':
      return {};
  }
}

function notAgreedText(
  { why, reason }: Extract<NotAgreed, { kind: 'not_agreed' }>,
  { end: { agreeBy } }: Ended,
): string {
  if (why === 'canceled') return 'Stopped as you said; the batch stays planned.';
  if (agreeBy === undefined) return reason;
  const ceilings = agreeBy === 'yes' ? [] : agreeBy.map((currency) => `--max-total ${currency}=AMOUNT`);
  const add = agreeBy === 'yes' ? '--yes (sandbox), or a ceiling (--max-total)' : ceilings.join(' ');
  return `${reason} Add ${add}, or approve it.`;
}

type NotApproved = Extract<NotAgreed, { kind: 'approval' }>['result'];

function notApproved(result: NotApproved, batch: Batch): string {
  switch (result.kind) {
    case 'same_person':
    case 'let_in_by_maker':
    case 'let_maker_in':
      return samePersonSentence(result, batch);
    case 'passkey_missing':
      return passkeySentence(batch);
    case 'passkey_refused':
      return passkeyRefusedSentence(result);
    case 'over_limit':
      return `${overLimitSentence(result)} Nothing more was approved; withdraw rows, or raise the limit in the configuration.`;
    case 'changed':
      return 'The plan changed while it was being agreed to; look at it again.';
    case 'not_agreed':
      return 'The typed text is not the total. Nothing was approved.';
  }
}

function invalidRows(done: Ended, call: Call): Said {
  const { batch, run, invalidRows: rows, fixFile } = done;
  drawAll(issueBlocks(rows, { all: call.flags.all === true, allBy: everyIssue(call) }), call);
  const count = run.notAgreed?.kind === 'invalid_rows' ? run.notAgreed.count : rows.length;
  return {
    sentence: `${rowsText(count)} cannot be paid as written, so ${done.end.moved.isMoved ? 'this command sent nothing' : 'nothing was sent'}. Correct them and run the file again, or leave them out with --skip-invalid.`,
    andThen: againCommand(done, call),
    toLookAt: toLookAt(shortIssues(rows), (text) => text),
    json: { issues: issuesJson(rows, batch.file.sheet), fixFile: fixFileJson(fixFile) },
  };
}

const everyIssue = (call: Call) => fileCommand(call, 'check', { more: [['--all']] });

/** What to do with the same file again, as it is typed here. */
function againCommand(
  { end, fixFile }: { readonly end: Pick<RunEnd, 'again'>; readonly fixFile: FileRun['fixFile'] },
  call: Call,
): Command | undefined {
  const { again } = end;
  const mended = again?.isMended === true ? fixFile?.path : undefined;
  return again && fileCommand(call, 'run', { mended, more: again.flags });
}

function questionSaid(question: OpenQuestion, call: Call) {
  const { next, again } = question;
  return {
    sentence: textOf(questionPieces(question), wordingIn(placeOf(call))),
    next,
    andThen: fileCommand(call, 'run', { more: again.flags }),
  };
}

/** A file after which nothing was left to do, and why. */
function showNoWork(
  { batch, placed, batchEnd, imported }: Pick<Done, 'batch' | 'placed' | 'batchEnd' | 'imported'>,
  end: NoWork,
  { opened, call }: { readonly opened: Opened; readonly call: Call },
): ExitCode {
  const { environment } = opened.payfile;
  const asked = { ...call.flags, file: argument(call, 0) };
  const done = { batch, placed, batchEnd, imported, end, environment, asked, verb: 'run' } as const;
  drawAll(noWorkBlocks(done), call);
  const commands = noWorkSteps(done);
  const steps = typedSteps(call, commands);
  if (end.kind !== 'refused' || end.correct.length === 0) tellSteps(steps, call.terminal);
  const exitCode = noWorkExit(done);
  const document = { command: 'run', exitCode, ...noWorkJson(done, wordingIn(placeOf(call))), ...steps };
  call.terminal.answer(document, { ...noWorkShort(done), steps: commands });
  return exitCode;
}
