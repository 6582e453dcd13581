/**
 * The payout machine: which event may follow which state, and what the payout is afterwards. Nothing else
 * changes a state.
 *
 * Errors:  IllegalMove for an event that the table does not name; that is a bug, never a normal case.
 */
import { given } from '../given.ts';
import { timestampOf } from '../timestamp.ts';
import type { Release } from './concern.ts';
import {
  type Agreed,
  isShownAsPaid,
  type OnItsWay,
  type Open,
  type Payout,
  type PayoutState,
  type Pricing,
  type Status,
  type Suspicion,
  sentAtOf,
} from './payout.ts';
import type { EventKind, EventOf, PayoutEvent } from './payout-event.ts';

/** For each state, the events that may happen in it and the state they lead to. */
export const MOVES: Readonly<Record<Status, Readonly<Partial<Record<EventKind, Status>>>>> = {
  invalid: {},
  planned: { hold: 'held', price: 'quoted', invalidate: 'invalid', cancel: 'canceled' },
  held: { release: 'planned', cancel: 'canceled' },
  quoted: { approve: 'approved', hold: 'held', price: 'quoted', cancel: 'canceled' },
  approved: { begin_attempt: 'sending', unapprove: 'quoted', hold: 'held', cancel: 'canceled' },
  sending: {
    accept: 'accepted',
    refuse: 'failed',
    not_sent: 'approved',
    turn_away: 'approved',
    doubt: 'in_doubt',
    recover: 'in_doubt',
  },
  in_doubt: { accept: 'accepted', rule_paid: 'accepted', rule_not_paid: 'failed' },
  accepted: {
    accept_difference: 'accepted',
    progress: 'accepted',
    suspect: 'accepted',
    settle: 'settled',
    fail: 'failed',
    return: 'returned',
  },
  settled: {
    accept_difference: 'settled',
    progress: 'settled',
    suspect: 'settled',
    return: 'returned',
  },
  failed: { progress: 'failed', settle: 'settled' },
  returned: { progress: 'returned', settle: 'settled' },
  canceled: {},
};

export const EVENT_KINDS: readonly EventKind[] = [
  ...new Set(Object.values(MOVES).flatMap((moves) => Object.keys(moves) as EventKind[])),
];

export class IllegalMove extends Error {
  override readonly name = 'IllegalMove';
  readonly code = 'illegal_move';
}

/**
 * Whether the table lets this event happen now. A refused payment can never become settled; one that was ruled not
 * paid only by an event that names its transfer.
 */
export function mayFollow(state: PayoutState, kind: EventKind): boolean {
  if (MOVES[state.status][kind] === undefined) return false;
  if (state.status !== 'failed') return true;
  return state.basis === 'ruled' || (state.basis === 'service_status' && state.transferId !== undefined);
}

/** The payout after the event. Pure: the same payout and event always give the same result. */
export function advance(payout: Payout, event: PayoutEvent): Payout {
  if (!mayFollow(payout.state, event.kind)) {
    throw new IllegalMove(`Payout ${payout.id}: “${event.kind}” cannot follow ${payout.state.status}`);
  }
  const state = nextState(payout.state, event);
  const attempts = event.kind === 'begin_attempt' ? event.attempt : payout.attempts;
  // The table above has just ruled out every pairing that would leave a payable state without instruction.
  return { ...payout, version: payout.version + 1, attempts, state } as Payout;
}

