/**
 * A payment file as a whole: `planFile` plans it, `runFile` goes from reading it to the outcome of its payments. Safe to
 * repeat at any point: each time it does what is left to do.
 */

import type { Batch } from '../domain/batches/batch.ts';
import { batchLabel } from '../domain/batches/batch.ts';
import type { Money } from '../domain/money/money.ts';
import { type Command, command } from '../domain/next-steps/command.ts';
import { freeRedoName } from '../domain/next-steps/pay-again.ts';
import type { BatchId } from '../domain/payouts/instruction.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import type { RowIssues } from '../domain/rows/row.ts';
import { plusMs } from '../domain/timestamp.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { OpenRows } from '../ports/row-source.ts';
import { consentFor } from './approve/ask-consent.ts';
import { type PlanToSee, planOf, planToSee } from './approve/plan-of-batch.ts';
import { askRepeats, type RepeatAnswer } from './decide/repeats.ts';
import { knownBatch } from './find-batch.ts';
import { isTakenIn } from './intake/batch-name.ts';
import { requireSameFile } from './intake/half-read.ts';
import { type PlacedFile, type PlaceRequest, placeFile } from './intake/place-file.ts';
import { type Ports, tellStage, withLease } from './ports.ts';
import { type Priced, pricePayouts } from './price/price-payouts.ts';
import { paidAgainCounts, paidAgainIn } from './report/paid-again.ts';
import { type Consent, type NobodyAgreed, type Run, type RunOptions, runBatch } from './run-batch.ts';
import {
  canceled,
  endOfRun,
  type FileAgain,
  finishedBefore,
  hasMoved,
  type NoWork,
  type OpenQuestion,
  openQuestion,
  type RunEnd,
  refused,
  sameFile,
} from './run-end.ts';
import { withStages } from './run-stages.ts';
import { recoverBatch } from './send/recover-batch.ts';
import { type Sending, whileSending } from './work-of-error.ts';

export interface FileRequest extends PlaceRequest {
  readonly skipInvalid: boolean;
}

interface RunRequest extends FileRequest {
  /** Agrees to a plan, or says why not; undefined: asks, with what the caller said before. */
  readonly consent?: Consent | undefined;
  /** Agrees to sandbox payments; ignored with a live service. */
  readonly yes?: boolean | undefined;
  readonly ceilings?: readonly Money[] | undefined;
  readonly maxDebits?: readonly Money[] | undefined;
  readonly canary?: number | undefined;
  /** How long transfers may take to become final. */
  readonly deadlineMs: number;
}

/** Why a run is refused as it is asked for. */
type NotRunnable = 'yes_for_real_money' | 'no_name';

interface Asked {
  readonly environment: 'live' | 'sandbox';
  readonly yes?: boolean | undefined;
  readonly batch?: string | undefined;
  readonly ask?: unknown;
}

/** Real money needs an agreement to its total, and without a person to ask a live batch needs its name. */
export function whyNotRunnable({ environment, yes, batch, ask }: Asked): NotRunnable | undefined {
  if (environment === 'sandbox') return undefined;
  if (yes === true) return 'yes_for_real_money';
  return batch === undefined && ask === undefined ? 'no_name' : undefined;
}

interface Begun {
  readonly file: PlacedFile;
  /** What the file is, or what it was found to repeat. */
  readonly batch: Batch;
  /** undefined: there is nothing to work on. */
  readonly answer: RepeatAnswer | undefined;
}

async function begin(openRows: OpenRows, request: FileRequest, ports: Ports): Promise<Begun> {
  const file = await placeFile(openRows, request, ports);
  const { placed, imported } = file;
  const { batch } = placed;
  if (placed.kind !== 'new' && placed.kind !== 'revision') return { file, batch, answer: undefined };
  request.onProgress?.({ kind: 'placed', imported, placed });
  const said = request.repeats ?? file.repeats;
  const { ask, holder } = request;
  const question = { batch, rows: imported.rows, overlaps: placed.overlaps, said, by: holder.user, ask };
  return { file, batch, answer: await askRepeats(question, ports) };
}

async function noWork({ placed }: PlacedFile, batch: Batch, ledger: Ledger): Promise<NoWork> {
  if (placed.kind === 'refused') return refused(placed, await freeRedoName(placed.batch, isTakenIn(ledger)));
  if (placed.kind === 'canceled') return canceled();
  if (placed.kind === 'same_file') return sameFile(await knownBatch(batch, ledger));
  const { paid } = paidAgainCounts(await paidAgainIn(batch.id, ledger));
  return finishedBefore(await ledger.counts(batch.id), paid);
}

