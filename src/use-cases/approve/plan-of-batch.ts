/**
 * The plan of a batch as it stands: what waits for approval, what it costs, what is left out, and the digest
 * that an approval is bound to.
 */

import type { Batch } from '../../domain/batches/batch.ts';
import type { BatchChanges } from '../../domain/batches/batch-changes.ts';
import type { StyleRead } from '../../domain/money/amount-style.ts';
import type { Money } from '../../domain/money/money.ts';
import type { BatchId, Digest, PayoutId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { type NameToSee, type Plan, PlanBuilder, PlanDigest } from '../../domain/plan/plan.ts';
import type { PlanDrift } from '../../domain/plan/plan-drift.ts';
import { daysMs } from '../../domain/policy.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { BroughtRevision } from '../../ports/ledger/batches.ts';
import type { AlikePayments } from '../../ports/ledger/imports.ts';
import type { Ports } from '../ports.ts';
import { invalidMoney } from '../report/invalid-money.ts';
import { changesSinceLast } from './changes-since-last.ts';
import { unpaidBefore } from './unpaid-before.ts';

const ALL_STAY: ReadonlySet<PayoutId> = new Set();

/** `leaving`: rows that are withdrawn together with the approval; the plan is what it will be without them. */
export async function planOf(
  batchId: BatchId,
  ports: Pick<Ports, 'ledger'>,
  leaving: ReadonlySet<PayoutId> = ALL_STAY,
): Promise<Plan> {
  const builder = new PlanBuilder();
  for await (const page of ports.ledger.payouts(batchId))
    for (const payout of page) {
      if (leaving.has(payout.id)) builder.addWithdrawn();
      else builder.add(payout);
    }
  const digest = new PlanDigest();
  for await (const page of ports.ledger.leaves(batchId, ['quoted']))
    for (const leaf of page) if (!leaving.has(leaf.payoutId)) digest.add(leaf);
  return builder.finish(digest.finish());
}

/**
 * Which plans were shown to somebody, kept in the journal by their digest, so that a refused approval can say what
 * changed since the plan that it names was seen.
 */

const NOTE_KIND = 'plan_seen';
const DIGEST_LETTERS_MIN = 12;

/** A plan that needs no agreement, or that was the last one noted and nothing moved since, is not noted again. */
export async function rememberPlanSeen(
  batchId: BatchId,
  plan: Plan,
  ports: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  if ((plan.counts.quoted ?? 0) === 0) return;
  if ((await digestStillSeen(batchId, ports)) === plan.digest) return;
  await ports.ledger.note(batchId, NOTE_KIND, { digest: plan.digest }, ports.clock.now());
}

/**
 * The digest of what waits for approval, where somebody was shown exactly that and no payment of the batch moved since;
 * undefined otherwise. To find it out anew, all rows have to be read.
 */
export async function digestStillSeen(
  batchId: BatchId,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<Digest | undefined> {
  const last = (await ledger.notes(batchId, NOTE_KIND)).at(-1);
  return last === undefined || (await ledger.movedSince(batchId, last.seq)) ? undefined : last.body.digest;
}

/** Enough of a digest to be sure: the first 12 characters or more. */
export function isSameDigest(digest: Digest, given: string): boolean {
  const text = given.trim().toLowerCase();
  return text.length >= DIGEST_LETTERS_MIN && digest.startsWith(text);
}

/** undefined when no plan of this digest was ever shown. */
export async function planChangesSince(
  batchId: BatchId,
  digest: string,
  ports: Pick<Ports, 'ledger'>,
): Promise<PlanDrift | undefined> {
  const notes = await ports.ledger.notes(batchId, NOTE_KIND);
  const seen = notes.findLast(({ body }) => isSameDigest(body.digest, digest));
  return seen === undefined ? undefined : ports.ledger.planMovesSince(batchId, seen.seq);
}

/**
 * The plan as it is shown before somebody agrees: with the rows that are left out, the changes since the last batch of
 * the same kind, and payments of other batches that look alike. The journal keeps that it was shown.
 */

type Asking = Pick<Ports, 'ledger' | 'clock' | 'policy'>;

export interface PlanToSee {
  readonly plan: Plan;
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** How the amounts of the file were read just now; undefined where no file was read. */
  readonly amountStyle: StyleRead | undefined;
  /** The money of rows that are left out as invalid, where it can be read for certain; undefined: there are none. */
  readonly invalidSums: readonly Money[] | undefined;
  /** Since the last batch of the same kind; undefined when there is none. */
  readonly changes: BatchChanges | undefined;
  readonly alike: readonly AlikePayments[];
  /** Which batch it pays once more, and who said so; undefined where nobody said that it does. */
  readonly paysAgain: PaysAgain | undefined;
  /** Rows of this batch that pay the same account the same amount under different references. */
  readonly twins: readonly string[];
  /** Rows to an account to which the last payment failed or came back, in words. */
  readonly unpaidBefore: readonly string[];
  /** Who brought each later revision of the file, and when; the first file is the batch's. Oldest first. */
  readonly revisions: readonly Pick<BroughtRevision, 'by' | 'at'>[];
  /** Rows that leave the plan with this approval. */
  readonly leaving: readonly number[];
}

export interface PaysAgain {
  readonly of: Batch;
  readonly by: string;
  readonly at: Timestamp;
}

interface PlanContext {
  readonly amountStyle?: StyleRead | undefined;
  readonly leaving?: readonly Pick<Payout, 'id' | 'rowNumber'>[];
}

/** Notes that the plan is shown. */
export async function planToSee(
  plan: Plan,
  batch: Batch,
  ports: Asking,
  { amountStyle, leaving = [] }: PlanContext = {},
): Promise<PlanToSee> {
  await rememberPlanSeen(batch.id, plan, ports);
  const invalidSums = await invalidSumsOf(plan, batch, ports);
  const { quoted = 0, held = 0 } = plan.counts;
  // Asked only where somebody is to agree to something.
  const waits = quoted + held > 0;
  const { ledger, clock, policy } = ports;
  const { environment } = ledger.identity;
  const ids = leaving.map(({ id }) => id);
  const alikeSince = plusMs(clock.now(), -daysMs(policy.duplicateWindowDays));
  return {
    ...{ plan: await withReleases(plan, ledger), batch, environment, amountStyle, invalidSums },
    changes: waits ? await changesSinceLast(batch, ports, ids) : undefined,
    alike: waits ? await ledger.alike(batch.id, alikeSince, ids) : [],
    paysAgain: await paysAgainOf(batch.id, ledger),
    twins: waits ? await ledger.twins(batch.id, ids) : [],
    unpaidBefore: waits ? await unpaidBefore(batch, ports, ids) : [],
    revisions: await ledger.revisions(batch.id),
    leaving: leaving.map(({ rowNumber }) => rowNumber),
  };
}

/** A name that does not match and is paid all the same: somebody let it go, perhaps for an earlier batch. */
async function withReleases(plan: Plan, ledger: Ports['ledger']): Promise<Plan> {
  const toSee: NameToSee[] = [];
  for (const name of plan.names.toSee) {
    const released = name.released ?? (await releasedBefore(name, ledger));
    toSee.push(released === undefined ? name : { ...name, released });
  }
  return { ...plan, names: { ...plan.names, toSee } };
}

async function releasedBefore({ status, payoutId, written, resolved }: NameToSee, ledger: Ports['ledger']) {
  if (status !== 'quoted' || written === undefined || resolved === undefined) return undefined;
  const instruction = (await ledger.payout(payoutId))?.instruction;
  if (instruction === undefined) return undefined;
  const { institutionId, account } = instruction;
  const names = { writtenName: written, resolvedName: resolved };
  return ledger.nameRelease({ institutionId, account: account.reveal(), ...names });
}

async function invalidSumsOf(plan: Plan, batch: Batch, ports: Asking): Promise<readonly Money[] | undefined> {
  if ((plan.counts.invalid ?? 0) === 0) return undefined;
  const totals = await invalidMoney(batch, ports);
  return totals.flatMap(({ currency, minor }) => (currency === undefined ? [] : [{ currency, minor }]));
}

/** Whoever agrees has to know that somebody else let repeats go on. */
async function paysAgainOf(
  id: BatchId,
  ledger: Pick<Ports['ledger'], 'notes' | 'batch'>,
): Promise<PaysAgain | undefined> {
  const note = (await ledger.notes(id, 'repeats_released')).at(-1);
  const of = note && (await ledger.batch(note.body.of));
  return note === undefined || of === undefined ? undefined : { of, by: note.body.by, at: note.at };
}
