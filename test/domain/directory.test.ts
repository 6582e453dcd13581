/** A text that means two countries pays neither: an id of the service may look like the ISO code of another country. */
import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import {
  asCountryId,
  asInstitutionId,
  type Country,
  codeOf,
  createDirectory,
  findSource,
  labelOf,
} from '../../src/domain/rows/directory.ts';
import { lookUpCountry, lookUpInstitution, lookUpSource } from '../../src/domain/rows/validate-cells.ts';

const country = (id: string, name: string, iso: string): Country => ({
  id: asCountryId(id),
  name,
  iso,
  callingCode: '',
});
/** The ids are codes of FIPS 10-4: NG is Niger, NI is Nigeria, GB is Gabon. */
const FIPS = [
  country('NG', 'Niger', 'NE'),
  country('NI', 'Nigeria', 'NG'),
  country('GB', 'Gabon', 'GA'),
  country('GH', 'Ghana', 'GH'),
  country('UK', 'United Kingdom', 'GB'),
  country('CD', 'Chad', 'TD'),
];
const directory = createDirectory(FIPS);
const idOf = (written: string, where = directory) => {
  const found = where.findCountry(written);
  return found.kind === 'found' ? found.item.id : found.kind;
};

describe('a text of the country cell, where ids look like ISO codes', () => {
  it.each([
    ['NG', 'ambiguous'],
    ['ng', 'ambiguous'],
    ['GB', 'ambiguous'],
    // The id of Chad; the service does not list the Democratic Republic of the Congo.
    ['CD', 'ambiguous'],
    ['cd', 'ambiguous'],
    // The id of Nigeria, and the ISO code of Nicaragua.
    ['NI', 'ambiguous'],
    ['GH', 'GH'],
    ['gh', 'GH'],
    ['GHA', 'GH'],
    ['NE', 'NG'],
    ['NGA', 'NI'],
    ['Niger', 'NG'],
    ['nigeria', 'NI'],
    ['GA', 'GB'],
    ['UK', 'UK'],
    ['GBR', 'UK'],
    ['Atlantis', 'unknown'],
    ['KE', 'unknown'],
  ])('%s: %s', (written, expected) => {
    expect(idOf(written)).toBe(expected);
  });

  it('is no question where the id is the country’s own ISO code, also one that the service writes its own way', () => {
    const own = createDirectory([
      country('UK', 'United Kingdom', 'UK'),
      country('GB', 'Great Britain', 'XX'),
    ]);
    expect(idOf('UK', own)).toBe('UK');
    expect(idOf('GB', own)).toBe('GB');
  });

  it('is a question where it is the id of one country and the name of another', () => {
    const odd = createDirectory([country('Chad', 'Niger', 'NE'), country('7', 'Chad', 'TD')]);
    expect(odd.findCountry('Chad')).toEqual({
      kind: 'ambiguous',
      candidates: [odd.countries[0], odd.countries[1]],
      meanings: ['the id of Niger', 'the name of Chad'],
    });
    expect(idOf('TD', odd)).toBe('7');
  });

  it('is no question where the list has the same line twice', () => {
    const twice = createDirectory([country('GH', 'Ghana', 'GH'), country('GH', 'Ghana', 'GH')]);
    expect(idOf('GH', twice)).toBe('GH');
  });

  it('is a question where two countries of the list have one ISO code', () => {
    const twins = createDirectory([country('1', 'Congo Nord', 'CG'), country('2', 'Congo Sud', 'CG')]);
    expect(idOf('CG', twins)).toBe('ambiguous');
    expect(idOf('1', twins)).toBe('1');
  });
});

describe('the row', () => {
  it('asks: it shows both meanings and how to write each', () => {
    const asked = {
      kind: 'issue',
      issue: {
        kind: 'country_ambiguous',
        field: 'country',
        seen: 'NG',
        expected:
          "a country of the service's list, by name, ISO code or id; this text means the id of Niger and the ISO code of Nigeria",
        suggestion: 'Write “Niger” or “Nigeria”, whichever is meant.',
      },
    };
    expect(lookUpCountry(directory, 'country', 'NG')).toEqual(asked);
    expect(lookUpSource(directory, 'NG', undefined)).toMatchObject({ issue: { kind: 'source_ambiguous' } });
  });

  it('says so of a country that the service does not list', () => {
    expect(lookUpCountry(directory, 'country', 'CD')).toMatchObject({
      issue: {
        expected: expect.stringContaining(
          'the id of Chad and the ISO code of DRC, which the service does not list',
        ),
        suggestion: 'Write “Chad”, if that is meant.',
      },
    });
  });

  it('asks as well where a text is the id of one institution and the name of another', () => {
    const made = createDirectory(FIPS);
    const ghana = made.countryById(asCountryId('GH'));
    const currency = parseCurrency('GHS');
    if (ghana === undefined || currency === undefined) throw new Error('GH');
    made.addInstitutions(ghana.id, [
      { id: asInstitutionId('GCB'), name: 'Ghana Cocoa Bank', currency, charges: undefined },
      { id: asInstitutionId('12'), name: 'GCB', currency, charges: undefined },
    ]);
    expect(lookUpInstitution(made, ghana, 'GCB')).toMatchObject({
      issue: { kind: 'institution_ambiguous', suggestion: 'Write “Ghana Cocoa Bank” or 12 for GCB.' },
    });
  });
});

it('the originating country of a flag or of the configuration is the same question', () => {
  expect(findSource(directory, 'GB')).toEqual({
    kind: 'unknown',
    message:
      'The originating country “GB” has two meanings: the id of Gabon, the ISO code of United Kingdom. Write “Gabon” or “United Kingdom”, whichever is meant.',
  });
  expect(findSource(directory, 'UK')).toMatchObject({ kind: 'found', country: { name: 'United Kingdom' } });
});

it('names each country by a text that finds no other', () => {
  const codes = FIPS.map((each) => codeOf(directory, each));
  expect(codes).toEqual(['NE', 'Nigeria', 'GA', 'GH', 'United Kingdom', 'TD']);
  for (const text of [...codes, ...FIPS.map((each) => labelOf(directory, each))])
    expect(directory.findCountry(text).kind).toBe('found');
});
