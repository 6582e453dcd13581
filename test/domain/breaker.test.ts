/** The breaker: one cause must not fail a whole payroll, and doubts must not pile up. */
import { describe, expect, it } from 'vitest';
import {
  afterProbe,
  afterSend,
  type Breaker,
  type BreakerLimits,
  failedProbes,
  inFlightMax,
  isLastChance,
  newBreaker,
  type SendResult,
} from '../../src/domain/payouts/circuit-breaker.ts';
import { asInstitutionId } from '../../src/domain/rows/directory.ts';

const LIMITS: BreakerLimits = { doubtsMax: 4 };
const fresh = () => newBreaker({ doubts: 0, setAside: [] }, LIMITS);
const [mtn, gcb] = [asInstitutionId('mtn'), asInstitutionId('gcb')];

const accepted = (institutionId = mtn): SendResult => ({ kind: 'accepted', institutionId });
const refused = (institutionId = mtn, message = 'account closed'): SendResult => ({
  kind: 'refused',
  institutionId,
  code: '51',
  message,
});
const doubt: SendResult = { kind: 'in_doubt' };
const notSent: SendResult = { kind: 'not_sent', reason: 'connect: refused' };
const limited: SendResult = { kind: 'rate_limited' };
const tokenRefused: SendResult = { kind: 'token_refused' };

const follow = (breaker: Breaker, ...results: readonly SendResult[]) =>
  results.reduce((last, result) => afterSend(last, result, LIMITS), breaker);
const many = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);

describe('doubts', () => {
  it('lets nothing more start after one, until a harmless question is answered', () => {
    const breaker = follow(fresh(), accepted(), doubt);
    expect(breaker.gate).toBe('probe');
    expect(afterProbe(breaker).gate).toBe('open_way');
  });

  it('[N28] lets the next payment out alone, until one is answered that left after the doubt', () => {
    const doubtful = follow(fresh(), accepted(), doubt, accepted());
    const probed = afterProbe(doubtful);
    expect(inFlightMax(probed, 64)).toBe(1);
    expect(inFlightMax(afterProbe(follow(probed, doubt)), 64)).toBe(1);
    expect(inFlightMax(follow(probed, accepted()), 64)).toBe(64);
    expect(inFlightMax(follow(probed, refused()), 64)).toBe(64);
    expect(inFlightMax(follow(probed, notSent), 64)).toBe(1);
  });

  it('pauses the batch when they are more than the limit', () => {
    expect(follow(fresh(), accepted(), ...many(4, doubt)).gate).toBe('probe');
    expect(follow(fresh(), accepted(), ...many(5, doubt)).gate).toBe('paused');
  });

  it('counts those of earlier runs, and sends nothing when they are too many already', () => {
    expect(follow(newBreaker({ doubts: 4, setAside: [] }, LIMITS), accepted(), doubt).gate).toBe('paused');
    expect(newBreaker({ doubts: 5, setAside: [] }, LIMITS).gate).toBe('paused');
    expect(newBreaker({ doubts: 4, setAside: [] }, LIMITS).gate).toBe('open_way');
  });

  it('pauses at once when a transfer id comes twice', () => {
    expect(follow(fresh(), accepted(), { kind: 'id_seen_before' }).gate).toBe('paused');
  });
});

describe('sends that never left', () => {
  it('asks after three in a row, not after two', () => {
    expect(follow(fresh(), notSent, notSent).gate).toBe('open_way');
    expect(follow(fresh(), notSent, notSent, notSent).gate).toBe('probe');
    expect(follow(fresh(), notSent, notSent, accepted(), notSent).gate).toBe('open_way');
  });

  it('lets one send try the way after the probe, and asks again when that one fails too', () => {
    const open = afterProbe(follow(fresh(), accepted(), notSent, notSent, notSent));
    expect(inFlightMax(open, 4)).toBe(1);
    const again = follow(open, notSent);
    expect(again.gate).toBe('probe');
    expect(failedProbes(again)).toBe(1);
    expect(inFlightMax(follow(open, accepted()), 4)).toBe(4);
  });
});

