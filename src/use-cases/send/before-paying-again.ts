/**
 * Before sending a replacement, looks up every other payment of the row once more, in any batch and of any age. Paying
 * again is safe only if all of them are unpaid.
 *
 * Why:     a redo file and `payfile reissue` may both pay a row again. So its payments form a tree, not a chain. A
 *          transfer that failed a month ago may be Finished today. The check looks up all of them. So it finds a paid
 *          one even if another answer is unclear. It also checks the age of each failure, because the service may still
 *          correct a recent one.
 */

import { cameBackAfter } from '../../domain/payouts/incident.ts';
import { isIn, isUnsent, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { minuteOf } from '../../domain/timestamp.ts';
import { failureTrustedFrom } from '../decide/reissue.ts';
import { relativesOf } from '../decide/relatives.ts';
import type { Ports } from '../ports.ts';
import type { LookResult } from '../settle/look-result.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { withdrawReplacements } from '../settle/raise-incident.ts';
import { pollAgain } from '../settle/settle-batch.ts';
import { hasEvidence, transferIn } from '../settle/still-unpaid.ts';

/** The worst result of all payments. The order is `incident`, `unknown`, `unclear`, `unpaid`. */
export type EarlierPaymentsCheck =
  | { readonly kind: 'unpaid' | 'unknown' }
  /** Row numbers that are paid after all. */
  | { readonly kind: 'incident'; readonly rows: readonly number[] }
  /** One sentence per payment that is no longer certainly unpaid. */
  | { readonly kind: 'unclear'; readonly why: readonly string[] };

export async function checkBeforePayingAgain(
  payout: PayoutIn<'approved'> & Payout,
  ports: Ports,
  signal: AbortSignal | undefined,
): Promise<EarlierPaymentsCheck> {
  if (payout.instruction.replaces === undefined) return { kind: 'unpaid' };
  const rows: number[] = [];
  const why: string[] = [];
  let isUnknown = false;
  for (const relative of await relativesOf(payout, ports)) {
    const looked = await lookAt(relative, ports, signal);
    if (looked.kind === 'incident') rows.push(relative.rowNumber);
    if (looked.kind === 'unclear') why.push(looked.why ?? '');
    isUnknown ||= looked.kind === 'unknown';
  }
  if (rows.length > 0) return { kind: 'incident', rows: [...new Set(rows)] };
  if (isUnknown) return { kind: 'unknown' };
  return why.length > 0 ? { kind: 'unclear', why } : { kind: 'unpaid' };
}

async function lookAt(
  payout: Payout,
  ports: Ports,
  signal: AbortSignal | undefined,
): Promise<Pick<LookResult, 'kind' | 'why'>> {
  const noted = (await notedIncidents(payout.batchId, ports)).get(payout.id);
  if (noted !== undefined && !cameBackAfter(payout, noted)) {
    await withdrawReplacements(payout, ports);
    return { kind: 'incident' };
  }
  if (isIn(payout, 'failed') || isIn(payout, 'returned')) {
    const looked = await pollAgain(payout, ports, signal);
    const why = looked.kind === 'looked' ? await whyTooSoon(payout, ports) : undefined;
    return why === undefined ? looked : { kind: 'unclear', why };
  }
  const isUnpaid = isIn(payout, 'canceled') || isUnsent(payout.state);
  // For a payment with an incident, the ledger refuses the intent of the replacement. payfile then holds the row.
  if (isUnpaid || (isIn(payout, 'settled') && payout.state.incident)) return { kind: 'looked' };
  // The ledger allows one active payment per row. This checks it a second time, because money depends on it.
  return { kind: 'unclear', why: activePaymentText(payout) };
}

function activePaymentText({ rowNumber, state }: Payout): string {
  return `Another payment of this row, row ${rowNumber} of its file, is ${STATUS_WORDS[state.status].counted}`;
}

async function whyTooSoon(
  payout: PayoutIn<'failed' | 'returned'> & Payout,
  ports: Pick<Ports, 'ledger' | 'clock' | 'policy'>,
): Promise<string | undefined> {
  const from = failureTrustedFrom(payout.state, ports.policy);
  if (from === undefined || ports.clock.now() >= from || (await hasEvidence(payout, ports))) return undefined;
  return `A short time ago, the service reported “${payout.state.status}” for ${transferIn(payout)}. payfile trusts that answer from ${minuteOf(from)} UTC on`;
}
