/** What is stored comes back exactly, whatever it was, and a changed text is noticed instead of guessed at. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONCERN_KINDS, type Concern } from '../../src/domain/payouts/concern.ts';
import { type PayoutState, STATUSES } from '../../src/domain/payouts/payout.ts';
import type { EventKind, PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { EVENT_KINDS } from '../../src/domain/payouts/payout-machine.ts';
import { decodeEvent as decodeEntry, decodeState, encodeEvent, encodeState } from '../../src/ledger/codec.ts';
import { decodeFacts, encodeFacts } from '../../src/ledger/codec-batches.ts';
import { NotStorable, type Stored, StoredShapeError } from '../../src/ledger/codec-json.ts';
import { anEvent, aPayoutIn, aPricing, evidence, NOW } from '../builders/payouts.ts';

/** Also words that look like the marks of an entry. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.toWellFormed()),
  fc.constantFrom('§', '§0', '§1', '"§0"', 'x "§0" y', '\\"§0\\"', '","§0","'),
);
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });
const when = fc.integer({ min: 0, max: 4_102_444_800_000 });
const quote = fc.record({
  rate: text,
  fee: text,
  speedSeconds: fc.nat(),
  sourceCurrency: maybe(text),
  quotedAt: when,
});
const pricing = fc.record({
  sourceName: text,
  countryName: text,
  institutionName: text,
  nameCheckedAt: when,
  nameCheck: fc.record({
    result: fc.constantFrom('match', 'not_found'),
    resolved: maybe(text),
    reason: text,
  }),
  quote: maybe(quote),
  wireName: text,
  notes: fc.array(text, { maxLength: 3 }),
});
const kind = <Kind extends string>(word: Kind) => fc.constant(word);
const minor = fc.bigInt({ min: 0n, max: 10n ** 24n });
const CONCERNS: { readonly [Kind in Concern['kind']]: fc.Arbitrary<object> } = {
  fee: fc.record({ kind: kind('fee'), minor, feeMinor: minor, currency: text }),
  name: fc.record({ kind: kind('name'), institutionId: text, account: text, written: text, holder: text }),
  other_account: fc.record({ kind: kind('other_account'), from: text, to: text }),
  repeat: fc.record({ kind: kind('repeat'), of: text, isUnknown: fc.boolean() }),
  over_limit: fc.record({ kind: kind('over_limit'), limit: minor, minor, currency: text }),
  no_quote: fc.record({ kind: kind('no_quote') }),
  zero_lost: fc.record({ kind: kind('zero_lost'), account: text }),
  hidden_row: fc.record({ kind: kind('hidden_row'), account: text }),
  institution: fc.record({ kind: kind('institution'), institutionId: text, name: text, currency: text }),
  same_row: fc.record({ kind: kind('same_row'), of: text }),
  maybe_paid: fc.record({ kind: kind('maybe_paid'), evidence: text }),
};
const concern = fc.oneof(...Object.values(CONCERNS));
const release = fc.record(
  {
    saw: fc.array(concern, { maxLength: 3 }),
    left: fc.array(concern, { minLength: 1, maxLength: 2 }),
    by: text,
    reason: text,
    at: when,
  },
  { requiredKeys: ['saw', 'by', 'reason', 'at'] },
);
const pointer = fc.record({
  payoutId: text,
  batchId: text,
  batchName: text,
  rowNumber: fc.nat(),
  status: fc.constantFrom(...STATUSES),
  at: when,
});
const reason = fc.record({ concern, text, pointer }, { requiredKeys: ['concern', 'text'] });
const proof = fc.record(
  {
    attempt: fc.nat(),
    phase: fc.constantFrom('write', 'unknown'),
    startedAt: when,
    endedAt: when,
    bytesWritten: fc.integer(),
    httpStatus: fc.nat(),
    code: text,
    message: text,
    fragment: text,
    errorCode: text,
    localPort: fc.nat(),
  },
  { requiredKeys: ['attempt', 'phase', 'startedAt', 'endedAt', 'bytesWritten'] },
);
const issue = fc.record({
  kind: text,
  field: fc.constantFrom('amount', 'account'),
  column: maybe(text),
  columnLetter: maybe(text),
  seen: text,
  expected: text,
  suggestion: maybe(text),
});
const agreed = {
  pricing,
  releases: fc.array(release, { maxLength: 2 }),
  tag: text,
  approvedAt: when,
  approvedBy: text,
};
const way = {
  ...agreed,
  transferId: text,
  sentAt: when,
  serviceStatus: maybe(text),
  discrepancies: fc.array(text),
};
const status = <S extends string>(word: S) => fc.constant(word);
// The shapes are the domain's; the brands are given back by the cast.
const state = fc.oneof(
  fc.record({ status: status('invalid'), issues: fc.array(issue) }),
  fc.record({ status: status('planned'), releases: fc.array(release) }),
  fc.record({
    status: status('held'),
    reasons: fc.array(reason),
    releases: fc.array(release),
    pricing: maybe(pricing),
  }),
  fc.record({ status: status('quoted'), pricing, releases: fc.array(release) }),
  fc.record({ status: status('approved'), ...agreed }),
  fc.record({ status: status('sending'), attempt: fc.nat(), startedAt: when, bodyDigest: text, ...agreed }),
  fc.record({ status: status('in_doubt'), reason: status('crash'), evidence: proof, at: when, ...agreed }),
  fc.record({
    status: status('accepted'),
    suspicion: maybe(
      fc.record(
        { word: text, firstAt: when, unproven: fc.array(text) },
        { requiredKeys: ['word', 'firstAt'] },
      ),
    ),
    ...way,
  }),
  fc.record({ status: status('settled'), settledAt: when, incident: fc.boolean(), ...way }),
  fc.record({
    status: status('failed'),
    basis: status('ruled'),
    reason: text,
    at: when,
    transferId: maybe(text),
    serviceStatus: maybe(text),
    sentAt: maybe(when),
    ...agreed,
  }),
  fc.record({ status: status('returned'), returnedAt: when, ...way }),
  fc.record({ status: status('canceled'), by: text, reason: text, at: when }),
) as unknown as fc.Arbitrary<PayoutState>;
const ruling = fc.record({ by: text, evidence: text });
const sender = fc.record({ host: text, pid: fc.nat(), started: fc.option(text), patienceMs: fc.nat() });
const told = { serviceStatus: text, discrepancies: fc.array(text), at: when };
const event = fc.oneof(
  fc.record({ kind: status('hold'), reasons: fc.array(reason), pricing: maybe(pricing), at: when }),
  fc.record({ kind: status('price'), pricing, at: when }),
  fc.record({ kind: status('invalidate'), issues: fc.array(issue), at: when }),
  fc.record({ kind: status('release'), release, at: when }),
  fc.record({ kind: status('approve'), tag: text, leaf: text, by: text, at: when }),
  fc.record(
    { kind: status('begin_attempt'), attempt: fc.nat(), bodyDigest: text, sender, quote, at: when },
    { requiredKeys: ['kind', 'attempt', 'bodyDigest', 'sender', 'at'] },
  ),
  fc.record({ kind: status('accept'), transferId: text, evidence: proof, at: when }),
  fc.record({ kind: status('refuse'), code: text, message: text, evidence: proof, at: when }),
  fc.record({ kind: status('rule_paid'), transferId: text, ruling, at: when }),
  fc.record({ kind: status('fail'), ...told }),
) as unknown as fc.Arbitrary<PayoutEvent>;

/** As it stands in the journal. */
const decodeEvent = (kind: EventKind, at: number, { body, personal }: Stored) =>
  decodeEntry({ kind, at: BigInt(at), body, personal: personal ?? null, seal: null });

