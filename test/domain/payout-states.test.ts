/**
 * What a payout is after each event, to the last field, written down by hand: a field that gets lost on the way
 * is a payment that nobody can find again.
 */
import { describe, expect, it } from 'vitest';
import { asTransferId, type Quote } from '../../src/domain/payouts/instruction.ts';
import type { Payout, Status } from '../../src/domain/payouts/payout.ts';
import type { EventKind, EventOf, PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { advance, IllegalMove, mayFollow } from '../../src/domain/payouts/payout-machine.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import {
  anEvent,
  aPayoutIn,
  aPricing,
  aReason,
  evidence,
  NO_MATCH,
  NOW,
  OVER_LIMIT,
} from '../builders/payouts.ts';

const later = (seconds: number) => timestampOf(NOW + seconds * 1_000);
const release = { saw: [NO_MATCH], by: 'ben', reason: 'asked her', at: NOW };
const earlier = { saw: [OVER_LIMIT], by: 'cleo', reason: 'worth it', at: NOW };
const pricing = aPricing({ wireName: 'AMA MENSAH' });
/** What a payout keeps from its approval on. */
const agreed = {
  pricing,
  releases: [earlier],
  tag: 'PF-00000009',
  approvedAt: later(-60),
  approvedBy: 'dora',
};
const onItsWay = {
  ...agreed,
  transferId: asTransferId('tr-7'),
  sentAt: later(-30),
  serviceStatus: 'Queued',
  discrepancies: ['amount: the service shows 5'],
};

function stateAfter<Kind extends EventKind>(
  status: Status,
  state: object,
  kind: Kind,
  changes: Partial<EventOf<Kind>> = {},
): Payout['state'] {
  const event = { ...anEvent(kind), at: later(5), ...changes } as PayoutEvent;
  return advance(aPayoutIn(status, { state }) as Payout, event).state;
}

describe('before it is approved', () => {
  it('is held for its reasons, with what was let go before and what was asked of the service', () => {
    const reasons = [aReason(OVER_LIMIT, 'over the limit')];
    const expected = { status: 'held', reasons, releases: [earlier], pricing };
    expect(stateAfter('planned', { releases: [earlier] }, 'hold', { reasons, pricing })).toStrictEqual(
      expected,
    );
    expect(stateAfter('quoted', { releases: [earlier] }, 'hold', { reasons, pricing })).toStrictEqual(
      expected,
    );
    expect(stateAfter('approved', agreed, 'hold', { reasons, pricing })).toStrictEqual(expected);
  });

  it('is quoted with the newest quote', () => {
    const expected = { status: 'quoted', pricing, releases: [earlier] };
    expect(stateAfter('planned', { releases: [earlier] }, 'price', { pricing })).toStrictEqual(expected);
    expect(stateAfter('quoted', { releases: [earlier] }, 'price', { pricing })).toStrictEqual(expected);
  });

  it('remembers every release, the newest last', () => {
    const state = stateAfter('held', { releases: [earlier] }, 'release', { release });
    expect(state).toStrictEqual({ status: 'planned', releases: [earlier, release] });
  });

  it('is invalid with its issues alone, and canceled with who and why', () => {
    expect(stateAfter('planned', { releases: [earlier] }, 'invalidate')).toStrictEqual({
      status: 'invalid',
      issues: [],
    });
    for (const status of ['planned', 'held', 'quoted', 'approved'] as const) {
      expect(stateAfter(status, {}, 'cancel', { by: 'eva', reason: 'left' })).toStrictEqual({
        status: 'canceled',
        by: 'eva',
        reason: 'left',
        at: later(5),
      });
    }
  });

  it('is approved with its tag, by whom and when, and loses the approval whole', () => {
    const quoted = { pricing, releases: [earlier] };
    expect(stateAfter('quoted', quoted, 'approve', { by: 'dora' })).toStrictEqual({
      ...quoted,
      status: 'approved',
      tag: 'PF-00000001',
      approvedAt: later(5),
      approvedBy: 'dora',
    });
    expect(stateAfter('approved', agreed, 'unapprove')).toStrictEqual({ status: 'quoted', ...quoted });
  });

  it('is not as it was approved until a person approves it again, whatever it is held for between', () => {
    const quoted = { pricing, releases: [earlier], isOther: true };
    expect(stateAfter('quoted', quoted, 'hold')).toMatchObject({ status: 'held', isOther: true });
    const held = { ...quoted, reasons: [] };
    expect(stateAfter('held', held, 'release')).toMatchObject({ status: 'planned', isOther: true });
    expect(stateAfter('planned', { releases: [], isOther: true }, 'price')).toMatchObject({ isOther: true });
    expect(stateAfter('quoted', quoted, 'approve')).not.toHaveProperty('isOther');
  });
});

