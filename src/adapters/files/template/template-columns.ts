/**
 * The columns of the template's sheet Payments, in their order, with what a person reads on selecting a cell.
 *
 * Limits:  Excel refuses an input message whose title is longer than 32 characters or whose text is longer
 *          than 255.
 */
import type { Field } from '../../../domain/rows/row.ts';

export interface TemplateColumn {
  readonly field: Field;
  readonly header: string;
  readonly letter: string;
  readonly isRequired: boolean;
  readonly width: number;
  readonly help: string;
}

/** Rows that are prepared; payfile reads more, but the drop-downs and the sheet Check end here. */
export const FIRST_ROW = 2;
export const LAST_ROW = 2_001;

export const TEMPLATE_COLUMNS: readonly TemplateColumn[] = [
  {
    field: 'reference',
    header: 'Reference',
    letter: 'A',
    isRequired: false,
    width: 18,
    help: 'Your own number for this payment, at most 35 characters, different in each row. It comes back in the report.',
  },
  {
    field: 'name',
    header: 'Name',
    letter: 'B',
    isRequired: false,
    width: 26,
    help: 'Who holds the account, as the bank knows them. The service is asked whether it is so. Needed where it cannot look names up.',
  },
  {
    field: 'country',
    header: 'Country *',
    letter: 'C',
    isRequired: true,
    width: 20,
    help: 'Where the money goes. Choose from the list; the list of banks follows it.',
  },
  {
    field: 'institution',
    header: 'Institution *',
    letter: 'D',
    isRequired: true,
    width: 30,
    help: 'Bank or mobile money provider. Choose the country first, then from the list. Sheet Lists shows them all, with their ids.',
  },
  {
    field: 'account',
    header: 'Account *',
    letter: 'E',
    isRequired: true,
    width: 22,
    help: 'Account or wallet number, all digits with leading zeros. The column is text, so none gets lost. When pasting, paste values only.',
  },
  {
    field: 'amount',
    header: 'Amount *',
    letter: 'F',
    isRequired: true,
    width: 16,
    help: 'What the beneficiary gets, in the currency of the institution. A number above 0, without a currency sign.',
  },
  {
    field: 'currency',
    header: 'Currency',
    letter: 'G',
    isRequired: false,
    width: 13,
    help: 'May stay empty. If you fill it in, it has to be the currency of the institution.',
  },
  {
    field: 'phone',
    header: 'Phone',
    letter: 'H',
    isRequired: false,
    width: 18,
    help: 'Phone of the beneficiary, such as +254712345678. May stay empty.',
  },
  {
    field: 'note',
    header: 'Note',
    letter: 'I',
    isRequired: false,
    width: 30,
    help: 'What the payment is for. A short tag of ours goes in front of it. May stay empty.',
  },
];

/** `C` for the column of countries. */
export function letterOf(field: Field): string {
  const column = TEMPLATE_COLUMNS.find((each) => each.field === field);
  if (column === undefined) throw new TypeError(`The template has no column for ${field}`);
  return column.letter;
}

export const LAST_LETTER = TEMPLATE_COLUMNS.at(-1)?.letter ?? 'A';
