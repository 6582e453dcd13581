/** What pricing decides: quoted, held for a person with every reason, or not payable as written. */
import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { accountMark, type Concern } from '../../src/domain/payouts/concern.ts';
import type { Quote } from '../../src/domain/payouts/instruction.ts';
import { asBatchId, asPayoutId } from '../../src/domain/payouts/instruction.ts';
import type { PaymentPointer, PayoutIn, Status } from '../../src/domain/payouts/payout.ts';
import {
  decideAs,
  decidePrice,
  type Findings,
  type NameAnswer,
  openConcerns,
} from '../../src/domain/payouts/price-decision.ts';
import { DEFAULT_POLICY, daysMs, type Policy } from '../../src/domain/policy.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import {
  anInstruction,
  aPayoutIn,
  aPricing,
  aReason,
  money,
  NO_MATCH,
  NOW,
  OVER_LIMIT,
} from '../builders/payouts.ts';

const QUOTE = aPricing().quote as Quote;
const NO_NAME: NameAnswer = { kind: 'not_found', words: 'Not today (code 61)' };
const named = (name: string): NameAnswer => ({ kind: 'name', name });
const LISTED = {
  sourceName: 'United Kingdom',
  countryName: 'Ghana',
  institution: { name: 'MTN Mobile Money', currency: money('GHS 1').currency },
};
const findings = (changes: Partial<Findings> = {}): Findings => ({
  nameAnswer: named('AMA MENSAH'),
  nameCheckedAt: NOW,
  quote: QUOTE,
  place: LISTED,
  repeats: [],
  isNameRemembered: false,
  now: NOW,
  ...changes,
});
const released = (saw: readonly Concern[]) => [{ saw, by: 'ben', reason: 'ok', at: NOW }];
const planned = (changes: { name?: string | undefined; saw?: readonly Concern[] } = {}) =>
  aPayoutIn('planned', {
    instruction: anInstruction('name' in changes ? { name: changes.name } : {}),
    state: { releases: changes.saw === undefined ? [] : released(changes.saw) },
  });
const decide = (found: Findings, payout: PayoutIn<'planned'> = planned(), policy: Policy = DEFAULT_POLICY) =>
  decidePrice(payout, found, policy);
const concernsIn = (event: ReturnType<typeof decidePrice>) =>
  event.kind === 'hold' ? event.reasons.map(({ concern }) => concern) : [];
const kindsOf = (event: ReturnType<typeof decidePrice>) => concernsIn(event).map(({ kind }) => kind);
const wireNameOf = (event: ReturnType<typeof decidePrice>) =>
  event.kind === 'invalidate' ? undefined : event.pricing?.wireName;

const pointer = (daysAgo: number, status: Status = 'settled'): PaymentPointer => ({
  payoutId: asPayoutId('3'),
  batchId: asBatchId('b0'),
  batchName: 'april',
  rowNumber: 9,
  status,
  at: plusMs(NOW, -daysMs(daysAgo)),
});
const repeatOf = (of: string, isUnknown = false): Concern => ({
  kind: 'repeat',
  of: asPayoutId(of),
  isUnknown,
});

