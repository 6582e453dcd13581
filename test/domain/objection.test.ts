/**
 * The objection, whole: whether an approved payout may be sent as it stands. Every kind with its edges; expected values are
 * written by hand.
 */
import { describe, expect, it } from 'vitest';
import type { Money } from '../../src/domain/money/money.ts';
import type { NameCheck } from '../../src/domain/names/name-check.ts';
import type { Concern } from '../../src/domain/payouts/concern.ts';
import { asPayoutId, type Quote } from '../../src/domain/payouts/instruction.ts';
import {
  isAbove,
  type LiveTerms,
  type Objection,
  objection,
  objectionText,
  type SendingPolicy,
} from '../../src/domain/payouts/objection.ts';
import { leafOf, type Narration } from '../../src/domain/payouts/order.ts';
import type { HoldReason, Pricing } from '../../src/domain/payouts/payout.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { anInstruction, aPayoutIn, aPricing, aReason, money, NOW } from '../builders/payouts.ts';

const HOUR = 3_600_000;
const POLICY: SendingPolicy = {
  driftPercent: 1,
  approvalMs: 24 * HOUR,
  quoteMs: HOUR / 2,
  nameMs: 24 * HOUR,
};
const NARRATION: Narration = { ledgerId: 'ledger-1', salt: '', noteMax: 100, noteTag: true };
const GHS = money('GHS 1').currency;
const PLACE = {
  sourceName: 'United Kingdom',
  countryName: 'Ghana',
  institution: { name: 'MTN Mobile Money', currency: GHS },
};
const CHECK = aPricing().nameCheck;
const QUOTE = aPricing().quote as Quote;
const repeat = (of: string, isUnknown = false): Concern => ({
  kind: 'repeat',
  of: asPayoutId(of),
  isUnknown,
});

interface Case {
  /** As it was approved. */
  readonly instruction?: Parameters<typeof anInstruction>[0];
  readonly pricing?: Partial<Pricing>;
  readonly saw?: readonly Concern[];
  /** As it is now. */
  readonly live?: Partial<LiveTerms>;
  readonly repeats?: readonly HoldReason[];
  readonly policy?: Partial<SendingPolicy>;
  readonly approvedMsAgo?: number;
  /** In the row since the approval. */
  readonly edited?: {
    readonly instruction?: Parameters<typeof anInstruction>[0];
    readonly pricing?: Partial<Pricing>;
  };
}

function object(given: Case = {}): Objection | undefined {
  const { instruction = {}, saw = [], live, repeats = [], policy, approvedMsAgo = 0, edited } = given;
  const pricing = aPricing(given.pricing);
  const releases = saw.length === 0 ? [] : [{ saw, by: 'ben', reason: 'asked her', at: NOW }];
  const agreed = aPayoutIn('approved', {
    instruction: anInstruction(instruction),
    state: { pricing, releases },
  });
  const payout = aPayoutIn('approved', {
    instruction: anInstruction({ ...instruction, ...edited?.instruction }),
    state: { pricing: { ...pricing, ...edited?.pricing }, releases },
  });
  const { nameCheck, quote } = pricing;
  const now = { place: PLACE, nameCheck, nameCheckedAt: NOW, quote, ...live };
  return objection(
    { leaf: leafOf(agreed, NARRATION), at: plusMs(NOW, -approvedMsAgo) },
    { payout, leaf: leafOf(payout, NARRATION), live: now, repeats, at: NOW },
    { ...POLICY, ...policy },
  );
}

it('is against a payout that its journal does not call approved', () => {
  const live = { place: PLACE, nameCheck: CHECK, nameCheckedAt: NOW, quote: QUOTE };
  const payout = aPayoutIn('approved');
  const standing = { payout, leaf: leafOf(payout, NARRATION), live, repeats: [], at: NOW };
  expect(objection(undefined, standing, POLICY)).toEqual({ kind: 'not_approved' });
});

it('has none about a payout that is, means and costs what was agreed to', () => {
  expect(object()).toBeUndefined();
});

