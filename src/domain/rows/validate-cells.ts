/**
 * Checks of single cells: what no cell may hold, how long each may be, currency, replaced payout.
 */

import { parseCurrency } from '../money/currency.ts';
import { currenciesNamed, isWordFor } from '../money/currency-words.ts';
import { mixesAlphabets, ungarbled } from '../text/likeness.ts';
import { isSeenWhole, visibleText } from '../text/printable.ts';
import {
  type Country,
  codeOf,
  type Directory,
  type Found,
  type Institution,
  institutionLabelOf,
  meaningsOf,
  writeInstead,
} from './directory.ts';
import type { IssueText } from './issue-writer.ts';
import type { Field, RowCells } from './row.ts';

function issueOf(field: Field, seen: string, kind: string, expected: string, suggestion: string): IssueText {
  return { kind, field, seen, expected, suggestion };
}

const LONGEST: Readonly<Partial<Record<Field, number>>> = { reference: 35, name: 140, note: 140, phone: 30 };

const ERROR_TEXT = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/i;
const PRINTABLE = /^[\x20-\x7e]*$/;
// Fields where a date, or TRUE, can only be a slip of the spreadsheet.
const NO_DATES: ReadonlySet<Field> = new Set<Field>([
  'name',
  'country',
  'institution',
  'account',
  'amount',
  'phone',
  'currency',
]);

const SHOWN_AS_HELD: ReadonlySet<Field> = new Set<Field>(['account', 'phone', 'reference']);

/** A cell of the workbook that is no text or number of its own: merged, an error value, a formula without a result, a date. */
export function cellFault(cells: RowCells, field: Field): IssueText | undefined {
  const seen = cells.texts[field];
  const range = cells.mergedRange(field);
  if (range !== undefined) {
    const expected = `a cell of its own; ${range} are merged, so it is not clear which rows the value belongs to`;
    const suggestion = 'Unmerge the cells and fill in each row, or leave these rows out when you plan.';
    return issueOf(field, seen, 'cell_merged', expected, suggestion);
  }
  if (cells.isMarked(field, 'error_value')) return cellError(field, seen);
  if (cells.isMarked(field, 'formula_external')) {
    const expected =
      'a value of this workbook; the formula takes it from another workbook, which may have changed';
    return issueOf(field, seen, 'formula_external', expected, 'Copy the column and paste it as values.');
  }
  if (cells.isMarked(field, 'formula_without_value')) {
    const suggestion = 'Open the workbook, let it calculate, and save it.';
    return issueOf(
      field,
      seen,
      'formula_without_value',
      'a value; the formula was never calculated',
      suggestion,
    );
  }
  if (NO_DATES.has(field) && (cells.isMarked(field, 'date') || cells.isMarked(field, 'boolean'))) {
    const what = cells.isMarked(field, 'date') ? 'a date' : 'TRUE or FALSE';
    const suggestion = 'Format the column as text and enter the value again.';
    return issueOf(field, seen, 'cell_not_text', `text or a number; the cell holds ${what}`, suggestion);
  }
  if (cells.isMarked(field, 'shown_text')) {
    const expected = 'the text that the cell shows; its number format shows another one than the cell holds';
    const suggestion = 'Format the column as text, and look again at what its cells say.';
    return issueOf(field, seen, 'cell_shown_otherwise', expected, suggestion);
  }
  const words = SHOWN_AS_HELD.has(field) ? cells.wordsAround(field) : undefined;
  if (words === undefined) return undefined;
  const expected = `the whole text in the cell; its number format adds “${words}”, which is not in it`;
  const suggestion = 'Format the column as text and enter the value again, as it is meant.';
  return issueOf(field, seen, 'cell_shown_otherwise', expected, suggestion);
}

function cellError(field: Field, seen: string): IssueText {
  const expected = 'a value; the formula in the cell failed';
  return issueOf(field, seen, 'cell_error', expected, 'Mend the formula in the cell.');
}

/** Characters that a person cannot see, and texts that are too long for their field. */
export function textFault(field: Field, text: string): IssueText | undefined {
  if (text === '') return undefined;
  const longest = LONGEST[field];
  if (longest !== undefined && text.length > longest) {
    const expected = `at most ${longest} characters; it has ${text.length}`;
    return issueOf(field, text, `${field}_too_long`, expected, 'Shorten it.');
  }
  if (text.charCodeAt(0) === HASH && ERROR_TEXT.test(text)) return cellError(field, text);
  if (field === 'name' && !/\p{L}/u.test(text)) return noLetters(text);
  if (PRINTABLE.test(text)) return undefined;
  const strange = FREE_TEXTS.has(field) ? strangeLetters(field, text) : undefined;
  if (strange) return strange;
  if (!text.includes('\ufffd') && (field === 'note' ? isReadable(text) : isSeenWhole(text))) return undefined;
  const suggestion = 'Delete the cell and type the value again by hand.';
  return issueOf(field, text, 'invisible_characters', 'only characters that can be seen', suggestion);
}

/** A note may have several lines, and what its script or its pictures need. */
function isReadable(note: string): boolean {
  const lines = note.replaceAll('\r', '');
  return lines.isWellFormed() && visibleText(lines) === lines;
}

const HASH = 35;
const FREE_TEXTS: ReadonlySet<Field> = new Set<Field>(['name', 'reference', 'note']);

function noLetters(seen: string): IssueText {
  const expected = 'the name of the account holder, in letters';
  const suggestion = 'Check that the columns are not mixed up, or leave the cell empty.';
  return issueOf('name', seen, 'name_without_letters', expected, suggestion);
}

