/** Reasons to hold a row from the start: people could not see it, or saw it struck through. */
import { accountMark } from '../payouts/concern.ts';
import type { Instruction } from '../payouts/instruction.ts';
import type { HoldReason } from '../payouts/payout.ts';
import { columnLetters } from './column-names.ts';
import type { RowCells, WrittenMark } from './row.ts';

export function unseenHolds(
  { hidden }: RowCells,
  headers: readonly string[],
  instruction: Instruction,
): readonly HoldReason[] {
  if (hidden.length === 0) return [];
  const text = hidden.map((mark) => hiddenText(mark, headers[mark.column] ?? '')).join('; ');
  const account = accountMark(instruction, instruction.account.reveal());
  return [{ concern: { kind: 'hidden_row', account }, text }];
}

function hiddenText({ column, isWholeColumn }: WrittenMark, header: string): string {
  if (column === -1) return 'the row is hidden in the sheet, or was before it was corrected';
  const where = `column ${columnLetters(column)} “${header}”`;
  return isWholeColumn === true
    ? `${where} is hidden in the sheet`
    : `the value in ${where} is hidden by its number format`;
}
