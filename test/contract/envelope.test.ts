/**
 * The envelope: any letter case of its two words, and no zero but zero.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/contract/exact-json.ts';
import {
  Envelope,
  IdText,
  isFailureWord,
  isSuccessWord,
  isZeroCode,
  transferBody,
} from '../../src/contract/wire.ts';

describe('the status word', () => {
  it('[E1] means the same in any mix of letter case', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), (upper) => {
        const mix = (word: string) =>
          [...word].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join('');
        expect(isSuccessWord(mix('success'))).toBe(true);
        expect(isFailureWord(mix('failed'))).toBe(true);
        expect(isSuccessWord(mix('failed')) || isFailureWord(mix('success'))).toBe(false);
      }),
    );
  });

  it.each(['', 'succes', 'successful', 'ſuccess', 'succeß', 'true', 'ok', 'pending'])(
    '%s is no success',
    (word) => {
      expect(isSuccessWord(word)).toBe(false);
    },
  );
});

describe('[E2] the code', () => {
  it.each<[string, boolean | undefined]>([
    ['0', true],
    ['"0"', true],
    ['1', false],
    ['"1"', false],
    ['"00"', false],
    ['-0', false],
    ['0.0', undefined],
    ['""', undefined],
    ['null', undefined],
    ['false', undefined],
    ['"zero"', undefined],
    ['[0]', undefined],
  ])('%s is zero: %s', (code, expected) => {
    const envelope = Envelope.safeParse(parseExactJson(`{"status":"success","data":{},"code":${code}}`));
    expect(envelope.success ? isZeroCode(envelope.data.code) : undefined).toBe(expected);
  });
});

describe('ids and amounts', () => {
  it('[E4] an id is kept digit by digit, and must be visible', () => {
    expect(IdText.parse(parseExactJson('12345678901234567890'))).toBe('12345678901234567890');
    for (const text of ['', ' ', 'a b', 'é', 'x'.repeat(129)])
      expect(IdText.safeParse(text).success).toBe(false);
  });

  it('an amount goes on the wire with exactly its digits', () => {
    const order = {
      Source: 'a',
      Destination: 'b',
      Fi: 'c',
      Note: 'd',
      AccountNo: '007',
      Name: 'e',
      Phone: 'f',
    };
    const amount = fc.tuple(
      fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
      fc.stringMatching(/^(\.\d{1,6})?$/),
    );
    fc.assert(
      fc.property(amount, ([whole, fraction]) => {
        const body = transferBody({ ...order, Amount: `${whole}${fraction}` });
        expect(body).toContain(`"Amount":${whole}${fraction}}`);
      }),
    );
    for (const text of ['1e5', '-1', '', '1,5', '0x10', ' 1', '1.']) {
      expect(() => transferBody({ ...order, Amount: text })).toThrow(TypeError);
    }
  });
});
