/**
 * Before sending: approved rows are compared with what the service says now. Where a country, an institution or an account
 * holder is another one, or a row costs notably more, all rows of its corridor go back and are asked about once more,
 * together. They are shown at the new price.
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
type Differs = NonNullable<ReturnType<typeof termsObjection>>;

/** A corridor whose rows need one more approval. */
export interface MovedCorridor {
  readonly currency: string;
  readonly was: string;
  readonly now: string;
  /** What moved: `cost`, `source country`, `country`, `institution` or `account holder`. */
  readonly what: string;
  readonly rows: number;
}

export type TermsRefreshed =
  | { readonly kind: 'refreshed'; readonly moved: readonly MovedCorridor[] }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Looks at every approved row of which something has grown old, and at every list. */
export async function refreshTerms(
  batchId: BatchId,
  { questions, signal }: { readonly questions: PriceQuestions; readonly signal: AbortSignal | undefined },
  ports: Ports,
): Promise<TermsRefreshed> {
  const moved = new Map<string, Differs>();
  let reason: string | undefined;
  const seen = new Set<string>();
  const isOld = await areTermsOld(batchId, 'approved', ports);
  const walk = {
    batchId,
    statuses: ['approved'] as const,
    concurrency: ports.policy.concurrency,
    mayStart: () => reason === undefined,
    signal,
  };
  await eachDuePayout(ports, walk, async (payout) => {
    if (!isIn(payout, 'approved')) return;
    const { instruction, state } = payout;
    const { sourceName, countryName, institutionName } = state.pricing;
    const names = [sourceName, countryName, institutionName];
    const place = [corridorOf(instruction), instruction.institutionId, ...names].join('\n');
    // With all that is young, one row for each institution is enough.
    if (!isOld && seen.has(place)) return;
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
    // Each row that goes there waits, but for those that a person released.
    if (concerns.length === 0) seen.add(place);
    const open = openReasons(concerns, state.releases);
    if (open.length > 0) await holdFor(payout, open, ports);
  });
  signal?.throwIfAborted();
  if (reason !== undefined) return { kind: 'unavailable', reason };
  const corridors: MovedCorridor[] = [];
  for (const [corridor, differs] of moved)
    corridors.push(await takeBack(batchId, { corridor, differs, questions }, ports));
  return { kind: 'refreshed', moved: corridors };
}

/** A row that somebody edited says nothing of its corridor; it is refused when it is about to be sent. */
async function isAsApproved(payout: Approved, ports: Ports): Promise<boolean> {
  const approval = (await ports.ledger.journalOf(payout.id)).findLast(({ kind }) => kind === 'approve');
  return approval?.body['leaf'] === leafOf(payout, narrationIn(ports));
}

interface TakingBack {
  readonly corridor: string;
  readonly differs: Differs;
  readonly questions: PriceQuestions;
}

/** All rows of the corridor go back, each at its new price. */
export async function takeBack(
  batchId: BatchId,
  { corridor, differs, questions }: TakingBack,
  ports: Ports,
): Promise<MovedCorridor> {
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
 * The row waits for approval again, as the service prices it now. Where it is another row, or its country, institution or
 * holder has another name, only a person agrees to it. False when somebody else moved it first.
 */
export async function unapprove(
  { id }: Approved,
  why: Parameters<typeof objectionText>[0],
  questions: PriceQuestions,
  ports: Ports,
): Promise<boolean> {
  const { clock, policy, ledger } = ports;
  // As the ledger has it now: who read it before an edit would ask about the account of before.
  const payout = await ledger.payout(id);
  if (payout === undefined || !isIn(payout, 'approved')) return false;
  const reason = objectionText(why, policy);
  const isOther =
    (await isNamedOtherwise(payout, why, questions, ports)) || !(await isAsApproved(payout, ports));
  const event = { kind: 'unapprove', reason, ...(isOther && { isOther }), at: clock.now() } as const;
  const back = await recordEvent(payout, event, ports);
  if (back.kind !== 'recorded' || !isIn(back.payout, 'quoted')) return false;
  const live = await liveTermsOf(back.payout, questions, ports);
  // It is asked about again when the batch is priced next.
  if ('unavailable' in live) return true;
  const isRemembered = await isNameRemembered(payout, live.nameCheck, ports);
  const beside = { place: live.place, repeats: [], isNameRemembered: isRemembered, now: clock.now() };
  // Whatever has to be asked about it is asked with the plan: it waits for approval, and not for a release.
  const { pricing } = decideAs(back.payout, live, beside, policy);
  if (pricing !== undefined)
    await recordEvent(back.payout, { kind: 'price', pricing, at: clock.now() }, ports);
  return true;
}

/** Without an answer it has the fate of its corridor. */
async function isNamedOtherwise(
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