describe('[E13] the name', () => {
  it.each([
    ['match', named('AMA MENSAH'), 'price', 'AMA MENSAH'],
    ['close match', named('Ama Serwaa Mensah'), 'hold', 'Ama Mensah'],
    ['another person', named('Kofi Owusu'), 'hold', 'Ama Mensah'],
    ['no name', NO_NAME, 'hold', 'Ama Mensah'],
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
    const nobody = { ...NO_MATCH, written: '', holder: '' } as Concern;
    const found = findings({ nameAnswer });
    const held = decide(found, planned({ name: undefined }), anything);
    expect(kindsOf(held)).toEqual(['name']);
    const again = planned({ name: undefined, saw: [nobody, ...concernsIn(held)] });
    expect(kindsOf(decide(found, again, anything))).toEqual(kindsOf(held));
  });

  it('makes a row without a name not payable, and says why in the service’s words', () => {
    const event = decide(findings({ nameAnswer: NO_NAME }), planned({ name: undefined }));
    const expected =
      'the account holder’s name, because the service gives none for this account: Not today (code 61)';
    expect(event).toMatchObject({ kind: 'invalidate', issues: [{ kind: 'name_missing', expected }] });
  });

  it('is not asked again when these two names were let go for this account', () => {
    const event = decide(findings({ nameAnswer: named('Kofi Owusu'), isNameRemembered: true }));
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
    const event = decide(findings({ nameAnswer: named('A** M*****'), isNameRemembered: true }));
    expect(event.kind).toBe('price');
    expect(wireNameOf(event)).toBe('Ama Mensah');
  });

  it('takes no turned name for certain where the name behind is the father’s', () => {
    const payout = aPayoutIn('planned', {
      instruction: anInstruction({ name: 'Hodan Nalayeh', destinationIso: 'SO' }),
    });
    const event = decide(findings({ nameAnswer: named('NALAYEH HODAN') }), payout);
    expect(kindsOf(event)).toEqual(['name']);
    expect(event.kind === 'hold' && event.pricing?.nameCheck.result).toBe('close_match');
  });

  it('is asked again when the account has another holder than the one that was let go', () => {
    const payout = planned({ saw: [NO_MATCH] });
    expect(decide(findings({ nameAnswer: named('Kofi Boateng') }), payout).kind).toBe('price');
    const event = decide(findings({ nameAnswer: named('Yaw Darko') }), payout);
    expect(concernsIn(event)).toEqual([{ ...NO_MATCH, holder: 'Yaw Darko' }]);
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
    expect(kindsOf(event)).toContain('zero_lost');
    expect(JSON.stringify(event)).toContain(
      'The account has 9 digits where 10 are usual, so its leading 0 may be lost. No name proves that it is right',
    );
  });

  it('is not asked about again once a person let it go', () => {
    const account = accountMark(anInstruction(), '244123456');
    const payout = planned({ saw: [{ kind: 'zero_lost', account }] });
    const instruction = anInstruction({ account: '244123456', name: undefined });
    expect(decide(findings(), { ...payout, instruction }).kind).toBe('price');
  });

  it('is none where the institution has numbers of any length', () => {
    const instruction = anInstruction({ account: '244123456', institutionName: 'GCB Bank', name: undefined });
    expect(decide(findings(), aPayoutIn('planned', { instruction })).kind).toBe('price');
  });
});

describe('an account for which the service gives no name', () => {
  const reasonFor = (account: string, iso: string, institutionName: string) => {
    const instruction = anInstruction({ account, destinationIso: iso, institutionName });
    const event = decide(findings({ nameAnswer: NO_NAME }), aPayoutIn('planned', { instruction }));
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
      `the service gives no name for this account: Not today (code 61). Try it ${forms}`,
    );
  });

  it('has no other form to try where it is no telephone number', () => {
    expect(reasonFor('1011130024576', 'GH', 'GCB Bank')).toBe(
      'the service gives no name for this account: Not today (code 61)',
    );
  });
});

describe('repeats', () => {
  it.each([
    [3, true, ['repeat']],
    [3, false, ['repeat']],
    [14, true, ['repeat']],
    [15, true, []],
    [15, false, []],
  ])('paid %i days ago, the same payment %s: held for %o', (days, isSamePayment, kinds) => {
    expect(kindsOf(decide(findings({ repeats: [{ pointer: pointer(days), isSamePayment }] })))).toEqual(
      kinds,
    );
  });

  it.each([
    ['approved', false],
    ['sending', true],
    ['in_doubt', true],
    ['accepted', false],
  ] as const)('that are %s count after a year, in doubt: %s', (status, isUnknown) => {
    const repeats = [{ pointer: pointer(365, status), isSamePayment: true }];
    expect(concernsIn(decide(findings({ repeats })))).toEqual([repeatOf('3', isUnknown)]);
  });

  it('notes a payment outside the window once, however many months it was paid', () => {
    const repeats = [30, 60, 90].map((days) => ({ pointer: pointer(days), isSamePayment: true }));
    const event = decide(findings({ repeats }));
    expect(event.kind === 'price' && event.pricing.notes).toEqual([
      'Paid before on 2026-04-25 (row 9 of batch april), outside the window of 14 days',
    ]);
  });

  it('are all named, however many', () => {
    const repeats = ['3', '4', '5', '6', '7'].map((id) => ({
      pointer: { ...pointer(1), payoutId: asPayoutId(id) },
      isSamePayment: true,
    }));
    expect(concernsIn(decide(findings({ repeats })))).toEqual(
      ['3', '4', '5', '6', '7'].map((id) => repeatOf(id)),
    );
  });

  it.each([
    ['the same payment', 'settled', repeatOf('3'), 'price'],
    ['another payment', 'settled', repeatOf('4'), 'hold'],
    ['the same payment before it was in doubt', 'in_doubt', repeatOf('3'), 'hold'],
    ['the same payment in doubt', 'in_doubt', repeatOf('3', true), 'price'],
    ['the same payment in doubt, which is paid now', 'settled', repeatOf('3', true), 'price'],
  ] as const)('of which a person saw %s: %s is asked about: %o → %s', (_, status, saw, kind) => {
    const repeats = [{ pointer: pointer(3, status), isSamePayment: true }];
    expect(decide(findings({ repeats }), planned({ saw: [saw] })).kind).toBe(kind);
  });
});

