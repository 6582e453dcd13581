/** The plan: what a person agrees to, to the last minor unit. */
import { describe, expect, it } from 'vitest';
import { formatMoney } from '../../src/domain/money/money.ts';
import type { Concern } from '../../src/domain/payouts/concern.ts';
import { asBatchId, asPayoutId, type Quote } from '../../src/domain/payouts/instruction.ts';
import { leafOf, type Narration } from '../../src/domain/payouts/order.ts';
import { type Payout, STATUSES } from '../../src/domain/payouts/payout.ts';
import { PlanBuilder, planDigest, type SameMoney } from '../../src/domain/plan/plan.ts';
import { totalOf, totalsToType } from '../../src/domain/plan/typed-totals.ts';
import type { Said } from '../../src/domain/reading/answer.ts';
import { aPayoutIn, aPricing, aReason, money, NO_MATCH, NOW, OVER_LIMIT } from '../builders/payouts.ts';
import { aBatch } from '../builders/report-rows.ts';

const NARRATION: Narration = { ledgerId: 'ledger-1', salt: '', noteMax: 100, noteTag: true };
const NONE: SameMoney = { twins: [], alike: [] };

it('adds up what waits, what was agreed to before and what is held, per currency', () => {
  const builder = new PlanBuilder(NARRATION);
  const kes = { amount: money('KES 1000.00') };
  builder.add(aPayoutIn('quoted'));
  builder.add(aPayoutIn('quoted', { instruction: { amount: money('GHS 300.00') } }));
  builder.add(aPayoutIn('quoted', { instruction: kes }));
  builder.add(aPayoutIn('held'));
  builder.add(aPayoutIn('invalid'));
  builder.add(aPayoutIn('approved'));
  builder.add(aPayoutIn('in_doubt'));
  builder.add(aPayoutIn('settled', { instruction: kes }));
  builder.add(aPayoutIn('failed'));
  builder.add(aPayoutIn('canceled'));
  const plan = builder.finish(NONE, []);
  expect(plan.counts).toEqual({
    quoted: 3,
    held: 1,
    invalid: 1,
    approved: 1,
    in_doubt: 1,
    settled: 1,
    failed: 1,
    canceled: 1,
  });
  expect(plan.toApprove.map(({ count, sum }) => `${count} × ${formatMoney(sum)}`)).toEqual([
    '2 × GHS 1,500.00',
    '1 × KES 1,000.00',
  ]);
  // 1200 ÷ 15.5 + 1.02 = 78.44, 300 ÷ 15.5 + 1.02 = 20.37
  expect(plan.toApprove[0]?.debits.map(formatMoney)).toEqual(['GBP 98.81']);
  expect(plan.toApprove[0]?.fees.map(formatMoney)).toEqual(['GBP 2.04']);
  expect(plan.committed.map(formatMoney)).toEqual(['GHS 2,400.00', 'KES 1,000.00']);
  expect(plan.held.map(formatMoney)).toEqual(['GHS 1,200.00']);
  // Three payments of GBP 78.44 are agreed to: 1000 ÷ 15.5 + 1.02 = 65.54 is the one in KES.
  expect(plan.committedDebits.map(formatMoney)).toEqual(['GBP 222.42']);
  expect([...plan.holdReasons]).toEqual([['name', 1]]);
});

it('never shows a sum as the cost of rows that nobody knows the cost of', () => {
  const builder = new PlanBuilder(NARRATION);
  builder.add(aPayoutIn('quoted'));
  const dear = { amount: money('GHS 90000.00') };
  builder.add(aPayoutIn('quoted', { instruction: dear, state: { pricing: aPricing({ quote: undefined }) } }));
  const { toApprove } = builder.finish(NONE, []);
  expect(
    toApprove.map(({ count, sum, debits }) => [count, formatMoney(sum), debits.map(formatMoney)]),
  ).toEqual([
    [1, 'GHS 1,200.00', ['GBP 78.44']],
    [1, 'GHS 90,000.00', []],
  ]);
  expect(totalOf(toApprove, 'debits')).toEqual([]);
  expect(totalsToType({ toApprove }).map(formatMoney)).toEqual(['GBP 78.44', 'GHS 90,000.00']);
});

it('shows the slowest quote and at most five rates of a line', () => {
  const builder = new PlanBuilder(NARRATION);
  for (let index = 0; index < 7; index += 1) {
    const { quote } = aPricing();
    if (quote === undefined) throw new TypeError('the builder gives a quote');
    const pricing = aPricing({ quote: { ...quote, rate: `15.${index}`, speedSeconds: index } });
    builder.add(aPayoutIn('quoted', { state: { pricing } }));
  }
  const [line] = builder.finish(NONE, []).toApprove;
  expect(line?.rates).toHaveLength(5);
  expect(line?.speedSecondsMax).toBe(6);
});

