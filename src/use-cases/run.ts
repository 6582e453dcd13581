/**
 * A whole run of a file: read, price, agree, send, settle. Safe to run again at any point, because each step asks the
 * ledger what is left to do.
 *
 * One lease holds the batch for all steps; where workers of the ledger are at work, they take it for their stage, and
 * between two stages nobody has it. A person is asked through `Consent`; nothing here prints or reads a terminal.
 */
import { type Batch, batchLabel, isMoved } from '../domain/batches/batch.ts';
import { type Command, command } from '../domain/next-steps/command.ts';
import { overCeiling } from '../domain/plan/limits.ts';
import type { Plan } from '../domain/plan/plan.ts';
import { EXIT, type ExitCode, stopCodes } from '../domain/reporting/exit-code.ts';
import type { RowIssues } from '../domain/rows/row.ts';
import type { OpenRows } from '../ports/row-source.ts';
import {
  agreeInRun,
  type Consent,
  consentFor,
  type NobodyAgreed,
  type NotAgreed,
} from './approve/ask-consent.ts';
import { type PlanToSee, planOf, planToSee } from './approve/plan-of-batch.ts';
import type { PeriodAnswer, RepeatAnswer } from './decide/repeats.ts';
import {
  type BroughtFile,
  bringFile,
  type FileRequest,
  finishedBefore,
  invalidRowsOf,
  type NoWork,
  newPeriodOf,
  type OpenQuestion,
  openQuestion,
  underItsName,
} from './intake/bring-file.ts';
import { requireSameFile } from './intake/half-read.ts';
import { type Ports, withLease } from './ports.ts';
import { priceBatch } from './price/price-batch.ts';
import type { Priced } from './price/price-payouts.ts';
import { recoverBatch } from './send/recover-batch.ts';
import { type SendRequest, type SentBatch, sendNow } from './send/send-approved.ts';
import { settleSent } from './settle/settle-sent.ts';
import { type Sending, whileSending } from './work-of-error.ts';

/** What each run is told. `canary`, `ceilings`, `maxDebits`, `deadlineMs` and `holder`: as for sending. */
export interface RunOptions extends Omit<SendRequest, 'crew'> {
  readonly consent: Consent;
  readonly skipInvalid: boolean;
  readonly newPeriod?: PeriodAnswer | undefined;
}

interface RunRequest extends FileRequest, Omit<SendRequest, 'crew'> {
  /** Agrees to a plan, or says why not; undefined: asks, with what the caller said before. */
  readonly consent?: Consent | undefined;
  /** Agrees to sandbox payments; ignored with a live service. */
  readonly yes?: boolean | undefined;
}

export interface Run {
  readonly plan: Plan;
  /** Rows that an earlier process left in flight. */
  readonly recovered: number;
  readonly priced: Priced;
  readonly notAgreed: NotAgreed | undefined;
  readonly sent: SentBatch | undefined;
  /** Incidents that look-ups found. */
  readonly incidents: readonly number[];
  /** Why the service was no longer waited for before everything was sent. */
  readonly silence?: string | undefined;
}

export interface FileRun extends BroughtFile {
  readonly run: Run | undefined;
  /** The plan that somebody agreed to, or was asked to. */
  readonly seen: PlanToSee | undefined;
  /** The rows that stopped it, where invalid ones did. */
  readonly invalidRows: readonly RowIssues[];
  readonly end: RunEnd | NoWork;
}

export interface RunEnd {
  readonly kind: /** All that could be sent was; or sending stopped, as the result of sending says. */
    | 'sent'
    /** Somebody stopped it before all was sent, or before all that was sent had its outcome. */
    | 'interrupted'
    | 'silent'
    | 'unpriced'
    | 'repeats_open'
    | NotAgreed['kind'];
  /** What applies besides what the rows say. */
  readonly codes: readonly ExitCode[];
  /** What the rows came to does not change the exit code. */
  readonly isDoneBefore: boolean;
  /** Something was, or may have been, sent: the rows are worth a table. */
  readonly hasTable: boolean;
  readonly moved: Moved;
  /** What to do next, where that is not what the rows ask for. */
  readonly next: Command | undefined;
  /** What is to be done with a batch that may be the same payment once more; with `repeats_open`. */
  readonly question: OpenQuestion | undefined;
}

/** What became of a batch's money. */
export interface Moved {
  /** Any row was ever sent, or may have been. */
  readonly isMoved: boolean;
  /** Transfers that this run began, without those that are proven not to have left. */
  readonly begun: number;
}