describe('the row is not the one that was agreed to', () => {
  it.each<[string, NonNullable<Case['edited']>]>([
    ['another account', { instruction: { account: '0244999999' } }],
    ['another amount', { instruction: { amount: money('GHS 1200.01') } }],
    ['another phone', { instruction: { phone: '+233209999999' } }],
    ['another name on the wire', { pricing: { wireName: 'Kofi Boateng' } }],
    ['another quote that was agreed to', { pricing: { quote: { ...QUOTE, fee: '250' } } }],
  ])('with %s', (_, edited) => {
    expect(object({ edited })).toEqual({ kind: 'order_differs' });
  });

  it('with a concern released that nobody saw at the approval', () => {
    const payout = aPayoutIn('approved');
    const released = aPayoutIn('approved', {
      state: { releases: [{ saw: [repeat('3')], by: 'ben', reason: 'x', at: NOW }] },
    });
    const live = { place: PLACE, nameCheck: CHECK, nameCheckedAt: NOW, quote: QUOTE };
    const approval = { leaf: leafOf(payout, NARRATION), at: NOW };
    const leaf = leafOf(released, NARRATION);
    const standing = { payout: released, leaf, live, repeats: [aReason(repeat('3'))], at: NOW };
    expect(objection(approval, standing, POLICY)).toEqual({ kind: 'order_differs' });
  });
});

describe('ages', () => {
  const quotedAt = (at: typeof NOW) => ({ ...QUOTE, quotedAt: at });

  it.each([
    ['an approval of 24 hours', { approvedMsAgo: 24 * HOUR }, undefined],
    ['an older approval', { approvedMsAgo: 24 * HOUR + 1 }, 'approval_expired'],
    ['a name of 24 hours', { live: { nameCheckedAt: plusMs(NOW, -24 * HOUR) } }, undefined],
    ['an older name', { live: { nameCheckedAt: plusMs(NOW, -24 * HOUR - 1) } }, 'terms_old'],
    ['a quote of 30 minutes', { live: { quote: quotedAt(plusMs(NOW, -HOUR / 2)) } }, undefined],
    ['an older quote', { live: { quote: quotedAt(plusMs(NOW, -HOUR / 2 - 1)) } }, 'terms_old'],
    ['a quote of this moment', { live: { quote: quotedAt(NOW) } }, undefined],
    ['a quote that is not made yet', { live: { quote: quotedAt(plusMs(NOW, 1)) } }, 'terms_old'],
    ['a name that is not asked for yet', { live: { nameCheckedAt: plusMs(NOW, 1) } }, 'terms_old'],
    ['a service that gives no quote', { live: { quote: undefined } }, undefined],
  ] as const)('%s: %o → %s', (_, given, kind) => {
    expect(object(given)?.kind).toBe(kind);
  });
});

describe('what the ids mean', () => {
  const place = (changes: Partial<LiveTerms['place']>) => ({ live: { place: { ...PLACE, ...changes } } });

  it('stops on another name of the source country', () => {
    expect(object(place({ sourceName: 'Jersey' }))).toEqual({
      kind: 'terms_differ',
      what: 'source country',
      was: 'United Kingdom',
      is: 'Jersey',
    });
  });

  it('stops on another name of the country', () => {
    expect(object(place({ countryName: 'Niger' }))).toEqual({
      kind: 'terms_differ',
      what: 'country',
      was: 'Ghana',
      is: 'Niger',
    });
  });

  it('stops on another name of the institution', () => {
    expect(object(place({ institution: { name: 'Zenith Bank', currency: GHS } }))).toEqual({
      kind: 'terms_differ',
      what: 'institution',
      was: 'MTN Mobile Money',
      is: 'Zenith Bank',
    });
  });

  it('sends the approved names where the service gives no list', () => {
    expect(object(place({ institution: 'unknown' }))).toBeUndefined();
  });

  const unlisted: Concern = { kind: 'institution', institutionId: 'i-mtn', name: '', currency: '' };
  const inKes: Concern = { ...unlisted, name: 'MTN Mobile Money', currency: 'KES' };
  const kes = { name: 'MTN Mobile Money', currency: money('KES 1').currency };
  it.each([
    ['is listed no more', undefined, [], [unlisted]],
    ['is listed no more, as a person saw', undefined, [unlisted], undefined],
    ['is paid in another currency', kes, [], [inKes]],
    ['is paid in another currency than a person saw', kes, [unlisted], [inKes]],
    ['is paid in another currency, as a person saw', kes, [inKes], undefined],
  ] as const)('asks about an institution that %s: %o', (_, institution, saw, concerns) => {
    const found = object({ ...place({ institution }), saw });
    expect(found?.kind === 'concerns' ? found.reasons.map(({ concern }) => concern) : found).toEqual(
      concerns,
    );
  });
});

