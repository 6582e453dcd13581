/**
 * The service's countries and institutions, found by what people write.
 *
 * Found means exact: by id, by ISO code, or by name after folding case, accents and punctuation. Likeness
 * only makes suggestions. A text with two meanings finds nothing: an id may look like the ISO code of another country.
 */

import countryNames from '../../data/country-names.json' with { type: 'json' };
import threeLetters from '../../data/iso-3166.json' with { type: 'json' };
import { countriesDialled } from '../accounts/phone-number.ts';
import type { Branded } from '../branded.ts';
import type { CurrencyCode } from '../money/currency.ts';
import { foldText } from '../text/fold.ts';
import { closest } from '../text/likeness.ts';
import { printable } from '../text/printable.ts';
import { proposedInstitutions } from './institution-names.ts';

export interface Directory {
  readonly countries: readonly Country[];
  /** By service id, ISO code of two or three letters, name or a known other name. */
  findCountry(written: string): Found<Country>;
  countryById(id: CountryId): Country | undefined;
  /** Whether the list of the country was added. */
  hasInstitutionsOf(id: CountryId): boolean;
  /** By service id or by name, exact after folding; `unknown` also when the list was not added. */
  findInstitution(countryId: CountryId, written: string): Found<Institution>;
  /** Empty when the list was not added. */
  institutionsOf(countryId: CountryId): readonly Institution[];
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
      /** Countries that the text is the calling code of: `Kenya`, `United States and other countries`. */
      readonly dialled?: string | undefined;
    }
  | {
      readonly kind: 'ambiguous';
      readonly candidates: readonly Item[];
      /** What the text means, where that is not one name: `the id of Niger`, `the ISO code of Nigeria`. */
      readonly meanings?: readonly string[] | undefined;
    };

/**
 * ISO code → other names: English short and former names, French and Portuguese. A name that two countries go by
 * (`Congo`) is listed for both: it finds neither, even where the service lists only one of them.
 * Source:  ISO 3166-1 short names and the names in use in the three languages.
 */
const COUNTRY_NAMES: Readonly<Record<string, readonly string[]>> = countryNames;

/** `GHA` → `GH`. Source: ISO 3166-1. */
const TWO_LETTERS: Readonly<Record<string, string>> = threeLetters;
const ALL_ISOS: ReadonlySet<string> = new Set(Object.values(threeLetters));
const ISOS_OF_NAME = grouped(Object.keys(COUNTRY_NAMES), (iso) => COUNTRY_NAMES[iso] ?? []);

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
    findInstitution: (countryId, written) =>
      lists.get(countryId)?.(written) ?? { kind: 'unknown', suggestions: [] },
    institutionsOf: (id) => added.get(id) ?? [],
    addInstitutions: (countryId, institutions) => {
      added.set(countryId, institutions);
      lists.set(countryId, remembering(institutionFinder(institutions, byId.get(countryId)?.iso)));
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
  const what = `The originating country “${written}”`;
  if (found.kind === 'ambiguous')
    return { kind: 'unknown', message: `${what} ${ambiguityText(found, directory)}` };
  const hint =
    found.suggestions.length > 0
      ? `Did you mean ${found.suggestions.map((country) => `${country.name} (${country.iso})`).join(' or ')}?`
      : 'Take it from the list of the service (on a terminal: payfile countries).';
  return {
    kind: 'unknown',
    message: `${what} is not in the service's list; expected a name, an ISO code or an id. ${hint}`,
  };
}

type Ambiguous = Extract<Found<Country>, { kind: 'ambiguous' }>;

/** `has two meanings: the id of Niger, the ISO code of Nigeria. Write “Niger” or “Nigeria”, whichever is meant.` */
export function ambiguityText(found: Ambiguous, directory: Directory): string {
  return `has two meanings: ${meaningsOf(found).join(', ')}. ${writeInstead(found, directory)}`;
}

export function meaningsOf({ meanings, candidates }: Ambiguous): readonly string[] {
  return meanings ?? candidates.map(({ name, id }) => `${name} with the id ${id}`);
}

/** How to write each of the countries that may be meant. */
export function writeInstead({ candidates }: Ambiguous, directory: Directory): string {
  const texts = candidates.map((country) => `“${labelOf(directory, country)}”`).join(' or ');
  return `Write ${texts}, ${candidates.length === 1 ? 'if that is' : 'whichever is'} meant.`;
}