describe('refusals', () => {
  it('pauses when the first three answers are all refusals', () => {
    expect(follow(fresh(), refused(mtn, 'a'), refused(mtn, 'b')).gate).toBe('open_way');
    expect(follow(fresh(), refused(mtn, 'a'), refused(mtn, 'b'), refused(mtn, 'c')).gate).toBe('paused');
    expect(follow(fresh(), accepted(), refused(mtn, 'a'), refused(mtn, 'b'), refused(mtn, 'c')).gate).toBe(
      'open_way',
    );
  });

  it('keeps three in flight at the most until the service has taken one', () => {
    expect(inFlightMax(fresh(), 64)).toBe(3);
    expect(inFlightMax(follow(fresh(), accepted()), 64)).toBe(64);
    expect(inFlightMax(fresh(), 2)).toBe(2);
  });

  it('counts refused ones among the three, so that no fourth begins before the batch pauses', () => {
    expect(inFlightMax(follow(fresh(), refused(mtn, 'a')), 64)).toBe(2);
    expect(inFlightMax(follow(fresh(), refused(mtn, 'a'), refused(mtn, 'b')), 64)).toBe(1);
    expect(inFlightMax(follow(fresh(), refused(mtn, 'a'), accepted()), 64)).toBe(64);
  });

  it('[E15] pauses when three in a row are alike across institutions', () => {
    const begun = follow(fresh(), accepted());
    const alike = [refused(mtn, 'no balance'), refused(gcb, 'no balance'), refused(mtn, 'no balance')];
    expect(follow(begun, ...alike).gate).toBe('paused');
    expect(
      follow(begun, refused(mtn, 'no balance'), refused(gcb, 'closed'), refused(mtn, 'no balance')).gate,
    ).toBe('open_way');
    expect(follow(begun, ...many(3, refused(mtn, 'closed'))).gate).toBe('open_way');
  });

  it('sets an institution aside after five in a row, and only that one', () => {
    const four = follow(fresh(), accepted(), ...many(4, refused(gcb)));
    expect([...four.setAside]).toEqual([]);
    const five = follow(four, refused(gcb));
    expect([...five.setAside]).toEqual([gcb]);
    expect(five.gate).toBe('open_way');
    expect([...follow(four, accepted(gcb), refused(gcb)).setAside]).toEqual([]);
  });

  it('gives an institution that was set aside before one chance', () => {
    const breaker = follow(newBreaker({ doubts: 0, setAside: [gcb] }, LIMITS), accepted());
    expect(isLastChance(breaker, gcb)).toBe(true);
    expect(isLastChance(breaker, mtn)).toBe(false);
    expect([...follow(breaker, refused(gcb)).setAside]).toEqual([gcb]);
    expect(isLastChance(follow(breaker, accepted(gcb)), gcb)).toBe(false);
  });
});

describe('waiting', () => {
  it('lets one transfer out alone after “too many requests”, until one is answered', () => {
    const limitedOnce = follow(fresh(), accepted(), limited);
    expect(limitedOnce.gate).toBe('open_way');
    expect(inFlightMax(limitedOnce, 4)).toBe(1);
    expect(inFlightMax(follow(limitedOnce, accepted()), 4)).toBe(4);
  });

  it('takes refusals of one token, however many were in flight, as one', () => {
    const first = follow(fresh(), accepted(), ...many(4, tokenRefused));
    expect(first.gate).toBe('probe');
    expect(follow(afterProbe(first), tokenRefused).gate).toBe('paused');
    expect(follow(afterProbe(first), accepted(), tokenRefused).gate).toBe('probe');
  });
});

it('stays paused whatever happens afterwards', () => {
  const paused = follow(fresh(), accepted(), { kind: 'id_seen_before' });
  for (const result of [accepted(), refused(), doubt, notSent, limited, tokenRefused]) {
    expect(afterProbe(follow(paused, result)).gate).toBe('paused');
  }
});
