/** Rows that a person leaves out: because of a word in a column, or one by one. */

import type { WrittenRow } from '../rows/row.ts';
import { type Answer, wordKey } from './answer.ts';
import { columnCalled } from './column-called.ts';
import { lineBetween } from './lines-between.ts';
import { isAfterDay } from './pay-date.ts';
import type { ChangeRow, MakeRowChanges } from './row-change.ts';
import { ANY_TEXT, stopWordOf } from './stop-words.ts';

export const leaveOut: MakeRowChanges = (headers, answers) =>
  answers.flatMap((answer) => {
    if (answer.kind !== 'leave_out') return [];
    const at = columnCalled(headers, answer.header);
    const isOut = isLeftOut(answer.words);
    if (at === undefined) return [];
    return [{ start: () => leavingOut(headers, at, (row) => isOut(row.cells[at] ?? '')) }];
  });

export const leaveOutRows: MakeRowChanges = (_, answers) => {
  const rows = rowsLeftOut(answers);
  return rows.size === 0 ? [] : [{ start: () => (row) => (rows.has(row.rowNumber) ? 'said' : row) }];
};

/** As the file counts its rows. */
export const rowsLeftOut = (answers: readonly Answer[]): ReadonlySet<number> =>
  new Set(answers.flatMap((answer) => (answer.kind === 'leave_out_row' ? [answer.row] : [])));

/** Below a heading that is left out, and below the header of a table that is, so are the rows; a heading right below another one is a part of it. */
function leavingOut(headers: readonly string[], at: number, isOut: (row: WrittenRow) => boolean): ChangeRow {
  const out = { heading: false, table: false };
  let isBelowLine = false;
  return (row) => {
    const isOne = isOut(row);
    const line = lineBetween(row.cells, headers);
    if (line !== undefined) {
      if (!isBelowLine) out.heading = false;
      if (line.kind === 'table') out.table = false;
      out[line.kind] ||= isOne && line.at === at;
    }
    isBelowLine = line !== undefined;
    return isOne || out.heading || out.table ? 'said' : row;
  };
}

/**
 * What a cell says of the words that the last file left out, for an answer. undefined: nothing. Dates are asked about anew
 * (`pay-date.ts`).
 */
export function leftOutBefore(words: readonly string[]): (cell: string) => string | undefined {
  const still = words.filter((word) => isAfterDay(word) === undefined);
  const isOut = isLeftOut(still);
  return (cell) => {
    if (!isOut(cell)) return undefined;
    return still.includes(ANY_TEXT) ? ANY_TEXT : (stopWordOf(cell) ?? wordKey(cell));
  };
}

/**
 * A word stands for a cell that is the word, or that says it among others: `Paid` for `PAID - 20/11`. `*` stands for any
 * text, and `after 2026-11-27` for a later date.
 */
export function isLeftOut(words: readonly string[]): (cell: string) => boolean {
  const keys = new Set(words.map(wordKey));
  const isLater = words.flatMap((word) => isAfterDay(word) ?? []);
  return (cell) => {
    if (cell.trim() === '') return false;
    if (keys.has(wordKey(cell)) || keys.has(ANY_TEXT)) return true;
    if (isLater.some((isOne) => isOne(cell))) return true;
    const stop = stopWordOf(cell);
    return stop !== undefined && keys.has(wordKey(stop));
  };
}