describe('while it is sent', () => {
  const sending = { ...agreed, attempt: 2, startedAt: later(-30), bodyDigest: 'digest' };
  const seen = evidence({ attempt: 2, startedAt: later(-30), endedAt: later(4) });

  it('has attempt, time and digest of the request', () => {
    const begin = { attempt: 2, bodyDigest: 'digest', at: later(-30) };
    expect(stateAfter('approved', agreed, 'begin_attempt', begin)).toStrictEqual({
      ...sending,
      status: 'sending',
    });
  });

  const newer = { ...aPricing().quote, rate: '15.4' } as Quote;
  it('has the newer quote of this moment beside the one that was agreed to', () => {
    const begin = { attempt: 2, bodyDigest: 'digest', quote: newer, at: later(-30) };
    expect(stateAfter('approved', agreed, 'begin_attempt', begin)).toStrictEqual({
      ...sending,
      status: 'sending',
      quoteAtSend: newer,
    });
  });

  it('keeps that quote in every state that follows, and loses it with the approval', () => {
    const withQuote = { ...sending, quoteAtSend: newer };
    for (const kind of ['not_sent', 'turn_away', 'refuse', 'doubt', 'recover', 'accept'] as const)
      expect(stateAfter('sending', withQuote, kind), kind).toMatchObject({ pricing, quoteAtSend: newer });
    const way = { ...onItsWay, quoteAtSend: newer, suspicion: undefined };
    for (const kind of ['progress', 'suspect', 'settle', 'fail', 'return'] as const)
      expect(stateAfter('accepted', way, kind), kind).toMatchObject({ pricing, quoteAtSend: newer });
    expect(stateAfter('approved', { ...agreed, quoteAtSend: newer }, 'unapprove')).not.toHaveProperty(
      'quoteAtSend',
    );
  });

  it('is approved as before when nothing was executed', () => {
    expect(stateAfter('sending', sending, 'not_sent')).toStrictEqual({ ...agreed, status: 'approved' });
    expect(stateAfter('sending', sending, 'turn_away')).toStrictEqual({ ...agreed, status: 'approved' });
  });

  it('is refused with the words of the service', () => {
    const event = { message: 'closed account', evidence: seen };
    expect(stateAfter('sending', sending, 'refuse', event)).toStrictEqual({
      ...agreed,
      status: 'failed',
      basis: 'refused',
      reason: 'closed account',
      at: later(5),
      sentAt: later(-30),
      transferId: undefined,
      serviceStatus: undefined,
    });
  });

  it('is in doubt with all evidence, also when only its process died', () => {
    const doubt = { reason: 'answer_incomplete' as const, evidence: seen };
    expect(stateAfter('sending', sending, 'doubt', doubt)).toStrictEqual({
      ...agreed,
      ...doubt,
      status: 'in_doubt',
      at: later(5),
    });
    expect(stateAfter('sending', sending, 'recover')).toStrictEqual({
      ...agreed,
      status: 'in_doubt',
      reason: 'crash',
      evidence: {
        attempt: 2,
        phase: 'unknown',
        startedAt: later(-30),
        endedAt: later(5),
        bytesWritten: -1,
      },
      at: later(5),
    });
  });

  it('is in doubt from its first try on, if tries before the one on the wire were turned away', () => {
    expect(stateAfter('sending', sending, 'recover', { since: later(-900) })).toMatchObject({
      evidence: { attempt: 2, startedAt: later(-900), endedAt: later(5) },
    });
  });

  it('is accepted with the id of the transfer, nothing else known of it yet', () => {
    const accepted = {
      ...agreed,
      status: 'accepted',
      transferId: 'tr-7',
      sentAt: later(-30),
      serviceStatus: undefined,
      discrepancies: [],
      suspicion: undefined,
    };
    const event = { transferId: asTransferId('tr-7'), evidence: seen };
    expect(stateAfter('sending', sending, 'accept', event)).toStrictEqual(accepted);
    const doubt = { ...agreed, reason: 'no_answer', evidence: seen, at: later(4) };
    expect(stateAfter('in_doubt', doubt, 'accept', event)).toStrictEqual(accepted);
    expect(stateAfter('in_doubt', doubt, 'rule_paid', { transferId: asTransferId('tr-7') })).toStrictEqual(
      accepted,
    );
  });

  it('is ruled not paid with the evidence of the person', () => {
    const doubt = { ...agreed, reason: 'no_answer', evidence: seen, at: later(4) };
    const ruling = { by: 'ama', evidence: 'ticket 12' };
    expect(stateAfter('in_doubt', doubt, 'rule_not_paid', { ruling })).toStrictEqual({
      ...agreed,
      status: 'failed',
      basis: 'ruled',
      reason: 'ticket 12',
      at: later(5),
      sentAt: later(-30),
      transferId: undefined,
      serviceStatus: undefined,
    });
  });
});

