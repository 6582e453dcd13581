/** The plan: what a person agrees to, to the last minor unit. */
import { describe, expect, it } from 'vitest';
import { formatMoney } from '../../src/domain/money/money.ts';
import { asPayoutId } from '../../src/domain/payouts/instruction.ts';
import { PlanBuilder, PlanDigest, type PlanLeaf } from '../../src/domain/plan/plan.ts';
import { aPayoutIn, aPricing, money } from '../builders/payouts.ts';

const digestOf = (...leaves: readonly PlanLeaf[]) => {
  const digest = new PlanDigest();
  for (const leaf of leaves) digest.add(leaf);
  return digest.finish();
};
const leaf = (key: number, changes: Partial<PlanLeaf> = {}): PlanLeaf => ({
  contentKey: new Uint8Array(16).fill(key),
  wireName: 'Ama Mensah',
  replaces: undefined,
  ...changes,
});

it('adds up what waits, what was agreed to before and what is held, per currency', () => {
  const builder = new PlanBuilder();
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
  const plan = builder.finish(digestOf());
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
  expect([...plan.holdReasons]).toEqual([['name_no_match', 1]]);
});

it('shows the slowest quote and at most five rates of a line', () => {
  const builder = new PlanBuilder();
  for (let index = 0; index < 7; index += 1) {
    const { quote } = aPricing();
    if (quote === undefined) throw new TypeError('the builder gives a quote');
    const pricing = aPricing({ quote: { ...quote, rate: `15.${index}`, speedSeconds: index } });
    builder.add(aPayoutIn('quoted', { state: { pricing } }));
  }
  const [line] = builder.finish(digestOf()).toApprove;
  expect(line?.rates).toHaveLength(5);
  expect(line?.speedSecondsMax).toBe(6);
});

describe('the digest', () => {
  it('is another one when any payment is added, left out or changed', () => {
    const digests = [
      digestOf(),
      digestOf(leaf(1)),
      digestOf(leaf(2)),
      digestOf(leaf(1), leaf(2)),
      digestOf(leaf(1, { wireName: 'Kofi Owusu' })),
      digestOf(leaf(1, { replaces: asPayoutId('7') })),
      digestOf(leaf(1), leaf(1)),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('cannot be made the same by moving letters between fields', () => {
    expect(digestOf(leaf(1, { wireName: 'A\nB' }))).not.toBe(
      digestOf(leaf(1, { wireName: 'A', replaces: asPayoutId('B') })),
    );
  });
});
