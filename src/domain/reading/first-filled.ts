/**
 * A field that stands in one of several columns: the bank's or the wallet's, one amount column for each currency.
 *
 * Fields with as many columns each are taken side by side: the account of the second column belongs to the bank of the second.
 * Where a row leaves open which is meant, all that could be meant stands in the cell, and validation asks about it.
 */

import { currencyOfHeader } from '../rows/header-currency.ts';
import type { Field, WrittenRow } from '../rows/row.ts';
import { addedHeader } from './added-header.ts';
import type { Answer } from './answer.ts';
import { cellsAt, withMadeCell } from './made-cell.ts';
import { isBankWord, isMethodHeader } from './payment-method.ts';
import type { MakeRowChanges, RowChange } from './row-change.ts';

type FirstFilled = Extract<Answer, { kind: 'first_filled' }>;

interface Choosing {
  readonly field: Field;
  readonly from: readonly number[];
  readonly headers: readonly string[];
  /** The columns of all fields that are taken side by side with these, each with as many. */
  readonly beside: readonly (readonly number[])[];
}

export const firstFilled: MakeRowChanges = (headers, answers) => {
  const given = answers.filter((answer): answer is FirstFilled => answer.kind === 'first_filled');
  const found = given.flatMap(({ field, headers: called }) => {
    const from = cellsAt(headers, called);
    return from === undefined ? [] : [{ field, from }];
  });
  return found.map(({ field, from }): RowChange => {
    const beside = found.flatMap((other) => (other.from.length === from.length ? [other.from] : []));
    const choosing = { field, from, headers, beside: field === 'amount' ? [from] : beside };
    return {
      adds: { header: addedHeader(headers, field), field, from },
      start: () => (row) => {
        const chosen = field === 'amount' ? amountsIn(row, choosing) : sidesIn(row, choosing);
        const texts = chosen.map((at) => textAt(row, choosing, at));
        const columns = chosen.map((at) => from[at] ?? -1);
        const isPlain = field !== 'amount' || texts[0] === cellIn(row, columns[0]);
        return withMadeCell(row, texts.join(' / '), columns, (kind) => isPlain || kind !== 'number');
      },
    };
  });
};

/** Of columns of several currencies each amount that is not zero: only one of them can be of the row's own currency. */
function amountsIn(row: WrittenRow, { from, headers }: Choosing): readonly number[] {
  const filled = from.flatMap((at, side) => (cellIn(row, at) === '' ? [] : [side]));
  const currencies = new Set(filled.map((side) => currencyOfHeader(headers[from[side] ?? -1] ?? '')));
  if (currencies.size < 2) return filled.slice(0, 1);
  const real = filled.filter((side) => /[1-9]|\p{L}/u.test(cellIn(row, from[side])));
  return real.length > 0 ? real : filled.slice(0, 1);
}

/** The first side on which any of the fields stands, and another one that the row names, too. */
function sidesIn(row: WrittenRow, { from, headers, beside }: Choosing): readonly number[] {
  const first = from.findIndex((_, side) => beside.some((columns) => cellIn(row, columns[side]) !== ''));
  if (first === -1) return [];
  const named = from.findIndex((at, side) => {
    const text = cellIn(row, at);
    const isMethod = isMethodHeader(headers[at] ?? '') && text !== '' && !isBankWord(text);
    return (
      isMethod &&
      side > first &&
      beside.some((columns) => columns !== from && cellIn(row, columns[side]) !== '')
    );
  });
  return named === -1 ? [first] : [first, named];
}

/** An amount with the currency of its column: in a row of another currency it cannot be meant. */
function textAt(row: WrittenRow, { field, from, headers }: Choosing, side: number): string {
  const text = cellIn(row, from[side]);
  const currency = field === 'amount' ? currencyOfHeader(headers[from[side] ?? -1] ?? '') : undefined;
  return currency === undefined || !/^[\d\s.,']+$/.test(text) ? text : `${currency} ${text}`;
}

function cellIn({ cells }: WrittenRow, at = -1): string {
  return (cells[at] ?? '').trim();
}
