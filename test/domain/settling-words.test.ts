/** What the service's words mean while a transfer settles, and when it is asked again. */
import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../src/domain/money/money.ts';
import { asTransferId } from '../../src/domain/payouts/instruction.ts';
import { type PayoutIn, placeNames } from '../../src/domain/payouts/payout.ts';
import { advance } from '../../src/domain/payouts/payout-machine.ts';
import { eventOfPoll, firstPollAt, meaningOf, nextPollAt } from '../../src/domain/payouts/service-status.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { plusMs, type Timestamp } from '../../src/domain/timestamp.ts';
import { aPayoutIn, NOW } from '../builders/payouts.ts';

const MINUTE = 60_000;
/** The look-up shows the payment itself. */
const asAsked = ({
  instruction,
  state,
}: Pick<PayoutIn<'accepted' | 'settled' | 'failed'>, 'instruction' | 'state'>) => ({
  amount: formatDecimal(instruction.amount),
  institution: placeNames(instruction, state.pricing).institution,
  destination: placeNames(instruction, state.pricing).country,
  receiver: state.pricing.wireName,
  id: state.transferId ?? asTransferId('tr-1'),
});
const kindOf = (payout: PayoutIn<'accepted' | 'settled' | 'failed'>, status: string, at: Timestamp = NOW) =>
  eventOfPoll(payout, { ...asAsked(payout), status, at }, DEFAULT_POLICY)?.kind;

it.each([
  ['Finished', 'finished'],
  [' FINISHED ', 'finished'],
  ['Failed', 'failed'],
  ['declined', 'failed'],
  ['Cancelled', 'failed'],
  ['Reversed', 'returned'],
  ['Refunded', 'returned'],
  ['Processing', 'pending'],
  ['Finish', 'pending'],
  ['Failed to notify', 'pending'],
  ['', 'pending'],
])('takes “%s” as %s', (word, meaning) => {
  expect(meaningOf(word, DEFAULT_POLICY)).toBe(meaning);
});

describe('a transfer that is on its way', () => {
  const accepted = aPayoutIn('accepted');
  it.each([
    ['Finished', 'settle'],
    ['Reversed', 'return'],
    ['Failed', 'suspect'],
    ['Processing', 'progress'],
  ])('answers “%s” with %s', (word, kind) => {
    expect(kindOf(accepted, word)).toBe(kind);
  });

  it('writes nothing down when the word is the same as before', () => {
    const known = aPayoutIn('accepted', {
      state: { serviceStatus: 'Processing', shown: { amount: asAsked(accepted).amount } },
    });
    expect(kindOf(known, 'Processing')).toBeUndefined();
    expect(kindOf(known, 'Sent to bank')).toBe('progress');
  });
});

describe('a failure word', () => {
  const suspected = aPayoutIn('accepted', {
    state: { serviceStatus: 'Failed', suspicion: { word: 'Failed', firstAt: NOW } },
  });

  it('counts only when it comes again ten minutes later', () => {
    expect(kindOf(suspected, 'Failed', plusMs(NOW, 10 * MINUTE - 1))).toBeUndefined();
    expect(kindOf(suspected, 'FAILED', plusMs(NOW, 10 * MINUTE))).toBe('fail');
  });

  it('counts also when another word says the same', () => {
    expect(kindOf(suspected, 'Declined', plusMs(NOW, 20 * MINUTE))).toBe('fail');
  });

  it('is forgotten when a pending word comes between', () => {
    expect(kindOf(suspected, 'Processing', plusMs(NOW, 5 * MINUTE))).toBe('progress');
  });

  it('gives way to Finished at any time', () => {
    expect(kindOf(suspected, 'Finished', plusMs(NOW, 20 * MINUTE))).toBe('settle');
  });
});

describe('after the end', () => {
  it('[E10] sees a settled payment come back, or be called anything but finished', () => {
    const shown = { amount: asAsked(aPayoutIn('settled')).amount };
    const settled = aPayoutIn('settled', { state: { serviceStatus: 'Finished', shown } });
    expect(kindOf(settled, 'Reversed')).toBe('return');
    expect(kindOf(settled, 'Failed')).toBe('suspect');
    expect(kindOf(settled, 'Processing')).toBe('progress');
    expect(kindOf(settled, 'FINISHED')).toBeUndefined();
  });

  it('takes a failure word of a settled payment for a return, when it comes again ten minutes later', () => {
    const discrepancies = ['status: the service says “Failed” after Finished'];
    const suspected = aPayoutIn('settled', {
      state: { serviceStatus: 'Failed', discrepancies, suspicion: { word: 'Failed', firstAt: NOW } },
    });
    expect(kindOf(suspected, 'Failed', plusMs(NOW, 10 * MINUTE - 1))).toBeUndefined();
    expect(kindOf(suspected, 'FAILED', plusMs(NOW, 10 * MINUTE))).toBe('return');
    expect(kindOf(suspected, 'Finished', plusMs(NOW, 10 * MINUTE))).toBe('progress');
  });

  it('sees a failed payment finish, and nothing else', () => {
    const failed = aPayoutIn('failed');
    expect(kindOf(failed, 'Finished')).toBe('settle');
    for (const word of ['Failed', 'Processing', 'Reversed']) expect(kindOf(failed, word)).toBeUndefined();
  });

  it('takes nothing of a refused payment, which the service never had', () => {
    const refused = aPayoutIn('failed', { state: { basis: 'refused', transferId: undefined } });
    expect(kindOf(refused, 'Finished')).toBeUndefined();
  });

  it('gives only events that the payout machine allows', () => {
    for (const payout of [aPayoutIn('accepted'), aPayoutIn('settled'), aPayoutIn('failed')]) {
      for (const status of ['Finished', 'Failed', 'Reversed', 'Processing']) {
        const event = eventOfPoll(payout, { ...asAsked(payout), status, at: NOW }, DEFAULT_POLICY);
        if (event !== undefined) expect(advance(payout, event).version).toBe(payout.version + 1);
      }
    }
  });
});

describe('the next look', () => {
  const pace = { pollMinMs: 2_000, pollMaxMs: 300_000 };
  const moment = (ageMs: number, speedSeconds: number | undefined, random = 0.5) => ({
    now: plusMs(NOW, ageMs),
    sentAt: NOW,
    speedSeconds,
    random,
  });

  it.each([
    [undefined, 2_000],
    [0, 2_000],
    [30, 30_000],
    [7 * 24 * 3600, 300_000],
  ])('comes first after the speed that was quoted (%s s): %i ms', (speed, delay) => {
    expect(firstPollAt(moment(0, speed), pace) - NOW).toBe(delay);
  });

  it.each([
    [0, 0, 2_000],
    [30_000, 30, 2_000],
    [50_000, 30, 10_000],
    [3_600_000, 30, 300_000],
  ])('comes %i ms after sending, with a speed of %i s, %i ms later', (age, speed, delay) => {
    expect(nextPollAt(moment(age, speed), pace) - NOW - age).toBe(delay);
  });

  it('is spread by a fifth to either side, so that a batch does not ask all at once', () => {
    expect(nextPollAt(moment(0, 0, 0), pace) - NOW).toBe(1_600);
    expect(nextPollAt(moment(0, 0, 0.999), pace) - NOW).toBe(2_399);
  });
});
