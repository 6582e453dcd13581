/** Reasons to hold a row from the start: people could not see it, or saw it struck through. */
import { accountMark } from '../payouts/concern.ts';
import type { Instruction } from '../payouts/instruction.ts';
import type { HoldReason } from '../payouts/payout.ts';
import { columnLetters } from './column-names.ts';
import { isHeldIfUnseen, type RowCells, type WrittenMark } from './row.ts';

export function unseenHolds(
  cells: RowCells,
  headers: readonly string[],
  instruction: Instruction,
): readonly HoldReason[] {
  const { unseen } = cells;
  if (unseen.length === 0) return [];
  const paying = cells.fields.filter((field) => isHeldIfUnseen(field) && cells.texts[field] !== '');
  const isStruck = paying.every((field) => cells.isMarked(field, 'struck'));
  const marks = isStruck ? unseen.filter(({ kind }) => kind !== 'struck') : unseen;
  const texts = marks.map((mark) => unseenText(mark, headers[mark.column] ?? ''));
  const text = [...(isStruck ? ['the row is struck through in the sheet'] : []), ...texts].join('; ');
  const account = accountMark(instruction, instruction.account.reveal());
  return [{ concern: { kind: 'hidden_row', account }, text }];
}

function unseenText({ column, kind, isWholeColumn }: WrittenMark, header: string): string {
  if (column === -1) return 'the row is hidden in the sheet, or was before it was corrected';
  const where = `column ${columnLetters(column)} “${header}”`;
  if (isWholeColumn === true) return `${where} is hidden in the sheet`;
  return kind === 'struck'
    ? `the value in ${where} is struck through`
    : `the value in ${where} is hidden by its number format`;
}
