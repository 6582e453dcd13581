/**
 * Before sending, compares approved rows with current data of the service. If a country, institution or holder differs,
 * or the cost rises, all rows of the corridor lose their approval. payfile prices them again and shows them at the new
 * price.
 */

import { openReasons } from '../../domain/payouts/concern.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { type Objection, objectionText, termsObjection } from '../../domain/payouts/objection.ts';
import { leafOf } from '../../domain/payouts/order.ts';
import { isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { decideAs, institutionReasons } from '../../domain/payouts/price-decision.ts';
import { narrationIn } from '../approve/plan-of-batch.ts';
import { eachDuePayout } from '../each-due-payout.ts';
import type { Ports } from '../ports.ts';
import type { PriceQuestions } from '../price/ask-name-and-quote.ts';
import { corridorOf } from '../price/baseline.ts';
import { isNameRemembered } from '../price/hold-concerned.ts';
import { areTermsOld, liveTermsOf } from '../price/live-terms.ts';
import { recordEvent } from '../record-event.ts';
import { holdFor } from './send-result.ts';

type Approved = PayoutIn<'approved'> & Payout;
type TermsObjection = NonNullable<ReturnType<typeof termsObjection>>;

/** A corridor whose rows need approval again. */
export interface ChangedCorridor {
  readonly currency: string;
  readonly was: string;
  readonly now: string;
  /** What changed: `cost`, `source country`, `country`, `institution` or `account holder`. */
  readonly what: string;
  readonly rows: number;
}

export type TermsRefreshed =
  | { readonly kind: 'refreshed'; readonly moved: readonly ChangedCorridor[] }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Checks every approved row with old terms, and one row per institution against the lists. */
export async function refreshTerms(
  batchId: BatchId,
  { questions, signal }: { readonly questions: PriceQuestions; readonly signal: AbortSignal | undefined },
  ports: Ports,
): Promise<TermsRefreshed> {
  const moved = new Map<string, TermsObjection>();
  let reason: string | undefined;
  const seen = new Set<string>();
  const isOld = await areTermsOld(batchId, 'approved', ports);
  const due = {
    batchId,
    statuses: ['approved'] as const,
    concurrency: ports.policy.concurrency,
    mayStart: () => reason === undefined,
    signal,
  };
  await eachDuePayout(ports, due, async (payout) => {
    if (!isIn(payout, 'approved')) return;
    const { instruction, state } = payout;
    const { sourceName, countryName, institutionName } = state.pricing;
    const names = [sourceName, countryName, institutionName];
    const termsKey = [corridorOf(instruction), instruction.institutionId, ...names].join('\n');
    // If all terms are recent, one row per institution is enough.
    if (!isOld && seen.has(termsKey)) return;
    const live = await liveTermsOf(payout, questions, ports);
    if ('unavailable' in live) {
      reason ??= live.unavailable;
      return;
    }
    const differs = termsObjection({ instruction, pricing: state.pricing }, live, ports.policy);
    if (differs !== undefined && (await isAsApproved(payout, ports))) {
      const corridor = corridorOf(instruction);
      if (!moved.has(corridor)) moved.set(corridor, differs);
    }
    const concerns = institutionReasons(instruction, live.place);
    // With concerns, check each row of the institution, because payfile holds all that nobody released.
    if (concerns.length === 0) seen.add(termsKey);
    const open = openReasons(concerns, state.releases);
    if (open.length > 0) await holdFor(payout, open, ports);
  });
  signal?.throwIfAborted();
  if (reason !== undefined) return { kind: 'unavailable', reason };
  const corridors: ChangedCorridor[] = [];
  for (const [corridor, differs] of moved)
    corridors.push(await unapproveCorridor(batchId, { corridor, differs, questions }, ports));
  return { kind: 'refreshed', moved: corridors };
}

/**
 * False for a row edited after its approval. Such a row proves nothing about its corridor. Sending refuses it later.
 */
async function isAsApproved(payout: Approved, ports: Ports): Promise<boolean> {
  const approval = (await ports.ledger.journalOf(payout.id)).findLast(({ kind }) => kind === 'approve');
  return approval?.body['leaf'] === leafOf(payout, narrationIn(ports));
}

interface ChangedTerms {
  readonly corridor: string;
  readonly differs: TermsObjection;
  readonly questions: PriceQuestions;
}

/** Removes the approval of all rows of the corridor, and prices them again. */
export async function unapproveCorridor(
  batchId: BatchId,
  { corridor, differs, questions }: ChangedTerms,
  ports: Ports,
): Promise<ChangedCorridor> {
  let rows = 0;
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['approved'] }))
    for (const payout of page) {
      if (!isIn(payout, 'approved') || corridorOf(payout.instruction) !== corridor) continue;
      if (await unapprove(payout, differs, questions, ports)) rows += 1;
    }
  const [currency = ''] = corridor.split(' ').slice(2);
  const { was, is: now } = differs;
  const what = differs.kind === 'costs_more' ? 'cost' : differs.what;
  return { currency, was, now, what, rows };
}

/**
 * Removes the approval of a row and prices it again. If the row was edited, or country, institution or holder has
 * another name, only a person may approve it again. False if another process changed the row first.
 */
export async function unapprove(
  { id }: Approved,
  why: Parameters<typeof objectionText>[0],
  questions: PriceQuestions,
  ports: Ports,
): Promise<boolean> {
  const { clock, policy, ledger } = ports;
  // Read again from the ledger: an older copy may hold the account from before an edit.
  const payout = await ledger.payout(id);
  if (payout === undefined || !isIn(payout, 'approved')) return false;
  const reason = objectionText(why, policy);
  const isOther =
    (await hasOtherNames(payout, why, questions, ports)) || !(await isAsApproved(payout, ports));
  const event = { kind: 'unapprove', reason, ...(isOther && { isOther }), at: clock.now() } as const;
  const unapproved = await recordEvent(payout, event, ports);
  if (unapproved.kind !== 'recorded' || !isIn(unapproved.payout, 'quoted')) return false;
  const live = await liveTermsOf(unapproved.payout, questions, ports);
  // The next pricing of the batch asks again.
  if ('unavailable' in live) return true;
  const isRemembered = await isNameRemembered(payout, live.nameCheck, ports);
  const facts = { place: live.place, repeats: [], isNameRemembered: isRemembered, now: clock.now() };
  // The row waits for approval, not for a release. The plan shows its concerns.
  const { pricing } = decideAs(unapproved.payout, live, facts, policy);
  if (pricing !== undefined)
    await recordEvent(unapproved.payout, { kind: 'price', pricing, at: clock.now() }, ports);
  return true;
}

/** If the service gives no answer, the reason of the corridor applies to the row. */
async function hasOtherNames(
  payout: Approved,
  why: Objection,
  questions: PriceQuestions,
  ports: Ports,
): Promise<boolean> {
  const live = await liveTermsOf(payout, questions, ports);
  const { instruction, state } = payout;
  const own =
    'unavailable' in live ? why : termsObjection({ instruction, pricing: state.pricing }, live, ports.policy);
  return own?.kind === 'terms_differ';
}
