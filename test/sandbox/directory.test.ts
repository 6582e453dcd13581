/** The directory and the holders of accounts: complete, real in shape, and the same every time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIXED_ACCOUNTS, holderOf } from '../../src/sandbox/accounts.ts';
import {
  COUNTRIES,
  countryById,
  countryByIso,
  institutionById,
  institutionIdOf,
  type SandboxInstitution,
} from '../../src/sandbox/directory.ts';
import { feesFor, rateBetween } from '../../src/sandbox/rates.ts';
import { scenarioOf } from '../../src/sandbox/scenarios.ts';

const paidIn = COUNTRIES.filter(({ institutions }) => institutions.length > 0);
const institution = (iso: string, name: string): SandboxInstitution => {
  const found = institutionById(institutionIdOf(iso, name) ?? '');
  if (!found) throw new Error(`${name} is missing in ${iso}`);
  return found;
};

describe('the directory', () => {
  it('pays out in at least 20 countries of Africa, with 3 to 8 institutions each', () => {
    expect(paidIn.length).toBeGreaterThanOrEqual(20);
    for (const { iso, institutions } of paidIn) {
      expect([iso, institutions.length >= 3 && institutions.length <= 8]).toEqual([iso, true]);
    }
  });

  it('has ids of its own that name one thing each and never change', () => {
    const ids = COUNTRIES.flatMap(({ id, institutions }) => [id, ...institutions.map((each) => each.id)]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, iso } of COUNTRIES) expect([id.length, countryById(id)?.iso]).toEqual([8, iso]);
    // Files that people keep name these.
    expect([countryByIso('GH')?.id, institutionIdOf('GH', 'GCB Bank')]).toEqual(['vxzeggtc', 'cnbk5xacws']);
  });

  it.each([
    ['GH', '233', 'GHS', 2],
    ['KE', '254', 'KES', 2],
    ['NG', '234', 'NGN', 2],
    ['SN', '221', 'XOF', 0],
    ['CI', '225', 'XOF', 0],
    ['CM', '237', 'XAF', 0],
    ['UG', '256', 'UGX', 0],
    ['RW', '250', 'RWF', 0],
    ['GN', '224', 'GNF', 0],
    ['TN', '216', 'TND', 3],
    ['SL', '232', 'SLE', 2],
    ['MG', '261', 'MGA', 2],
    ['ZA', '27', 'ZAR', 2],
    ['EG', '20', 'EGP', 2],
    ['GB', '44', 'GBP', 2],
  ])('knows %s by +%s and pays %s with %i decimals', (iso, callingCode, currency, decimals) => {
    expect(countryByIso(iso)).toMatchObject({ callingCode, currency, decimals });
  });

  it('is quick to pay everywhere: 5 to 90 seconds', () => {
    for (const { iso, speed } of paidIn) expect([iso, speed >= 5 && speed <= 90]).toEqual([iso, true]);
  });
});

describe('rates and fees', () => {
  it('are plain decimals between any two countries', () => {
    fc.assert(
      fc.property(fc.constantFrom(...COUNTRIES), fc.constantFrom(...COUNTRIES), (source, destination) => {
        const rate = rateBetween(source, destination, 0);
        expect(rate).toMatch(/^\d+(\.\d+)?$/);
        expect(Number(rate)).toBeGreaterThan(0);
        const fees = feesFor({ source, amount: '100', rate });
        expect(fees).toMatch(
          source.decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${source.decimals}}$`),
        );
      }),
    );
  });
});

describe('holders of accounts', () => {
  it('has at least 30 fixed accounts, each found under its name whatever the seed', () => {
    expect(FIXED_ACCOUNTS.length).toBeGreaterThanOrEqual(30);
    for (const { iso, institution: name, account, name: holder } of FIXED_ACCOUNTS) {
      const question = { institution: institution(iso, name), account, scenarioAccounts: true };
      expect(scenarioOf(account)).toBeUndefined();
      for (const seed of ['1', '2'])
        expect(holderOf({ ...question, seed })).toEqual({ kind: 'found', name: holder });
    }
  });

  it('gives fixed Nigerian bank accounts a valid check digit', () => {
    const codes = new Map([
      ['Guaranty Trust Bank', '058'],
      ['Access Bank', '044'],
      ['Zenith Bank', '057'],
      ['United Bank for Africa', '033'],
      ['First Bank of Nigeria', '011'],
    ]);
    const nubans = FIXED_ACCOUNTS.filter(({ iso, institution: name }) => iso === 'NG' && codes.has(name));
    expect(nubans).toHaveLength(7);
    for (const { institution: name, account } of nubans) {
      const weights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3, 1];
      const digits = [...`${codes.get(name)}${account}`].map(Number);
      const sum = digits.reduce((total, digit, index) => total + digit * (weights[index] ?? 0), 0);
      expect([account, sum % 10]).toEqual([account, 0]);
    }
  });

  it('finds the same person for the same seed, and mostly another one for another', () => {
    const bank = institution('KE', 'KCB Bank Kenya');
    const nameFor = (account: number, seed: string) => {
      const holder = holderOf({
        institution: bank,
        account: `${1_100_000_000 + account}`,
        seed,
        scenarioAccounts: true,
      });
      return holder.kind === 'found' ? holder.name : holder.kind;
    };
    const accounts = Array.from({ length: 200 }, (_, index) => index);
    expect(accounts.map((account) => nameFor(account, '1'))).toEqual(
      accounts.map((account) => nameFor(account, '1')),
    );
    expect(accounts.filter((account) => nameFor(account, '1') === nameFor(account, '2')).length).toBeLessThan(
      20,
    );
    expect(new Set(accounts.map((account) => nameFor(account, '1'))).size).toBeGreaterThan(100);
  });

  it('gives every plausible account of every institution a name without holes', () => {
    for (const each of paidIn.flatMap(({ institutions }) => institutions)) {
      const holder = holderOf({
        institution: each,
        account: '0712345600',
        seed: '1',
        scenarioAccounts: true,
      });
      expect(holder).toEqual({ kind: 'found', name: expect.stringMatching(/^\S+( \S+)+$/) });
    }
  });
});
