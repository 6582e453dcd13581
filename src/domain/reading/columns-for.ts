/**
 * Which columns can hold a field that no header names, by their cells: countries and institutions of the lists, long
 * numbers, amounts. The likeliest first. For questions, where a person chooses.
 */
import lists from '../../data/column-words.json' with { type: 'json' };
import { accountFault } from '../accounts/account-faults.ts';
import type { AccountPlace } from '../accounts/account-form.ts';
import { readAccount } from '../accounts/read-account.ts';
import { columnLetters } from '../rows/column-names.ts';
import type { Country, Directory, Institution } from '../rows/directory.ts';
import { isPlainlyMeant } from '../rows/institution-names.ts';
import type { Field } from '../rows/row.ts';
import { foldText } from '../text/fold.ts';
import { spacedWords, wordList } from '../text/header-words.ts';
import { isDateLike } from '../text/likeness.ts';
import { mayHoldAccount } from '../text/sensitive.ts';
import { isNoMoney } from './amount-sense.ts';
import { isCalled, isLikely } from './column-kinds.ts';
import type { Look, SeenColumn } from './look.ts';

const INSTITUTION_CODE = wordList(lists.institutionCode);
const NO_ACCOUNT = wordList(lists.noAccount);
const PLACE = wordList(lists.place);

export function columnsFor(field: Field, look: Look, directory: Directory): readonly SeenColumn[] {
  const free = look.columns.filter(
    (column) => column.header !== '' && !isAccount(column.header) && mayHold(column, field),
  );
  const fits = free.filter((column) => canBe(field, column, look, directory));
  const called = free.filter(
    (column) => !fits.includes(column) && isCalledSo(field, column) && !isOdd(field, column),
  );
  const best = fits.filter((column) => isCalledSo(field, column));
  const found = [...new Set([...best, ...fits, ...called])];
  // Every row has its own account and amount, so these have to stand somewhere.
  const isNeeded = found.length === 0 && (field === 'account' || field === 'amount');
  return isNeeded ? free.filter((column) => !isOdd(field, column)) : found;
}

/** Columns of a few words under a header for places, which are in countries. */
export function placesIn({ columns }: Look, besides: readonly SeenColumn[]): readonly SeenColumn[] {
  return columns.filter(
    (column) =>
      mayHold(column, 'country') &&
      !besides.includes(column) &&
      column.words !== undefined &&
      textsOf(column).every((text) => /\p{L}{2}/u.test(text)) &&
      PLACE.isIn(spacedWords(column.header)),
  );
}

/** Nothing is read from it, or a phone number that may be the account of a wallet. */
function mayHold({ field, isSaid, isIgnored, examples }: SeenColumn, wanted: Field): boolean {
  if (isIgnored || field === undefined) return !isIgnored;
  if (wanted === 'account') return field === 'phone' && !isSaid;
  // “Wallet” may be called like an account, and name the provider.
  return (
    wanted === 'institution' && field === 'account' && !isSaid && !examples.some((text) => /\d/.test(text))
  );
}

/** The header is one of a payment, and no flag names it. */
const isAccount = (header: string): boolean => mayHoldAccount(header) && !/\p{L}/u.test(header);

const isCode = ({ header }: SeenColumn) => INSTITUTION_CODE.isIn(spacedWords(header));

function isCalledSo(field: Field, column: SeenColumn): boolean {
  return (
    isLikely(field, column) ||
    (field === 'institution' && isCode(column)) ||
    (field === 'account' && column.field === 'phone')
  );
}

/** The texts of the cells rule it out, whatever the header. */
function isOdd(field: Field, column: SeenColumn): boolean {
  if (column.filled === 0) return false;
  if (field === 'amount') return !isNumeric(column);
  if (field === 'account') return !column.examples.some((text) => /[\d@]/.test(text)) || hasDecimals(column);
  return hasDecimals(column) || (field === 'country' && isNumeric(column));
}

const isNumeric = ({ numbers, filled, field, examples }: SeenColumn): boolean =>
  field === undefined ? numbers > 0 && numbers * 2 >= filled : examples.every((text) => /\d/.test(text));

const hasDecimals = ({ examples }: SeenColumn) => examples.some((text) => /\d[.,]\d{1,2}$/.test(text));