function strangeLetters(field: Field, text: string): IssueText | undefined {
  const mended = ungarbled(text);
  if (mended !== undefined) {
    const expected =
      'accents and signs as they were written; they were garbled when the file was saved or converted';
    const suggestion = `Perhaps “${mended}” was meant. Export the file again as “CSV UTF-8” from its source.`;
    return issueOf(field, text, 'garbled_text', expected, suggestion);
  }
  if (field === 'note' || !mixesAlphabets(text)) return undefined;
  const expected = 'letters of one alphabet in each word; one of them only looks like the others';
  const suggestion = 'Delete the cell and type the text again by hand.';
  return issueOf(field, text, 'look_alike_letters', expected, suggestion);
}

export function checkCurrency(text: string, institution: Institution | undefined): IssueText | undefined {
  if (text === '') return undefined;
  const named = currenciesNamed(text);
  if (institution === undefined) {
    if (named !== undefined) return undefined;
    const suggestion = 'Write the three letters of the currency.';
    return issueOf('currency', text, 'currency_unknown', 'a currency code such as KES', suggestion);
  }
  const { currency, name } = institution;
  if (parseCurrency(text) === currency) return undefined;
  if (isWordFor(text, currency))
    return issueOf(
      'currency',
      text,
      'currency_unknown',
      `${currency}; this word means it`,
      `Write ${currency}.`,
    );
  if (named === undefined) {
    const suggestion = `Write ${currency}, if the amount is in ${currency}.`;
    return issueOf('currency', text, 'currency_unknown', currency, suggestion);
  }
  const expected = `${currency}, the currency of ${name}`;
  const suggestion = `Write ${currency} if the amount is in ${currency}. Else write both in ${currency}, or choose another institution.`;
  return issueOf('currency', text, 'currency_mismatch', expected, suggestion);
}

export function checkReplaces(text: string): IssueText | undefined {
  if (text === '' || /^\d{1,15}$/.test(text)) return undefined;
  const expected = 'the id of the payout that this row pays again, as our report wrote it';
  return issueOf('replaces', text, 'replaces_malformed', expected, 'Leave the cell as our report wrote it.');
}

/**
 * Where a row's money goes and comes from: country and institution, found exactly or not at all.
 */

export type Looked<Item> =
  | { readonly kind: 'found'; readonly item: Item }
  | { readonly kind: 'issue'; readonly issue: IssueText };

const A_COUNTRY = "a country of the service's list, by name, ISO code or id";

export function lookUpCountry(directory: Directory, field: Field, text: string): Looked<Country> {
  if (text === '') return missing(field, A_COUNTRY);
  const found = directory.findCountry(text);
  if (found.kind === 'found') return found;
  if (found.kind === 'ambiguous') {
    const expected = `${A_COUNTRY}; this text means ${meaningsOf(found).join(' and ')}`;
    return failed(issueOf(field, text, `${field}_ambiguous`, expected, writeInstead(found, directory)));
  }
  return notFound(field, text, found, {
    expected: A_COUNTRY,
    name: (country) => `${country.name} (${country.iso})`,
    otherwise: 'Take the name from the list of the service (on a terminal: payfile countries)',
  });
}

/** undefined: the list of the country has not been added to the directory yet. */
export function lookUpInstitution(
  directory: Directory,
  country: Country,
  text: string,
): Looked<Institution> | undefined {
  const expected = `an institution of ${country.name}, by name or id`;
  if (text === '') return missing('institution', expected);
  if (!directory.hasInstitutionsOf(country.id)) return undefined;
  const found = directory.findInstitution(country.id, text);
  if (found.kind === 'found') return found;
  if (found.kind === 'ambiguous') {
    const texts = found.candidates.map((item) => {
      const label = institutionLabelOf(directory, country, item);
      return label === item.name ? `“${label}”` : `${label} for ${item.name}`;
    });
    const several = `${expected}; more than one goes by this text`;
    const suggestion = `Write ${texts.join(' or ')}.`;
    return failed(issueOf('institution', text, 'institution_ambiguous', several, suggestion));
  }
  return notFound('institution', text, found, {
    expected,
    name: (institution) => `${institution.name} (id ${institution.id})`,
    otherwise: `Take the name from the list of the service (on a terminal: payfile institutions ${codeOf(directory, country)})`,
  });
}

/** Origin of a row: its own cell, else the default; an issue when there is neither. */
export function lookUpSource(
  directory: Directory,
  text: string,
  otherwise: Country | undefined,
): Looked<Country> {
  if (text !== '') return lookUpCountry(directory, 'source', text);
  if (otherwise) return { kind: 'found', item: otherwise };
  const suggestion =
    'Name the country that the money comes from (setting “source”), or add a column “source”.';
  return failed(issueOf('source', '', 'source_missing', 'the country that the money comes from', suggestion));
}

function failed(issue: IssueText): Looked<never> {
  return { kind: 'issue', issue };
}

interface Wording<Item> {
  readonly expected: string;
  readonly name: (item: Item) => string;
  readonly otherwise: string;
}

function notFound<Item>(
  field: Field,
  seen: string,
  found: Extract<Found<Item>, { kind: 'unknown' }>,
  { expected, name, otherwise }: Wording<Item>,
): Looked<never> {
  const suggestion =
    found.suggestions.length > 0
      ? `Did you mean ${found.suggestions.map(name).join(' or ')}?`
      : `${otherwise}.`;
  const kind = found.since === undefined ? `${field}_unknown` : `${field}_gone`;
  const why = found.since ?? (found.dialled && `this is the calling code of ${found.dialled}`);
  const seenOf = why === undefined ? expected : `${expected}; ${why}`;
  return failed(issueOf(field, seen, kind, seenOf, suggestion));
}

export function missing(field: Field, expected: string): Looked<never> {
  return failed(
    issueOf(field, '', `${field}_missing`, expected, `Fill in the ${field}, or take the row out.`),
  );
}
