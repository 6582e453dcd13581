/**
 * Countries and institutions as the sandbox lists them, found by id.
 *
 * Why:     ids are hashes, not ISO codes, because the real service's ids are its own and opaque; they do not
 *          depend on the seed, so that a file written once works in every sandbox.
 * Units:   `perUsd` is units of the currency for one US dollar, plausible and fixed; `speed` is seconds.
 * Source:  data/sandbox-countries.json: ISO 3166 and 4217, ITU-T E.164 calling codes; institutions by the names they trade
 *          under.
 */
import sheets from '../data/sandbox-countries.json' with { type: 'json' };
import { seededBytes, seededText } from './seeded.ts';

export interface SandboxInstitution {
  readonly id: string;
  readonly name: string;
  readonly kind: 'bank' | 'wallet';
  readonly charges: string;
  readonly currency: string;
  readonly country: SandboxCountry;
}

export interface SandboxCountry {
  readonly id: string;
  readonly iso: string;
  readonly name: string;
  readonly callingCode: string;
  readonly currency: string;
  readonly decimals: number;
  /** Units of the currency for one US dollar. */
  readonly perUsd: string;
  /** Nominal seconds that a transfer to here takes. */
  readonly speed: number;
  readonly institutions: readonly SandboxInstitution[];
}

// ISO 4217: everything else in the data files has two decimals.
const DECIMALS: Readonly<Record<string, number>> = { XOF: 0, XAF: 0, UGX: 0, RWF: 0, BIF: 0, GNF: 0, TND: 3 };
const CHARGES = ['0', '0.5', '1', '1.25', '2'];

export const COUNTRIES: readonly SandboxCountry[] = sheets
  .map(countryOf)
  .sort((left, right) => (left.name < right.name ? -1 : 1));

const byCountryId = new Map(COUNTRIES.map((country) => [country.id, country]));
const byInstitutionId = new Map(
  COUNTRIES.flatMap((country) => country.institutions.map((institution) => [institution.id, institution])),
);

export function countryById(id: string): SandboxCountry | undefined {
  return byCountryId.get(id);
}

export function institutionById(id: string): SandboxInstitution | undefined {
  return byInstitutionId.get(id);
}

/** For tests, samples and demos, which know a country by its two letters. */
export function countryByIso(iso: string): SandboxCountry | undefined {
  return COUNTRIES.find((country) => country.iso === iso);
}

/** The id of an institution by country and exact name; undefined when the sandbox has none of that name. */
export function institutionIdOf(iso: string, name: string): string | undefined {
  return countryByIso(iso)?.institutions.find((institution) => institution.name === name)?.id;
}

function countryOf(sheet: (typeof sheets)[number]): SandboxCountry {
  const institutions: SandboxInstitution[] = [];
  const country: SandboxCountry = {
    id: seededText(8, 'country', sheet.iso),
    iso: sheet.iso,
    name: sheet.name,
    callingCode: sheet.callingCode,
    currency: sheet.currency,
    decimals: DECIMALS[sheet.currency] ?? 2,
    perUsd: sheet.perUsd,
    speed: sheet.speed,
    institutions,
  };
  for (const name of sheet.banks) institutions.push(institutionOf(country, name, 'bank'));
  for (const name of sheet.wallets) institutions.push(institutionOf(country, name, 'wallet'));
  return country;
}

function institutionOf(country: SandboxCountry, name: string, kind: 'bank' | 'wallet'): SandboxInstitution {
  return {
    id: seededText(10, 'institution', country.iso, name),
    name,
    kind,
    charges: CHARGES[(seededBytes('charges', country.iso, name)[0] ?? 0) % CHARGES.length] ?? '0',
    currency: country.currency,
    country,
  };
}
