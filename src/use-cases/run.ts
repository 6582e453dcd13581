/**
 * Runs a file: read, price, approve, send, settle. You can repeat a run at any point, because each step asks the ledger
 * what is due.
 *
 * One lease covers all steps. If workers run, each worker takes the lease for its stage only. `Consent` asks the
 * person. Nothing here prints or reads a terminal.
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

/** Options of a run. `canary`, `ceilings`, `maxDebits`, `deadlineMs` and `holder` mean the same as for sending. */
export interface RunOptions extends Omit<SendRequest, 'partWorkers'> {
  readonly consent: Consent;
  readonly skipInvalid: boolean;
  readonly newPeriod?: PeriodAnswer | undefined;
}

interface RunRequest extends FileRequest, Omit<SendRequest, 'partWorkers'> {
  /** Agrees to a plan, or says why not; undefined: uses `yes`, the ceilings or a question. */
  readonly consent?: Consent | undefined;
  /** Agrees to sandbox payments. A live service ignores it. */
  readonly yes?: boolean | undefined;
}

export interface Run {
  readonly plan: Plan;
  /** How many rows an earlier process left in flight. */
  readonly recovered: number;
  readonly priced: Priced;
  readonly notAgreed: NotAgreed | undefined;
  readonly sent: SentBatch | undefined;
  /** Row numbers of incidents that look-ups found. */
  readonly incidents: readonly number[];
  /** Why the run stopped waiting for the service; undefined: it did not. */
  readonly silence?: string | undefined;
}

export interface FileRun extends BroughtFile {
  readonly run: Run | undefined;
  /** The plan shown for consent; undefined: payfile asked nobody. */
  readonly seen: PlanToSee | undefined;
  /** The invalid rows, if they stopped the run. */
  readonly invalidRows: readonly RowIssues[];
  readonly end: RunEnd | NoWork;
}

export interface RunEnd extends Pick<SentBatch, 'codes' | 'ignoresRows' | 'hasTable' | 'next'> {
  readonly kind: /** All possible rows were sent, or sending stopped for the reason in `sent`. */
    | 'sent'
    /** A person stopped the run before all rows were sent or had an outcome. */
    | 'interrupted'
    | 'silent'
    | 'unpriced'
    | 'repeats_open'
    | NotAgreed['kind'];
  readonly moved: MoneyMoved;
  /** With `repeats_open`: the open question whether the batch repeats another one. */
  readonly question: OpenQuestion | undefined;
}

/** Whether money of a batch moved. */
export interface MoneyMoved {
  /** A row was, or may have been, sent at any time. */
  readonly isMoved: boolean;
  /** Transfers that this run started, except those that provably never left. */
  readonly begun: number;
}

export async function runFile(openRows: OpenRows, request: RunRequest, given: Ports): Promise<FileRun> {
  return whileSending(given, async (sending) => runAfterReading(openRows, request, sending));
}

async function runAfterReading(
  openRows: OpenRows,
  request: RunRequest,
  { ports, startBatch, begun }: Sending,
): Promise<FileRun> {
  const { file, ...brought } = await bringFile(openRows, request, ports);
  const none = { run: undefined, seen: undefined, invalidRows: [] };
  if (brought.end !== undefined) return { ...file, ...none, end: brought.end };
  const { answer } = brought;
  if (answer.kind === 'show_report')
    return { ...file, ...none, batch: answer.of, end: await finishedBefore(answer.of, ports.ledger) };
  const { batch } = file;
  await startBatch(batch);
  let seen: PlanToSee | undefined;
  const ask: Consent = async (plan, now) => {
    // After a stop, nobody waits for the answer.
    request.signal?.throwIfAborted();
    seen = await planToSee(plan, now, ports, { amountStyle: file.imported.amountStyle });
    request.signal?.throwIfAborted();
    request.onProgress?.({ kind: 'plan', seen });
    return consentOf(request, ports)(plan, now);
  };
  const early = consentRefusedBy(answer);
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
  // A bound on the debit is no consent: it does not name the payments.
  return consentFor({ by: holder.user, yes, hasCeilings: ceilings !== undefined, ask, signal }, ports);
}

