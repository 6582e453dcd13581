/** `covers`, whole: what a person saw covers a concern of now when it is the same, or less. */
import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import {
  accountMark,
  CONCERN_KINDS,
  type Concern,
  type ConcernKind,
  concernText,
  covers,
  isReleased,
  kindsToName,
  openReasons,
  seenOf,
} from '../../src/domain/payouts/concern.ts';
import { asPayoutId } from '../../src/domain/payouts/instruction.ts';
import { aReason } from '../builders/payouts.ts';

function currency(code: string) {
  const found = parseCurrency(code);
  if (found === undefined) throw new TypeError(code);
  return found;
}
const [GBP, ZAR, GHS] = [currency('GBP'), currency('ZAR'), currency('GHS')];

/** One of each kind; those that share a field share its value. */
const SAMPLES = {
  fee: { kind: 'fee', minor: 120_000n, feeMinor: 2_000n, currency: GBP },
  name: { kind: 'name', institutionId: 'i-1', account: 'm-1', written: 'Ama', holder: 'Kofi' },
  other_account: { kind: 'other_account', from: 'm-0', to: 'm-1' },
  repeat: { kind: 'repeat', of: asPayoutId('9'), isUnknown: false },
  over_limit: { kind: 'over_limit', limit: 100_000n, minor: 120_000n, currency: GBP },
  no_quote: { kind: 'no_quote' },
  zero_lost: { kind: 'zero_lost', account: 'm-1' },
  hidden_row: { kind: 'hidden_row', account: 'm-1' },
  institution: { kind: 'institution', institutionId: 'i-1', name: 'GCB', currency: 'GBP' },
  same_row: { kind: 'same_row', of: asPayoutId('9') },
  maybe_paid: { kind: 'maybe_paid', evidence: 'a statement shows it' },
} as const satisfies Readonly<Record<ConcernKind, Concern>>;
/** What a person can release. */
const RELEASABLE: readonly ConcernKind[] = [
  ...(['fee', 'name', 'other_account', 'repeat', 'over_limit', 'no_quote'] as const),
  ...(['zero_lost', 'hidden_row', 'institution', 'maybe_paid'] as const),
];

describe.each(CONCERN_KINDS)('a person who saw the concern %s', (seen) => {
  it.each(CONCERN_KINDS)('agreed to %s only if it is the same one', (kind) => {
    const isSame = seen === kind && RELEASABLE.includes(kind);
    expect(covers(SAMPLES[seen], SAMPLES[kind])).toBe(isSame);
  });
});

const { fee, name, other_account, repeat, over_limit } = SAMPLES;
const { zero_lost, hidden_row, institution, same_row, maybe_paid } = SAMPLES;
const no = false;
const yes = true;
const CASES: readonly (readonly [what: string, saw: Concern, now: Concern, isCovered: boolean])[] = [
  ['a fee of one minor unit more', fee, { ...fee, feeMinor: 2_001n }, no],
  ['a fee of one minor unit less', fee, { ...fee, feeMinor: 1_999n }, yes],
  ['no fee at all', fee, { ...fee, feeMinor: 0n }, yes],
  ['the fee for a larger amount', fee, { ...fee, minor: 120_001n }, no],
  ['the fee for a smaller amount', fee, { ...fee, minor: 119_999n }, no],
  ['as high a fee in another currency', fee, { ...fee, currency: ZAR }, no],

  ['another holder', name, { ...name, holder: 'Yaw' }, no],
  ['another spelling of the holder', name, { ...name, holder: 'kofi' }, no],
  ['a holder that is not known any more', name, { ...name, holder: '' }, no],
  ['a holder that is known now', { ...name, holder: '' }, name, no],
  ['a holder that was not known, and is not', { ...name, holder: '' }, { ...name, holder: '' }, yes],
  ['another written name', name, { ...name, written: 'Ama M' }, no],
  ['another account of the same two names', name, { ...name, account: 'm-2' }, no],
  ['another institution of the same two names', name, { ...name, institutionId: 'i-2' }, no],
  ['no name in the file', { ...name, written: '' }, { ...name, written: '' }, yes],
  ['no name at all', { ...name, written: '', holder: '' }, { ...name, written: '', holder: '' }, no],

  ['a change to another account', other_account, { ...other_account, to: 'm-2' }, no],
  ['a change from another account', other_account, { ...other_account, from: 'm-9' }, no],
  ['the change back', other_account, { ...other_account, from: 'm-1', to: 'm-0' }, no],

  ['another payment', repeat, { ...repeat, of: asPayoutId('8') }, no],
  ['the payment, which is in doubt now', repeat, { ...repeat, isUnknown: true }, no],
  ['the payment, still in doubt', { ...repeat, isUnknown: true }, { ...repeat, isUnknown: true }, yes],
  ['the payment, in doubt no more', { ...repeat, isUnknown: true }, repeat, yes],
  ['another payment in doubt', { ...repeat, isUnknown: true }, { ...repeat, of: asPayoutId('8') }, no],

  ['one minor unit more', over_limit, { ...over_limit, minor: 120_001n }, no],
  ['one minor unit less', over_limit, { ...over_limit, minor: 119_999n }, yes],
  ['a higher limit', over_limit, { ...over_limit, limit: 110_000n }, no],
  ['a lower limit', over_limit, { ...over_limit, limit: 90_000n }, no],
  ['the limit of another currency', over_limit, { ...over_limit, currency: GHS }, no],

  ['a lost zero of another account', zero_lost, { ...zero_lost, account: 'm-2' }, no],
  ['a hidden row with another account', hidden_row, { ...hidden_row, account: 'm-2' }, no],

  ['another name of the institution', institution, { ...institution, name: 'Zenith' }, no],
  ['another currency of the institution', institution, { ...institution, currency: 'KES' }, no],
  ['another institution', institution, { ...institution, institutionId: 'i-2' }, no],
  ['that it is listed no more', institution, { ...institution, name: '', currency: '' }, no],

  ['the same row, which nobody can release', same_row, same_row, no],

  ['other evidence', maybe_paid, { ...maybe_paid, evidence: 'another statement' }, no],
];

