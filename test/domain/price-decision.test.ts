/** What pricing decides: quoted, held for a person with every reason, or not payable as written. */
import { describe, expect, it } from 'vitest';
import { asBatchId, asPayoutId } from '../../src/domain/instruction.ts';
import type { PaymentPointer, PayoutIn } from '../../src/domain/payout.ts';
import { DEFAULT_POLICY, daysMs, type Policy } from '../../src/domain/policy.ts';
import {
  decidePrice,
  decideRequote,
  type Findings,
  type NameAnswer,
} from '../../src/domain/price-decision.ts';
import type { Quote } from '../../src/domain/quote.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { anInstruction, aPayoutIn, aPricing, NOW } from '../builders/payouts.ts';

const QUOTE = aPricing().quote as Quote;
const named = (name: string): NameAnswer => ({ kind: 'name', name });
const findings = (changes: Partial<Findings> = {}): Findings => ({
  nameAnswer: named('AMA MENSAH'),
  quote: QUOTE,
  repeats: [],
  isNameReleased: false,
  now: NOW,
  ...changes,
});
const planned = (changes: { name?: string | undefined; kinds?: readonly string[] } = {}) =>
  aPayoutIn('planned', {
    instruction: anInstruction('name' in changes ? { name: changes.name } : {}),
    state: {
      releases:
        changes.kinds === undefined ? [] : [{ kinds: changes.kinds, by: 'ben', reason: 'ok', at: NOW }],
    },
  });
const decide = (found: Findings, payout: PayoutIn<'planned'> = planned(), policy: Policy = DEFAULT_POLICY) =>
  decidePrice(payout, found, policy);
const kindsOf = (event: ReturnType<typeof decidePrice>) =>
  event.kind === 'hold' ? event.reasons.map((reason) => reason.kind) : [];
const wireNameOf = (event: ReturnType<typeof decidePrice>) =>
  event.kind === 'invalidate' ? undefined : event.pricing?.wireName;

const pointer = (daysAgo: number): PaymentPointer => ({
  payoutId: asPayoutId('3'),
  batchId: asBatchId('b0'),
  batchName: 'april',
  rowNumber: 9,
  status: 'settled',
  at: plusMs(NOW, -daysMs(daysAgo)),
});

describe('[E13] the name', () => {
  it.each([
    ['match', named('AMA MENSAH'), 'price', 'AMA MENSAH'],
    ['close match', named('Ama Serwaa Mensah'), 'hold', 'Ama Mensah'],
    ['another person', named('Kofi Owusu'), 'hold', 'Ama Mensah'],
    ['no such account', { kind: 'not_found' }, 'hold', 'Ama Mensah'],
    ['no answer', { kind: 'unavailable', reason: '503' }, 'price', 'Ama Mensah'],
    ['an empty name', named(' '), 'price', 'Ama Mensah'],
    ['a word that is no name', named('OK'), 'price', 'Ama Mensah'],
    ['a name with hidden letters', named('A** M*****'), 'hold', 'Ama Mensah'],
  ] as const)('%s: %o → %s, sent as “%s”', (_, nameAnswer, kind, wireName) => {
    const event = decide(findings({ nameAnswer }));
    expect(event.kind).toBe(kind);
    expect(wireNameOf(event)).toBe(wireName);
  });

  it('is filled in from the account when the file gives none', () => {
    const event = decide(findings(), planned({ name: undefined }));
    expect(event.kind).toBe('price');
    expect(wireNameOf(event)).toBe('AMA MENSAH');
  });

  it.each([
    ['an answer that never came', { kind: 'unavailable', reason: '503' }],
    ['an empty answer', named('')],
    ['a word that is no name', named('Account found')],
    ['a name with hidden letters', named('A** M*****')],
  ] as const)('is asked of a person when nobody knows one: %s', (_, nameAnswer) => {
    const anything: Policy = { ...DEFAULT_POLICY, names: { ...DEFAULT_POLICY.names, unavailable: 'ok' } };
    const event = decide(
      findings({ nameAnswer }),
      planned({ name: undefined, kinds: ['name_unavailable'] }),
      anything,
    );
    expect(kindsOf(event)).toEqual(['name_unavailable']);
  });

  it('makes a row without a name and without an account not payable', () => {
    const event = decide(findings({ nameAnswer: { kind: 'not_found' } }), planned({ name: undefined }));
    expect(event.kind).toBe('invalidate');
  });

  it('is not asked again when these two names were let go for this account', () => {
    const event = decide(findings({ nameAnswer: named('Kofi Owusu'), isNameReleased: true }));
    expect(event.kind).toBe('price');
    expect(wireNameOf(event)).toBe('Kofi Owusu');
    expect(event.kind === 'price' && event.pricing.notes).toEqual([
      'Name: no match — no name in common; the file says “Ama Mensah”, the account belongs to “Kofi Owusu” (let go by a person)',
    ]);
  });

  it('shows both names and why they differ to whoever lets it go', () => {
    const event = decide(findings({ nameAnswer: named('MENSAH AMA SERWAA') }));
    expect(event.kind === 'hold' && event.reasons.map((reason) => reason.text)).toEqual([
      'Name: close match — family name first; the name “Serwaa” only in the account; the file says “Ama Mensah”, the account belongs to “MENSAH AMA SERWAA”',
    ]);
  });

  it('never sends hidden letters as a name, not even when a person let them go', () => {
    const event = decide(findings({ nameAnswer: named('A** M*****'), isNameReleased: true }));
    expect(event.kind).toBe('price');
    expect(wireNameOf(event)).toBe('Ama Mensah');
  });

  it('takes no turned name for certain where the name behind is the father’s', () => {
    const payout = aPayoutIn('planned', {
      instruction: anInstruction({ name: 'Hodan Nalayeh', destinationIso: 'SO' }),
    });
    expect(kindsOf(decide(findings({ nameAnswer: named('NALAYEH HODAN') }), payout))).toEqual([
      'name_close_match',
    ]);
  });

  it('is asked again when the account has another holder than the one that was let go', () => {
    const event = decide(findings({ nameAnswer: named('Yaw Darko') }), planned({ kinds: ['name_no_match'] }));
    expect(kindsOf(event)).toEqual(['name_no_match']);
  });

  it('follows the policy word by word', () => {
    const lax: Policy = { ...DEFAULT_POLICY, names: { ...DEFAULT_POLICY.names, no_match: 'warn' } };
    const event = decide(findings({ nameAnswer: named('Kofi Owusu') }), planned(), lax);
    expect(event.kind === 'price' && event.pricing.notes).toEqual([
      'Name: no match — no name in common; the file says “Ama Mensah”, the account belongs to “Kofi Owusu”',
    ]);
    expect(wireNameOf(event)).toBe('Ama Mensah');
  });
});