it('counts what was sent at the newer quote of the sending', () => {
  const builder = new PlanBuilder(NARRATION);
  const quoteAtSend = { ...aPricing().quote, rate: '15' };
  builder.add(aPayoutIn('accepted', { state: { quoteAtSend } }));
  builder.add(aPayoutIn('approved'));
  builder.add(aPayoutIn('failed'));
  // 1200 ÷ 15 + 1.02 = 81.02, and 78.44; what failed costs nothing.
  expect(builder.finish(NONE, []).committedDebits.map(formatMoney)).toEqual(['GBP 159.46']);
});

it('counts a held row once, as what is gravest of it', () => {
  const builder = new PlanBuilder(NARRATION);
  const moved: Concern = { kind: 'other_account', from: 'a', to: 'b' };
  for (const concerns of [[NO_MATCH, OVER_LIMIT], [NO_MATCH, moved], [moved]])
    builder.add(aPayoutIn('held', { state: { reasons: concerns.map((concern) => aReason(concern)) } }));
  expect([...builder.finish(NONE, []).holdReasons]).toEqual([
    ['name', 1],
    ['other_account', 2],
  ]);
});

describe('the digest', () => {
  const quoted = (id: string, state: object = {}) => aPayoutIn('quoted', { id, state });
  const digestOf = (payouts: readonly Payout[], sameMoney = NONE, answers: readonly Said[] = []) => {
    const builder = new PlanBuilder(NARRATION);
    for (const payout of payouts) builder.add(payout);
    return builder.finish(sameMoney, answers).digest;
  };

  it('is another one when any payment is added, left out, changed or costs something else', () => {
    const dear = aPricing({ quote: { ...aPricing().quote, rate: '5' } as Quote });
    const released = [{ saw: [NO_MATCH], by: 'ben', reason: 'asked her', at: NOW }];
    const digests = [
      digestOf([]),
      digestOf([quoted('1')]),
      digestOf([quoted('2')]),
      digestOf([quoted('1'), quoted('2')]),
      digestOf([quoted('1', { pricing: aPricing({ wireName: 'Kofi Owusu' }) })]),
      digestOf([quoted('1', { pricing: dear })]),
      digestOf([quoted('1', { releases: released })]),
      digestOf([quoted('1'), { ...quoted('1'), id: asPayoutId('3') }]),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('is another one when somebody else said how the file is read, or said something else', () => {
    const said: Said = { kind: 'map', field: 'amount', headers: ['Net'], by: 'ada', at: NOW };
    const answers = [[], [said], [{ ...said, headers: ['Gross'] }], [{ ...said, by: 'eve' }]];
    const digests = answers.map((each) => digestOf([quoted('1')], NONE, each));
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('is over the rows that wait for approval, in any order', () => {
    const [one, two] = [quoted('1'), quoted('2')];
    expect(digestOf([two, one])).toBe(digestOf([one, two]));
    const others = STATUSES.filter((status) => status !== 'quoted').map((status) => aPayoutIn(status));
    expect(digestOf([one, ...others, two])).toBe(digestOf([one, two]));
    expect(digestOf([one, two])).toBe(
      planDigest(
        [two, one].map((each) => leafOf(each, NARRATION)),
        { ...NONE, answers: [] },
      ),
    );
  });

  it('is another one when other rows pay the same money under another reference, as a person sees above the total', () => {
    const alike = { batch: aBatch(), count: 2, rows: [2, 3], lastAt: NOW };
    const twin = 'Rows 2 and 3: same account and amount, other references';
    const digests = [
      digestOf([quoted('1')]),
      digestOf([quoted('1')], { twins: [twin], alike: [] }),
      digestOf([quoted('1')], { twins: [], alike: [alike] }),
      digestOf([quoted('1')], { twins: [], alike: [{ ...alike, count: 3 }] }),
      digestOf([quoted('1')], { twins: [], alike: [{ ...alike, rows: [2, 4] }] }),
      digestOf([quoted('1')], { twins: [], alike: [{ ...alike, batch: aBatch({ id: asBatchId('8') }) }] }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('is the same for every plan in which nothing waits', () => {
    expect(digestOf([], { twins: ['Rows 2 and 3'], alike: [] })).toBe(digestOf([]));
  });
});
