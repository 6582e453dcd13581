/**
 * The service's countries and institutions, found by what people write.
 *
 * Found means exact: by id, by ISO code, or by name after folding case, accents and punctuation. Likeness
 * only makes suggestions.
 */

import countryNames from '../../data/country-names.json' with { type: 'json' };
import threeLetters from '../../data/iso-3166.json' with { type: 'json' };
import type { Branded } from '../branded.ts';
import type { CurrencyCode } from '../money/currency.ts';
import { foldText } from '../text/fold.ts';
import { closest } from '../text/likeness.ts';

export interface Directory {
  readonly countries: readonly Country[];
  /** By service id, ISO code of two or three letters, name or a known other name. */
  findCountry(written: string): Found<Country>;
  countryById(id: CountryId): Country | undefined;
  /** Whether the list of the country was added. */
  hasInstitutionsOf(id: CountryId): boolean;
  /** In the order of the list; empty when it was not added. */
  institutionsOf(id: CountryId): readonly Institution[];
  /** By service id or by name, exact after folding; `unknown` also when the list was not added. */
  findInstitution(countryId: CountryId, written: string): Found<Institution>;
  addInstitutions(countryId: CountryId, institutions: readonly Institution[]): void;
}

export type Found<Item> =
  | { readonly kind: 'found'; readonly item: Item }
  /** What to propose, best first, at most three. A proposal is never used without a person. */
  | {
      readonly kind: 'unknown';
      readonly suggestions: readonly Item[];
      /** Why a name that meant something before no longer does. */
      readonly since?: string | undefined;
    }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Item[] };

/**
 * ISO code → other names: English short and former names, French and Portuguese. A name that two countries go by
 * (`Congo`) is listed for both: it finds neither, even where the service lists only one of them.
 * Source:  ISO 3166-1 short names and the names in use in the three languages.
 */
const COUNTRY_NAMES: Readonly<Record<string, readonly string[]>> = countryNames;

/** `GHA` → `GH`. Source: ISO 3166-1. */
const TWO_LETTERS: Readonly<Record<string, string>> = threeLetters;

export function createDirectory(countries: readonly Country[]): Directory {
  const byId = new Map(countries.map((country) => [country.id, country]));
  const find = countryFinder(countries);
  const added = new Map<CountryId, readonly Institution[]>();
  const lists = new Map<CountryId, (written: string) => Found<Institution>>();
  return {
    countries,
    findCountry: remembering(find),
    countryById: (id) => byId.get(id),
    hasInstitutionsOf: (id) => lists.has(id),
    institutionsOf: (id) => added.get(id) ?? [],
    findInstitution: (countryId, written) =>
      lists.get(countryId)?.(written) ?? { kind: 'unknown', suggestions: [] },
    addInstitutions: (countryId, institutions) => {
      added.set(countryId, institutions);
      lists.set(countryId, remembering(institutionFinder(institutions)));
    },
  };
}

type FoundSource =
  | { readonly kind: 'found'; readonly country: Country }
  | { readonly kind: 'unknown'; readonly message: string };

/** For --source and configuration: the country meant, or one sentence that says what is wrong and what to do. */
export function findSource(directory: Directory, written: string): FoundSource {
  const found = directory.findCountry(written);
  if (found.kind === 'found') return { kind: 'found', country: found.item };
  const names = found.kind === 'unknown' ? found.suggestions : found.candidates;
  const hint =
    names.length > 0
      ? `Did you mean ${names.map((country) => `${country.name} (${country.iso})`).join(' or ')}?`
      : 'Take it from the list of the service (on a terminal: payfile countries).';
  return {
    kind: 'unknown',
    message: `The originating country “${written}” is not in the service's list; expected a name, an ISO code or an id. ${hint}`,
  };
}

