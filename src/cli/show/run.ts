/**
 * What a run came to besides what its rows say: why nothing (more) was sent, and what to type next.
 */
import { type Batch, batchLabel, knownBatchText, repeatsText } from '../../domain/batches/batch.ts';
import { type Command, command, nextSteps } from '../../domain/next-steps/command.ts';
import { overLimitSentence } from '../../domain/plan/limits.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import {
  passkeyRefusedSentence,
  passkeySentence,
  samePersonSentence,
} from '../../domain/plan/typed-totals.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { type Piece, textOf } from '../../domain/text/message.ts';
import { counted, countText, rowsText } from '../../domain/text/printable.ts';
import { batchJson } from '../../operations/batch-json.ts';
import { issueBlocks, issuesJson, shortIssues } from '../../operations/issue-blocks.ts';
import {
  LIFT_CANARY,
  movedBlocks,
  overCeilingPieces,
  stopPieces,
} from '../../operations/messages-sending.ts';
import {
  fileJson,
  fixFileJson,
  refusedBlocks,
  refusedJson,
  shortConflicts,
} from '../../operations/placed-blocks.ts';
import { changesJson, planJson } from '../../operations/plan-json.ts';
import { toLookAt } from '../../operations/told.ts';
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
import { type Call, type Opened, placeOf, tellSteps, typed, typedSteps } from '../call.ts';
import { fileCommand } from '../parse/file-flags.ts';
import { type Said, showEnded } from './batch.ts';
import { drawAll, wordingIn } from './blocks.ts';
import { sentSentence } from './why-stopped.ts';

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

function tellBeside({ recovered, sent, plan }: Run, batch: Batch, call: Call): void {
  tellHeldBefore(plan, batch, call);
  if (recovered > 0)
    call.terminal.talk(
      `${counted(recovered, 'row was', 'rows were')} on the wire when the last run ended: in doubt, not sent again.`,
    );
  if (sent === undefined) return;
  drawAll(movedBlocks(sent), call);
}

/** A row that is held stays held whatever `--names` says later. Without an answer it may be held for having no name at all. */
export function tellHeldBefore({ holdReasons }: Pick<Plan, 'holdReasons'>, batch: Batch, call: Call): void {
  const { names = {} } = call.flags;
  const isLoosened = (['close_match', 'no_match', 'not_found'] as const).some(
    (result) => names[result] !== undefined && names[result] !== 'hold',
  );
  const count = isLoosened ? (holdReasons.get('name') ?? 0) : 0;
  if (count === 0) return;
  const words = [batchLabel(batch), { fillIn: 'ROW' } as const];
  const release = typed(call, command('release', words, [['--reason', { fillIn: 'TEXT' }]]));
  const held = counted(count, 'row was held for its name', 'rows were held for their names');
  call.terminal.talk(
    `${held} before. --names does not change rows that are held already. To let one go on: ${release}`,
  );
}

interface Ended extends Omit<FileRun, 'run' | 'end'> {
  readonly run: Run;
  readonly end: RunEnd;
}

function saidOf(done: Ended, call: Call): Said {
  const { end, run } = done;
  const next = againCommand(done, 'run', call);
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
      return end.question === undefined ? {} : questionSaid(end.question, 'run', call);
    case 'sent':
    case 'interrupted':
      return { sentence: run.sent && piecesText(stopPieces(run.sent, LIFT_CANARY), call) };
    default:
      return run.notAgreed === undefined ? {} : notAgreedSaid(run.notAgreed, done, call);
  }
}

const piecesText = (pieces: readonly Piece[] | undefined, call: Call) =>
  pieces && textOf(pieces, wordingIn(placeOf(call)));

function notAgreedSaid(why: NotAgreed, done: Ended, call: Call): Said {
  switch (why.kind) {
    case 'over_ceiling':
      return { sentence: piecesText(overCeilingPieces(why), call) };
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
    andThen: againCommand(done, 'run', call),
    toLookAt: toLookAt(shortIssues(rows), (text) => text),
    json: { issues: issuesJson(rows, batch.file.sheet), fixFile: fixFileJson(fixFile) },
  };
}

export const everyIssue = (call: Call) => fileCommand(call, 'check', { more: [['--all']] });

/** What to do with the same file again, as it is typed here. */
export function againCommand(
  { end, fixFile }: { readonly end: Pick<RunEnd, 'again'>; readonly fixFile: FileRun['fixFile'] },
  verb: 'plan' | 'run',
  call: Call,
): Command | undefined {
  const { again } = end;
  const mended = again?.isMended === true ? fixFile?.path : undefined;
  return again && fileCommand(call, verb, { mended, more: again.flags });
}

