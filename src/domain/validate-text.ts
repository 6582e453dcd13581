/**
 * Checks of single cells: what no cell may hold, how long each may be, phone, currency, replaced payout.
 */
import type { Country, Institution } from './country.ts';
import { parseCurrency } from './currency.ts';
import type { IssueText } from './issue-writer.ts';
import { isPhoneNumber } from './phone-number.ts';
import type { RowCells } from './row-cells.ts';
import type { Field } from './row-issue.ts';

const LONGEST: Readonly<Partial<Record<Field, number>>> = { reference: 35, name: 140, note: 140, phone: 30 };

// Control characters, zero-width and direction marks, line and paragraph separators, the replacement character.
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffd]/u;
const INVISIBLE_IN_NOTE = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffd]/u;
const PRINTABLE = /^[\x20-\x7e]*$/;
// Fields where a date, or TRUE, can only be a slip of the spreadsheet.
const NO_DATES: ReadonlySet<Field> = new Set<Field>([
  'country',
  'institution',
  'account',
  'amount',
  'phone',
  'currency',
]);

/** A cell of the workbook that is no text or number: an error value, a formula without a result, a date. */
export function cellFault(cells: RowCells, field: Field): IssueText | undefined {
  const seen = cells.texts[field];
  if (cells.isMarked(field, 'error_value')) {
    return {
      kind: 'cell_error',
      field,
      seen,
      expected: 'a value',
      suggestion: 'Mend the formula in the cell.',
    };
  }
  if (cells.isMarked(field, 'formula_without_value')) {
    return {
      kind: 'formula_without_value',
      field,
      seen,
      expected: 'a value; the formula was never calculated',
      suggestion: 'Open the workbook, let it calculate, and save it.',
    };
  }
  if (NO_DATES.has(field) && (cells.isMarked(field, 'date') || cells.isMarked(field, 'boolean'))) {
    const what = cells.isMarked(field, 'date') ? 'a date' : 'TRUE or FALSE';
    const suggestion = 'Format the column as text and enter the value again.';
    return {
      kind: 'cell_not_text',
      field,
      seen,
      expected: `text or a number; the cell holds ${what}`,
      suggestion,
    };
  }
  return undefined;
}

/** Characters that a person cannot see, and texts that are too long for their field. */
export function textFault(field: Field, text: string): IssueText | undefined {
  if (text === '') return undefined;
  const longest = LONGEST[field];
  if (longest !== undefined && text.length > longest) {
    return { kind: `${field}_too_long`, field, seen: text, expected: `at most ${longest} characters` };
  }
  if (PRINTABLE.test(text) || !(field === 'note' ? INVISIBLE_IN_NOTE : INVISIBLE).test(text))
    return undefined;
  return {
    kind: 'invisible_characters',
    field,
    seen: text,
    expected: 'only characters that can be seen',
    suggestion: 'Delete the cell and type the value again by hand.',
  };
}

/** The destination decides, unless the number is written with its `+` and calling code. */
export function checkPhone(text: string, country: Country | undefined): IssueText | undefined {
  if (text === '' || country === undefined || isPhoneNumber(text, country.iso)) return undefined;
  const international = country.callingCode === '' ? '+ and the country code' : `+${country.callingCode}`;
  return {
    kind: 'phone_invalid',
    field: 'phone',
    seen: text,
    expected: `a phone number of ${country.name}, or an international one beginning with ${international}`,
    suggestion: 'Correct the number, or leave the cell empty.',
  };
}

export function checkCurrency(text: string, institution: Institution | undefined): IssueText | undefined {
  if (text === '') return undefined;
  const currency = parseCurrency(text);
  if (currency === undefined) {
    const expected = institution ? institution.currency : 'a currency code such as KES';
    return { kind: 'currency_unknown', field: 'currency', seen: text, expected };
  }
  if (institution === undefined || currency === institution.currency) return undefined;
  return {
    kind: 'currency_mismatch',
    field: 'currency',
    seen: text,
    expected: `${institution.currency}, the currency of ${institution.name}`,
    suggestion: `Write the amount in ${institution.currency}, or choose another institution.`,
  };
}

export function checkReplaces(text: string): IssueText | undefined {
  if (text === '' || /^\d{1,15}$/.test(text)) return undefined;
  const expected = 'the id of the payout that this row pays again, as our report wrote it';
  return { kind: 'replaces_malformed', field: 'replaces', seen: text, expected };
}
