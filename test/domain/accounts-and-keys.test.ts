/** Folding and repeats in a file: what counts as the same account, and what the rows of one file say of each other. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { accountFault, accountNotes, foldAccount } from '../../src/domain/accounts/account-faults.ts';
import { isPhoneNumber } from '../../src/domain/accounts/phone-number.ts';
import { batchDigest } from '../../src/domain/batches/batch.ts';
import { currencyOfCountry, parseCurrency } from '../../src/domain/money/currency.ts';
import type { Instruction } from '../../src/domain/payouts/instruction.ts';
import { referenceKey, repeatKeys } from '../../src/domain/payouts/repeat.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import { createDuplicateFinder, createSeenKeys } from '../../src/domain/rows/repeats-in-file.ts';
import { Sensitive } from '../../src/domain/text/sensitive.ts';

describe('folding an account', () => {
  const SAME: readonly (readonly [string, readonly string[], string])[] = [
    [
      'Kenya',
      ['0712345678', '254712345678', '+254712345678', '+254 712 345-678', '00254712345678', '+2540712345678'],
      '254',
    ],
    ['Senegal, where no zero is dialled', ['771234567', '+221 77 123 45 67', '221771234567'], '221'],
    ["Côte d'Ivoire, where the zero is part of the number", ['0707123456', '+2250707123456'], '225'],
    ['an IBAN-like account', ['SN01 2010 2000', 'sn0120102000'], '221'],
  ];
  it.each(SAME)('makes one account of the ways to write it in %s', (_, written, callingCode) => {
    expect(new Set(written.map((account) => foldAccount(account, callingCode))).size).toBe(1);
  });

  const APART: readonly (readonly [string, string, string, string])[] = [
    ['another number', '0712345678', '0712345679', '254'],
    [
      'a number that lost its zero, so that putting it back counts as a change',
      '0712345678',
      '712345678',
      '254',
    ],
    ['a number of another country', '0712345678', '+255712345678', '254'],
    ['a long bank account that begins with a zero', '01109876543200', '1109876543200', '254'],
  ];
  it.each(APART)('keeps %s apart', (_, left, right, callingCode) => {
    expect(foldAccount(left, callingCode)).not.toBe(foldAccount(right, callingCode));
  });
});

describe('[F14][F15][F16] damage to an account', () => {
  const CASES: readonly (readonly [string, boolean, string, string, string | undefined])[] = [
    ['0244123456', false, 'GH', 'mtnmobilemoney', undefined],
    ['244123456', true, 'GH', 'mtnmobilemoney', 'account_zero_lost'],
    ['1011130024576', true, 'GH', 'gcbbank', undefined],
    ['123456785', true, 'NG', 'guarantytrustbank', 'account_zero_lost'],
    ['1.2E+10', false, 'GH', 'gcbbank', 'account_scientific'],
    ['8,12346E+11', false, 'GH', 'gcbbank', 'account_scientific'],
    ['244123456.0', false, 'GH', 'gcbbank', 'account_not_whole'],
    ['1234567890123450', true, 'GH', 'gcbbank', 'account_digits_lost'],
    ['1234567890123450', false, 'GH', 'gcbbank', undefined],
    ['12E34', false, 'GH', 'gcbbank', undefined],
    ['254712345.5', false, 'KE', 'kcbbankkenya', 'account_not_whole'],
    ['254712345,50', false, 'KE', 'kcbbankkenya', 'account_not_whole'],
    ['12.345.678-9', false, 'GH', 'gcbbank', 'account_marks'],
    ['jane.doe@wallet', false, 'GH', 'gcbbank', undefined],
    ['*jane_doe1', false, 'GH', 'gcbbank', 'account_characters'],
    ['SN01(2010)2000,#7/8*A', false, 'SN', 'cbao', undefined],
    ['1011130024576\u0301', false, 'GH', 'gcbbank', 'account_characters'],
    ['Zo\u00e9123456', false, 'GH', 'gcbbank', 'account_characters'],
    ['x'.repeat(65), false, 'GH', 'gcbbank', 'account_too_long'],
  ];
  it.each(CASES)('%s (number: %s) in %s at %s: %s', (text, isNumber, iso, institution, expected) => {
    expect(accountFault({ text, isNumber, iso, institution })?.kind).toBe(expected);
  });

  it('only warns where digits may have been lost but need not', () => {
    const account = { text: '1234567890123450', isNumber: false, iso: 'GH', institution: 'gcbbank' };
    expect(accountNotes(account)).toHaveLength(1);
    expect(accountNotes({ ...account, text: '244123456', institution: 'mtnmobilemoney' })).toHaveLength(1);
    expect(accountNotes({ ...account, text: '0244123456', institution: 'mtnmobilemoney' })).toEqual([]);
  });
});

const ghs = parseCurrency('GHS');
const sample = (changes: Partial<Instruction> = {}): Instruction => {
  if (ghs === undefined) throw new Error('GHS');
  return {
    sourceId: asCountryId('gb1'),
    sourceName: 'United Kingdom',
    destinationId: asCountryId('gh1'),
    destinationIso: 'GH',
    destinationName: 'Ghana',
    institutionId: asInstitutionId('mtn'),
    institutionName: 'MTN Mobile Money',
    account: new Sensitive('0244123456'),
    amount: { minor: 12_050n, currency: ghs },
    reference: 'MAY-1',
    name: 'Ama Boateng',
    phone: undefined,
    note: 'Salary é',
    replaces: undefined,
    ...changes,
  };
};
describe('the batch digest', () => {
  async function* pages(keys: readonly Uint8Array[], size: number): AsyncGenerator<readonly Uint8Array[]> {
    for (let at = 0; at < keys.length; at += size) yield keys.slice(at, at + size);
  }
  const sorted = (keys: readonly Uint8Array[]) => [...keys].sort(Buffer.compare);
  const keys = Array.from({ length: 50 }, () => new Uint8Array(randomBytes(16)));

  it('does not depend on how the ledger pages the rows', async () => {
    expect(await batchDigest(pages(sorted(keys), 7))).toBe(await batchDigest(pages(sorted(keys), 50)));
  });

  it('changes when a row is added, taken out, or repeated', async () => {
    const whole = await batchDigest(pages(sorted(keys), 10));
    expect(await batchDigest(pages(sorted(keys.slice(1)), 10))).not.toBe(whole);
    expect(await batchDigest(pages(sorted([...keys, keys[0] ?? new Uint8Array(16)]), 10))).not.toBe(whole);
  });

  it('refuses keys out of order instead of calling the same batch two things', async () => {
    await expect(batchDigest(pages([...sorted(keys)].reverse(), 10))).rejects.toThrow('ascending');
  });
});

describe('repeated rows in one file', () => {
  const file = { columns: new Map([['reference', 2] as const]), headers: ['a', 'b', 'Ref'] };
  const row = (rowNumber: number, changes: Partial<Instruction> = {}) => {
    const instruction = sample(changes);
    return { rowNumber, keys: repeatKeys(instruction, ''), reference: instruction.reference };
  };

  it('of equal rows each later one says so, pointing at the first', () => {
    const finder = createDuplicateFinder(file);
    const note = 'the same reference, account and amount as row 2';
    expect(finder.look(row(2))).toBeUndefined();
    expect(finder.look(row(9, { note: 'other words' }))).toEqual({ kind: 'noted', note });
    expect(finder.look(row(10))).toEqual({ kind: 'noted', note });
  });

  it.each<[string, Partial<Instruction>]>([
    ['the account with its calling code', { account: new Sensitive('233244123456') }],
    ['another bank', { institutionId: asInstitutionId('gcb') }],
  ])(
    '[B5][F22] two equal payments without references: the later one says so, written with %s',
    (_, changes) => {
      const finder = createDuplicateFinder(file);
      expect(finder.look(row(2, { reference: undefined }))).toBeUndefined();
      expect(finder.look(row(3, { reference: undefined, ...changes }))).toEqual({
        kind: 'noted',
        note: 'the same account and amount as row 2, without a reference',
      });
    },
  );

  it('two salaries of one amount to one account go when their references differ', () => {
    const finder = createDuplicateFinder(file);
    expect([finder.look(row(2)), finder.look(row(3, { reference: 'MAY-2' }))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('a reference used again for another payment cannot be paid and says where it was first', () => {
    const finder = createDuplicateFinder(file);
    finder.look(row(2));
    expect(finder.look(row(5, { account: new Sensitive('0244999999') }))).toMatchObject({
      kind: 'invalid',
      issue: {
        kind: 'reference_repeated',
        column: 'Ref',
        columnLetter: 'C',
        expected: expect.stringContaining('row 2'),
      },
    });
  });

  it('remembers exactly what it met, through every growth of the table', () => {
    const seen = createSeenKeys();
    const keyOf = (index: number) => referenceKey(`PAY-${String(index).padStart(8, '0')}`, '');
    const count = 100_000;
    for (let index = 0; index < count; index += 1) {
      if (seen.meet(keyOf(index), index + 2, index) !== undefined) throw new Error(`false hit at ${index}`);
    }
    for (const index of [0, 1, 4_095, 50_000, count - 1]) {
      expect(seen.meet(keyOf(index), 1, 0)).toEqual({ rowNumber: index + 2, mark: index });
    }
  });
});

describe('phones and currencies of countries', () => {
  const PHONES: readonly (readonly [string, string, boolean])[] = [
    ['+233244123456', 'GH', true],
    ['0244123456', 'GH', true],
    ['024 412 3456', 'GH', true],
    ['024412345', 'GH', false],
    ['+254712345678', 'GH', true],
    ['0712345678', 'KE', true],
    ['+22177123456', 'SN', false],
    ['771234567', 'SN', true],
    ['12345', 'KE', false],
    ['0712345678; 0722', 'KE', false],
  ];
  it.each(PHONES)('%s is a phone number in %s: %s', (text, iso, expected) => {
    expect(isPhoneNumber(text, iso)).toBe(expected);
  });

  const CURRENCIES: readonly (readonly [string, string | undefined])[] = [
    ['GB', 'GBP'],
    ['fr', 'EUR'],
    ['GH', 'GHS'],
    ['CI', 'XOF'],
    ['CM', 'XAF'],
    ['US', 'USD'],
    ['ZW', 'ZWG'],
    ['XX', undefined],
  ];
  it.each(CURRENCIES)('people in %s are paid in %s', (iso, expected) => {
    expect(currencyOfCountry(iso)).toBe(expected);
  });
});
