/** A RIB proves itself by its key, and one that lost a zero is none. */
import { describe, expect, it } from 'vitest';
import { accountFault, accountNotes } from '../../src/domain/accounts/account-faults.ts';
import { hasRibKey } from '../../src/domain/accounts/rib.ts';

const account = (text: string, iso: string, institution = 'ecobank') => ({
  text,
  iso,
  institution,
  isNumber: false,
});

describe('the key of a RIB', () => {
  it.each([
    ['SN0120102000123456789007', 'SN'],
    ['CI0080111101112345678971', 'CI'],
  ])('%s is right', (text, iso) => {
    expect(hasRibKey(text, iso)).toBe(true);
    expect(accountNotes(account(text, iso))).toEqual([]);
  });

  it.each([
    ['SN0120102000123456789070', 'SN'],
    ['SN0120102000123465789007', 'SN'],
    ['CI0080111101112345678917', 'CI'],
  ])('%s is wrong, and the person is told', (text, iso) => {
    expect(hasRibKey(text, iso)).toBe(false);
    expect(accountNotes(account(text, iso))[0]).toMatch(/^the key of the account is not the one/);
  });

  it('is not looked for in other accounts', () => {
    expect(hasRibKey('SN0120102000123456789070', 'CI')).toBeUndefined();
    expect(hasRibKey('SN08SN0120102000123456789007', 'SN')).toBeUndefined();
    expect(hasRibKey('1182345670', 'KE')).toBeUndefined();
    expect(hasRibKey('10005000110123456789012', 'KE')).toBeUndefined();
    expect(hasRibKey('10005000110123456789012', 'CM')).toBeDefined();
  });
});

it('a RIB without a zero, or without its key, is an issue', () => {
  for (const text of ['SN012102000123456789007', 'SN01201020001234567890'])
    expect(accountFault(account(text, 'SN'))).toMatchObject({
      kind: 'account_wrong_length',
      expected: expect.stringMatching(/^24 characters, as a RIB has: .* it has \d\d$/),
    });
  expect(accountFault(account('SN08SN0120102000123456789007', 'SN'))).toBeUndefined();
});
