/**
 * Approval: a person, or a rule that a person set, agrees to exactly the payments that wait for it.
 *
 * The caller holds the batch's lease from comparing the digest to the last row. Even if the lease is lost on the way, a
 * row that somebody changed or added since is not approved.
 */
import type { Approval } from '../../domain/batches/batch.ts';
import type { BatchId, Digest, PayoutId } from '../../domain/payouts/instruction.ts';
import { tagOf } from '../../domain/payouts/narration.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { mayFollow } from '../../domain/payouts/payout-machine.ts';
import type { OverLimit } from '../../domain/plan/limits.ts';
import type { PlanDrift } from '../../domain/plan/plan-drift.ts';
import type { SamePerson } from '../../domain/plan/typed-totals.ts';
import type { Recorded } from '../../ports/ledger/moves.ts';
import type { Decision } from '../decide/release-held.ts';
import { reasonOfSameRow } from '../decide/same-row.ts';
import { requireWholeFile } from '../intake/half-read.ts';
import type { PasskeyRefused, ProveApproval } from '../people/sign-approval.ts';
import type { OfflinePorts } from '../ports.ts';
import { recordEvent, recordEvents } from '../record-event.ts';
import { whyNotApprove } from './four-eyes.ts';
import { holdOverLimit, overLimitOf, withApprovalLock } from './hold-over-limit.ts';
import { keepRules, needsPasskey } from './lasting-rules.ts';
import { isSameDigest, planChangesSince, planOf } from './plan-of-batch.ts';

export interface ApproveOptions {
  readonly by: string;
  readonly how: Approval['how'];
  /** The digest that the person saw; undefined only where plan and approval are one step. */
  readonly digest: string | undefined;
  /** Rows that leave the plan with this approval; the digest is that of the plan without them. */
  readonly withdraw?: Withdrawal | undefined;
  /** Proves with a passkey that the person agreed to this plan; undefined: the person gave none. */
  readonly prove?: ProveApproval | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Withdrawal {
  readonly payouts: readonly PayoutId[];
  readonly reason: string;
}

export type Approved =
  | (ApprovedRows & {
      readonly kind: 'approved';
      readonly digest: Digest;
      readonly withdrawn: readonly number[];
    })
  | { readonly kind: 'nothing_to_approve'; readonly withdrawn: readonly number[] }
  | OverLimit
  /** The plan is not the one that the person saw. `drift`: what changed; undefined when nobody was shown such a plan. */
  | { readonly kind: 'changed'; readonly digest: Digest; readonly drift: PlanDrift | undefined }
  /** Four eyes: the approver made the plan, or a part of it: brought rows or asked to pay some again. */
  | SamePerson
  /** The batch is approved with a passkey, and none was given. */
  | { readonly kind: 'passkey_missing' }
  | PasskeyRefused;

export async function approveBatch(
  batchId: BatchId,
  options: ApproveOptions,
  ports: OfflinePorts,
): Promise<Approved> {
  const batch = await ports.ledger.batch(batchId);
  requireWholeFile(batch);
  const samePerson = batch && (await whyNotApprove(batch, options.by, ports));
  if (samePerson !== undefined) return samePerson;
  await keepRules(batchId, options.by, ports);
  await holdOverLimit(batchId, ports);
  return withApprovalLock(options, ports, (signal) => approvePlan(batchId, { ...options, signal }, ports));
}

async function approvePlan(
  batchId: BatchId,
  options: ApproveOptions,
  ports: OfflinePorts,
): Promise<Approved> {
  const { ledger, clock } = ports;
  const { by, how, digest, signal, withdraw, prove } = options;
  // Taken first: rows that change while the plan is summed up are not part of it.
  const unchangedSince = await ledger.lastEntry();
  const leaving = await leavingOf(withdraw, ports);
  const plan = await planOf(batchId, ports, new Set(leaving?.map(({ id }) => id)));
  const count = plan.counts.quoted ?? 0;
  if (count === 0 && withdraw === undefined) return { kind: 'nothing_to_approve', withdrawn: [] };
  const changed = async () => {
    const drift = digest === undefined ? undefined : await planChangesSince(batchId, digest, ports);
    return { kind: 'changed', digest: plan.digest, drift } as const;
  };
  if (leaving === undefined || (digest !== undefined && !isSameDigest(plan.digest, digest))) return changed();
  const over = await overLimitOf(plan, ports);
  if (over !== undefined) return over;
  if (prove === undefined && (await needsPasskey(batchId, ports))) return { kind: 'passkey_missing' };
  const proven = await prove?.(batchId, plan, by);
  if (proven?.kind === 'changed') return changed();
  if (proven?.kind === 'passkey_refused') return proven;
  const batch = await ledger.batch(batchId);
  const samePerson = batch && (await whyNotApprove(batch, by, ports, proven?.proof.credentialId));
  if (samePerson !== undefined) return samePerson;
  const withdrawn = await withdrawRows(leaving, { by, reason: withdraw?.reason ?? '' }, ports);
  if (count === 0) return { kind: 'nothing_to_approve', withdrawn };
  const approval = { digest: plan.digest, by, at: clock.now(), how, count };
  await ledger.recordApproval(batchId, approval, proven?.proof);
  const rows = await approveRows(batchId, { by, unchangedSince, signal }, ports);
  return { kind: 'approved', ...rows, digest: plan.digest, withdrawn };
}

/** The rows to withdraw as they stand now; undefined when one of them cannot be withdrawn any more. */
async function leavingOf(
  withdraw: Withdrawal | undefined,
  { ledger }: OfflinePorts,
): Promise<readonly Payout[] | undefined> {
  const leaving: Payout[] = [];
  for (const id of withdraw?.payouts ?? []) {
    const payout = await ledger.payout(id);
    if (payout === undefined || !mayFollow(payout.state, 'cancel')) return undefined;
    leaving.push(payout);
  }
  return leaving;
}

async function withdrawRows(
  leaving: readonly Payout[],
  decision: Decision,
  ports: OfflinePorts,
): Promise<readonly number[]> {
  const done: number[] = [];
  for (const payout of leaving) {
    const event = { kind: 'cancel', ...decision, at: ports.clock.now() } as const;
    const recorded = await recordEvent(payout, event, ports);
    if (recorded.kind === 'recorded') done.push(payout.rowNumber);
  }
  return done;
}

/**
 * The rows of an approval: each one that waits and is as it was when the plan was made becomes approved. Rows changed or
 * added since then are skipped and listed, because nobody has seen them. A row that must not go out beside another
 * instruction of the same row is held.
 */

interface Agreement {
  readonly by: string;
  /** Where the journal ended before the plan was made. */
  readonly unchangedSince: number;
  readonly signal?: AbortSignal | undefined;
}

interface ApprovedRows {
  readonly count: number;
  /** The first rows that now wait for a person, because another instruction of the same row may still be paid. */
  readonly held: readonly Payout[];
  /** Rows that wait for approval and were not approved, because they changed or were added after the plan was made. */
  readonly unseen: { readonly count: number; readonly rows: readonly number[] };
}

const TAG_SALTS_MAX = 20;
const SHOWN_MAX = 20;

export async function approveRows(
  batchId: BatchId,
  agreement: Agreement,
  ports: OfflinePorts,
): Promise<ApprovedRows> {
  const done: Done = { count: 0, held: [], unseen: { count: 0, rows: [] } };
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['quoted'] })) {
    agreement.signal?.throwIfAborted();
    await approvePage(page, { agreement, done }, ports);
  }
  return done;
}

