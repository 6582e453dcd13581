/**
 * What a run came to besides what its rows say: why nothing (more) was sent, and what to type next.
 */
import { type Batch, batchLabel, type StatusCounts } from '../../../domain/batches/batch.ts';
import { formatMoney } from '../../../domain/money/money.ts';
import { fourEyesSentence } from '../../../domain/plan/consent.ts';
import { overLimitSentence } from '../../../domain/plan/limits.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { STATUS_WORDS } from '../../../domain/reporting/status-words.ts';
import { command } from '../../../domain/steps/command.ts';
import { batchFlag } from '../../../domain/steps/next-step.ts';
import { counted, countText, rowsText } from '../../../domain/text/printable.ts';
import type { FileRun, NotAgreed, Repeats, Run, RunEnd } from '../../../payfile.ts';
import { type Call, typed } from '../call.ts';
import type { Opened } from '../open-parts.ts';
import { repeatsText } from '../terminal/questions.ts';
import { fileCommand } from '../words/file-words.ts';
import { type BatchEnd, showBatchEnd } from './batch.ts';
import { fixFileJson } from './fix-file.ts';
import { issuesJson, tellIssues } from './issues.ts';
import { fileJson, tellRefused } from './placed.ts';
import { changesJson, planJson } from './plan.ts';
import { endCodes, stopSentence, tellMoved, tellReadAnew } from './sent.ts';

export async function showRun(done: FileRun, opened: Opened, call: Call): Promise<ExitCode> {
  const { end, placed, batch, run } = done;
  if (placed.kind === 'refused') return tellRefused(placed, call, opened);
  if (end.kind === 'finished') return showFinished(batch, end.counts, opened, call);
  if (run === undefined || !('hasTable' in end)) {
    const sentence = 'Stopped as you said; nothing was sent.';
    const stopped = { codes: [EXIT.needsPerson], isDoneBefore: true, hasTable: false, sentence };
    return showBatchEnd({ ...stopped, batch }, opened, call);
  }
  tellBeside(run, call);
  const { isDoneBefore, hasTable } = end;
  const said = saidOf({ ...done, run, end }, call);
  const codes = endCodes(end.codes, call);
  const beside = { plan: planJson(run.plan), changes: changesJson(done.seen?.changes) };
  const json = { ...beside, file: fileJson(done.imported), ...said.json };
  const next = said.next ?? end.next;
  return showBatchEnd({ ...said, batch, codes, isDoneBefore, hasTable, next, json }, opened, call);
}

function tellBeside({ recovered, sent }: Run, call: Call): void {
  if (recovered > 0)
    call.terminal.talk(
      `${counted(recovered, 'row was', 'rows were')} on the wire when the last run ended: in doubt, not sent again.`,
    );
  if (sent === undefined) return;
  tellMoved(sent, call);
  tellReadAnew(sent, call);
}

type Said = Pick<BatchEnd, 'sentence' | 'next' | 'andThen' | 'outcome' | 'json'>;

interface Ended extends Omit<FileRun, 'run' | 'end'> {
  readonly run: Run;
  readonly end: RunEnd;
}

function saidOf(done: Ended, call: Call): Said {
  const { end, run, batch, answer } = done;
  const again = () => fileCommand(call, 'run', { more: batchFlag(batch.name) });
  switch (end.kind) {
    case 'silent': {
      const waits = end.isDoneBefore ? 'Nothing was sent' : 'What is not sent waits';
      const sentence = `The service is not waited for any longer: ${run.silence}. ${waits}; run again when the service answers.`;
      return { sentence, next: again() };
    }
    case 'unpriced': {
      const { unpriced, reason = 'the service gave no usable answer' } = run.priced;
      const rows = counted(unpriced, 'row', 'rows');
      const sentence = `${rows} could not be asked about: ${reason}. Nothing of that was sent; run again when the service answers.`;
      return { sentence, next: again() };
    }
    case 'invalid_rows':
      return invalidRows(done, call);
    case 'repeats_open':
      return answer?.kind === 'open' ? openQuestion(answer.repeats, 'run', call) : {};
    case 'sent':
      return { sentence: run.sent === undefined ? undefined : stopSentence(run.sent) };
    default:
      return run.notAgreed === undefined ? {} : notAgreedSaid(run.notAgreed, done, call);
  }
}