/** A text that finds this country and no other, for people: its name wherever that will do. */
export function labelOf(directory: Directory, country: Country): string {
  return textFinding(directory, country, [country.name, country.iso, country.id]);
}

/** The same for commands and files: its ISO code wherever that will do. */
export function codeOf(directory: Directory, country: Country): string {
  return textFinding(directory, country, [country.iso, country.name, country.id]);
}

/** A text that finds this institution and no other: its name, or its id where another one has that name. */
export function institutionLabelOf(
  directory: Directory,
  country: Country,
  { id, name }: Institution,
): string {
  const found = directory.findInstitution(country.id, name);
  return found.kind === 'found' && found.item.id === id ? name : id;
}

function textFinding(directory: Directory, { id }: Country, texts: readonly string[]): string {
  const finds = (text: string) => {
    const found = directory.findCountry(text);
    return found.kind === 'found' && found.item.id === id;
  };
  return texts.find(finds) ?? id;
}

/** One meaning of a text; without a country it is one that the service does not list. */
interface Meaning {
  readonly what: 'id' | 'ISO code' | 'name';
  readonly iso: string;
  readonly country: Country | undefined;
}

function countryFinder(countries: readonly Country[]): (written: string) => Found<Country> {
  const meaningsOfCode = codeReader(countries);
  const byIso = Map.groupBy(countries, ({ iso }) => iso);
  const byName = grouped(countries, (country) => [country.name]);
  return (written) => {
    const folded = foldText(written);
    const isos = ISOS_OF_NAME.get(folded) ?? [];
    const meant = isos.flatMap((iso) => byIso.get(iso) ?? []);
    // The service's own name is used, except where people commonly mean another of its countries by it.
    const own = byName.get(folded) ?? [];
    const named = [...new Set([...own, ...(isos.length > 1 ? meant : [])])];
    const asCode = meaningsOfCode(written);
    if (asCode.length > 0) {
      const asName = [
        ...(named.length > 0 ? named : meant).map((country) => ({ iso: country.iso, country })),
        ...(named.length > 0 ? [] : isos).map((iso) => ({ iso, country: undefined })),
      ].map((each): Meaning => ({ what: 'name', ...each }));
      return oneMeaning([...asCode, ...asName]);
    }
    if (named.length === 1 && isos.length > 1 && own.length === 0)
      return { kind: 'unknown', suggestions: meant };
    return (
      oneOf(named.length > 0 ? named : meant) ??
      dialledCountry(written, byIso) ?? {
        kind: 'unknown',
        suggestions: closest(written, countries, (each) => each.name, LIKE_A_COUNTRY),
      }
    );
  };
}

/**
 * `+254`, `00254` and `254` are Kenya. Three digits may also be a country's number in ISO 3166, which hardly anybody writes:
 * where the service lists that country, too, the text is asked about.
 */
function dialledCountry(
  written: string,
  byIso: ReadonlyMap<string, readonly Country[]>,
): Found<Country> | undefined {
  const isos = countriesDialled(written);
  if (isos.length === 0) return undefined;
  const listed = isos.flatMap((iso) => byIso.get(iso) ?? []);
  const numbered = byIso.get(NUMBERED[written] ?? '') ?? [];
  const [only] = listed;
  if (only !== undefined && isos.length === 1 && numbered.length === 0) return { kind: 'found', item: only };
  const names = listed.map(({ name }) => name);
  const others = names.length === 0 ? 'a country that the service does not list' : 'other countries';
  const dialled = [...names, ...(isos.length > names.length ? [others] : [])].join(' and ');
  return { kind: 'unknown', suggestions: [...listed, ...numbered], dialled };
}

/** Numbers of countries that are calling codes of other ones. Source: ISO 3166-1 numeric, ITU-T E.164. */
const NUMBERED: Readonly<Record<string, string>> = {
  ...{
    212: 'DM',
    218: 'EC',
    222: 'SV',
    226: 'GQ',
    231: 'ET',
    232: 'ER',
    233: 'EE',
    234: 'FO',
    238: 'FK',
    239: 'GS',
  },
  ...{
    242: 'FJ',
    246: 'FI',
    248: 'AX',
    250: 'FR',
    254: 'GF',
    258: 'PF',
    260: 'TF',
    262: 'DJ',
    266: 'GA',
    268: 'GE',
  },
  ...{
    352: 'IS',
    356: 'IN',
    372: 'IE',
    376: 'IL',
    380: 'IT',
    500: 'MS',
    504: 'MA',
    508: 'MZ',
    591: 'PA',
    598: 'PG',
  },
  ...{ 670: 'VC', 674: 'SM', 678: 'ST', 682: 'SA', 686: 'SN', 688: 'RS', 690: 'SC', 850: 'VI' },
};

