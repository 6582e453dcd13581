/**
 * Concerns: why a payout waits for a person, with the values that the person sees. A release names the concerns that a
 * person saw, and belongs to one payout. `covers` is the only rule about releases.
 *
 * Units:   amounts in minor units.
 */
import { hash } from 'node:crypto';
import type { CurrencyCode } from '../money/currency.ts';
import { foldText } from '../text/fold.ts';
import type { Timestamp } from '../timestamp.ts';
import type { PayoutId } from './instruction.ts';

/** Stands for an account at an institution, where the account itself must not be read. */
export type AccountMark = string;

export type Concern =
  /** The fee is a large part of the cost. `currency` is the fee's, `minor` the amount that is paid. */
  | {
      readonly kind: 'fee';
      readonly minor: bigint;
      readonly feeMinor: bigint;
      readonly currency: CurrencyCode;
    }
  /** The holder is not certainly the person of the file. An empty text: there is no such name. */
  | {
      readonly kind: 'name';
      readonly institutionId: string;
      readonly account: AccountMark;
      readonly written: string;
      readonly holder: string;
    }
  /** The same person was paid to another account before. */
  | { readonly kind: 'other_account'; readonly from: AccountMark; readonly to: AccountMark }
  /** May be the same payment as an earlier one. */
  | { readonly kind: 'repeat'; readonly of: PayoutId; readonly isUnknown: boolean }
  | {
      readonly kind: 'over_limit';
      readonly limit: bigint;
      readonly minor: bigint;
      readonly currency: CurrencyCode;
    }
  | { readonly kind: 'no_quote' }
  | { readonly kind: 'zero_lost' | 'hidden_row'; readonly account: AccountMark }
  /** The service lists the institution with another currency, or not at all (empty texts). */
  | {
      readonly kind: 'institution';
      readonly institutionId: string;
      readonly name: string;
      readonly currency: string;
    }
  /** Another payment of the same row lives, or was made. Nobody can release it: at most one of them is sent. */
  | { readonly kind: 'same_row'; readonly of: PayoutId }
  /** Something shows that an earlier request for this very row may have been carried out. */
  | { readonly kind: 'maybe_paid'; readonly evidence: string };

export const CONCERN_KINDS = [
  'fee',
  'name',
  'other_account',
  'repeat',
  'over_limit',
  'no_quote',
  'zero_lost',
  'hidden_row',
  'institution',
  'same_row',
  'maybe_paid',
] as const satisfies readonly Concern['kind'][];
export type ConcernKind = Concern['kind'];

/** Each of these is decided by itself: never released together with everything else. */
export const DECIDED_ALONE: readonly ConcernKind[] = ['repeat', 'other_account', 'maybe_paid'];

/** Each kind once. Those that are decided alone come first: a row counts as what is gravest. */
export function gravestFirst(reasons: readonly { readonly concern: Concern }[]): readonly ConcernKind[] {
  const kinds = [...new Set(reasons.map(({ concern }) => concern.kind))];
  const isAlone = (kind: ConcernKind) => DECIDED_ALONE.includes(kind);
  return [...kinds.filter(isAlone), ...kinds.filter((kind) => !isAlone(kind))];
}

/** A person let the payout go on, having seen these concerns. */
export interface Release {
  readonly saw: readonly Concern[];
  /** Concerns of the same hold that the person left open. */
  readonly left?: readonly Concern[];
  readonly by: string;
  readonly reason: string;
  readonly at: Timestamp;
}

/** Whether what a person saw covers a concern as it is now: the same, or less. */
export function covers(saw: Concern, now: Concern): boolean {
  switch (now.kind) {
    case 'fee':
      return (
        saw.kind === 'fee' &&
        saw.minor === now.minor &&
        saw.currency === now.currency &&
        now.feeMinor <= saw.feeMinor
      );
    case 'over_limit':
      return (
        saw.kind === 'over_limit' &&
        saw.limit === now.limit &&
        saw.currency === now.currency &&
        now.minor <= saw.minor
      );
    case 'repeat':
      return saw.kind === 'repeat' && saw.of === now.of && (saw.isUnknown || !now.isUnknown);
    case 'same_row':
      return false;
    case 'name':
      // Without any name there is nothing to put on the wire.
      return (now.written !== '' || now.holder !== '') && concernText(saw) === concernText(now);
    default:
      return concernText(saw) === concernText(now);
  }
}

export function isReleased(now: Concern, releases: readonly Pick<Release, 'saw'>[]): boolean {
  return releases.some(({ saw }) => saw.some((each) => covers(each, now)));
}

/** Splits `all` concerns of a hold into those that the person answered and those that the person left open. */
export function seenOf(saw: readonly Concern[], all: readonly Concern[]): Pick<Release, 'saw' | 'left'> {
  const left = all.filter((concern) => !isReleased(concern, [{ saw }]));
  return left.length === 0 ? { saw } : { saw, left };
}

/** Whether no earlier release knew this concern. Somebody who saw only earlier holds does not know of it. */
function cameUpSince(now: Concern, releases: readonly Pick<Release, 'saw' | 'left'>[]): boolean {
  if (releases.length === 0) return false;
  const known = releases.flatMap(({ saw, left = [] }) => [...saw, ...left]);
  const text = concernText(now);
  return !known.some((each) => covers(each, now) || concernText(each) === text);
}

/** The kinds that a release must name, because the row is held again for something new; empty: none. */
export function kindsToName({
  reasons,
  releases,
}: {
  readonly reasons: readonly { readonly concern: Concern }[];
  readonly releases: readonly Pick<Release, 'saw' | 'left'>[];
}): readonly ConcernKind[] {
  const concerns = reasons.map(({ concern }) => concern);
  const isKnown = !concerns.some((concern) => cameUpSince(concern, releases));
  return isKnown ? [] : [...new Set(concerns.map(({ kind }) => kind))];
}

/** The reasons that nobody has released. */
export function openReasons<Reason extends { readonly concern: Concern }>(
  reasons: readonly Reason[],
  releases: readonly Pick<Release, 'saw'>[],
): readonly Reason[] {
  return reasons.filter(({ concern }) => !isReleased(concern, releases));
}

/** Every value of the concern, in one order: equal concerns have equal texts. */
export function concernText(concern: Concern): string {
  const values = Object.entries(concern).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(values, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/**
 * By the names that the service gives: it may number its lists anew, or give an old id to another institution. `account` is
 * exactly as it is sent: accounts that differ by a mark alone may be two people's.
 */
export function accountMark(
  { destinationIso, institutionName }: { readonly destinationIso: string; readonly institutionName: string },
  account: string,
): AccountMark {
  const parts = [destinationIso, foldText(institutionName), account];
  return hash('sha256', JSON.stringify(parts)).slice(0, 32);
}
