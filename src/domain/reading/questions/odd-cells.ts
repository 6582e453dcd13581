/**
 * Cells that are issues one by one, and that one answer settles for all rows: zeros, blanks that mean “as above”, digits of
 * other scripts, and employee numbers in names. They are offers: without an answer the rows stay issues, or are held.
 */
import type { Field } from '../../rows/row.ts';
import { message } from '../../text/message.ts';
import { counted, rowsText } from '../../text/printable.ts';
import type { Look, SeenColumn } from '../look.ts';
import type { Asks } from '../question.ts';
import { choice, listed, openColumns, quoted, shown, usedFor } from './columns.ts';

export const askZeros: Asks = (look, said) => {
  const amount = usedFor(openColumns(look, said), 'amount');
  if (amount === undefined || amount.zeros === 0 || said.some(({ kind }) => kind === 'skip_zero')) return [];
  return [
    {
      code: 'amounts_of_zero',
      text: message(
        'amounts_of_zero',
      )`In ${counted(amount.zeros, 'row')} the amount in ${quoted(amount.header)} is zero. Is nobody paid there?`,
      headers: [amount.header],
      isOffer: true,
      choices: [choice('Leave out every row with an amount of zero', { kind: 'skip_zero' })],
    },
  ];
};

const LEAST_BLANK = 0.2;
const FROM_ABOVE: readonly Field[] = ['country', 'institution'];

export const askFillDown: Asks = (look, said) => {
  const columns = openColumns(look, said);
  const accounts = usedFor(columns, 'account')?.filled ?? 0;
  const isKnown = (field: Field) =>
    said.some((answer) => answer.kind === 'fill_down' && answer.fields.includes(field));
  const blank = FROM_ABOVE.flatMap((field) => {
    const column = usedFor(columns, field);
    const missing = accounts - (column?.filled ?? accounts);
    const isMany = missing > 0 && missing >= accounts * LEAST_BLANK;
    return column === undefined || isKnown(field) || !isMany ? [] : [{ field, column, missing }];
  });
  if (blank.length === 0) return [];
  const fields = blank.map(({ field }) => field);
  const named = listed(blank.map(({ column, missing }) => `${shown(column)} in ${rowsText(missing)}`));
  return [
    {
      code: 'blank_as_above',
      text: message(
        'blank_as_above',
      )`Does an empty cell mean the text above it? Rows with an account have nothing in ${named}.`,
      headers: blank.map(({ column }) => column.header),
      isOffer: true,
      choices: [choice(`Fill in the ${listed(fields)} from the row above`, { kind: 'fill_down', fields })],
    },
  ];
};

const IN_DIGITS: readonly Field[] = ['amount', 'account', 'phone', 'country', 'institution'];

export const askOtherDigits: Asks = (look, said) => {
  const odd = openColumns(look, said).filter(
    ({ field, otherDigits }) => field !== undefined && IN_DIGITS.includes(field) && otherDigits > 0,
  );
  if (odd.length === 0 || said.some(({ kind }) => kind === 'latin_digits')) return [];
  return [
    {
      code: 'other_digits',
      text: message(
        'other_digits',
      )`Are the digits of ${listed(odd.map((column) => shown(column, column.field !== 'amount')))} to be read as 0 to 9?`,
      headers: odd.map(({ header }) => header),
      isOffer: true,
      choices: [choice('Read digits of other scripts as 0 to 9, in all cells', { kind: 'latin_digits' })],
    },
  ];
};

export const askNumberedNames: Asks = (look, said) => {
  const names = openColumns(look, said).filter(({ field, isNumbered }) => field === 'name' && isNumbered);
  const isKnown = said.some(({ kind }) => kind === 'names_without_numbers');
  const [name] = names.filter(isForAll(look));
  if (name === undefined || isKnown) return [];
  return [
    {
      code: 'numbers_in_names',
      text: message(
        'numbers_in_names',
      )`Are the numbers in ${shown(name)} no part of the names? No bank knows a name with a number in it.`,
      headers: [name.header],
      isOffer: true,
      choices: [choice('Take the employee number out of every name', { kind: 'names_without_numbers' })],
    },
  ];
};

/** Two names at least: one alone may be a company with a number in its name. */
const isForAll =
  ({ rows }: Look) =>
  ({ filled }: SeenColumn) =>
    filled > 1 && filled * 2 > rows;
