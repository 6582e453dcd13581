/**
 * What a run came to besides what its rows say: why nothing (more) was sent, and what to type next.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { formatMoney } from '../../domain/money/money.ts';
import { overLimitSentence } from '../../domain/plan/limits.ts';
import { type Command, command } from '../../domain/steps/command.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import { secondOf } from '../../domain/timestamp.ts';
import type { FixWritten } from '../../use-cases/intake/fix-file.ts';
import type { NotAgreed, Run } from '../../use-cases/run-batch.ts';
import type { SendBatchResult } from '../../use-cases/send/send-batch.ts';
import type { RepeatAnswer } from './ask-repeats.ts';
import { type Call, typed } from './call.ts';
import { fourEyesSentence } from './consent.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Opened } from './open-parts.ts';
import type { BatchEnd } from './show/batch.ts';
import { fixFileJson } from './show/fix-file.ts';
import { invalidRowsOf, isGrouped, issuesJson, printIssues } from './show/issues.ts';
import { batchFlag, fileCommand } from './words/file-words.ts';

export interface RunEndContext {
  readonly call: Call;
  readonly opened: Opened;
  readonly answer: RepeatAnswer;
  readonly fixFile: FixWritten | undefined;
  /** Whether any row of the batch ever went out, or may have. */
  readonly isMoved: boolean;
}

type Ending = Omit<BatchEnd, 'batch'>;

export async function endOfRun(batch: Batch, run: Run, context: RunEndContext): Promise<Ending> {
  const { call, answer } = context;
  const codes: ExitCode[] = [...stopCodes(run.sent, call)];
  if (run.recovered > 0)
    call.terminal.talk(
      `${counted(run.recovered, 'row was', 'rows were')} on the wire when the last run ended: in doubt, not sent again.`,
    );
  for (const moved of run.sent?.movedRates ?? []) {
    call.terminal.talk(
      `The rate for ${moved.currency} moved from ${moved.quoted} to ${moved.now} (debit +${moved.risePercent.toFixed(1)} %): ${counted(moved.rows, 'row needs', 'rows need')} one more approval.`,
    );
    codes.push(EXIT.needsPerson);
  }
  codes.push(...tellReadAnew(run.sent, call));
  if (run.settled !== undefined && run.settled.incidents.length > 0) codes.push(EXIT.inDoubt);
  if (run.silence !== undefined) return silent(run.silence, batch, { ...context, codes });
  if (run.priced.unpriced > 0) return unpriced(run, batch, { call, codes });
  const quoted = run.plan.counts.quoted ?? 0;
  if (run.notAgreed !== undefined) return notAgreed(run.notAgreed, batch, { ...context, codes, quoted });
  if (answer.kind === 'open') return { codes: [...codes, EXIT.needsPerson], ...openQuestion(answer) };
  const sentence = run.sent === undefined ? undefined : stopSentence(run.sent);
  const next = canaryNext(run.sent, batch);
  return { codes, ...(sentence === undefined ? {} : { sentence }), ...(next === undefined ? {} : { next }) };
}

/** Waiting has an end: before anything of the batch was sent it is an outage like any other, afterwards a stop. */
function silent(reason: string, batch: Batch, { call, codes, isMoved }: Refusal): Ending {
  const more = batchFlag(batch.name);
  return {
    codes: isMoved
      ? [...codes, EXIT.stopped]
      : [...codes.filter((code) => code !== EXIT.stopped), EXIT.serviceUnavailable],
    sentence: `The service is not waited for any longer: ${reason}. ${isMoved ? 'What is not sent waits' : 'Nothing was sent'}; run again when the service answers.`,
    next: fileCommand(call, 'run', { more }),
  };
}

function unpriced(run: Run, batch: Batch, { call, codes }: Pick<Refusal, 'call' | 'codes'>): Ending {
  const isSent =
    run.sent !== undefined && (run.plan.counts.accepted ?? 0) + (run.plan.counts.settled ?? 0) > 0;
  const why = run.priced.reason ?? 'the service gave no usable answer';
  const more = batchFlag(batch.name);
  return {
    codes: [...codes, isSent ? EXIT.stopped : EXIT.serviceUnavailable],
    sentence: `${counted(run.priced.unpriced, 'row', 'rows')} could not be asked about: ${why}. Nothing of that was sent; run again when the service answers.`,
    next: fileCommand(call, 'run', { more }),
  };
}

interface Refusal extends RunEndContext {
  readonly codes: readonly ExitCode[];
}

interface NotAgreedRefusal extends Refusal {
  /** Rows that wait for approval. */
  readonly quoted: number;
}