function nextState(state: PayoutState, event: PayoutEvent): PayoutState {
  switch (event.kind) {
    case 'hold':
      return { status: 'held', reasons: event.reasons, pricing: event.pricing, ...openOf(state) };
    case 'price':
      return { status: 'quoted', pricing: event.pricing, ...openOf(state) };
    case 'invalidate':
      return { status: 'invalid', issues: event.issues };
    case 'release':
      return { status: 'planned', ...openOf(state), releases: [...releasesOf(state), event.release] };
    case 'cancel': {
      const { by, reason, at, leftOut } = event;
      const wasShown = isShownAsPaid(state) ? (true as const) : undefined;
      return { status: 'canceled', by, reason, at, ...given({ leftOut, isShownAsPaid: wasShown }) };
    }
    case 'approve':
      return {
        status: 'approved',
        pricing: pricingOf(state),
        releases: releasesOf(state),
        tag: event.tag,
        approvedAt: event.at,
        approvedBy: event.by,
      };
    case 'unapprove':
      return {
        status: 'quoted',
        pricing: event.isOther === undefined ? pricingOf(state) : ofAnother(pricingOf(state)),
        releases: releasesOf(state),
        ...given({ isOther: event.isOther }),
      };
    default:
      return sentState(state, event);
  }
}

type SentEvent = Exclude<
  PayoutEvent,
  EventOf<'hold' | 'price' | 'invalidate' | 'release' | 'cancel' | 'approve' | 'unapprove'>
>;

function sentState(state: PayoutState, event: SentEvent): PayoutState {
  const agreed = agreedOf(state);
  switch (event.kind) {
    case 'begin_attempt':
      return {
        ...agreed,
        status: 'sending',
        attempt: event.attempt,
        startedAt: event.at,
        bodyDigest: event.bodyDigest,
        ...given({ quoteAtSend: event.quote }),
      };
    case 'not_sent':
    case 'turn_away':
      return { ...agreed, status: 'approved' };
    case 'refuse':
      return failed(agreed, event.at, {
        basis: 'refused',
        reason: event.message,
        sentAt: event.evidence.startedAt,
      });
    case 'doubt':
      return { ...agreed, status: 'in_doubt', reason: event.reason, evidence: event.evidence, at: event.at };
    case 'recover':
      return {
        ...agreed,
        status: 'in_doubt',
        reason: 'crash',
        evidence: crashEvidence(state, event),
        at: event.at,
      };
    case 'accept':
      return {
        ...agreed,
        status: 'accepted',
        transferId: event.transferId,
        sentAt: event.evidence.startedAt,
        ...unpolled,
      };
    case 'rule_paid':
      return {
        ...agreed,
        status: 'accepted',
        transferId: event.transferId,
        sentAt: sentAtOf(state) ?? event.at,
        ...unpolled,
      };
    case 'rule_not_paid':
      return failed(agreed, event.at, {
        basis: 'ruled',
        reason: event.ruling.evidence,
        sentAt: sentAtOf(state),
      });
    case 'accept_difference':
      return differenceAccepted(state, event);
    default:
      return polledState(state, event);
  }
}

function differenceAccepted(
  state: PayoutState,
  { by, reason, saw, at, rest }: EventOf<'accept_difference'>,
): PayoutState {
  if (state.status !== 'accepted' && state.status !== 'settled')
    throw new IllegalMove(`A payout that is ${state.status} has no difference`);
  return { ...state, acceptedDifference: { by, reason, saw, at, ...given({ rest }) } };
}

const unpolled = { serviceStatus: undefined, discrepancies: [], suspicion: undefined } as const;

