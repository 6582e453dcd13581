/**
 * Approval: a person, or a rule that a person set, agrees to exactly the payments that wait for it.
 *
 * The caller holds the batch's lease from comparing the digest to the last row. Even if the lease is lost on the way, a
 * row that somebody changed or added since is not approved.
 */
import type { Approval } from '../../domain/batches/batch.ts';
import { MoneySums } from '../../domain/money/money.ts';
import type { BatchId, Digest, PayoutId } from '../../domain/payouts/instruction.ts';
import { tagOf } from '../../domain/payouts/narration.ts';
import type { HoldReason } from '../../domain/payouts/payout.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import { repeatWindow } from '../../domain/payouts/repeat.ts';
import type { OverLimit } from '../../domain/plan/limits.ts';
import type { PlanChanges } from '../../domain/plan/plan-changes.ts';
import { areTotalsOf, type SamePerson } from '../../domain/plan/typed-totals.ts';
import type { Recorded } from '../../ports/ledger/moves.ts';
import { reasonOfSameRow } from '../decide/relatives.ts';
import { requireWholeFile } from '../intake/half-read.ts';
import type { PasskeyRefused, ProveApproval } from '../people/sign-approval.ts';
import type { OfflinePorts } from '../ports.ts';
import { setBaseline } from '../price/baseline.ts';
import { comparedRows, holdConcerned } from '../price/hold-concerned.ts';
import { recordEvent, recordEvents } from '../record-event.ts';
import { whyNotApprove } from './four-eyes.ts';
import { keepRules, needsPasskey } from './lasting-rules.ts';
import { overLimitOf, withApprovalLock } from './over-limit.ts';
import { isSameDigest, narrationIn, planChangesSince, planWithLeaves } from './plan-of-batch.ts';

export interface ApproveOptions {
  readonly by: string;
  readonly how: Approval['how'];
  /** The digest that the person saw; undefined only where plan and approval are one step. */
  readonly digest: string | undefined;
  /** As a person typed them, in the order of `totalsToType`. Nothing is approved unless they equal the plan's totals. */
  readonly totals?: readonly string[] | undefined;
  /** Proves with a passkey that the person agreed to this plan; undefined: the person gave none. */
  readonly prove?: ProveApproval | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Approved =
  | (ApprovedRows & { readonly kind: 'approved'; readonly digest: Digest })
  | { readonly kind: 'nothing_to_approve' }
  /** The person typed other totals than the plan's. */
  | { readonly kind: 'not_agreed' }
  | OverLimit
  /** The plan is not the one that the person saw. `changes`: undefined when nobody was shown such a plan. */
  | { readonly kind: 'changed'; readonly digest: Digest; readonly changes: PlanChanges | undefined }
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
  return withApprovalLock(options, ports, (signal) => approvePlan(batchId, { ...options, signal }, ports));
}

async function approvePlan(
  batchId: BatchId,
  options: ApproveOptions,
  ports: OfflinePorts,
): Promise<Approved> {
  const { ledger, clock } = ports;
  const { by, how, digest, totals, signal, prove } = options;
  // What nobody saw is not approved: a concern that came up since changes the plan.
  await holdConcerned(batchId, await comparedRows(batchId, ports), ports);
  // Taken first: rows that change while the plan is summed up are not part of it.
  const unchangedSince = await ledger.lastEntry();
  const { plan, leaves } = await planWithLeaves(batchId, ports);
  const count = plan.counts.quoted ?? 0;
  const changed = async () => {
    const changes = digest === undefined ? undefined : await planChangesSince(batchId, digest, ports);
    return { kind: 'changed', digest: plan.digest, changes } as const;
  };
  // What was approved with this digest before needs no second approval.
  const known = [plan.digest, ...(count === 0 ? [(await ledger.batch(batchId))?.approval?.digest] : [])];
  const isSeen = digest === undefined || known.some((each) => isSameDigest(each, digest));
  if (!isSeen) return changed();
  if (count === 0) return { kind: 'nothing_to_approve' };
  const over = await overLimitOf(plan, ports);
  if (over !== undefined) return over;
  if (prove === undefined && (await needsPasskey(batchId, ports))) return { kind: 'passkey_missing' };
  if (totals !== undefined && !areTotalsOf(plan, totals)) return { kind: 'not_agreed' };
  const proven = await prove?.(batchId, plan, by);
  if (proven?.kind === 'changed') return changed();
  if (proven?.kind === 'passkey_refused') return proven;
  const batch = await ledger.batch(batchId);
  const samePerson = batch && (await whyNotApprove(batch, by, ports, proven?.proof.credentialId));
  if (samePerson !== undefined) return samePerson;
  const sums = new MoneySums(plan.toApprove.map(({ sum }) => sum)).all();
  const debits = new MoneySums(plan.toApprove.flatMap((each) => each.debits)).all();
  const approval = { digest: plan.digest, by, at: clock.now(), how, count, sums, debits };
  if (!WITHOUT_PERSON.includes(how)) await setBaseline(batchId, ports);
  await ledger.recordApproval(batchId, approval, proven?.proof);
  const rows = await approveRows(batchId, { by, unchangedSince, leaves, signal }, ports);
  return { kind: 'approved', ...rows, digest: plan.digest };
}