async function notAgreed(reason: NotAgreed, batch: Batch, refusal: NotAgreedRefusal): Promise<Ending> {
  const { call, codes, answer, quoted } = refusal;
  switch (reason.kind) {
    case 'invalid_rows':
      return invalidRows(reason.count, batch, refusal);
    case 'over_ceiling': {
      const { total, ceiling } = reason;
      const limit =
        ceiling === undefined
          ? `there is no --max-total for ${total.currency}`
          : `--max-total allows ${formatMoney(ceiling)}`;
      return {
        codes: [...codes, EXIT.needsPerson],
        sentence: `The batch pays ${formatMoney(total)}, all runs together, and ${limit}. This run sent nothing.`,
        // Rows that were agreed to before need no other approval: a person looks at what is left.
        next: command(quoted > 0 ? 'approve' : 'status', [batchLabel(batch)]),
        outcome: 'over_ceiling',
      };
    }
    case 'not_agreed':
      return {
        codes: [...codes, EXIT.needsPerson],
        sentence: withSent(reason.reason, call),
        next: reason.next,
        ...(answer.kind === 'open' ? openQuestion(answer) : {}),
      };
    case 'approval': {
      const outcome = reason.result.kind === 'over_limit' ? reason.result.kind : undefined;
      const sentence = withSent(notApproved(reason.result, batch), call);
      return { codes: [...codes, EXIT.needsPerson], sentence, outcome };
    }
  }
}

function openQuestion({ sentence, next, andThen }: Extract<RepeatAnswer, { kind: 'open' }>) {
  return { sentence, next, andThen };
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

async function invalidRows(
  count: number,
  batch: Batch,
  { call, opened, codes, fixFile }: Refusal,
): Promise<Ending> {
  const { terminal } = call;
  const rows = await invalidRowsOf(batch.id, await opened.ledger());
  for (const line of printIssues(rows, { all: false, columns: terminal.columns })) terminal.result(line);
  if (isGrouped(rows))
    terminal.talk(`Every row: ${typed(call, fileCommand(call, 'check', { more: [['--all']] }))}`);
  const more = batchFlag(batch.name);
  return {
    codes: [...codes, EXIT.badFile],
    outcome: 'invalid_rows',
    sentence: `${rowsText(count)} cannot be paid as written, so nothing was sent. Correct them and run the file again, or leave them out with --skip-invalid.`,
    next: fileCommand(call, 'run', { mended: fixFile?.path, more }),
    json: { issues: issuesJson(rows, batch.file.sheet), fixFile: fixFileJson(fixFile) },
  };
}

export function stopCodes(sent: SendBatchResult | undefined, call: Call): readonly ExitCode[] {
  const interrupted = call.stopping.exitCode();
  const codes: ExitCode[] = interrupted === undefined ? [] : [interrupted];
  if (sent?.stop === undefined || sent.stop.kind === 'interrupted') return codes;
  return [...codes, EXIT.stopped];
}

/** A canary that is no good is looked at first; one that was only slow is waited for again. */
export function canaryNext(sent: SendBatchResult | undefined, batch: Batch): Command | undefined {
  if (sent?.stop?.kind !== 'canary') return undefined;
  const { row } = sent.stop;
  const label = batchLabel(batch);
  return row === undefined ? command('send', [label]) : command('explain', [label, row]);
}

/** Told by every command that sends; such rows wait for a person. */
export function tellReadAnew(sent: SendBatchResult | undefined, { terminal }: Call): readonly ExitCode[] {
  const rows = sent?.readAnew ?? [];
  if (rows.length === 0) return [];
  terminal.talk(
    `${rowsText(rows.length)} (${rows.slice(0, ROWS_SHOWN).join(', ')}${rows.length > ROWS_SHOWN ? ', …' : ''}) not sent: ` +
      'an earlier version of payfile read the account or the name differently. Such rows get a new quote, and a person approves them again.',
  );
  return [EXIT.needsPerson];
}

const ROWS_SHOWN = 10;

/** Why sending stopped, or which institutions were set aside; undefined when all went out. */
export function stopSentence({ stop, setAside }: SendBatchResult): string | undefined {
  const aside =
    setAside.length === 0
      ? undefined
      : `Set aside for refusing again and again: institution ${setAside.join(', ')}. Its rows stay approved; the next run tries one first.`;
  switch (stop?.kind) {
    case undefined:
      return aside;
    case 'paused':
      return `The batch is paused: ${stop.reason}`;
    case 'outage':
      return `The service does not answer (${stop.reason}). Rows not sent stay approved; run again later.`;
    case 'limited':
      return `The service takes no transfers for now (HTTP 429). It asked to wait until ${secondOf(stop.until)} UTC. Rows not sent stay approved. Run again after that; an earlier run sends nothing.`;
    case 'canary':
      return `The canary stopped the sending: ${stop.reason}. The rest stays approved and was not sent. When you have looked, --canary 0 sends it.`;
    case 'lease_lost':
      return 'Another process took this batch over; this one stopped sending.';
    case 'interrupted':
      return 'Stopped as asked. Nothing is in flight any more.';
  }
}