export function questionSaid(question: OpenQuestion, verb: 'plan' | 'run', call: Call) {
  const { repeats, withdraw, next, again } = question;
  return {
    sentence: `${repeatsText(repeats)} They are held, and nothing of them is sent. Look at that batch first. If this file is the same payment again, withdraw it: ${typed(call, withdraw)}. If it is one more payment, say which batch it repeats.`,
    next,
    andThen: fileCommand(call, verb, { more: again.flags }),
  };
}

/** A file after which nothing was left to do, and why. */
export function showNoWork(
  { batch, placed, batchEnd, imported }: Pick<Done, 'batch' | 'placed' | 'batchEnd' | 'imported'>,
  end: NoWork,
  { opened, call }: { readonly opened: Opened; readonly call: Call },
): ExitCode {
  if (placed.kind === 'refused' && end.kind === 'refused') return tellRefused(placed, end, { opened, call });
  if (end.kind === 'same_file') return showSameFile(end, imported, { opened, call });
  if (batchEnd === undefined || end.kind === 'refused') throw new Error('A file ended without saying how.');
  const { outcome, hasTable } = { outcome: undefined, hasTable: undefined, ...end };
  const sentence =
    end.kind === 'finished' ? finishedSentence(batch, end, call) : 'Stopped as you said; nothing was sent.';
  return showEnded(batchEnd, { outcome, hasTable, sentence }, { opened, call });
}

function tellRefused(
  placed: Extract<Done['placed'], { kind: 'refused' }>,
  { outcome, exitCode, next, correct }: Extract<NoWork, { kind: 'refused' }>,
  { opened, call }: { readonly opened: Opened; readonly call: Call },
): ExitCode {
  const { terminal } = call;
  const { batch, comparison } = placed;
  drawAll(refusedBlocks(placed, correct), call);
  const [first] = correct;
  const commands = nextSteps(first?.command ?? next);
  const steps = typedSteps(call, commands);
  if (first === undefined) tellSteps(steps, terminal);
  const document = {
    command: call.command,
    environment: opened.payfile.environment,
    batch: batchJson(batch),
    outcome,
    exitCode,
    ...refusedJson(placed, correct, wordingIn(placeOf(call))),
    ...steps,
  };
  const conflicts = shortConflicts(placed);
  const left = comparison.conflictCount - conflicts.length;
  terminal.answer(document, {
    batch,
    outcome,
    steps: commands,
    toLookAt: toLookAt(conflicts, (text) => text, left),
  });
  return exitCode;
}

/** Nobody said which of the two it is, so nothing is kept of the file. */
function showSameFile(
  { known: { batch, rows, sums }, outcome, exitCode, next, again }: Extract<NoWork, { kind: 'same_file' }>,
  imported: FileRun['imported'],
  { opened, call }: { readonly opened: Opened; readonly call: Call },
): ExitCode {
  const { terminal } = call;
  const verb = call.command === 'plan' ? 'plan' : 'run';
  const same = fileCommand(call, verb, { more: again.same.flags });
  const sentence =
    `Batch ${batchLabel(batch)} has the same file. ${knownBatchText(batch, rows, sums)}. ` +
    `Nothing was kept of this file and nothing was sent. Look at that batch first. If these are the same payments, name it: ${typed(call, same)}. If they are paid once ` +
    'more, say which batch is repeated.';
  terminal.talk(sentence);
  const commands = nextSteps(next, fileCommand(call, verb, { more: again.more.flags }));
  const steps = typedSteps(call, commands);
  tellSteps(steps, terminal);
  const document = {
    command: call.command,
    environment: opened.payfile.environment,
    batch: batchJson(batch),
    outcome,
    exitCode,
    sentence,
    file: fileJson(imported),
    ...steps,
  };
  terminal.answer(document, { batch, outcome, steps: commands });
  return exitCode;
}

function finishedSentence(batch: Batch, finished: Extract<NoWork, { kind: 'finished' }>, call: Call): string {
  const day = new Date(batch.createdAt).toISOString().slice(0, 10);
  const label = batchLabel(batch);
  const unpaid = finished.unpaid
    .map(({ status, count }) => `${countText(count)} ${STATUS_WORDS[status].counted}`)
    .join(', ');
  const { paidAgain } = finished;
  const left = finished.unpaid.reduce((sum, { count }) => sum + count, 0) - paidAgain;
  const again = paidAgain === 0 ? '' : `; ${countText(paidAgain)} of these paid again in another batch`;
  const see = typed(call, command('status', [label]));
  const look =
    left > 0
      ? ` Not all of it was paid: ${unpaid}${again}. See: ${see}`
      : paidAgain > 0
        ? ` What was not paid in it was paid again in another batch: ${unpaid}.`
        : '';
  return `Nothing to send: batch ${label} of ${day} was finished before with the same rows.${look}`;
}