interface Done {
  count: number;
  readonly held: Payout[];
  readonly unseen: { count: number; readonly rows: number[] };
}

async function approvePage(
  page: readonly Payout[],
  { agreement, done }: { readonly agreement: Agreement; readonly done: Done },
  ports: OfflinePorts,
): Promise<void> {
  const { by, unchangedSince } = agreement;
  const at = ports.clock.now();
  const event = (payout: Payout, salt: number) =>
    ({ kind: 'approve', tag: tagOf(ports.ledger.identity.id, payout.id, salt), by, at }) as const;
  const changes = page.map((payout) => ({ payout, event: event(payout, 0) }));
  const results = await recordEvents(changes, ports, { unchangedSince });
  for (const [index, { payout }] of changes.entries()) {
    let recorded = results[index];
    for (let salt = 1; recorded !== undefined && isTagTaken(recorded) && salt < TAG_SALTS_MAX; salt += 1)
      recorded = await recordEvent(payout, event(payout, salt), ports, { unchangedSince });
    if (recorded?.kind === 'recorded') done.count += 1;
    if (recorded?.kind === 'stale') addUnseen(done, payout.rowNumber);
    if (recorded?.kind !== 'taken' || recorded.what !== 'root') continue;
    const held = await holdSameRow(payout, recorded, ports);
    if (held.kind === 'recorded' && done.held.length < SHOWN_MAX) done.held.push(held.payout);
  }
}

function addUnseen({ unseen }: Done, rowNumber: number): void {
  unseen.count += 1;
  if (unseen.rows.length < SHOWN_MAX) unseen.rows.push(rowNumber);
}

function isTagTaken(recorded: Recorded): boolean {
  return recorded.kind === 'taken' && recorded.what === 'tag';
}

async function holdSameRow(
  payout: Payout,
  { by }: Extract<Recorded, { kind: 'taken' }>,
  ports: OfflinePorts,
): Promise<Recorded> {
  const reasons = [await reasonOfSameRow(by, ports)];
  const pricing = 'pricing' in payout.state ? payout.state.pricing : undefined;
  return recordEvent(payout, { kind: 'hold', reasons, pricing, at: ports.clock.now() }, ports);
}