/** 1, 2, 3: the rows are counted. */
const isSerial = ({ examples }: SeenColumn) =>
  examples.length > 1 && examples.every((text, at) => Number(text) === Number(examples[0]) + at);

function canBe(field: Field, column: SeenColumn, look: Look, directory: Directory): boolean {
  if (column.filled === 0 || (column.examples.every(isDateLike) && field !== 'institution')) return false;
  switch (field) {
    case 'country':
      return mostOf(column, (text) => /\p{L}/u.test(text) && directory.findCountry(text).kind === 'found');
    case 'institution':
      return holdsInstitutions(column, directory);
    case 'account':
      return isAccountLike(column, placesPaid(look, directory));
    case 'amount':
      return isAmountLike(column);
    default:
      return false;
  }
}

/** The institutions of the rows, as far as they are known. */
const placesPaid = ({ columns }: Look, directory: Directory): readonly AccountPlace[] =>
  columns.flatMap((column) => {
    const texts = column.field === 'institution' ? textsOf(column) : [];
    return texts.flatMap((text) =>
      countriesWith(text, directory).flatMap(({ id, iso }) => {
        const found = directory.findInstitution(id, text);
        return found.kind === 'found' ? [{ iso, institution: foldText(found.item.name) }] : [];
      }),
    );
  });

function isAccountLike(column: SeenColumn, places: readonly AccountPlace[]): boolean {
  const words = spacedWords(column.header);
  if (isSerial(column) || hasDecimals(column)) return false;
  if (NO_ACCOUNT.isIn(words) && !isCalledSo('account', column)) return false;
  if (isCode(column) || isLikely('amount', column)) return false;
  const isAccount = (text: string, place: AccountPlace) =>
    accountFault({ text: readAccount(text, place), isNumber: false, ...place }) === undefined;
  return (
    column.examples.every((text) => /(?:\p{Nd}\W?){5}|@/u.test(text)) &&
    (places.length === 0 || column.examples.some((text) => places.some((place) => isAccount(text, place))))
  );
}

function isAmountLike(column: SeenColumn): boolean {
  if (!isNumeric(column) || isSerial(column) || isNoMoney(column.header) || isCode(column)) return false;
  if (isCalled('account', column.header)) return false;
  return column.examples.every((text) => !/^\+?0\d|\d{11}/.test(text));
}

function holdsInstitutions(column: SeenColumn, directory: Directory): boolean {
  const mayBeCodes =
    isCode(column) || column.header === columnLetters(column.at) || isCalled('institution', column.header);
  return mostOf(column, (text) => {
    if (!/\p{L}/u.test(text) && (!mayBeCodes || text.length < 3)) return false;
    return countriesWith(text, directory).length > 0;
  });
}

/** Countries in whose added list the text is an institution; where it is in none, those where it plainly means one. */
export function countriesWith(text: string, directory: Directory): readonly Country[] {
  // “Kenya” is near the names of many of its banks.
  if (directory.findCountry(text).kind === 'found') return [];
  const added = directory.countries.filter(({ id }) => directory.hasInstitutionsOf(id));
  const listed = added.filter(({ id }) => directory.findInstitution(id, text).kind === 'found');
  return listed.length > 0
    ? listed
    : added.filter((country) => plainInstitution(text, country, directory) !== undefined);
}

/** The institution of the country that the text names, or plainly means. */
function plainInstitution(text: string, { id, iso }: Country, directory: Directory): Institution | undefined {
  const found = directory.findInstitution(id, text);
  if (found.kind === 'found') return found.item;
  if (found.kind !== 'unknown') return undefined;
  const [first] = found.suggestions;
  return first !== undefined && isPlainlyMeant(text, first.name, iso) ? first : undefined;
}

const MOST_TEXTS = 8;

/** The first different texts. */
export const textsOf = ({ words, examples }: SeenColumn): readonly string[] =>
  words === undefined || words.size === 0 ? examples : [...words.keys()].slice(0, MOST_TEXTS);

function mostOf(column: SeenColumn, isSo: (text: string) => boolean): boolean {
  const texts = textsOf(column);
  return texts.length > 0 && texts.filter(isSo).length * 2 >= texts.length;
}
