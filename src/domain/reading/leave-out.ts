/** Rows that a person leaves out: because of a word in a column, or one by one. */

import type { WrittenRow } from '../rows/row.ts';
import { type Answer, wordKey } from './answer.ts';
import { columnCalled } from './column-called.ts';
import { lineBetween } from './lines-between.ts';
import { isAfterDay } from './pay-date.ts';
import { type ChangeRow, type MakeRowChanges, type RowOut, saidBy } from './row-change.ts';
import { ANY_TEXT, stopWordOf } from './stop-words.ts';

export const leaveOut: MakeRowChanges = (headers, answers) =>
  answers.flatMap((answer) => {
    if (answer.kind !== 'leave_out') return [];
    const at = columnCalled(headers, answer.header);
    const isOut = isLeftOut(answer.words);
    if (at === undefined) return [];
    const out = ({ cells }: WrittenRow): RowOut | undefined => {
      const cell = cells[at] ?? '';
      if (!isOut(cell)) return undefined;
      return { why: 'said', says: `${answer.header}: ${cell.trim()}`, ...saidBy(answer) };
    };
    return [{ start: () => leavingOut(headers, at, out) }];
  });

export const leaveOutRows: MakeRowChanges = (_, answers) => {
  const rows = new Map(
    answers.flatMap((answer) =>
      answer.kind === 'leave_out_row' ? [[answer.row, { why: 'said', ...saidBy(answer) } as const]] : [],
    ),
  );
  return rows.size === 0 ? [] : [{ start: () => (row) => rows.get(row.rowNumber) ?? row }];
};

/** As the file counts its rows. */
export const rowsLeftOut = (answers: readonly Answer[]): ReadonlySet<number> =>
  new Set(answers.flatMap((answer) => (answer.kind === 'leave_out_row' ? [answer.row] : [])));

/** Below a heading that is left out, and below the header of a table that is, so are the rows; a heading right below another one is a part of it. */
function leavingOut(
  headers: readonly string[],
  at: number,
  outOf: (row: WrittenRow) => RowOut | undefined,
): ChangeRow {
  const below: { heading?: RowOut | undefined; table?: RowOut | undefined } = {};
  let isBelowLine = false;
  return (row) => {
    const out = outOf(row);
    const line = lineBetween(row.cells, headers);
    if (line !== undefined) {
      if (!isBelowLine) below.heading = undefined;
      if (line.kind === 'table') below.table = undefined;
      if (line.at === at) below[line.kind] ??= out;
    }
    isBelowLine = line !== undefined;
    return out ?? below.heading ?? below.table ?? row;
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
