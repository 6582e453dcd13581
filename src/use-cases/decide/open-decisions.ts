/**
 * What a person may decide about one row as it stands, so that every face offers the same. The decision itself looks once
 * more.
 */
import { isIn, type Payout, REST_FOUND, type RestFound } from '../../domain/payouts/payout.ts';
import { mayFollow } from '../../domain/payouts/payout-machine.ts';
import type { Ports } from '../ports.ts';
import { whyNotAccepted } from './accept-difference.ts';
import { markOf, mayBePaidAlready } from './held-now.ts';
import { familyObjection, whyNotPaidAgain } from './reissue.ts';
import { whyOpen } from './resolve-doubt.ts';

export interface OpenDecisions {
  readonly release: boolean;
  /** Names what the row waits for, for a release of exactly that; undefined: it is not held. */
  readonly shown: string | undefined;
  /** Why a release has to say that it may be paid already; undefined: it need not. */
  readonly mayBePaid: string | undefined;
  readonly withdraw: boolean;
  /** undefined: it is not paid again, or not yet. */
  readonly payAgain: 'as_it_is' | 'with_evidence' | undefined;
  /** It differs from what was asked, and nobody accepted that yet. */
  readonly accept: boolean;
  /** What may be said of the part that is not shown, also in place of what was said before. */
  readonly rest: readonly RestFound[];
  /** undefined: there is nothing to rule on. */
  readonly rule: OpenRuling | undefined;
}

export interface OpenRuling {
  /** “Not paid” may be ruled as well; a row that was ruled so may only turn out paid. */
  readonly mayBeUnpaid: boolean;
  /** Why “not paid” cannot be ruled yet, and from when on. */
  readonly notYet: string | undefined;
}

type Looking = Pick<Ports, 'ledger' | 'clock' | 'policy'>;

/** Of a held payout: with its reasons as of now, as they are shown. */
export async function openDecisions(payout: Payout, ports: Looking): Promise<OpenDecisions> {
  const { state } = payout;
  return {
    release: mayFollow(state, 'release'),
    shown: isIn(payout, 'held') ? markOf(payout) : undefined,
    mayBePaid: isIn(payout, 'held') ? mayBePaidAlready(payout.state.reasons) : undefined,
    withdraw: mayFollow(state, 'cancel'),
    payAgain: await payAgain(payout, ports),
    accept: whyNotAccepted(payout) === undefined,
    rest: REST_FOUND.filter((found) => whyNotAccepted(payout, undefined, found) === undefined),
    rule: await openRuling(payout, ports),
  };
}

async function payAgain(payout: Payout, ports: Looking): Promise<OpenDecisions['payAgain']> {
  const moment = { at: ports.clock.now(), policy: ports.policy };
  // Asked with evidence first: what that does not open, nothing opens.
  if (whyNotPaidAgain(payout, 'given', moment) !== undefined) return undefined;
  if ((await familyObjection(payout, 'given', ports)) !== undefined) return undefined;
  if (whyNotPaidAgain(payout, undefined, moment) !== undefined) return 'with_evidence';
  return (await familyObjection(payout, undefined, ports)) === undefined ? 'as_it_is' : 'with_evidence';
}

async function openRuling(payout: Payout, ports: Looking): Promise<OpenRuling | undefined> {
  if (isIn(payout, 'in_doubt')) return { mayBeUnpaid: true, notYet: await whyOpen(payout, ports) };
  const isRuled = payout.state.status === 'failed' && payout.state.basis === 'ruled';
  return isRuled ? { mayBeUnpaid: false, notYet: undefined } : undefined;
}
