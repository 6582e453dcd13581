/**
 * `payfile run FILE`: read, price, agree, send, settle, report. Safe to run again: each time it does what is
 * left to do.
 */

import { type Batch, batchLabel, type StatusCounts } from '../../../domain/batches/batch.ts';
import type { BatchChanges } from '../../../domain/batches/batch-changes.ts';
import { styleJson } from '../../../domain/money/amount-style.ts';
import type { BatchId } from '../../../domain/payouts/instruction.ts';
import { STATUS_WORDS } from '../../../domain/reporting/status-words.ts';
import { command } from '../../../domain/steps/command.ts';
import { countText } from '../../../domain/text/printable.ts';
import { plusMs } from '../../../domain/timestamp.ts';
import { mayNotApprove } from '../../../use-cases/approve/four-eyes.ts';
import { rememberPlanSeen } from '../../../use-cases/approve/plan.ts';
import type { Imported } from '../../../use-cases/intake/import-file.ts';
import { type Run, runBatch } from '../../../use-cases/run-batch.ts';
import { orBusy, type World, withLease } from '../../../use-cases/world.ts';
import { askRepeats, type RepeatAnswer } from '../ask-repeats.ts';
import { type Call, leaseHolder, typed, userName } from '../call.ts';
import { consentFor } from '../consent.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { endAfterFailure, hasMoved } from '../failure.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { type PlacedFile, placeFile } from '../place-file.ts';
import { endOfRun } from '../run-end.ts';
import { checkRunUsage, openWorkingLedger, requireFile, requireService } from '../run-usage.ts';
import { showBatchEnd } from '../show/batch.ts';
import { invalidSumsOf, tellImported, tellPlaced, tellRefused } from '../show/placed.ts';
import { alikeFor, changesFor, changesJson, planJson, printPlan } from '../show/plan.ts';
import { requireReportPlaces } from '../write-reports.ts';

export const DEADLINE_MS = 15 * 60_000;

export async function run(call: Call): Promise<ExitCode> {
  checkRunUsage(call);
  const opened = await openParts(call);
  requireService(opened.settings);
  await requireReportPlaces(opened, call);
  await openWorkingLedger(call, opened);
  await requireFile(call);
  const world = await opened.world();
  const file = await placeFile(call, opened, world);
  const { placed } = file;
  if (placed.kind === 'refused') return tellRefused(placed, call, opened);
  if (placed.kind === 'canceled') {
    const sentence = 'Stopped as you said; nothing was sent.';
    return showBatchEnd(
      { batch: placed.batch, codes: [EXIT.needsPerson], isDoneBefore: true, hasTable: false, sentence },
      opened,
      call,
    );
  }
  if (placed.kind === 'finished') return finishedBefore(placed.batch, call, opened);
  tellImported(file.imported, call);
  tellPlaced(placed, call);
  const rows = file.imported.rows;
  const question = { batch: placed.batch, rows, overlaps: placed.overlaps, said: file.repeats };
  const answer = await askRepeats(question, call, world);
  if (answer.kind === 'show_report') return finishedBefore(answer.of, call, opened);
  return work(placed.batch, { call, opened, world, answer, file, seen: { changes: undefined } });
}

export interface Working {
  readonly call: Call;
  readonly opened: Opened;
  readonly world: World;
  readonly answer: RepeatAnswer;
  readonly file: PlacedFile;
  /** What was shown beside the plan, for --json. */
  readonly seen: { changes: BatchChanges | undefined };
}

async function work(batch: Batch, working: Working): Promise<ExitCode> {
  const { call, opened, world, answer } = working;
  const released = answer.kind === 'released' ? answer.of : undefined;
  try {
    const result = orBusy(
      await withLease(batch.id, leaseHolder(call), world, (leaseLost) =>
        runBatch(batch.id, world, runOptions(batch, working, { released, leaseLost })),
      ),
    );
    opened.progress.clear();
    return await finish(batch, result, working);
  } catch (error) {
    return endAfterFailure(error, { batch, world, opened, call });
  }
}

