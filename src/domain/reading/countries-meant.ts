/**
 * Which country every row may be for, where no column says it: the one of the file's currency, of all its phone numbers, or
 * of all its institutions. Offered, and never taken by itself.
 */
import { currencyOfCountry, parseCurrency } from '../money/currency.ts';
import { SENDERS_CURRENCIES } from '../money/currency-words.ts';
import type { Country, Directory } from '../rows/directory.ts';
import { countriesWith, textsOf } from './columns-for.ts';
import type { Look, SeenColumn } from './look.ts';

export interface CountryMeant {
  readonly country: Country;
  /** `the country of KES` */
  readonly why: string;
}

const MOST_OFFERED = 3;

export function countriesMeant({ columns }: Look, directory: Directory): readonly CountryMeant[] {
  const open = columns.filter(({ isIgnored }) => !isIgnored);
  const all = [
    ...open.flatMap((column) => byInstitutions(column, directory)),
    ...open.flatMap((column) => byCallingCode(column, directory)),
    ...byCurrency(open, directory),
  ];
  const each = new Map(all.toReversed().map((meant) => [meant.country.id, meant] as const));
  return [...each.values()].reverse().slice(0, MOST_OFFERED);
}

/** Every institution of the column stands in the list of this country, and in that of no other one. */
function byInstitutions(column: SeenColumn, directory: Directory): readonly CountryMeant[] {
  if (column.field !== undefined && column.field !== 'institution') return [];
  const texts = textsOf(column).filter((text) => /\p{L}/u.test(text));
  const lists = texts.map((text) => countriesWith(text, directory));
  const known = lists.filter((countries) => countries.length > 0);
  if (known.length * 2 <= texts.length) return [];
  const [first = [], ...others] = known;
  const having = first.filter((country) => others.every((countries) => countries.includes(country)));
  const [country] = having;
  return country === undefined || having.length > 1
    ? []
    : [{ country, why: 'its list has these institutions' }];
}

function byCallingCode({ examples }: SeenColumn, { countries }: Directory): readonly CountryMeant[] {
  const numbers = examples.map((text) => text.replace(/[\s().-]/g, '').replace(/^(?:\+|00)/, ''));
  if (numbers.length === 0) return [];
  const dialled = countries.filter(
    ({ callingCode }) =>
      callingCode.length > 2 &&
      numbers.every((number) => number.startsWith(callingCode) && /^\d{11,13}$/.test(number)),
  );
  const [country] = dialled;
  return country === undefined || dialled.length > 1
    ? []
    : [{ country, why: `the phone numbers begin with ${country.callingCode}` }];
}

function byCurrency(columns: readonly SeenColumn[], { countries }: Directory): readonly CountryMeant[] {
  const texts = columns.flatMap(({ header, words }) => [
    ...(words?.keys() ?? []),
    ...header.split(/[^A-Z]+/),
  ]);
  const codes = texts.flatMap((text) => (/^[A-Z]{3}$/.test(text) ? (parseCurrency(text) ?? []) : []));
  const local = [...new Set(codes)].filter((code) => !SENDERS_CURRENCIES.has(code));
  const [code] = local;
  const having = countries.filter(({ iso }) => currencyOfCountry(iso) === code);
  const [country] = having;
  if (code === undefined || local.length > 1 || country === undefined || having.length > 1) return [];
  return [{ country, why: `the country of ${code}` }];
}