describe('whom the account belongs to', () => {
  const held = (resolved: string, result: NameCheck['result'] = 'match'): NameCheck => ({
    result,
    resolved,
    reason: 'said so',
  });
  const UNAVAILABLE: NameCheck = { result: 'unavailable', resolved: undefined, reason: 'no answer' };
  const NOT_FOUND: NameCheck = { result: 'not_found', resolved: undefined, reason: 'no name given' };
  it.each<[string, NameCheck, NameCheck, [string, string] | undefined]>([
    ['the same', held('Ama Mensah'), held('Ama Mensah'), undefined],
    ['in capitals', held('Ama Mensah'), held('AMA MENSAH'), undefined],
    ['with the family name first', held('Ama Mensah'), held('MENSAH, AMA'), undefined],
    ['with an accent less', held('Adjoua Kouamé'), held('ADJOUA KOUAME'), undefined],
    [
      'the same, no match before and now',
      held('Kofi Owusu', 'no_match'),
      held('Kofi Owusu', 'no_match'),
      undefined,
    ],
    [
      'the same, and judged otherwise now',
      held('Kofi Owusu', 'no_match'),
      held('Kofi Owusu', 'close_match'),
      undefined,
    ],
    ['with a name more', held('Ama Mensah'), held('Ama Serwaa Mensah'), ['Ama Mensah', 'Ama Serwaa Mensah']],
    ['another person', held('Ama Mensah'), held('Kofi Boateng'), ['Ama Mensah', 'Kofi Boateng']],
    ['known now', UNAVAILABLE, held('Ama Mensah'), ['not known', 'Ama Mensah']],
    ['not known any more', held('Ama Mensah'), UNAVAILABLE, ['Ama Mensah', 'not known']],
    ['nobody any more', held('Ama Mensah'), NOT_FOUND, ['Ama Mensah', 'no name given']],
    ['not known, as before', UNAVAILABLE, UNAVAILABLE, undefined],
    ['nobody, as before', NOT_FOUND, NOT_FOUND, undefined],
    ['nobody, where it was not known', UNAVAILABLE, NOT_FOUND, ['not known', 'no name given']],
    ['not known, where it was nobody', NOT_FOUND, UNAVAILABLE, ['no name given', 'not known']],
  ])('%s: %o, now %o → %o', (_, was, is, names) => {
    const found = object({ pricing: { nameCheck: was }, live: { nameCheck: is } });
    expect(found).toEqual(
      names && { kind: 'terms_differ', what: 'account holder', was: names[0], is: names[1] },
    );
  });
});