function polledState(
  state: PayoutState,
  event: EventOf<'progress' | 'suspect' | 'settle' | 'fail' | 'return'>,
): PayoutState {
  if (event.kind === 'progress' && (state.status === 'failed' || state.status === 'returned'))
    return unclearState(state, event);
  const before = state as Partial<OnItsWay>;
  const way: OnItsWay = {
    ...wayOf(state, event.kind === 'settle' ? event.transferId : undefined),
    serviceStatus: event.serviceStatus,
    discrepancies: event.discrepancies,
    ...given({
      shown: event.shown ?? before.shown,
      acceptedDifference: before.acceptedDifference,
      // The first name that was learnt is kept.
      otherId: before.otherId ?? event.otherId,
    }),
  };
  switch (event.kind) {
    case 'progress':
      return state.status === 'settled'
        ? { ...way, ...settlementOf(state) }
        : { ...way, status: 'accepted', suspicion: undefined };
    case 'suspect': {
      const { serviceStatus: word, at: firstAt, unproven } = event;
      const suspicion: Suspicion = { word, firstAt, ...given({ unproven }) };
      return state.status === 'settled'
        ? { ...way, ...settlementOf(state), suspicion }
        : { ...way, status: 'accepted', suspicion };
    }
    case 'settle':
      return {
        ...way,
        status: 'settled',
        settledAt: event.at,
        incident: state.status === 'failed' || state.status === 'returned',
      };
    case 'fail':
      return failed(way, event.at, {
        basis: 'service_status',
        reason: `the service says ${event.serviceStatus}`,
        transferId: way.transferId,
        serviceStatus: event.serviceStatus,
        sentAt: way.sentAt,
        ...given({ shown: way.shown, otherId: way.otherId }),
      });
    case 'return':
      return {
        ...way,
        status: 'returned',
        returnedAt: event.at,
        ...given({ basis: event.basis }),
      };
  }
}

/** Its own status stays; whether it may be paid again is not clear any more, or is again. */
function unclearState(
  { unclear: _, ...state }: Extract<PayoutState, { status: 'failed' | 'returned' }>,
  { unclear }: EventOf<'progress'>,
): PayoutState {
  return { ...state, ...given({ unclear }) };
}

function settlementOf({ status, settledAt, incident }: Extract<PayoutState, { status: 'settled' }>) {
  return { status, settledAt, incident };
}

type Failed = Extract<PayoutState, { status: 'failed' }>;

function failed(
  agreed: Agreed,
  at: Failed['at'],
  facts: Pick<Failed, 'basis' | 'reason' | 'sentAt'> & Partial<Failed>,
): Failed {
  const unknown = { transferId: undefined, serviceStatus: undefined };
  return { ...unknown, ...facts, status: 'failed', at, ...agreedFacts(agreed) };
}

function openOf(state: PayoutState): Open {
  return { releases: releasesOf(state), ...('isOther' in state ? { isOther: true } : {}) };
}

function releasesOf(state: PayoutState): readonly Release[] {
  return 'releases' in state ? state.releases : [];
}

function pricingOf(state: PayoutState): Pricing {
  if ('pricing' in state && state.pricing !== undefined) return state.pricing;
  throw new IllegalMove(`A payout that is ${state.status} has no pricing`);
}

/** What was learnt about another row: it is all asked for again. */
function ofAnother(pricing: Pricing): Pricing {
  const { quote } = pricing;
  const never = timestampOf(0);
  return { ...pricing, nameCheckedAt: never, quote: quote && { ...quote, quotedAt: never } };
}

function agreedOf(state: PayoutState): Agreed {
  if (!('tag' in state)) throw new IllegalMove(`A payout that is ${state.status} was not approved`);
  return agreedFacts(state);
}

function agreedFacts({ pricing, quoteAtSend, releases, tag, approvedAt, approvedBy }: Agreed): Agreed {
  return { pricing, ...given({ quoteAtSend }), releases, tag, approvedAt, approvedBy };
}

/** What the service's answer does not change. */
function wayOf(
  state: PayoutState,
  found: OnItsWay['transferId'] | undefined,
): Omit<OnItsWay, 'serviceStatus' | 'discrepancies'> {
  const known = 'transferId' in state ? state.transferId : undefined;
  const transferId = known ?? found;
  if (!('transferId' in state) || transferId === undefined) {
    throw new IllegalMove(`A payout that is ${state.status} has no transfer`);
  }
  return { ...agreedOf(state), transferId, sentAt: sentAtOf(state) ?? state.approvedAt };
}

function crashEvidence(state: PayoutState, event: EventOf<'recover'>) {
  if (state.status !== 'sending') throw new IllegalMove('Only a payout in sending is recovered');
  const { attempt, startedAt } = state;
  const { since = startedAt, at: endedAt } = event;
  return { attempt, phase: 'unknown' as const, startedAt: since, endedAt, bytesWritten: -1 };
}
