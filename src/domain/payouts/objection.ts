/**
 * Whether an approved payout may be sent as it stands: asked inside the commit that writes the intent down. It compares what
 * somebody agreed to with the row as the ledger has it now, and with what the service says now.
 */
import { debitOf, risePercent } from '../money/decimal.ts';
import { formatMoney, type Money } from '../money/money.ts';
import { compareNames } from '../names/name-check.ts';
import type { Policy } from '../policy.ts';
import { printable } from '../text/printable.ts';
import { isYoung, type Timestamp } from '../timestamp.ts';
import { openReasons } from './concern.ts';
import type { Instruction } from './instruction.ts';
import type { HoldReason, PayoutIn, Pricing } from './payout.ts';
import { institutionReasons, type Place } from './price-decision.ts';

/** The last approval in the payout's journal, if nothing but failed tries came after it. */
export interface Approval {
  readonly leaf: string;
  readonly at: Timestamp;
}

/** What the service says now. Where it was not asked again, what it said when the payout was priced. */
export interface LiveTerms extends Pick<Pricing, 'nameCheck' | 'nameCheckedAt' | 'quote'> {
  readonly place: Place;
}

export interface SendingPolicy extends Pick<Policy, 'driftPercent'> {
  readonly approvalMs: number;
  readonly quoteMs: number;
  readonly nameMs: number;
}

export type Objection =
  | { readonly kind: 'approval_expired' }
  /** The row is called approved, and its journal does not say so. Nothing may be done with it. */
  | { readonly kind: 'not_approved' }
  /** The row is not the one that was agreed to. */
  | { readonly kind: 'order_differs' }
  | {
      readonly kind: 'terms_differ';
      readonly what: 'source country' | 'country' | 'institution' | 'account holder';
      readonly was: string;
      readonly is: string;
    }
  | { readonly kind: 'costs_more'; readonly was: string; readonly is: string }
  /** The service has to be asked again. */
  | { readonly kind: 'terms_old' }
  | { readonly kind: 'concerns'; readonly reasons: readonly HoldReason[] };

export interface Standing {
  /** As the ledger has it in this commit. */
  readonly payout: PayoutIn<'approved'>;
  /** Of this payout. */
  readonly leaf: string;
  readonly live: LiveTerms;
  /** Payments before this one that may be the same, in this commit. */
  readonly repeats: readonly HoldReason[];
  readonly at: Timestamp;
}

/** undefined: it may be sent. */
export function objection(
  approval: Approval | undefined,
  { payout, leaf, live, repeats, at }: Standing,
  policy: SendingPolicy,
): Objection | undefined {
  if (approval === undefined) return { kind: 'not_approved' };
  if (leaf !== approval.leaf) return { kind: 'order_differs' };
  if (at - approval.at > policy.approvalMs) return { kind: 'approval_expired' };
  const { instruction, state } = payout;
  const isOld =
    !isYoung(live.nameCheckedAt, at, policy.nameMs) ||
    (live.quote !== undefined && !isYoung(live.quote.quotedAt, at, policy.quoteMs));
  if (isOld) return { kind: 'terms_old' };
  const differs = termsObjection({ instruction, pricing: state.pricing }, live, policy);
  if (differs !== undefined) return differs;
  const reasons = [...institutionReasons(instruction, live.place), ...repeats];
  const open = openReasons(reasons, state.releases);
  return open.length === 0 ? undefined : { kind: 'concerns', reasons: open };
}

interface Agreed {
  readonly instruction: Instruction;
  readonly pricing: Pricing;
}

/** How the terms of now differ from those that were agreed to; undefined where that needs no new approval. */
export function termsObjection(
  { instruction, pricing }: Agreed,
  live: LiveTerms,
  { driftPercent }: Pick<Policy, 'driftPercent'>,
): Extract<Objection, { kind: 'terms_differ' | 'costs_more' }> | undefined {
  const { place, nameCheck } = live;
  if (place.sourceName !== pricing.sourceName)
    return { kind: 'terms_differ', what: 'source country', was: pricing.sourceName, is: place.sourceName };
  if (place.countryName !== pricing.countryName)
    return { kind: 'terms_differ', what: 'country', was: pricing.countryName, is: place.countryName };
  const listed = place.institution;
  if (listed !== 'unknown' && listed !== undefined && listed.name !== pricing.institutionName)
    return { kind: 'terms_differ', what: 'institution', was: pricing.institutionName, is: listed.name };
  const [was, is] = [holderText(pricing.nameCheck), holderText(nameCheck)];
  if (!isSameHolder(pricing.nameCheck, nameCheck, instruction))
    return { kind: 'terms_differ', what: 'account holder', was, is };
  return costsMore(instruction.amount, [pricing.quote, live.quote], driftPercent);
}

function holderText({ result, resolved }: Pricing['nameCheck']): string {
  return resolved ?? (result === 'not_found' ? 'no name given' : 'not known');
}

/** Another spelling of the same name needs no new approval: the name that was agreed to is sent. */
function isSameHolder(
  was: Pricing['nameCheck'],
  is: Pricing['nameCheck'],
  { destinationIso }: Instruction,
): boolean {
  if (was.resolved === is.resolved) return was.result === is.result || was.resolved !== undefined;
  if (was.resolved === undefined || is.resolved === undefined) return false;
  return compareNames(was.resolved, is.resolved, destinationIso).result === 'match';
}

function costsMore(
  amount: Money,
  [was, is]: readonly [Pricing['quote'], Pricing['quote']],
  percent: number,
): Extract<Objection, { kind: 'costs_more' }> | undefined {
  if (was === undefined || is === undefined || was === is) return undefined;
  const [debit, now] = [debitOf(amount, was), debitOf(amount, is)];
  if (debit !== undefined && now !== undefined)
    return isAbove(now, debit, percent)
      ? { kind: 'costs_more', was: formatMoney(debit), is: formatMoney(now) }
      : undefined;
  // Without the currency that pays there is no debit: rate and fee are compared by themselves.
  return was.fee !== is.fee || risePercent(was.rate, is.rate) > percent
    ? { kind: 'costs_more', was: `rate ${was.rate}, fee ${was.fee}`, is: `rate ${is.rate}, fee ${is.fee}` }
    : undefined;
}

/** Whether a debit is more than so many percent above another one of the same currency; of another currency it is. */
export function isAbove(now: Money, agreed: Money, percent: number): boolean {
  if (now.currency !== agreed.currency) return true;
  return now.minor * 10_000n > agreed.minor * BigInt(Math.round((100 + percent) * 100));
}

/** Why the row waits for another approval; the end of a sentence. */
export function objectionText(
  why: Exclude<Objection, { kind: 'concerns' | 'terms_old' | 'not_approved' }>,
  { approvalHours }: Pick<Policy, 'approvalHours'>,
): string {
  switch (why.kind) {
    case 'approval_expired':
      return `the approval is older than ${approvalHours} h`;
    case 'order_differs':
      return 'the row is not the one that was approved';
    case 'terms_differ':
      return `the ${why.what} was “${printable(why.was)}” and is “${printable(why.is)}” now`;
    case 'costs_more':
      return `it costs ${why.is} now, and ${why.was} was approved`;
  }
}