describe('what it costs', () => {
  // GHS 1,550 at 15.5 are GBP 100.00.
  const amount = { amount: money('GHS 1550.00') };
  const priced = (changes: Partial<Quote>): Quote => ({ ...QUOTE, fee: '0', ...changes });
  const cost = (was: Partial<Quote>, is: Partial<Quote>, driftPercent = 1) =>
    object({
      instruction: amount,
      pricing: { quote: priced(was) },
      live: { quote: priced(is) },
      policy: { driftPercent },
    });

  it.each<[string, Partial<Quote>, Partial<Quote>, string | undefined]>([
    ['the same', {}, {}, undefined],
    ['exactly 1 % more, by the fee', {}, { fee: '1.00' }, undefined],
    ['one penny above 1 %, by the fee', {}, { fee: '1.01' }, 'GBP 101.01'],
    ['half a penny above 1 %, which is rounded up', {}, { fee: '1.005' }, 'GBP 101.01'],
    ['less than half a penny above 1 %', {}, { fee: '1.0049' }, undefined],
    // 1550 ÷ 15.35 = 100.977, 1550 ÷ 15.34 = 101.043.
    ['just below 1 % more, by the rate', {}, { rate: '15.35' }, undefined],
    ['just above 1 % more, by the rate', {}, { rate: '15.34' }, 'GBP 101.04'],
    ['a better rate and a higher fee, together within 1 %', {}, { rate: '15.6', fee: '1.60' }, undefined],
    ['less', { fee: '20' }, { fee: '0' }, undefined],
    // 101 % of 100.01 are 101.0101.
    ['within 1 % of an odd amount', { fee: '0.01' }, { fee: '1.01' }, undefined],
    ['above 1 % of an odd amount', { fee: '0.01' }, { fee: '1.02' }, 'GBP 101.02'],
    ['as much of another currency', {}, { sourceCurrency: money('ZAR 1').currency }, 'ZAR 100.00'],
  ])('%s: %o, now %o → %s', (_, was, is, costs) => {
    const before = was.fee === '0.01' ? 'GBP 100.01' : 'GBP 100.00';
    expect(cost(was, is)).toEqual(costs && { kind: 'costs_more', was: before, is: costs });
  });

  it('stops on one minor unit more where no drift is allowed, and by tenths of a percent', () => {
    expect(cost({}, { fee: '0.01' }, 0)?.kind).toBe('costs_more');
    expect(cost({}, {}, 0)).toBeUndefined();
    expect(cost({}, { fee: '0.10' }, 0.1)).toBeUndefined();
    expect(cost({}, { fee: '0.11' }, 0.1)?.kind).toBe('costs_more');
    expect(cost({}, { fee: '1.15' }, 1.15)).toBeUndefined();
    expect(cost({}, { fee: '1.16' }, 1.15)?.kind).toBe('costs_more');
  });

  const none = { sourceCurrency: undefined };
  it.each<[string, Partial<Quote>, Partial<Quote>, string | undefined]>([
    ['the same rate and fee', none, none, undefined],
    // 15.15 ÷ 15 = 1.01.
    [
      'a rate that makes it exactly 1 % dearer',
      { ...none, rate: '15.15' },
      { ...none, rate: '15' },
      undefined,
    ],
    [
      'a rate that makes it dearer',
      { ...none, rate: '15.15' },
      { ...none, rate: '14.99' },
      'rate 14.99, fee 0',
    ],
    ['a better rate', none, { ...none, rate: '20' }, undefined],
    ['another fee', none, { ...none, fee: '0.01' }, 'rate 15.5, fee 0.01'],
    ['a debit that is known now', none, { fee: '5' }, 'rate 15.5, fee 5'],
    ['a debit that is not known any more', {}, { ...none, rate: '10' }, 'rate 10, fee 0'],
    ['no rate', none, { ...none, rate: '0' }, 'rate 0, fee 0'],
  ])('without the currency that pays, %s: %o, now %o → %s', (_, was, is, costs) => {
    const before = `rate ${was.rate ?? '15.5'}, fee 0`;
    expect(cost(was, is)).toEqual(costs && { kind: 'costs_more', was: before, is: costs });
  });

  it('is not compared where there is no quote, then or now', () => {
    const saw: readonly Concern[] = [{ kind: 'no_quote' }];
    expect(object({ pricing: { quote: undefined }, saw })).toBeUndefined();
    expect(object({ pricing: { quote: undefined }, saw, live: { quote: QUOTE } })).toBeUndefined();
    expect(object({ live: { quote: undefined } })).toBeUndefined();
  });

  it.each<[Money, Money, number, boolean]>([
    [money('GBP 101.00'), money('GBP 100.00'), 1, false],
    [money('GBP 101.01'), money('GBP 100.00'), 1, true],
    [money('GBP 0.01'), money('GBP 0.00'), 100, true],
    [money('GBP 0.00'), money('GBP 0.00'), 0, false],
    [money('GBP 200.00'), money('GBP 100.00'), 100, false],
    [money('GBP 1.00'), money('ZAR 100.00'), 100, true],
  ])('%o is above %o by more than %d %%: %s', (now, agreed, percent, expected) => {
    expect(isAbove(now, agreed, percent)).toBe(expected);
  });
});