export interface FileRun extends PlacedFile {
  /** The batch that was worked on; of a file that was paid before, the earlier one. */
  readonly batch: Batch;
  readonly answer: RepeatAnswer | undefined;
  readonly run: Run | undefined;
  /** The plan that somebody agreed to, or was asked to. */
  readonly seen: PlanToSee | undefined;
  /** The rows that stopped it, where invalid ones did. */
  readonly invalidRows: readonly RowIssues[];
  readonly end: RunEnd | NoWork;
}

export async function runFile(openRows: OpenRows, request: RunRequest, given: Ports): Promise<FileRun> {
  return whileSending(given, async (sending) => runPlaced(openRows, request, sending));
}

async function runPlaced(
  openRows: OpenRows,
  request: RunRequest,
  { ports, on, begun: countBegun }: Sending,
): Promise<FileRun> {
  const { file, answer, ...begun } = await begin(openRows, request, ports);
  const batch = answer?.kind === 'show_report' ? answer.of : begun.batch;
  const none = { ...file, batch, answer, run: undefined, seen: undefined, invalidRows: [] };
  if (answer === undefined || answer.kind === 'show_report')
    return { ...none, end: await noWork(file, batch, ports.ledger) };
  await on(batch);
  let seen: PlanToSee | undefined;
  const consent: Consent = async (plan, now) => {
    // Stopped meanwhile: nobody waits for an answer any more.
    request.signal?.throwIfAborted();
    const { amountStyle } = file.imported;
    seen = await planToSee(plan, now, ports, { amountStyle });
    request.signal?.throwIfAborted();
    request.onProgress?.({ kind: 'plan', seen });
    return consentOf(request, ports)(plan, now);
  };
  const options = { ...optionsOf(request, answer, ports), consent: unanswered(answer) ?? consent };
  const ran = await withStages(batch, ports, options, async (stages) => {
    requireSameFile(batch, await ports.ledger.batch(batch.id));
    return runBatch(batch.id, ports, { ...options, stages });
  });
  const run = { ...ran, notAgreed: ran.notAgreed ?? tooEarly(answer) };
  const moved = { isMoved: await hasMoved(batch.id, ports.ledger), begun: await countBegun() };
  const { environment } = ports.ledger.identity;
  const plan = seen?.plan ?? run.plan;
  const end = endOfRun(batch, run, { answer, moved, signal: request.signal, environment, plan });
  const invalidRows = end.kind === 'invalid_rows' ? await invalidRowsOf(batch.id, ports.ledger) : [];
  return { ...file, batch, answer, run, seen, invalidRows, end };
}

function consentOf(request: RunRequest, ports: Ports): Consent {
  if (request.consent !== undefined) return request.consent;
  const { holder, yes, ceilings, ask, signal } = request;
  // A bound on what is taken does not say which payments are agreed to.
  return consentFor({ by: holder.user, yes, hasCeilings: ceilings !== undefined, ask, signal }, ports);
}

/** While nobody has said what most of the rows repeat, nobody is asked to agree to the others. */
function unanswered(answer: RepeatAnswer): Consent | undefined {
  const { kind } = answer;
  if (kind === 'open')
    return async () => ({ kind: 'not_agreed', why: 'repeats_open', reason: 'Most rows repeat a batch.' });
  const early = tooEarly(answer);
  if (early !== undefined) return async () => early;
  if (kind === 'canceled')
    return async () => ({ kind: 'not_agreed', why: 'canceled', reason: 'Stopped as you said.' });
  return undefined;
}

/** If the file is the other batch, this goes on with it. */
function underItsName(verb: 'run' | 'plan', of: Batch): Command {
  return command(verb, [{ fillIn: 'FILE' }], [['--batch', batchLabel(of)]]);
}

/** The rows that repeat the other batch are held, and nobody is asked about the rest. */
function tooEarly(answer: RepeatAnswer): NobodyAgreed | undefined {
  if (answer.kind !== 'too_early') return undefined;
  return { kind: 'not_agreed', why: 'too_early', reason: answer.why, next: underItsName('run', answer.of) };
}

function optionsOf(request: RunRequest, answer: RepeatAnswer, { clock }: Ports): Omit<RunOptions, 'consent'> {
  const { skipInvalid, canary, ceilings, maxDebits, signal, holder, deadlineMs } = request;
  const newPeriod = answer.kind === 'released' ? answer.newPeriod : undefined;
  const deadline = () => plusMs(clock.now(), deadlineMs);
  return { skipInvalid, canary, holder, ceilings, maxDebits, deadline, signal, newPeriod };
}

export interface PlannedBatch {
  readonly batchId: BatchId;
  readonly plan: PlanToSee['plan'];
  readonly priced: Priced;
}

