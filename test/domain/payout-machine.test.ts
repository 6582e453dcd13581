/** The payout machine, whole: every state × every event against a table written by hand. */
import { describe, expect, it } from 'vitest';
import { type Payout, STATUSES, type Status } from '../../src/domain/payouts/payout.ts';
import type { EventKind } from '../../src/domain/payouts/payout-event.ts';
import {
  advance,
  EVENT_KINDS,
  IllegalMove,
  MOVES,
  mayFollow,
} from '../../src/domain/payouts/payout-machine.ts';
import { anEvent, aPayoutIn } from '../builders/payouts.ts';

/** What the design says, written down a second time by hand: state → event → where it leads. */
const EXPECTED: Record<Status, Partial<Record<EventKind, Status>>> = {
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

describe.each(STATUSES)('a payout that is %s', (status) => {
  it.each(EVENT_KINDS)('answers %s as the table says', (kind) => {
    const payout = aPayoutIn(status);
    const target = EXPECTED[status][kind];
    if (target === undefined) {
      expect(() => advance(payout, anEvent(kind))).toThrow(IllegalMove);
      expect(mayFollow(payout.state, kind)).toBe(false);
      return;
    }
    const after = advance(payout, anEvent(kind));
    expect([MOVES[status][kind], after.state.status]).toEqual([target, target]);
    expect(after.version).toBe(payout.version + 1);
    expect(after.id).toBe(payout.id);
  });
});

it('never sends a payout in doubt again: no path from in_doubt leads back to approved', () => {
  const reachable = new Set<Status>(['in_doubt']);
  for (let grown = true; grown; ) {
    grown = false;
    for (const status of [...reachable]) {
      for (const next of Object.values(EXPECTED[status])) {
        if (!reachable.has(next)) grown = Boolean(reachable.add(next));
      }
    }
  }
  expect([...reachable].sort()).toEqual(['accepted', 'failed', 'in_doubt', 'returned', 'settled']);
});

it.each(['approved', 'sending', 'in_doubt', 'accepted', 'settled'] as const)(
  'gives a payment that is %s no other price, name or release than was agreed to',
  (status) => {
    for (const kind of ['price', 'release', 'approve', 'invalidate'] as const)
      expect(() => advance(aPayoutIn(status), anEvent(kind)), kind).toThrow(IllegalMove);
  },
);

it('never lets a refused payment become settled', () => {
  const refused = advance(aPayoutIn('sending'), anEvent('refuse'));
  expect(() => advance(refused, anEvent('settle'))).toThrow(IllegalMove);
});

it('never lets a payment ruled not paid, whose transfer nobody knows, become settled', () => {
  const ruled = advance(aPayoutIn('in_doubt'), anEvent('rule_not_paid'));
  expect(() => advance(ruled, anEvent('settle'))).toThrow(IllegalMove);
});

it('marks a payment that failed and then finished as an incident', () => {
  const settled = advance(aPayoutIn('failed'), anEvent('settle'));
  expect(settled.state).toMatchObject({ status: 'settled', incident: true });
});

it('keeps tag, approval and pricing from approval to the end', () => {
  let payout: Payout = aPayoutIn('quoted');
  for (const kind of [
    'approve',
    'begin_attempt',
    'doubt',
    'rule_paid',
    'progress',
    'settle',
    'return',
  ] as const) {
    payout = advance(payout, anEvent(kind));
  }
  expect(payout.state).toMatchObject({
    status: 'returned',
    tag: 'PF-00000001',
    approvedBy: 'ama',
    transferId: 'tr-9',
    pricing: { wireName: 'Ama Mensah' },
  });
});

it('counts attempts from one, and a row turned away twice has begun two', () => {
  let payout: Payout = aPayoutIn('approved');
  payout = advance(payout, anEvent('begin_attempt'));
  payout = advance(payout, anEvent('turn_away'));
  expect(payout.attempts).toBe(1);
  payout = advance(payout, { ...anEvent('begin_attempt'), attempt: 2 });
  expect(payout.attempts).toBe(2);
});

it('takes a pending word after a suspicion as a clean slate', () => {
  const suspected = advance(aPayoutIn('accepted'), anEvent('suspect'));
  expect(suspected.state).toMatchObject({ suspicion: { word: 'Failed' } });
  const cleared = advance(suspected, anEvent('progress'));
  expect(cleared.state).toMatchObject({ suspicion: undefined });
});