/** Nobody saw these plans, so they move no baseline. */
const WITHOUT_PERSON: readonly Approval['how'][] = ['ceiling', 'sandbox_yes'];

/**
 * The rows of an approval: each one that waits and is as it was when the plan was made becomes approved. Rows changed or
 * added since then are skipped and listed, because nobody has seen them. A row that must not go out beside another
 * instruction of the same row is held.
 */

interface Agreement {
  readonly by: string;
  /** Where the journal ended before the plan was made. */
  readonly unchangedSince: number;
  /** Hashes of what the plan shows of each row. Exactly this is approved, also if the row changed since. */
  readonly leaves: ReadonlyMap<PayoutId, string>;
  readonly signal?: AbortSignal | undefined;
}

interface ApprovedRows {
  readonly count: number;
  /** The first rows that now wait for a person, because another instruction of the same row may still be paid. */
  readonly held: readonly Payout[];
  /** Rows that wait for approval and were not approved, because they changed or were added after the plan was made. */
  readonly unseen: { readonly count: number; readonly rows: readonly number[] };
}

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
  const { by, unchangedSince, leaves } = agreement;
  const { ledger, clock, policy } = ports;
  const at = clock.now();
  const rules = { repeatWindow: repeatWindow(at, policy), narration: narrationIn(ports) };
  const changes = page.flatMap((payout) => {
    if (!isIn(payout, 'quoted')) return [];
    const leaf = leaves.get(payout.id);
    if (leaf === undefined) {
      addUnseen(done, payout.rowNumber);
      return [];
    }
    const tag = tagOf(ledger.identity.id, payout.id);
    return [{ payout, event: { kind: 'approve', tag, leaf, by, at } as const }];
  });
  const results = await recordEvents(changes, ports, { unchangedSince, rules });
  for (const [index, { payout }] of changes.entries()) {
    const recorded = results[index];
    if (recorded?.kind === 'recorded') done.count += 1;
    if (recorded?.kind === 'stale') addUnseen(done, payout.rowNumber);
    const reasons = recorded && (await whyHeld(recorded, ports));
    if (reasons === undefined) continue;
    const event = { kind: 'hold', reasons, pricing: payout.state.pricing, at: clock.now() } as const;
    const held = await recordEvent(payout, event, ports);
    if (held.kind === 'recorded' && done.held.length < SHOWN_MAX) done.held.push(held.payout);
  }
}

function addUnseen({ unseen }: Done, rowNumber: number): void {
  unseen.count += 1;
  if (unseen.rows.length < SHOWN_MAX) unseen.rows.push(rowNumber);
}

/** Another approval came between the look at all rows and the commit of this one. */
async function whyHeld(recorded: Recorded, ports: OfflinePorts): Promise<readonly HoldReason[] | undefined> {
  if (recorded.kind === 'objection' && recorded.objection.kind === 'concerns')
    return recorded.objection.reasons;
  if (recorded.kind !== 'taken' || recorded.what !== 'root' || recorded.by === undefined) return undefined;
  return [await reasonOfSameRow(recorded.by, ports)];
}