/** Generated records may have no prototype; those of the domain do. */
const plain = <T>(value: T): T => structuredClone(value);

describe('the stored texts', () => {
  it('give every state back exactly, with the same keys', () => {
    fc.assert(
      fc.property(state, (generated) => {
        const value = plain(generated);
        expect(decodeState(value.status, encodeState(value))).toStrictEqual(value);
      }),
    );
  });

  it.each(CONCERN_KINDS)('give back a row held because of %s, and released', (kind) => {
    fc.assert(
      fc.property(CONCERNS[kind], (generated) => {
        const found = plain(generated) as Concern;
        const releases = [{ saw: [found], by: 'ben', reason: 'meant', at: NOW }];
        const reasons = [{ concern: found, text: 'why' }];
        const held = { status: 'held', reasons, releases, pricing: undefined } as const;
        expect(decodeState('held', encodeState(held))).toStrictEqual(held);
      }),
      { numRuns: 30 },
    );
  });

  it('give back the newer quote of a sending, and leave out one that there was not', () => {
    const newer = { ...aPricing().quote, rate: '15.4' };
    for (const state of [aPayoutIn('sending'), aPayoutIn('sending', { state: { quoteAtSend: newer } })]) {
      expect(decodeState('sending', encodeState(state.state))).toStrictEqual(state.state);
      expect(encodeState(state.state).includes('quoteAtSend')).toBe('quoteAtSend' in state.state);
    }
    const begin = anEvent('begin_attempt');
    for (const event of [begin, { ...begin, quote: newer } as PayoutEvent])
      expect(decodeEvent('begin_attempt', NOW, encodeEvent(event))).toStrictEqual(event);
  });

  it('give every event back exactly, with the same keys', () => {
    fc.assert(
      fc.property(event, (generated) => {
        const value = plain(generated);
        expect(decodeEvent(value.kind, value.at, encodeEvent(value))).toStrictEqual(value);
      }),
    );
  });

  it.each(STATUSES)('know the state %s', (word) => {
    const { state: value } = aPayoutIn(word);
    expect(decodeState(word, encodeState(value))).toStrictEqual(value);
  });

  it.each(EVENT_KINDS)('know the event %s', (kind) => {
    const value = anEvent(kind);
    expect(decodeEvent(kind, value.at, encodeEvent(value))).toStrictEqual(value);
  });

  it('give the facts of a batch back exactly, with its columns', () => {
    const facts = {
      state: 'open',
      name: 'may',
      digest: 'd' as never,
      mergedInto: undefined,
      isBound: true,
      revision: 2,
      file: {
        name: 'may.csv',
        sha256: 'f',
        format: 'csv',
        sheet: undefined,
        headers: ['A'],
        columns: new Map([['amount', 0]]),
      },
      maker: 'ama',
      createdAt: NOW,
      pause: { reason: 'lunch', by: 'ben', at: NOW },
      resumedAt: undefined,
      approval: { digest: 'd' as never, by: 'ben', at: NOW, how: 'ceiling', count: 3 },
      range: 1,
      merging: undefined,
    } as const;
    expect(decodeFacts(encodeFacts(facts as never))).toStrictEqual(facts);
    for (const amountStyle of [
      { decimal: 'comma', basis: 'proven', example: { row: 3, text: '27.500', read: '27500' } },
      { decimal: undefined, basis: 'numbers', example: undefined },
    ]) {
      const now = { ...facts, file: { ...facts.file, amountStyle } };
      expect(decodeFacts(encodeFacts(now as never))).toStrictEqual(now);
    }
  });

  it.each([
    ['another version', '{"v":2,"releases":[]}'],
    ['no version', '{"releases":[]}'],
    ['a key too many', '{"v":1,"releases":[],"more":1}'],
    ['a key too few', '{"v":1}'],
    ['no JSON', '{"v":1,'],
  ])('are refused with %s', (_what, stored) => {
    expect(() => decodeState('planned', stored)).toThrow(StoredShapeError);
  });

  it('leave out what evidence does not have', () => {
    const { body } = encodeEvent({ kind: 'accept', transferId: 't' as never, evidence: evidence(), at: NOW });
    expect(body).not.toContain('null');
  });
});

