/** Row keys come out in order, however they went in. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowKeys } from '../../src/ledger/row-keys.ts';

function sorted(keys: readonly Uint8Array[]): string[] {
  const all = new RowKeys();
  for (const key of keys) all.add(key);
  return [...all.pages()].flat().map((key) => Buffer.from(key).toString('hex'));
}

/** Few different bytes, so that many keys begin alike and some are equal. */
const alike = fc.uint8Array({ minLength: 16, maxLength: 16, max: 3 });

it('puts keys in the order of all their bytes, however many begin alike or repeat', () => {
  fc.assert(
    fc.property(
      fc.array(alike, { maxLength: 60 }),
      fc.array(fc.constant(16), { maxLength: 40 }),
      (keys, same) => {
        const all = [...keys, ...same.map((size) => new Uint8Array(size).fill(255))];
        expect(sorted(all)).toEqual(all.map((key) => Buffer.from(key).toString('hex')).sort());
      },
    ),
  );
});

it('tells keys apart that differ in their last byte only', () => {
  const key = (last: number) => Uint8Array.from([...Array(15).fill(200), last]);
  expect(sorted([key(9), key(255), key(0), key(9)]).map((hex) => hex.slice(-2))).toEqual([
    '00',
    '09',
    '09',
    'ff',
  ]);
});

it('hands out more rows than fit in one page, none lost', () => {
  const keys = Array.from({ length: 10_001 }, (_, n) => {
    const key = Buffer.alloc(16);
    key.writeUInt32BE((n * 2_654_435_761) % 2 ** 32, 0);
    return key;
  });
  expect(sorted(keys)).toEqual(keys.map((key) => key.toString('hex')).sort());
});

it('refuses a key of another length', () => {
  expect(() => new RowKeys().add(new Uint8Array(15))).toThrow(RangeError);
});