export async function runFile(openRows: OpenRows, request: RunRequest, given: Ports): Promise<FileRun> {
  return whileSending(given, async (sending) => runBrought(openRows, request, sending));
}

async function runBrought(
  openRows: OpenRows,
  request: RunRequest,
  { ports, on, begun }: Sending,
): Promise<FileRun> {
  const { file, ...brought } = await bringFile(openRows, request, ports);
  const none = { run: undefined, seen: undefined, invalidRows: [] };
  if (brought.end !== undefined) return { ...file, ...none, end: brought.end };
  const { answer } = brought;
  if (answer.kind === 'show_report')
    return { ...file, ...none, batch: answer.of, end: await finishedBefore(answer.of, ports.ledger) };
  const { batch } = file;
  await on(batch);
  let seen: PlanToSee | undefined;
  const ask: Consent = async (plan, now) => {
    // Stopped meanwhile: nobody waits for an answer any more.
    request.signal?.throwIfAborted();
    seen = await planToSee(plan, now, ports, { amountStyle: file.imported.amountStyle });
    request.signal?.throwIfAborted();
    request.onProgress?.({ kind: 'plan', seen });
    return consentOf(request, ports)(plan, now);
  };
  const early = unanswered(answer);
  const consent: Consent = early === undefined ? ask : async () => early;
  const ran = await runBatch(batch, { ...request, consent, newPeriod: newPeriodOf(answer) }, ports);
  const run = { ...ran, notAgreed: ran.notAgreed ?? (answer.kind === 'too_early' ? early : undefined) };
  const moved = { isMoved: isMoved(await ports.ledger.counts(batch.id)), begun: await begun() };
  const end = endOfRun(batch, run, { answer, moved, signal: request.signal });
  const invalidRows = end.kind === 'invalid_rows' ? await invalidRowsOf(batch.id, ports.ledger) : [];
  return { ...file, run, seen, invalidRows, end };
}

function consentOf(request: RunRequest, ports: Ports): Consent {
  if (request.consent !== undefined) return request.consent;
  const { holder, yes, ceilings, ask, signal } = request;
  // A bound on the debit does not say which payments are agreed to.
  return consentFor({ by: holder.user, yes, hasCeilings: ceilings !== undefined, ask, signal }, ports);
}

/** While nobody has said what most of the rows repeat, those are held, and nobody is asked to agree to the others. */
function unanswered(answer: RepeatAnswer): NobodyAgreed | undefined {
  const kind = 'not_agreed';
  switch (answer.kind) {
    case 'open':
      return { kind, why: 'repeats_open', reason: 'Most rows repeat a batch.' };
    case 'too_early':
      return { kind, why: answer.kind, reason: answer.why, next: underItsName('run', answer.of) };
    case 'canceled':
      return { kind, why: answer.kind, reason: 'Stopped as you said.' };
    default:
      return undefined;
  }
}

/** Runs a batch that is in the ledger. Errors: BatchBusy; BatchHalfRead; OtherFileRead. */
export async function runBatch(batch: Batch, options: RunOptions, ports: Ports): Promise<Run> {
  const fleet = await ports.fleet?.();
  if (fleet !== undefined && (await fleet.workersOf('send-head')) > 0)
    return runStages(batch, options, ports);
  return withLease(batch.id, options.holder, ports, async (_lost, lease) =>
    runStages(batch, options, { ...ports, fleet: undefined, held: { batchId: batch.id, lease } }),
  );
}