describe('repeats', () => {
  it.each([
    [3, true, ['duplicate_payment']],
    [3, false, ['reference_paid']],
    [14, true, ['duplicate_payment']],
    [15, true, []],
    [15, false, []],
  ])('paid %i days ago, the same payment %s: held for %o', (days, isSamePayment, kinds) => {
    expect(kindsOf(decide(findings({ repeats: [{ pointer: pointer(days), isSamePayment }] })))).toEqual(
      kinds,
    );
  });

  it('notes a payment outside the window once, however many months it was paid', () => {
    const repeats = [30, 60, 90].map((days) => ({ pointer: pointer(days), isSamePayment: true }));
    const event = decide(findings({ repeats }));
    expect(event.kind === 'price' && event.pricing.notes).toHaveLength(1);
  });

  it('goes on when a person let the repeat go', () => {
    const repeats = [{ pointer: pointer(3), isSamePayment: true }];
    expect(decide(findings({ repeats }), planned({ kinds: ['duplicate_payment'] })).kind).toBe('price');
    expect(decide(findings({ repeats }), planned({ kinds: ['reference_paid'] })).kind).toBe('hold');
  });
});

describe('the fee', () => {
  // 1200 ÷ 15.5 = 77.42; a fee of 19.35 is a fifth of 96.77.
  it.each([
    ['19.35', []],
    ['19.36', ['fee_too_high']],
  ])('of %s is held for %o', (fee, kinds) => {
    expect(kindsOf(decide(findings({ quote: { ...QUOTE, fee } })))).toEqual(kinds);
  });

  it('that the service will not quote is a reason to ask a person', () => {
    expect(kindsOf(decide(findings({ quote: { declined: 'corridor closed (code 9)' } })))).toEqual([
      'no_quote',
    ]);
  });

  it('that became too high in a newer quote is held after all, unless it was let go', () => {
    const moment = { policy: DEFAULT_POLICY, now: NOW };
    const dear = { ...QUOTE, fee: '40' };
    expect(decideRequote(aPayoutIn('quoted'), dear, moment).kind).toBe('hold');
    const releases = [{ kinds: ['fee_too_high'], by: 'ben', reason: 'ok', at: NOW }];
    expect(decideRequote(aPayoutIn('quoted', { state: { releases } }), dear, moment).kind).toBe('price');
    expect(decideRequote(aPayoutIn('quoted'), QUOTE, moment)).toMatchObject({
      kind: 'price',
      pricing: { quote: QUOTE },
    });
  });
});

it('names every reason at once', () => {
  const event = decide(
    findings({
      nameAnswer: named('Kofi Owusu'),
      repeats: [{ pointer: pointer(3), isSamePayment: true }],
      quote: { ...QUOTE, fee: '40' },
    }),
  );
  expect(kindsOf(event)).toEqual(['name_no_match', 'duplicate_payment', 'fee_too_high']);
});