describe('what could not be read again', () => {
  const at = NOW;
  it.each<[string, (wrong: never) => unknown, readonly unknown[]]>([
    ['who canceled', (by) => encodeState({ status: 'canceled', by, reason: 'r', at }), [undefined, 42, null]],
    [
      'the reason of an event',
      (reason) => encodeEvent({ kind: 'cancel', by: 'ama', reason, at }),
      [undefined, 5],
    ],
    [
      'the time of an event',
      (when) => encodeEvent({ kind: 'recover', at: when }),
      [undefined, NaN, '5', 1.5],
    ],
  ])('is not encoded: %s', (_what, encoding, wrongs) => {
    for (const wrong of wrongs) expect(() => encoding(wrong as never)).toThrow(NotStorable);
  });
});

describe('a field that an event may leave out', () => {
  const proof = '{"attempt":2,"phase":"answer","startedAt":5,"endedAt":6,"bytesWritten":9,"httpStatus":429}';
  it.each<[EventKind, string, object]>([
    ['turn_away', `{"v":1,"why":"rate_limited","evidence":${proof}}`, { why: 'rate_limited' }],
    ['recover', '{"v":1}', {}],
    ['not_sent', '{"v":1,"phase":"write","reason":"closed"}', { phase: 'write', reason: 'closed' }],
    ['progress', '{"v":1,"serviceStatus":"Processing","discrepancies":[]}', { serviceStatus: 'Processing' }],
    ['settle', '{"v":1,"serviceStatus":"Finished","discrepancies":["x"]}', { discrepancies: ['x'] }],
  ])('stays left out: %s', (kind, stored, expected) => {
    const read = decodeEvent(kind, 7, { body: stored });
    expect(read).toMatchObject({ kind, at: 7, ...expected });
    for (const part of ['until', 'since', 'otherId']) expect(read).not.toHaveProperty(part);
    const written = encodeEvent(read);
    expect(JSON.parse(written.body)).toEqual(JSON.parse(stored, (_, part) => (part === 'x' ? '§0' : part)));
    expect(written.personal).toBe(stored.includes('["x"]') ? '["x"]' : undefined);
  });

  it('stays left out: the second name of a transfer', () => {
    const state = aPayoutIn('settled').state;
    expect(encodeState(state)).not.toContain('otherId');
    expect(decodeState('settled', encodeState(state))).toEqual(state);
  });
});
