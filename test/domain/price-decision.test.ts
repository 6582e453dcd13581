/** What pricing decides: quoted, held for a person with every reason, or not payable as written. */
import { describe, expect, it } from 'vitest';
import type { Quote } from '../../src/domain/payouts/instruction.ts';
import { asBatchId, asPayoutId } from '../../src/domain/payouts/instruction.ts';
import type { PaymentPointer, PayoutIn } from '../../src/domain/payouts/payout.ts';
import {
  decidePrice,
  decideRequote,
  type Findings,
  type NameAnswer,
} from '../../src/domain/payouts/price-decision.ts';
import { DEFAULT_POLICY, daysMs, type Policy } from '../../src/domain/policy.ts';
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
      'Name: no match — no name in common; the file says “Ama Mensah”, the account belongs to “Kofi Owusu” (released by a person)',
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

describe('an account that may have lost its leading zero', () => {
  const short = (name: string | undefined) =>
    aPayoutIn('planned', { instruction: anInstruction({ account: '244123456', name }) });

  it('is paid when its holder has the name that the file gives', () => {
    expect(decide(findings(), short('Ama Mensah')).kind).toBe('price');
  });

  it.each([
    ['the file gives no name', undefined, named('KOFI OWUSU')],
    ['the name could not be asked for', 'Ama Mensah', { kind: 'unavailable', reason: '503' }],
  ] as const)('waits for a person where %s', (_, name, nameAnswer) => {
    const event = decide(findings({ nameAnswer }), short(name));
    expect(kindsOf(event)).toContain('account_zero_lost');
    expect(JSON.stringify(event)).toContain(
      'The account has 9 digits where 10 are usual, so its leading 0 may be lost. No name proves that it is right',
    );
  });

  it('is not asked about again once a person let it go', () => {
    const payout = planned({ kinds: ['account_zero_lost'] });
    const instruction = anInstruction({ account: '244123456', name: undefined });
    expect(decide(findings(), { ...payout, instruction }).kind).toBe('price');
  });

  it('is none where the institution has numbers of any length', () => {
    const instruction = anInstruction({ account: '244123456', institutionName: 'GCB Bank', name: undefined });
    expect(decide(findings(), aPayoutIn('planned', { instruction })).kind).toBe('price');
  });
});

describe('an account that the service does not know', () => {
  const reasonFor = (account: string, iso: string, institutionName: string) => {
    const instruction = anInstruction({ account, destinationIso: iso, institutionName });
    const event = decide(
      findings({ nameAnswer: { kind: 'not_found' } }),
      aPayoutIn('planned', { instruction }),
    );
    return event.kind === 'hold' ? event.pricing?.nameCheck.reason : undefined;
  };

  it.each([
    ['0712345678', 'KE', 'with the country code 254 (2547…678), or with + and the country code (+2547…678)'],
    ['254712345678', 'KE', 'with its leading 0 (07…678), or with + and the country code (+2547…678)'],
    ['+254712345678', 'KE', 'with its leading 0 (07…678), or with the country code 254 (2547…678)'],
    ['221771234567', 'SN', 'without the country code (7…567), or with + and the country code (+2217…567)'],
    [
      '0707123456',
      'CI',
      'with the country code 225 (22507…456), or with + and the country code (+22507…456)',
    ],
  ])('%s in %s: try it %s', (account, iso, forms) => {
    expect(reasonFor(account, iso, 'Airtel Money')).toBe(
      `the service knows no such account. Try it ${forms}`,
    );
  });

  it('has no other form to try where it is no telephone number', () => {
    expect(reasonFor('1011130024576', 'GH', 'GCB Bank')).toBe('the service knows no such account');
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