/**
 * What a text means as an id and as an ISO code. Capitals do not tell an id from a code, and a country that the service
 * does not list has its code all the same.
 */
function codeReader(countries: readonly Country[]): (written: string) => readonly Meaning[] {
  const byId = Map.groupBy(countries, ({ id }) => id as string);
  const byFoldedId = Map.groupBy(countries, ({ id }) => id.toUpperCase());
  const byIso = Map.groupBy(countries, ({ iso }) => iso);
  return (written) => {
    const code = written.toUpperCase();
    const iso = TWO_LETTERS[code] ?? code;
    const listed = byIso.get(code) ?? byIso.get(iso) ?? [];
    const isIso = listed.length > 0 || ALL_ISOS.has(iso);
    const ids = byId.get(written) ?? (isIso ? byFoldedId.get(code) : undefined) ?? [];
    // A code alone, of a country that the service does not list, is an unknown text.
    if (ids.length === 0 && listed.length === 0) return [];
    const coded = listed.length > 0 ? listed : isIso ? [undefined] : [];
    return [
      ...ids.map((country): Meaning => ({ what: 'id', iso: country.iso, country })),
      ...coded.map((country): Meaning => ({ what: 'ISO code', iso, country })),
    ];
  };
}

/** The country, where all meanings are the same one. */
function oneMeaning(meanings: readonly Meaning[]): Found<Country> {
  const countries = meanings.flatMap(({ country }) => country ?? []);
  // A list may have the same line twice.
  const listed = [...new Map(countries.map((each) => [JSON.stringify(each), each])).values()];
  const others = meanings.filter(
    ({ country, iso }) => country === undefined && !listed.some((each) => isCountryOf(each, iso)),
  );
  const [first] = listed;
  if (first !== undefined && listed.length === 1 && others.length === 0)
    return { kind: 'found', item: first };
  const texts = meanings.flatMap(({ what, country, iso }) => {
    if (country !== undefined) return [`the ${what} of ${country.name}`];
    if (listed.some((each) => isCountryOf(each, iso))) return [];
    const [name = 'another country'] = COUNTRY_NAMES[iso] ?? [];
    return [`the ${what} of ${name}, which the service does not list`];
  });
  return { kind: 'ambiguous', candidates: listed, meanings: [...new Set(texts)] };
}

/** The service may have its own code for a country, such as UK: then the name tells. */
function isCountryOf(country: Country, iso: string): boolean {
  return country.iso === iso || (ISOS_OF_NAME.get(foldText(country.name)) ?? []).includes(iso);
}

/** Names of countries are short, and no shortened forms: `Wakanda` is not near `Uganda`. */
const LIKE_A_COUNTRY = 0.65;

function institutionFinder(
  institutions: readonly Institution[],
  iso: string | undefined,
): (written: string) => Found<Institution> {
  const byId = new Map<string, Institution>(institutions.map((institution) => [institution.id, institution]));
  const byName = grouped(institutions, (institution) => [institution.name]);
  return (written) => {
    const direct = byId.get(written);
    const matches = [...new Set([...(direct ? [direct] : []), ...(byName.get(foldText(written)) ?? [])])];
    return (
      oneOf(matches) ?? { kind: 'unknown', suggestions: proposedInstitutions(written, institutions, iso) }
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
/** The id of a bank or mobile money operator at the service. */
export type InstitutionId = Branded<string, 'InstitutionId'>;

/** A country that the service lists. */
export interface Country {
  readonly id: CountryId;
  readonly name: string;
  /** Two letters, upper case. */
  readonly iso: string;
  /** Digits only, without `+`; empty when the service names none. */
  readonly callingCode: string;
}

/** A bank or mobile money operator that the service lists. */
export interface Institution {
  readonly id: InstitutionId;
  readonly name: string;
  readonly currency: CurrencyCode;
  /** Charges of the institution as plain decimal text, shown beside the quote. Their unit is not shown by the service. */
  readonly charges: string | undefined;
}

export const asCountryId = (text: string): CountryId => text as CountryId;
export const asInstitutionId = (text: string): InstitutionId => text as InstitutionId;

/** For messages: `GCB Bank (id 12)`. */
export function institutionText({ name, id }: Institution): string {
  return `${printable(name)} (id ${id})`;
}