export interface FilePlan extends PlacedFile {
  readonly batch: Batch;
  readonly answer: RepeatAnswer | undefined;
  readonly plan: PlannedBatch | undefined;
  readonly seen: PlanToSee | undefined;
  readonly invalidRows: readonly RowIssues[];
  readonly end: NoWork | PlanEnd;
}

/** What a plan waits for first, and what to do about it. */
export interface PlanEnd {
  readonly kind: 'unpriced' | 'invalid_rows' | 'repeats_open' | 'too_early' | 'planned';
  /** A sentence, where the plan alone does not say why. */
  readonly reason?: string | undefined;
  readonly exitCode: ExitCode;
  /** The word for programs. */
  readonly outcome: 'unpriced' | 'invalid_rows' | 'planned';
  readonly next?: Command | undefined;
  readonly andThen?: Command | undefined;
  /** What to do with the same file again. */
  readonly again?: FileAgain | undefined;
  readonly question?: OpenQuestion | undefined;
}

export async function planFile(openRows: OpenRows, request: FileRequest, ports: Ports): Promise<FilePlan> {
  const { file, answer, batch: placed } = await begin(openRows, request, ports);
  if (answer === undefined) {
    const end = await noWork(file, placed, ports.ledger);
    const none = { plan: undefined, seen: undefined, invalidRows: [] };
    return { ...file, batch: placed, answer, ...none, end };
  }
  const { id } = placed;
  const { signal, holder } = request;
  const newPeriod = answer.kind === 'released' ? answer.newPeriod : undefined;
  const priced = await withLease(id, holder, ports, async () => {
    requireSameFile(placed, await ports.ledger.batch(id));
    await recoverBatch(id, holder, ports);
    await tellStage('price', id, ports);
    return pricePayouts(id, ports, { signal, newPeriod });
  });
  signal?.throwIfAborted();
  const plan = await planOf(id, ports);
  const batch = (await ports.ledger.batch(id)) ?? placed;
  const seen = await planToSee(plan, batch, ports, { amountStyle: file.imported.amountStyle });
  const invalidRows = await invalidRowsOf(id, ports.ledger);
  const planned = { batchId: id, plan, priced };
  const end = await planEnd(batch, planned, { answer, request, ledger: ports.ledger });
  return { ...file, batch, answer, plan: planned, seen, invalidRows, end };
}

interface PlanEnding {
  readonly answer: RepeatAnswer;
  readonly request: FileRequest;
  readonly ledger: Ledger;
}

async function planEnd(
  batch: Batch,
  { plan, priced }: PlannedBatch,
  { answer, request, ledger }: PlanEnding,
): Promise<PlanEnd> {
  const { invalid = 0, quoted = 0 } = plan.counts;
  const label = batchLabel(batch);
  if (priced.unpriced > 0) {
    const kind = 'unpriced';
    return { kind, outcome: kind, exitCode: EXIT.serviceUnavailable, again: { isMended: false, flags: [] } };
  }
  if (invalid > 0 && !request.skipInvalid) {
    const kind = 'invalid_rows';
    return { kind, outcome: kind, exitCode: EXIT.badFile, again: { isMended: true, flags: [] } };
  }
  const made = { kind: 'planned', outcome: 'planned', exitCode: EXIT.done } as const;
  // Only the rows in question are held; the plan is made.
  if (answer.kind === 'too_early') {
    const next = underItsName('plan', answer.of);
    return { ...made, kind: 'too_early', exitCode: EXIT.needsPerson, reason: answer.why, next };
  }
  if (answer.kind === 'open')
    return { ...made, kind: 'repeats_open', question: openQuestion(answer.repeats) };
  if (quoted > 0) return { ...made, next: command('approve', [label]) };
  const held = await ledger.page(batch.id, { statuses: ['held'], after: undefined, limit: 1 });
  const row = held.payouts[0]?.rowNumber;
  if (row === undefined) return { ...made, next: command('send', [label]) };
  const andThen = command('release', [label, row], [['--reason', { fillIn: 'TEXT' }]]);
  return { ...made, next: command('explain', [label, row]), andThen };
}

const ROWS_MAX = 100_000;

/** The rows of a batch that cannot be paid as written, with their issues, in file order. */
async function invalidRowsOf(batchId: BatchId, ledger: Ledger): Promise<RowIssues[]> {
  const rows: RowIssues[] = [];
  for await (const page of ledger.payouts(batchId, { statuses: ['invalid'] })) {
    for (const { rowNumber, state } of page)
      if (state.status === 'invalid') rows.push({ rowNumber, issues: state.issues });
    if (rows.length >= ROWS_MAX) return rows;
  }
  return rows;
}
