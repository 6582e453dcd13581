/** What a written name of an institution may mean. Nothing of it is taken without a person. */
import { expect, it } from 'vitest';
import { isPlainlyMeant, proposedInstitutions } from '../../src/domain/rows/institution-names.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ name }));
const KENYA = named('KCB Bank Kenya', 'Equity Bank Kenya', 'M-PESA', 'Absa Bank Kenya');
const NIGERIA = named('Guaranty Trust Bank', 'Zenith Bank Plc', 'Access Bank', 'First Bank of Nigeria');
const GHANA = named('GCB Bank', 'Telecel Cash', 'MTN Mobile Money');

it.each([
  ['522522', KENYA, 'KE', 'KCB Bank Kenya'],
  ['68', KENYA, 'KE', 'Equity Bank Kenya'],
  ['1', KENYA, 'KE', 'KCB Bank Kenya'],
  ['EQBLKENA', KENYA, 'KE', 'Equity Bank Kenya'],
  ['Barclays', KENYA, 'KE', 'Absa Bank Kenya'],
  ['KCB - Moi Avenue', KENYA, 'KE', 'KCB Bank Kenya'],
  ['Equity (Westlands)', KENYA, 'KE', 'Equity Bank Kenya'],
  ['058', NIGERIA, 'NG', 'Guaranty Trust Bank'],
  ['57', NIGERIA, 'NG', 'Zenith Bank Plc'],
  ['000016', NIGERIA, 'NG', 'First Bank of Nigeria'],
  ['Vodafone Cash', GHANA, 'GH', 'Telecel Cash'],
])('“%s” may be the %4$s', (written, institutions, iso, name) => {
  expect(proposedInstitutions(written, institutions, iso)[0]?.name).toBe(name);
});

it('proposes nothing for a code of another country, or of an institution that is not listed', () => {
  expect(proposedInstitutions('058', KENYA, 'KE')).toEqual([]);
  expect(proposedInstitutions('214', NIGERIA, 'NG')).toEqual([]);
  expect(proposedInstitutions('999', NIGERIA, 'NG')).toEqual([]);
  expect(proposedInstitutions('058', NIGERIA, undefined)).toEqual([]);
});

it.each([
  ['GTB', 'Guaranty Trust Bank', 'NG'],
  ['UBA', 'United Bank for Africa', 'NG'],
  ['First Bank', 'First Bank of Nigeria', 'NG'],
  ['ZENITH BANK PLC', 'Zenith Bank', 'NG'],
  ['Zenth Bank', 'Zenith Bank', 'NG'],
  ['Equity', 'Equity Bank Kenya', 'KE'],
  ['KCB - Moi Avenue', 'KCB Bank Kenya', 'KE'],
  ['522522', 'KCB Bank Kenya', 'KE'],
  ['Vodafone Cash', 'Telecel Cash', 'GH'],
  ['CBAO', 'CBAO Groupe Attijariwafa Bank', 'SN'],
])('“%s” can be bound to %s together with others', (written, name, iso) => {
  expect(isPlainlyMeant(written, name, iso)).toBe(true);
});

it.each([
  ['Banco BAI', 'Banco BIC', 'AO'],
  ['First City Bank', 'First Bank of Nigeria', 'NG'],
  ['Mobile Money', 'MTN Mobile Money', 'UG'],
  ['National Bank', 'National Bank of Malawi', 'MW'],
  ['058', 'Zenith Bank', 'NG'],
])('“%s” is not plainly %s', (written, name, iso) => {
  expect(isPlainlyMeant(written, name, iso)).toBe(false);
});