describe('the fee', () => {
  // 1200 ÷ 15.5 = 77.42; a fee of 19.35 is a fifth of 96.77.
  it.each([
    ['19.35', []],
    ['19.36', ['fee']],
  ])('of %s is held for %o', (fee, kinds) => {
    expect(kindsOf(decide(findings({ quote: { ...QUOTE, fee } })))).toEqual(kinds);
  });

  it('is asked about with its amount and the amount that is paid', () => {
    expect(concernsIn(decide(findings({ quote: { ...QUOTE, fee: '19.36' } })))).toEqual([
      { kind: 'fee', minor: 120_000n, feeMinor: 1_936n, currency: 'GBP' },
    ]);
  });

  it('that the service will not quote is a reason to ask a person', () => {
    const event = decide(findings({ quote: { declined: 'corridor closed (code 9)' } }));
    expect(event).toMatchObject({
      kind: 'hold',
      reasons: [
        { concern: { kind: 'no_quote' }, text: 'The service gives no quote: corridor closed (code 9)' },
      ],
    });
    const again = decide(findings({ quote: { declined: 'x' } }), planned({ saw: [{ kind: 'no_quote' }] }));
    expect(again).toMatchObject({ kind: 'price', pricing: { quote: undefined } });
  });

  it('that became too high in a newer quote is held after all, unless it was let go', () => {
    const learnt = (fee: string) => ({
      nameCheck: aPricing().nameCheck,
      nameCheckedAt: NOW,
      quote: { ...QUOTE, fee },
    });
    const kindFor = (fee: string, releases: ReturnType<typeof released> = []) =>
      decideAs(aPayoutIn('quoted', { state: { releases } }), learnt(fee), findings(), DEFAULT_POLICY).kind;
    const gbp = parseCurrency('GBP');
    if (gbp === undefined) throw new TypeError('GBP');
    const saw = released([{ kind: 'fee', minor: 120_000n, feeMinor: 4_000n, currency: gbp }]);
    expect(kindFor('40')).toBe('hold');
    expect(kindFor('40', saw)).toBe('price');
    expect(kindFor('39.99', saw)).toBe('price');
    expect(kindFor('40.01', saw)).toBe('hold');
    expect(decideAs(aPayoutIn('quoted'), learnt(QUOTE.fee), findings(), DEFAULT_POLICY)).toMatchObject({
      kind: 'price',
      pricing: { quote: QUOTE },
    });
  });
});