it.each(CASES)('a release covers %s: %o, %o → %s', (_, saw, now, isCovered) => {
  expect(covers(saw, now)).toBe(isCovered);
});

it('a release has every kind in the table above', () => {
  expect(new Set([...CASES.map(([, saw]) => saw.kind), 'no_quote'])).toEqual(new Set(CONCERN_KINDS));
});

describe('what is left to ask about', () => {
  const two: Concern = { ...repeat, of: asPayoutId('10') };

  it('is what no release covers, in its order', () => {
    const reasons = [fee, repeat, name, two].map((concern) => aReason(concern));
    expect(openReasons(reasons, [])).toEqual(reasons);
    expect(openReasons(reasons, [{ saw: [two] }, { saw: [fee] }]).map(({ concern }) => concern)).toEqual([
      repeat,
      name,
    ]);
    expect(openReasons(reasons, [{ saw: [two, name, fee, repeat] }])).toEqual([]);
  });

  it('is a concern that two releases cover only together', () => {
    const half = { ...fee, feeMinor: 1_000n };
    expect(isReleased(fee, [{ saw: [half] }, { saw: [half] }])).toBe(false);
  });
});

describe('a row that was released before', () => {
  const released = [seenOf([fee], [fee, repeat])];
  const kinds = (...concerns: readonly Concern[]) =>
    kindsToName({ reasons: concerns.map((concern) => ({ concern })), releases: released });

  it('keeps what was released and what was left open', () => {
    expect(released).toEqual([{ saw: [fee], left: [repeat] }]);
    expect(seenOf([fee], [fee])).toEqual({ saw: [fee] });
  });

  it('needs no kind for what it waited for before', () => {
    expect(kinds(repeat)).toEqual([]);
    expect(kinds(fee, repeat)).toEqual([]);
  });

  it('needs the kind of all concerns once one of them is another than before', () => {
    expect(kinds(name)).toEqual(['name']);
    expect(kinds({ ...fee, feeMinor: 2_001n })).toEqual(['fee']);
    expect(kinds(repeat, name)).toEqual(['repeat', 'name']);
    expect(kinds({ ...repeat, isUnknown: true })).toEqual(['repeat']);
  });

  it('needs no kind for a concern that no release covers and that was seen', () => {
    const releases = [seenOf([same_row], [same_row])];
    expect(kindsToName({ reasons: [{ concern: same_row }], releases })).toEqual([]);
  });

  it('needs no kind while nobody has released it', () => {
    expect(kindsToName({ reasons: [{ concern: name }], releases: [] })).toEqual([]);
  });
});

describe('the text of a concern', () => {
  it('is the same whatever the order of its values, and another for each value', () => {
    const { kind, ...values } = fee;
    expect(concernText({ ...values, kind })).toBe(concernText(fee));
    const others = [...CASES.map(([, , now]) => now), { ...fee, minor: fee.feeMinor, feeMinor: fee.minor }];
    for (const other of others.filter(({ kind }) => kind === 'fee'))
      expect(concernText(other)).not.toBe(concernText(fee));
    expect(new Set(Object.values(SAMPLES).map(concernText)).size).toBe(11);
    const moved = { ...name, holder: 'Kofi,institutionId,i-0', institutionId: 'i-1' };
    expect(concernText(moved)).not.toBe(
      concernText({ ...name, holder: 'Kofi', institutionId: 'i-0,institutionId,i-1' }),
    );
  });
});

it('the mark of an account is of one institution as the service calls it, and does not show the account', () => {
  const markOf = (institutionName: string, account: string, destinationIso = 'GH') =>
    accountMark({ destinationIso, institutionName }, account);
  const mark = markOf('MTN Mobile Money', '0244123456');
  expect(mark).toMatch(/^[0-9a-f]{32}$/);
  expect(markOf('MTN MOBILE-MONEY', '0244123456')).toBe(mark);
  expect(markOf('Telecel Cash', '0244123456')).not.toBe(mark);
  expect(markOf('MTN Mobile Money', '0244123457')).not.toBe(mark);
  expect(markOf('MTN Mobile Money', '0244123456', 'UG')).not.toBe(mark);
  expect(markOf('bank1', '2')).not.toBe(markOf('bank', '12'));
});