/** Refuses consent while most rows are open repeats, so that nobody approves the rest. */
function consentRefusedBy(answer: RepeatAnswer): NobodyAgreed | undefined {
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
  // Each stage recovers first, also on workers.
  const recovered = ports.held === undefined ? 0 : await recoverBatch(id, holder, ports);
  // Needed here too, because the run may end before it settles anything.
  await ledger.markLate(id, ports.clock.now());
  const nothing = { recovered, priced: NOTHING_PRICED, notAgreed: undefined, sent: undefined, incidents: [] };
  const invalid = async () => {
    const { invalid: count } = await ledger.counts(id);
    return count > 0 && !skipInvalid ? ({ kind: 'invalid_rows', count } as const) : undefined;
  };
  // A bad file stops here, before payfile requests anything about its rows.
  const bad = await invalid();
  if (bad !== undefined) return { ...nothing, plan: await planOf(id, ports), notAgreed: bad };
  const priced = await priceBatch(batch, options, ports);
  const plan = await planOf(id, ports);
  const planned = { ...nothing, priced, plan };
  // While the service is silent, payfile asks nobody to agree. It could not send approved rows either.
  const silence = ports.silence?.ended();
  if (silence !== undefined) return { ...planned, silence };
  // Invalid rows or an exceeded ceiling also stop rows that were approved earlier.
  const refused = (await invalid()) ?? overCeiling(plan, options);
  if (refused !== undefined) return { ...planned, notAgreed: refused };
  const notAgreed = await agreeInRun(batch, plan, options, ports);
  const sent = await sendNow(batch, options, ports);
  if (sent.overCeiling !== undefined) return { ...planned, notAgreed: sent.overCeiling };
  const { stop, isOver } = sent;
  const ended = { ...planned, notAgreed, sent, incidents: sent.incidents };
  // After a rate limit or a passed deadline, request nothing. The next run looks up the rows on their way.
  if (isOver || stop?.kind === 'limited') {
    const why = isOver && stop?.kind === 'outage' ? stop.reason : undefined;
    return { ...ended, plan: await planOf(id, ports), silence: why };
  }
  // The canary already waited, so it gets only one look-up if due.
  const waits = { ...options, deadlineMs: stop?.kind === 'canary' ? 0 : deadlineMs };
  const settled = await settleSent(batch, waits, ports);
  return { ...ended, plan: await planOf(id, ports), incidents: [...sent.incidents, ...settled.incidents] };
}

const NOTHING_PRICED: Priced = { unpriced: 0, reason: undefined };

interface RunEnding {
  readonly answer: RepeatAnswer;
  readonly moved: MoneyMoved;
  readonly signal: AbortSignal | undefined;
}

function endOfRun(batch: Batch, run: Run, { answer, moved, signal }: RunEnding): RunEnd {
  const { sent, silence, notAgreed } = run;
  const isOpen = answer.kind === 'open';
  const kind = kindOf(run, isOpen);
  const isUnsaid = isOpen || answer.kind === 'too_early' || silence !== undefined;
  return {
    kind: kind === 'sent' && signal?.aborted === true ? 'interrupted' : kind,
    codes: [...stopCodes(signal), ...(sent?.codes ?? []), ...codesOf(run, kind, moved)],
    // If nothing was sent, an open question or a silence explains all rows.
    // Above the ceiling, “run again” would be wrong: every run would end the same way.
    ignoresRows: kind === 'over_ceiling' || sent?.ignoresRows === true || (isUnsaid && !moved.isMoved),
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

function codesOf(
  { sent, incidents, plan }: Run,
  kind: RunEnd['kind'],
  moved: MoneyMoved,
): readonly ExitCode[] {
  const known: readonly ExitCode[] = incidents.length > 0 ? [EXIT.inDoubt] : [];
  const isSent = sent !== undefined && (plan.counts.accepted ?? 0) + (plan.counts.settled ?? 0) > 0;
  switch (kind) {
    case 'sent':
    case 'interrupted':
      return known;
    // An outage if nothing was sent yet; afterwards the run counts as stopped.
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
  // Approved rows need no second approval. A person looks at the rest.
  return command((plan.counts.quoted ?? 0) > 0 ? 'approve' : 'status', [batchLabel(batch)]);
}
