/** What a passkey signs is bound to exactly what was shown: nothing else has the same challenge. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApprovalSaid,
  approvalChallenge,
  entryChallenge,
  isConsoleOrigin,
  registrationChallenge,
} from '../../src/domain/people/passkey.ts';

/** Few letters, so that two drawn at random are often nearly the same. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', '1', '"', ',', '\n', '\\'), maxLength: 4 });
const sums = fc.array(word, { maxLength: 3 });
const said: fc.Arbitrary<ApprovalSaid> = fc.record({
  nonce: word,
  ledgerId: word,
  batchId: word,
  digest: word,
  figures: fc.record({ rows: fc.integer({ min: 0, max: 3 }), beneficiariesGet: sums, wePay: sums }),
});

describe('the challenge of an approval', () => {
  it('is the same for the same and another for anything else', () => {
    fc.assert(
      fc.property(said, said, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(approvalChallenge(one) === approvalChallenge(other)).toBe(isSame);
        expect(approvalChallenge(structuredClone(one))).toBe(approvalChallenge(one));
      }),
      { numRuns: 2_000 },
    );
  });

  it('changes with each single part, also where a letter moves from one part to the next', () => {
    const change = fc.constantFrom(
      (one: ApprovalSaid) => ({ ...one, nonce: `${one.nonce}a` }),
      (one: ApprovalSaid) => ({ ...one, ledgerId: `${one.ledgerId}a` }),
      (one: ApprovalSaid) => ({ ...one, batchId: `${one.batchId}a` }),
      (one: ApprovalSaid) => ({ ...one, digest: `${one.digest}a` }),
      (one: ApprovalSaid) => ({ ...one, nonce: `${one.nonce}a`, ledgerId: one.ledgerId.slice(1) }),
      ({ figures, ...one }: ApprovalSaid) => ({ ...one, figures: { ...figures, rows: figures.rows + 1 } }),
      ({ figures, ...one }: ApprovalSaid) => ({
        ...one,
        figures: { ...figures, wePay: [...figures.wePay, ''] },
      }),
      ({ figures: { wePay, beneficiariesGet, rows }, ...one }: ApprovalSaid) => ({
        ...one,
        figures: { rows, wePay: [...wePay, 'a'], beneficiariesGet: beneficiariesGet.slice(1) },
      }),
    );
    fc.assert(
      fc.property(said, change, (one, changed) => {
        expect(approvalChallenge(changed(one))).not.toBe(approvalChallenge(one));
      }),
    );
  });

  it('is never that of another kind of question', () => {
    expect(registrationChallenge('a', 'b', 'c')).not.toBe(entryChallenge('a', 'b'));
    expect(new Set([registrationChallenge('a', 'b', 'c'), registrationChallenge('a', 'bc', '')]).size).toBe(
      2,
    );
  });
});

it('takes pages of this machine under the one name on which passkeys work', () => {
  const origins = [
    'http://localhost:4870',
    'http://localhost',
    'https://localhost:1',
    'http://127.0.0.1:4870',
    'http://localhost.evil.example',
    'http://localhost:4870/x',
    'http://localhost:4870\n',
    '',
  ];
  expect(origins.filter(isConsoleOrigin)).toEqual(['http://localhost:4870', 'http://localhost']);
});