describe('when the service is asked what became of it', () => {
  const news = { serviceStatus: 'Word', discrepancies: ['institution: another one'] };
  const way = { ...onItsWay, ...news };
  const accepted = { ...onItsWay, suspicion: { word: 'Failed', firstAt: NOW } };

  it('stays on its way with the newest word, and a suspicion begins or ends', () => {
    expect(stateAfter('accepted', accepted, 'progress', news)).toStrictEqual({
      ...way,
      status: 'accepted',
      suspicion: undefined,
    });
    const unproven = ['does not show the receiver'];
    expect(stateAfter('accepted', accepted, 'suspect', { ...news, unproven })).toMatchObject({
      suspicion: { word: 'Word', firstAt: later(5), unproven },
    });
    expect(stateAfter('accepted', accepted, 'suspect', news)).toStrictEqual({
      ...way,
      status: 'accepted',
      suspicion: { word: 'Word', firstAt: later(5) },
    });
  });

  it('learns the second name of its transfer once, and keeps it to the end', () => {
    const [first, second] = [asTransferId('tr-7-b'), asTransferId('tr-7-c')];
    const looks = ['progress', 'suspect', 'settle', 'fail', 'return'] as const;
    for (const kind of looks) {
      expect(stateAfter('accepted', accepted, kind, { otherId: first }), kind).toMatchObject({
        otherId: first,
      });
      const known = { ...accepted, otherId: first };
      expect(stateAfter('accepted', known, kind, { otherId: second }), kind).toMatchObject({
        otherId: first,
      });
      expect(stateAfter('accepted', known, kind), kind).toMatchObject({ otherId: first });
    }
  });

  it('is settled, and no incident', () => {
    expect(stateAfter('accepted', accepted, 'settle', news)).toStrictEqual({
      ...way,
      status: 'settled',
      settledAt: later(5),
      incident: false,
    });
  });

  it('is failed with its transfer, so that it can be watched', () => {
    expect(stateAfter('accepted', accepted, 'fail', news)).toStrictEqual({
      ...agreed,
      status: 'failed',
      basis: 'service_status',
      reason: 'the service says Word',
      at: later(5),
      transferId: 'tr-7',
      serviceStatus: 'Word',
      sentAt: later(-30),
    });
  });

  it('is returned, from its way or after it was settled', () => {
    const returned = { ...way, status: 'returned', returnedAt: later(5) };
    expect(stateAfter('accepted', accepted, 'return', news)).toStrictEqual(returned);
    const settled = { ...onItsWay, settledAt: NOW, incident: false };
    expect(stateAfter('settled', settled, 'return', news)).toStrictEqual(returned);
  });

  const failed = {
    ...agreed,
    basis: 'service_status',
    reason: 'the service says Failed',
    at: NOW,
    transferId: asTransferId('tr-7'),
    serviceStatus: 'Failed',
    sentAt: later(-30),
  };
  const incident = { ...way, status: 'settled', settledAt: later(5), incident: true };

  it('is settled and an incident when it had failed', () => {
    expect(stateAfter('failed', failed, 'settle', news)).toStrictEqual(incident);
    // When it was sent is not known: the approval is the earliest instant that it can have been.
    expect(stateAfter('failed', { ...failed, sentAt: undefined }, 'settle', news)).toStrictEqual({
      ...incident,
      sentAt: later(-60),
    });
  });

  it('is settled and an incident when it had come back', () => {
    const returned = { ...way, status: 'returned', returnedAt: NOW };
    expect(stateAfter('returned', returned, 'settle', news)).toStrictEqual(incident);
  });

  it('is an incident too when it was ruled not paid and its transfer was found', () => {
    const ruled = { ...failed, basis: 'ruled', transferId: undefined };
    expect(
      stateAfter('failed', ruled, 'settle', { ...news, transferId: asTransferId('tr-7') }),
    ).toStrictEqual(incident);
    expect(() => stateAfter('failed', ruled, 'settle', news)).toThrow(
      'A payout that is failed has no transfer',
    );
  });

  it('cannot settle when it was refused, or failed without a transfer', () => {
    expect(mayFollow(aPayoutIn('failed', { state: { ...failed, basis: 'refused' } }).state, 'settle')).toBe(
      false,
    );
    const unknown = { ...failed, transferId: undefined };
    expect(mayFollow(aPayoutIn('failed', { state: unknown }).state, 'settle')).toBe(false);
  });
});

describe('a move that is not in the table', () => {
  it('names the payout, the event and the state', () => {
    const error = (() => {
      try {
        advance(aPayoutIn('settled', { id: '71' }), anEvent('accept'));
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(IllegalMove);
    expect(error).toMatchObject({
      name: 'IllegalMove',
      code: 'illegal_move',
      message: 'Payout 71: “accept” cannot follow settled',
    });
  });

  it('is found out too where the state lacks what the table takes for granted', () => {
    expect(() => stateAfter('quoted', { pricing: undefined }, 'approve')).toThrow(
      'A payout that is quoted has no pricing',
    );
    const { tag: _tag, ...without } = aPayoutIn('sending').state;
    const payout = { ...aPayoutIn('sending'), state: without } as unknown as Payout;
    expect(() => advance(payout, anEvent('doubt'))).toThrow('A payout that is sending was not approved');
  });
});