function runOptions(
  batch: Batch,
  working: Working,
  lease: { readonly released: BatchId | undefined; readonly leaseLost: AbortSignal },
) {
  const { call, opened, answer } = working;
  const { flags, terminal, stopping } = call;
  const { settings, parts, progress } = opened;
  const { environment, policy } = settings;
  const show = async (plan: Parameters<typeof printPlan>[0]['plan']) => {
    progress.clear();
    const ledger = await opened.ledger();
    const now = (await ledger.batch(batch.id)) ?? batch;
    await rememberPlanSeen(batch.id, plan, { ledger, clock: parts.clock });
    const invalidSums = await invalidSumsOf(plan, now, opened);
    const asking = { ledger, clock: parts.clock, policy };
    const changes = await changesFor(plan, now, asking);
    const alike = await alikeFor(plan, now, asking);
    working.seen.changes = changes;
    const allChanges = flags.changes === true;
    const { amountStyle } = working.file.imported;
    const shown = { plan, batch: now, environment, amountStyle, invalidSums, changes, alike, allChanges };
    terminal.result(printPlan(shown, terminal));
  };
  const isSamePerson = async (now: Batch, by: string) =>
    mayNotApprove(now, by, { ledger: await opened.ledger(), policy });
  const agree = consentFor(call, { environment, isSamePerson, show });
  return {
    consent:
      answer.kind === 'open' || answer.kind === 'canceled'
        ? async () => ({ kind: 'not_agreed' as const, reason: unanswered(answer) })
        : agree,
    skipInvalid: flags.skipInvalid === true,
    canary: flags.canary,
    by: userName(call),
    ceilings: flags.maxTotal,
    deadline: () => plusMs(parts.clock.now(), flags.deadline ?? DEADLINE_MS),
    signal: stopping.signal,
    repeatsReleased: lease.released,
    leaseLost: lease.leaseLost,
  };
}

function unanswered(answer: Extract<RepeatAnswer, { kind: 'open' | 'canceled' }>): string {
  return answer.kind === 'open' ? answer.sentence : 'Stopped as you said; the batch stays planned.';
}

async function finish(batch: Batch, result: Run, working: Working): Promise<ExitCode> {
  const { call, opened, world, answer, file } = working;
  const isMoved = await hasMoved(batch, world);
  const end = await endOfRun(batch, result, {
    call,
    opened,
    answer,
    fixFile: file.fixFile,
    isMoved,
  });
  // With the question open and nothing sent, the rows are held for that question only; after a silence they wait.
  const isDoneBefore = (answer.kind === 'open' || result.silence !== undefined) && !isMoved;
  const shown = {
    ...end,
    isDoneBefore,
    hasTable: isMoved || result.sent?.stop !== undefined || result.notAgreed === undefined,
  };
  const changes = changesJson(working.seen.changes);
  const json = { plan: planJson(result.plan), changes, file: fileJson(file.imported), ...end.json };
  return showBatchEnd({ ...shown, batch, json }, opened, call);
}

export function fileJson(imported: Imported): Readonly<Record<string, unknown>> {
  const { fileName, fileSha256, rows, invalid, blankRows, amountStyle } = imported;
  return {
    name: fileName,
    sha256: fileSha256,
    rows,
    invalid,
    blankRows,
    amountStyle: styleJson(amountStyle),
  };
}

/** The same rows as a batch in which nothing is left to do: nothing is sent, and that is success, whatever it came to. */
export async function finishedBefore(batch: Batch, call: Call, opened: Opened): Promise<ExitCode> {
  const day = new Date(batch.createdAt).toISOString().slice(0, 10);
  const label = batchLabel(batch);
  const ledger = await opened.ledger();
  const open = exceptionsText(await ledger.counts(batch.id));
  const look =
    open === undefined
      ? ''
      : ` Not all of it was paid: ${open}. See: ${typed(call, command('status', [label]))}`;
  const sentence = `Nothing to send: batch ${label} of ${day} was finished before with the same rows.${look}`;
  return showBatchEnd(
    { batch, codes: [], isDoneBefore: true, sentence, outcome: 'already_done' },
    opened,
    call,
  );
}

/** `1 failed, 2 returned`; undefined when every row was paid. */
function exceptionsText(counts: StatusCounts): string | undefined {
  const found = (['failed', 'returned', 'held', 'canceled', 'invalid'] as const).filter(
    (status) => counts[status] > 0,
  );
  if (found.length === 0) return undefined;
  return found.map((status) => `${countText(counts[status])} ${STATUS_WORDS[status].counted}`).join(', ');
}