describe('repeats', () => {
  const repeatsOf = (now: readonly Concern[], saw: readonly Concern[]) => {
    const found = object({ repeats: now.map((concern) => aReason(concern)), saw });
    return found?.kind === 'concerns' ? found.reasons.map(({ concern }) => concern) : found;
  };

  it.each<[string, readonly Concern[], readonly Concern[], readonly Concern[] | undefined]>([
    ['that nobody saw', [repeat('3')], [], [repeat('3')]],
    ['that a person saw', [repeat('3')], [repeat('3')], undefined],
    ['one seen, one not', [repeat('3'), repeat('4')], [repeat('3')], [repeat('4')]],
    ['seen, and in doubt since', [repeat('3', true)], [repeat('3')], [repeat('3', true)]],
    ['seen in doubt, and paid since', [repeat('3')], [repeat('3', true)], undefined],
    ['seen, and gone', [], [repeat('3')], undefined],
  ])('%s: %o, seen %o → %o', (_, now, saw, left) => {
    expect(repeatsOf(now, saw)).toEqual(left);
  });

  it('are asked about together with the institution', () => {
    const live = { place: { ...PLACE, institution: undefined } };
    const found = object({ live, repeats: [aReason(repeat('3'))] });
    expect(found).toMatchObject({
      reasons: [{ concern: { kind: 'institution' } }, { concern: { kind: 'repeat', of: '3' } }],
    });
  });
});

it('objects first to the row, then its age, its terms, its cost, and its concerns at last', () => {
  const dear = { ...QUOTE, fee: '40' };
  const holder: NameCheck = { result: 'no_match', resolved: 'Kofi Boateng', reason: 'another' };
  const zenith = { name: 'Zenith', currency: money('KES 1').currency };
  const others = { sourceName: 'Jersey', countryName: 'Niger', institution: zenith };
  const niger = { ...others, sourceName: 'United Kingdom' };
  const everything: Case = {
    edited: { instruction: { account: '0244999999' } },
    approvedMsAgo: 25 * HOUR,
    live: { place: others, nameCheck: holder, nameCheckedAt: plusMs(NOW, -25 * HOUR), quote: dear },
    repeats: [aReason(repeat('3'))],
  };
  const mended: readonly Case[] = [
    {},
    { edited: {} },
    { approvedMsAgo: 0 },
    { live: { ...everything.live, nameCheckedAt: NOW } },
    { live: { place: niger, nameCheck: holder, quote: dear } },
    { live: { place: { ...niger, countryName: 'Ghana' }, nameCheck: holder, quote: dear } },
    { live: { nameCheck: holder, quote: dear, place: { ...PLACE, institution: undefined } } },
    { live: { quote: dear, place: { ...PLACE, institution: undefined } } },
    { live: { place: { ...PLACE, institution: undefined } } },
    { live: {}, repeats: [] },
  ];
  let now = everything;
  const order = mended.map((mending) => {
    now = { ...now, ...mending };
    const found = object(now);
    return found?.kind === 'terms_differ' ? found.what : found?.kind;
  });
  expect(order).toEqual([
    ...['order_differs', 'approval_expired', 'terms_old'],
    ...['source country', 'country', 'institution', 'account holder'],
    ...['costs_more', 'concerns', undefined],
  ]);
});

it.each([
  [{ kind: 'approval_expired' }, 'the approval is older than 24 h'],
  [{ kind: 'order_differs' }, 'the row is not the one that was approved'],
  [
    { kind: 'terms_differ', what: 'account holder', was: 'Ama', is: 'Ko\u202efi' },
    'the account holder was “Ama” and is “Ko�fi” now',
  ],
  [
    { kind: 'costs_more', was: 'GBP 78.44', is: 'GBP 86.73' },
    'it costs GBP 86.73 now, and GBP 78.44 was approved',
  ],
] as const)('says of %o: %s', (why, text) => {
  expect(objectionText(why, { approvalHours: 24 })).toBe(text);
});