describe('where it goes', () => {
  const at = (institution: Findings['place']['institution'], saw: readonly Concern[] = []) =>
    decide(findings({ place: { ...LISTED, institution } }), planned({ saw }));
  const [ghs, kes] = [money('GHS 1').currency, money('KES 1').currency];
  const unlisted = { kind: 'institution', institutionId: 'i-mtn', name: '', currency: '' } as const;
  const elsewhere = { ...unlisted, name: 'M-Pesa', currency: kes };

  it.each([
    ['is on the list', { name: 'MTN Mobile Money', currency: ghs }, []],
    ['has another name on it', { name: 'MTN MoMo', currency: ghs }, []],
    ['is not known, because there is no list', 'unknown', []],
    ['is no more on the list', undefined, [unlisted]],
    ['is paid in another currency', { name: 'M-Pesa', currency: kes }, [elsewhere]],
  ] as const)('an institution that %s: %o is held for %o', (_, institution, concerns) => {
    expect(concernsIn(at(institution))).toEqual(concerns);
  });

  it('is asked about again when it has another currency than the person saw', () => {
    expect(at(undefined, [unlisted]).kind).toBe('price');
    expect(at({ name: 'M-Pesa', currency: kes }, [unlisted]).kind).toBe('hold');
    expect(at({ name: 'M-Pesa', currency: kes }, [elsewhere]).kind).toBe('price');
  });

  it('keeps the names of the lists, and tells of another name than the file was read with', () => {
    expect(at({ name: 'MTN MoMo', currency: ghs })).toMatchObject({
      pricing: {
        sourceName: 'United Kingdom',
        countryName: 'Ghana',
        institutionName: 'MTN MoMo',
        notes: [
          'The service calls the institution “MTN MoMo” now; the file was read with “MTN Mobile Money”',
        ],
      },
    });
    expect(at('unknown')).toMatchObject({ pricing: { institutionName: 'MTN Mobile Money', notes: [] } });
    expect(decide(findings({ place: { ...LISTED, sourceName: 'Jersey' } }))).toMatchObject({
      pricing: {
        sourceName: 'Jersey',
        notes: ['The service calls the source country “Jersey” now; the file was read with “United Kingdom”'],
      },
    });
    expect(decide(findings({ place: { ...LISTED, countryName: 'Republic of Ghana' } }))).toMatchObject({
      pricing: {
        countryName: 'Republic of Ghana',
        notes: ['The service calls the country “Republic of Ghana” now; the file was read with “Ghana”'],
      },
    });
  });
});

it('holds an amount over the limit for one row, and asks again where limit or amount grew', () => {
  const limited = (max: string): Policy => ({
    ...DEFAULT_POLICY,
    limits: { ...DEFAULT_POLICY.limits, rowMax: [money(max)] },
  });
  expect(concernsIn(decide(findings(), planned(), limited('GHS 1000.00')))).toEqual([OVER_LIMIT]);
  expect(decide(findings(), planned(), limited('GHS 1200.00')).kind).toBe('price');
  const saw = planned({ saw: [OVER_LIMIT] });
  expect(decide(findings(), saw, limited('GHS 1000.00')).kind).toBe('price');
  expect(decide(findings(), saw, limited('GHS 1100.00')).kind).toBe('hold');
});

it('names every reason at once', () => {
  const change: Concern = { kind: 'other_account', from: 'mark 1', to: 'mark 2' };
  const event = decide(
    findings({
      nameAnswer: named('Kofi Owusu'),
      otherAccount: aReason(change),
      repeats: [{ pointer: pointer(3), isSamePayment: true }],
      place: { ...LISTED, institution: undefined },
      quote: { ...QUOTE, fee: '40' },
    }),
  );
  expect(kindsOf(event)).toEqual(['name', 'other_account', 'repeat', 'institution', 'fee']);
});

describe('a payout that waits for approval', () => {
  const open = (changes: Partial<Findings>, saw: readonly Concern[] = []) =>
    openConcerns(
      aPayoutIn('quoted', { state: { releases: released(saw) } }),
      findings(changes),
      DEFAULT_POLICY,
    );

  it('has no open concern as it was priced', () => {
    expect(open({})).toEqual([]);
  });

  it('has the concerns that came up since, without those that a person saw', () => {
    const repeats = ['3', '4'].map((id) => ({
      pointer: { ...pointer(1), payoutId: asPayoutId(id) },
      isSamePayment: true,
    }));
    const left = open({ repeats, place: { ...LISTED, institution: undefined } }, [repeatOf('3')]);
    expect(left.map(({ concern }) => concern)).toMatchObject([repeatOf('4'), { kind: 'institution' }]);
  });
});