function notAgreedSaid(why: NotAgreed, done: Ended, call: Call): Said {
  switch (why.kind) {
    case 'over_ceiling': {
      const { total, ceiling } = why;
      const limit =
        ceiling === undefined
          ? `there is no --max-total for ${total.currency}`
          : `--max-total allows ${formatMoney(ceiling)}`;
      const sentence = `The batch pays ${formatMoney(total)}, all runs together, and ${limit}. This run sent nothing.`;
      return { sentence, outcome: 'over_ceiling' };
    }
    case 'not_agreed':
      return { sentence: withSent(notAgreedText(why, done, call), call) };
    case 'approval': {
      const outcome = why.result.kind === 'over_limit' ? why.result.kind : undefined;
      return { sentence: withSent(notApproved(why.result, done.batch), call), outcome };
    }
    case 'invalid_rows':
      return {};
  }
}

function notAgreedText(
  { why, reason }: Extract<NotAgreed, { kind: 'not_agreed' }>,
  { seen, run }: Ended,
  { flags }: Call,
): string {
  if (why === 'canceled') return 'Stopped as you said; the batch stays planned.';
  if (why !== 'nobody') return reason;
  const ceilings = (seen?.plan ?? run.plan).toApprove.map(({ currency }) => `--max-total ${currency}=AMOUNT`);
  const add = flags.sandbox === true ? '--yes (sandbox)' : ceilings.join(' ');
  return `${reason} Add ${add}, or approve it.`;
}

/** Rows that were approved before go out all the same. */
function withSent(sentence: string, { stopping }: Call): string {
  const begun = stopping.begun();
  if (begun === 0) return `${sentence} Nothing was sent.`;
  return `${sentence} ${counted(begun, 'row that was approved before was', 'rows that were approved before were')} sent.`;
}

type NotApproved = Extract<NotAgreed, { kind: 'approval' }>['result'];

function notApproved(result: NotApproved, batch: Batch): string {
  switch (result.kind) {
    case 'same_person':
      return fourEyesSentence(result.maker, batch);
    case 'over_limit':
      return `${overLimitSentence(result)} Nothing more was approved; withdraw rows, or raise the limit in the configuration.`;
    case 'changed':
      return 'The plan changed while it was being agreed to; look at it again.';
  }
}

function invalidRows({ batch, run, invalidRows: rows, fixFile }: Ended, call: Call): Said {
  tellIssues(rows, call);
  const count = run.notAgreed?.kind === 'invalid_rows' ? run.notAgreed.count : rows.length;
  return {
    outcome: 'invalid_rows',
    sentence: `${rowsText(count)} cannot be paid as written, so nothing was sent. Correct them and run the file again, or leave them out with --skip-invalid.`,
    next: fileCommand(call, 'run', { mended: fixFile?.path, more: batchFlag(batch.name) }),
    json: { issues: issuesJson(rows, batch.file.sheet), fixFile: fixFileJson(fixFile) },
  };
}

/**
 * Nobody said what most rows repeat. Which batch is paid once more is for a person to say: a command that names it pays
 * everyone twice when it is pasted.
 */
export function openQuestion(repeats: Repeats, verb: 'plan' | 'run', call: Call) {
  const { batch, of } = repeats;
  const cancel = command('cancel', [batchLabel(batch)], [['--all'], ['--reason', { fillIn: 'TEXT' }]]);
  return {
    sentence: `${repeatsText(repeats)} They are held, and nothing of them is sent. Look at that batch first. If this file is the same payment again, withdraw it: ${typed(call, cancel)}. If it is one more payment, say which batch it repeats.`,
    next: command('status', [batchLabel(of)]),
    andThen: fileCommand(call, verb, {
      more: [...batchFlag(batch.name), ['--repeats', { fillIn: 'BATCH' }]],
    }),
  };
}

/** The same rows as a batch in which nothing is left to do: nothing is sent, and that is success, whatever it came to. */
export function showFinished(
  batch: Batch,
  counts: StatusCounts,
  opened: Opened,
  call: Call,
): Promise<ExitCode> {
  const day = new Date(batch.createdAt).toISOString().slice(0, 10);
  const label = batchLabel(batch);
  const unpaid = exceptionsText(counts);
  const look =
    unpaid === undefined
      ? ''
      : ` Not all of it was paid: ${unpaid}. See: ${typed(call, command('status', [label]))}`;
  const sentence = `Nothing to send: batch ${label} of ${day} was finished before with the same rows.${look}`;
  const end = { batch, codes: [], isDoneBefore: true, sentence, outcome: 'already_done' };
  return showBatchEnd(end, opened, call);
}

/** `1 failed, 2 returned`; undefined when every row was paid. */
function exceptionsText(counts: StatusCounts): string | undefined {
  const found = (['failed', 'returned', 'held', 'canceled', 'invalid'] as const).filter(
    (status) => counts[status] > 0,
  );
  if (found.length === 0) return undefined;
  return found.map((status) => `${countText(counts[status])} ${STATUS_WORDS[status].counted}`).join(', ');
}