function countryFinder(countries: readonly Country[]): (written: string) => Found<Country> {
  const byId = new Map<string, Country>(countries.map((country) => [country.id, country]));
  const byIso = new Map(countries.map((country) => [country.iso.toUpperCase(), country]));
  const byName = grouped(countries, (country) => [country.name]);
  const byAlias = grouped(Object.keys(COUNTRY_NAMES), (iso) => COUNTRY_NAMES[iso] ?? []);
  return (written) => {
    const code = written.toUpperCase();
    const direct = byId.get(written) ?? byIso.get(code) ?? byIso.get(TWO_LETTERS[code] ?? '');
    if (direct) return { kind: 'found', item: direct };
    const folded = foldText(written);
    const isos = byAlias.get(folded) ?? [];
    const meant = isos.flatMap((iso) => byIso.get(iso) ?? []);
    // The service's own name is used, except where people commonly mean another of its countries by it.
    const named = new Set([...(byName.get(folded) ?? []), ...(isos.length > 1 ? meant : [])]);
    const isShared = isos.length > 1 && !byName.has(folded);
    if (named.size === 1 && isShared) return { kind: 'unknown', suggestions: meant };
    return (
      oneOf(named.size > 0 ? [...named] : meant) ?? {
        kind: 'unknown',
        suggestions: closest(written, countries, (each) => each.name, LIKE_A_COUNTRY),
      }
    );
  };
}

/** Names of countries are short, and no shortened forms: `Wakanda` is not near `Uganda`. */
const LIKE_A_COUNTRY = 0.65;

function institutionFinder(institutions: readonly Institution[]): (written: string) => Found<Institution> {
  const byId = new Map<string, Institution>(institutions.map((institution) => [institution.id, institution]));
  const byName = grouped(institutions, (institution) => [institution.name]);
  return (written) => {
    const direct = byId.get(written);
    if (direct) return { kind: 'found', item: direct };
    const matches = byName.get(foldText(written)) ?? [];
    return (
      oneOf(matches) ?? { kind: 'unknown', suggestions: closest(written, institutions, (each) => each.name) }
    );
  };
}

function oneOf<Item>(matches: readonly Item[]): Found<Item> | undefined {
  const [first] = matches;
  if (first === undefined) return undefined;
  return matches.length === 1 ? { kind: 'found', item: first } : { kind: 'ambiguous', candidates: matches };
}

function grouped<Item>(
  items: readonly Item[],
  namesOf: (item: Item) => readonly string[],
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    for (const folded of new Set(namesOf(item).map(foldText))) {
      if (folded === '') continue;
      const group = groups.get(folded);
      if (group) group.push(item);
      else groups.set(folded, [item]);
    }
  }
  return groups;
}

const MOST_REMEMBERED = 5_000;
/** Longer than any name or id; folding and remembering such cells would only cost time and memory. */
const LONGEST_NAME = 200;

/** The same few texts come again in every row; the limit keeps a hostile file from filling the memory. */
function remembering<Item>(find: (written: string) => Found<Item>): (written: string) => Found<Item> {
  const answers = new Map<string, Found<Item>>();
  return (written) => {
    if (written.length > LONGEST_NAME) return { kind: 'unknown', suggestions: [] };
    const known = answers.get(written);
    if (known) return known;
    const answer = find(written);
    if (answers.size < MOST_REMEMBERED) answers.set(written, answer);
    return answer;
  };
}

/**
 * Countries and institutions, as the service lists them.
 */

export type CountryId = Branded<string, 'CountryId'>;
export type InstitutionId = Branded<string, 'InstitutionId'>;

export interface Country {
  readonly id: CountryId;
  readonly name: string;
  /** Two letters, upper case. */
  readonly iso: string;
  /** Digits only, without `+`; empty when the service names none. */
  readonly callingCode: string;
}

export interface Institution {
  readonly id: InstitutionId;
  readonly name: string;
  readonly currency: CurrencyCode;
  /** Charges of the institution as plain decimal text, shown beside the quote. Their unit is not shown by the service. */
  readonly charges: string | undefined;
}

export const asCountryId = (text: string): CountryId => text as CountryId;
export const asInstitutionId = (text: string): InstitutionId => text as InstitutionId;
