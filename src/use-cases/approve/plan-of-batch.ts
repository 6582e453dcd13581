/**
 * The plan of a batch as it stands: what waits for approval, what it costs, what is left out, and the digest
 * that an approval is bound to.
 */

import type { Batch } from '../../domain/batches/batch.ts';
import type { BatchChanges } from '../../domain/batches/batch-changes.ts';
import type { StyleRead } from '../../domain/money/amount-style.ts';
import { formatMoney, type Money } from '../../domain/money/money.ts';
import type { BatchId, Digest, PayoutId } from '../../domain/payouts/instruction.ts';
import type { Narration } from '../../domain/payouts/order.ts';
import { WAITING } from '../../domain/payouts/payout.ts';
import { type NameToSee, type Plan, PlanBuilder, type SameMoney } from '../../domain/plan/plan.ts';
import type { PlanChanges } from '../../domain/plan/plan-changes.ts';
import { daysMs } from '../../domain/policy.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { BroughtRevision } from '../../ports/ledger/batches.ts';
import type { Ports } from '../ports.ts';
import { invalidMoney } from '../report/invalid-money.ts';
import { changesSinceLast } from './changes-since-last.ts';
import { unpaidBefore } from './unpaid-before.ts';

export async function planOf(batchId: BatchId, ports: Planning): Promise<Plan> {
  return (await planWithLeaves(batchId, ports)).plan;
}

/** The plan, and what it shows of each payout that waits. Exactly that is approved. */
export async function planWithLeaves(
  batchId: BatchId,
  ports: Planning,
): Promise<{ readonly plan: Plan; readonly leaves: ReadonlyMap<PayoutId, string> }> {
  const { ledger, clock, policy } = ports;
  const builder = new PlanBuilder(narrationIn(ports));
  for await (const page of ports.ledger.payouts(batchId)) for (const payout of page) builder.add(payout);
  const { quoted, held } = await ledger.counts(batchId);
  const answers = (await ledger.notes(batchId, 'answers_said')).at(-1)?.body.answers ?? [];
  const finish = (alike: SameMoney) => ({ plan: builder.finish(alike, answers), leaves: builder.leaves });
  if (quoted + held === 0) return finish(NOTHING_ALIKE);
  const since = plusMs(clock.now(), -daysMs(policy.duplicateWindowDays));
  const twins = await ledger.twins(batchId);
  return finish({ twins, alike: await ledger.alike(batchId, since) });
}

export type Planning = Pick<Ports, 'ledger' | 'clock' | 'policy'>;
const NOTHING_ALIKE = { twins: [], alike: [] };

export function narrationIn({ ledger, policy }: Pick<Planning, 'ledger' | 'policy'>): Narration {
  const { id: ledgerId, salt } = ledger.identity;
  return { ledgerId, salt, noteMax: policy.noteMax, noteTag: policy.noteTag };
}

/**
 * Which plans were shown to somebody, kept in the journal by their digest, so that a refused approval can say what
 * changed since the plan that it names was seen.
 */

const NOTE_KIND = 'plan_seen';
/** With fewer characters, somebody could make two files whose plans have the same beginning. */
const DIGEST_LETTERS_MIN = 32;

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

/** Enough of a digest to be sure: the first 32 characters or more. */
export function isSameDigest(digest: Digest | undefined, given: string): boolean {
  const text = given.trim().toLowerCase();
  return text.length >= DIGEST_LETTERS_MIN && digest?.startsWith(text) === true;
}

/** undefined when no plan of this digest was ever shown. */
export async function planChangesSince(
  batchId: BatchId,
  digest: string,
  ports: Pick<Ports, 'ledger'>,
): Promise<PlanChanges | undefined> {
  const notes = await ports.ledger.notes(batchId, NOTE_KIND);
  const seen = notes.findLast(({ body }) => isSameDigest(body.digest, digest));
  return seen === undefined ? undefined : ports.ledger.planMovesSince(batchId, seen.seq);
}

/**
 * The plan as it is shown before somebody agrees: with the rows that are left out, the changes since the last batch of
 * the same kind, and payments of other batches that look alike. The journal keeps that it was shown.
 */
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
  /** Which batch it pays once more, and who said so; undefined where nobody said that it does. */
  readonly paysAgain: PaysAgain | undefined;
  /** Rows to an account to which the last payment failed or came back, in words. */
  readonly unpaidBefore: readonly string[];
  /** Sentences about rows that are paid again in full although the service shows that only a part came back. */
  readonly partReturns: readonly string[];
  /** Who brought each later revision of the file, and when; the first file is the batch's. Oldest first. */
  readonly revisions: readonly Pick<BroughtRevision, 'by' | 'at'>[];
}

export interface PaysAgain {
  readonly of: Batch;
  readonly by: string;
  readonly at: Timestamp;
}

interface PlanContext {
  readonly amountStyle?: StyleRead | undefined;
}

/** Notes that the plan is shown. */
export async function planToSee(
  plan: Plan,
  batch: Batch,
  ports: Planning,
  { amountStyle }: PlanContext = {},
): Promise<PlanToSee> {
  await rememberPlanSeen(batch.id, plan, ports);
  const invalidSums = await invalidSumsOf(plan, batch, ports);
  const { quoted = 0, held = 0 } = plan.counts;
  // Asked only where somebody is to agree to something.
  const waits = quoted + held > 0;
  const { ledger } = ports;
  const { environment } = ledger.identity;
  return {
    ...{ plan: await withReleases(plan, ledger), batch, environment, amountStyle, invalidSums },
    changes: waits ? await changesSinceLast(batch, ports) : undefined,
    paysAgain: await paysAgainOf(batch.id, ledger),
    unpaidBefore: waits ? await unpaidBefore(batch, ports) : [],
    partReturns: waits ? await partReturnsOf(batch.id, ledger) : [],
    revisions: await ledger.revisions(batch.id),
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

async function invalidSumsOf(
  plan: Plan,
  batch: Batch,
  ports: Planning,
): Promise<readonly Money[] | undefined> {
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

/** The approver has to know that the service contradicts the evidence. */
async function partReturnsOf(
  id: BatchId,
  ledger: Pick<Ports['ledger'], 'notes' | 'family' | 'payout'>,
): Promise<readonly string[]> {
  const texts = new Map<number, string>();
  for (const { body } of await ledger.notes(id, 'reissue_evidence')) {
    if (body.against === undefined) continue;
    const family = await ledger.family(body.payout);
    const next = family.findLast(({ batchId, isCurrent }) => batchId === id && isCurrent);
    const amount = next && (await ledger.payout(next.payoutId))?.instruction?.amount;
    if (next === undefined || amount === undefined || !WAITING.includes(next.status)) continue;
    const { rowNumber } = next;
    texts.set(rowNumber, `row ${rowNumber} pays ${formatMoney(amount)} again: ${body.against}`);
  }
  return [...texts.values()];
}
