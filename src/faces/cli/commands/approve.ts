/**
 * `payfile approve BATCH`: a person agrees to exactly this plan. On a terminal by typing the total, elsewhere
 * by naming the plan's digest. The batch is held from comparing the plan to the last row; not while a person thinks.
 *
 * --json: see show/approval.ts.
 */

import { type Batch, batchLabel } from '../../../domain/batches/batch.ts';
import type { BatchChanges } from '../../../domain/batches/batch-changes.ts';
import type { Plan } from '../../../domain/plan/plan.ts';
import type { PlanMove } from '../../../domain/plan/plan-drift.ts';
import { command, type Flag } from '../../../domain/steps/command.ts';
import { rowsText } from '../../../domain/text/printable.ts';
import { type Approved, approveBatch } from '../../../use-cases/approve/approve-batch.ts';
import { mayNotApprove } from '../../../use-cases/approve/four-eyes.ts';
import { driftSince, isSameDigest, planOf, rememberPlanSeen } from '../../../use-cases/approve/plan.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { isToReadAnew } from '../../../use-cases/price/read-anew.ts';
import { orBusy, withLease } from '../../../use-cases/world.ts';
import { argument, type Call, leaseHolder, UsageError, userName } from '../call.ts';
import { typesTotals } from '../consent.ts';
import {
  priceReadAnew,
  type RowDecisions,
  releaseAndPrice,
  rowDecisions,
  rowFlags,
} from '../decide-at-approval.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { showApproval } from '../show/approval.ts';
import { invalidSumsOf } from '../show/placed.ts';
import { alikeFor, changesFor, printPlan } from '../show/plan.ts';
import { mayAsk } from '../terminal/ask.ts';

interface Approving {
  readonly call: Call;
  readonly opened: Opened;
  readonly world: Awaited<ReturnType<Opened['quietWorld']>>;
  readonly batch: Batch;
}

interface Ended {
  readonly result: Approved;
  readonly plan: Plan;
  readonly changes: BatchChanges | undefined;
  readonly released: readonly number[];
}

export async function approve(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const world = await opened.quietWorld();
  const batch = await findBatch(argument(call, 0), world.ledger);
  const approving = { call, opened, world, batch };
  if (await isToReadAnew(batch.id, world)) await underLease(approving, () => priceReadAnew(batch, approving));
  const ended = await endedBy(approving);
  opened.progress.clear();
  if (ended === undefined) {
    call.terminal.talk('You did not agree; nothing was approved or withdrawn.');
    return EXIT.needsPerson;
  }
  const { environment } = world.ledger.identity;
  return showApproval(ended.result, { ...ended, batch, call, environment });
}

/** undefined when the person did not agree. */
async function endedBy(approving: Approving): Promise<Ended | undefined> {
  const { call, batch, world } = approving;
  const { digest, release = [], withdraw = [] } = call.flags;
  if (await mayNotApprove(batch, userName(call), world))
    return underLease(approving, () => asItStands(approving));
  const hasDecisions = release.length + withdraw.length > 0;
  if (!hasDecisions && (await world.ledger.counts(batch.id)).quoted === 0) return nothingWaits(approving);
  return digest === undefined ? byTypedTotal(approving) : byDigest(digest, approving);
}

/** Needs no lease: a run that goes on must not make it an error. */
async function nothingWaits(approving: Approving): Promise<Ended> {
  const plan = await planOf(approving.batch.id, approving.world);
  const changes = await showPlan(plan, approving, undefined);
  return { result: { kind: 'nothing_to_approve', withdrawn: [] }, plan, changes, released: [] };
}

async function asItStands(approving: Approving): Promise<Ended> {
  const plan = await planOf(approving.batch.id, approving.world);
  const changes = await showPlan(plan, approving, undefined);
  const { digest } = approving.call.flags;
  return { result: await agree(digest, approving, undefined), plan, changes, released: [] };
}

/**
 * The digest is that of the plan which was seen before; it is agreed to what comes of it, if nothing but the decisions of
 * this call changed it. Where it is another plan nothing is decided, and the approval says what changed.
 */