async function runStages(batch: Batch, options: RunOptions, ports: Ports): Promise<Run> {
  const { ledger } = ports;
  const { id } = batch;
  const { holder, skipInvalid, deadlineMs } = options;
  requireSameFile(batch, await ledger.batch(id));
  // Each stage begins with that, also at workers.
  const recovered = ports.held === undefined ? 0 : await recoverBatch(id, holder, ports);
  // Also where the run ends before it settles anything.
  await ledger.markLate(id, ports.clock.now());
  const nothing = { recovered, priced: UNASKED, notAgreed: undefined, sent: undefined, incidents: [] };
  const invalid = async () => {
    const { invalid: count } = await ledger.counts(id);
    return count > 0 && !skipInvalid ? ({ kind: 'invalid_rows', count } as const) : undefined;
  };
  // A bad file stops before anyone is asked about its rows.
  const bad = await invalid();
  if (bad !== undefined) return { ...nothing, plan: await planOf(id, ports), notAgreed: bad };
  const priced = await priceBatch(batch, options, ports);
  const plan = await planOf(id, ports);
  const planned = { ...nothing, priced, plan };
  // Nobody is asked to agree while the service gives no answer; what was approved before could not be sent either.
  const silence = ports.silence?.ended();
  if (silence !== undefined) return { ...planned, silence };
  // A bad file, or more than was allowed, stops also the rows that were approved before.
  const refused = (await invalid()) ?? overCeiling(plan, options);
  if (refused !== undefined) return { ...planned, notAgreed: refused };
  const notAgreed = await agreeInRun(batch, plan, options, ports);
  const sent = await sendNow(batch, options, ports);
  if (sent.overCeiling !== undefined) return { ...planned, notAgreed: sent.overCeiling };
  const { stop, isOver } = sent;
  const ended = { ...planned, notAgreed, sent, incidents: sent.incidents };
  // A service that asked us to wait, or that was waited for already, is asked nothing: the next run looks up what is on its way.
  if (isOver || stop?.kind === 'limited') {
    const why = isOver && stop?.kind === 'outage' ? stop.reason : undefined;
    return { ...ended, plan: await planOf(id, ports), silence: why };
  }
  // What was waited for already gets one look where it is due.
  const waits = { ...options, deadlineMs: stop?.kind === 'canary' ? 0 : deadlineMs };
  const settled = await settleSent(batch, waits, ports);
  return { ...ended, plan: await planOf(id, ports), incidents: [...sent.incidents, ...settled.incidents] };
}

const UNASKED: Priced = { unpriced: 0, reason: undefined };

interface Ending {
  readonly answer: RepeatAnswer;
  readonly moved: Moved;
  readonly signal: AbortSignal | undefined;
}

function endOfRun(batch: Batch, run: Run, { answer, moved, signal }: Ending): RunEnd {
  const { sent, silence, notAgreed } = run;
  const isOpen = answer.kind === 'open';
  const kind = kindOf(run, isOpen);
  const isUnsaid = isOpen || answer.kind === 'too_early' || silence !== undefined;
  return {
    kind: kind === 'sent' && signal?.aborted === true ? 'interrupted' : kind,
    codes: [...stopCodes(signal), ...(sent?.codes ?? []), ...codesOf(run, kind, moved)],
    // With the question open and nothing sent, the rows are held for that question only; after a silence they wait.
    // Above the ceiling “stopped, run again” would be wrong: every run would end like this one.
    isDoneBefore: kind === 'over_ceiling' || sent?.isDoneBefore === true || (isUnsaid && !moved.isMoved),
    hasTable: moved.isMoved || sent?.stop !== undefined || notAgreed === undefined,
    moved,
    next: nextOf(batch, run, kind),
    question: kind === 'repeats_open' && isOpen ? openQuestion(answer.repeats) : undefined,
  };
}

function kindOf({ silence, priced, notAgreed }: Run, isOpen: boolean): RunEnd['kind'] {
  if (silence !== undefined) return 'silent';
  if (priced.unpriced > 0) return 'unpriced';
  if (isOpen && (notAgreed === undefined || notAgreed.kind === 'not_agreed')) return 'repeats_open';
  return notAgreed?.kind ?? 'sent';
}

function codesOf({ sent, incidents, plan }: Run, kind: RunEnd['kind'], moved: Moved): readonly ExitCode[] {
  const known: readonly ExitCode[] = incidents.length > 0 ? [EXIT.inDoubt] : [];
  const isSent = sent !== undefined && (plan.counts.accepted ?? 0) + (plan.counts.settled ?? 0) > 0;
  switch (kind) {
    case 'sent':
    case 'interrupted':
      return known;
    // Before anything of the batch was sent it is an outage like any other, afterwards a stop.
    case 'silent':
      return [...known, moved.isMoved ? EXIT.stopped : EXIT.serviceUnavailable];
    case 'unpriced':
      return [...known, isSent ? EXIT.stopped : EXIT.serviceUnavailable];
    case 'invalid_rows':
      return [...known, EXIT.badFile];
    default:
      return [...known, EXIT.needsPerson];
  }
}

function nextOf(batch: Batch, { notAgreed, sent, plan }: Run, kind: RunEnd['kind']): Command | undefined {
  if (kind === 'sent' || kind === 'interrupted') return sent?.next;
  if (kind === 'not_agreed' && notAgreed?.kind === kind) return notAgreed.next;
  if (kind !== 'over_ceiling') return undefined;
  // Rows that were agreed to before need no other approval: a person looks at what is left.
  return command((plan.counts.quoted ?? 0) > 0 ? 'approve' : 'status', [batchLabel(batch)]);
}