function byDigest(asked: string, approving: Approving): Promise<Ended> {
  const { call, opened, batch, world } = approving;
  return underLease(approving, async () => {
    const seen = await planOf(batch.id, world);
    const decisions = isSameDigest(seen.digest, asked) ? await rowDecisions(batch, call, opened) : undefined;
    if (decisions === undefined) return asItStands(approving);
    await rememberPlanSeen(batch.id, seen, world);
    const released = await releaseAndPrice(batch, decisions, approving);
    const plan = await planOf(batch.id, world, leavingIn(decisions));
    const changes = await showPlan(plan, approving, decisions);
    const drift = await driftSince(batch.id, seen.digest, world);
    const isOwn =
      drift === undefined || (drift.more === 0 && drift.moves.every((move) => isRelease(move, released)));
    const result = await agree(isOwn ? plan.digest : asked, approving, decisions);
    return { result, plan, changes, released };
  });
}

/** The plan is shown as it will be. undefined when the person did not agree. */
async function byTypedTotal(approving: Approving): Promise<Ended | undefined> {
  const { call, opened, batch, world } = approving;
  const decisions = await rowDecisions(batch, call, opened);
  if (decisions !== undefined && !mayAsk(call)) throw digestMissing(batch, call);
  const released =
    decisions === undefined || decisions.release.length === 0
      ? []
      : await underLease(approving, () => releaseAndPrice(batch, decisions, approving));
  const plan = await planOf(batch.id, world, leavingIn(decisions));
  const changes = await showPlan(plan, approving, decisions);
  if ((plan.counts.quoted ?? 0) > 0) {
    if (!mayAsk(call)) throw digestMissing(batch, call);
    if (!(await typesTotals(plan, 'approve', call))) return undefined;
  }
  const result = await underLease(approving, () => agree(plan.digest, approving, decisions));
  return { result, plan, changes, released };
}

async function underLease<Result>(
  { call, batch, world }: Approving,
  work: () => Promise<Result>,
): Promise<Result> {
  return orBusy<Result>(await withLease(batch.id, leaseHolder(call), world, work));
}

async function agree(
  digest: string | undefined,
  { call, batch, world }: Approving,
  decisions: RowDecisions | undefined,
): Promise<Approved> {
  const withdraw =
    decisions === undefined || decisions.withdraw.length === 0
      ? undefined
      : { payouts: decisions.withdraw.map(({ id }) => id), reason: decisions.reason };
  const { signal } = call.stopping;
  const options = { by: userName(call), how: 'approve_command' as const, digest, withdraw, signal };
  return approveBatch(batch.id, options, world);
}

/** Shows it, and keeps that it was shown. */
async function showPlan(
  plan: Plan,
  { call, opened, world, batch }: Approving,
  decisions: RowDecisions | undefined,
): Promise<BatchChanges | undefined> {
  const { terminal } = call;
  const invalidSums = await invalidSumsOf(plan, batch, opened);
  const { environment } = world.ledger.identity;
  const changes = await changesFor(plan, batch, world);
  const allChanges = call.flags.changes === true;
  const rows = decisions?.withdraw.map(({ rowNumber }) => rowNumber) ?? [];
  if (rows.length > 0)
    terminal.talk(
      `The plan without what is withdrawn when you agree: ${rowsText(rows.length)} (${rows.join(', ')}).`,
    );
  const alike = await alikeFor(plan, batch, world);
  terminal.result(printPlan({ plan, batch, environment, invalidSums, changes, alike, allChanges }, terminal));
  await rememberPlanSeen(batch.id, plan, world);
  return changes;
}

function leavingIn(decisions: RowDecisions | undefined) {
  return new Set(decisions?.withdraw.map(({ id }) => id));
}

function isRelease({ payout, before }: PlanMove, released: readonly number[]): boolean {
  return before === undefined && released.includes(payout.rowNumber);
}

function digestMissing(batch: Batch, call: Call): UsageError {
  const { flags } = call;
  const label = batchLabel(batch);
  const rows = rowFlags({ flags: { ...flags, digest: 'DIGEST' } });
  const reason: readonly Flag[] = flags.reason === undefined ? [] : [['--reason', flags.reason]];
  return new UsageError(
    'Without a terminal say which plan you agree to: --digest, as the plan and the status of the batch show it.',
    command('status', [label]),
    command('approve', [label], [...rows, ...reason]),
  );
}
