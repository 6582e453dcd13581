/**
 * The table of moves and faults as text: one line per fault, one column per move, and what the columns mean.
 */
import { type CoverageTable, MOVES_ALL, MOVES_NEVER_MADE, type Move } from './coverage.ts';
import { FAULT_NAMES, type FaultName } from './fault-kinds.ts';

export interface ThinCell {
  readonly move: Move;
  readonly kind: FaultName;
  readonly count: number;
}

const CAPTION =
  'Moves of payouts by faults that had struck earlier in the same history. A star: fewer than wanted; a dash: cannot happen.';

export function thinCells(table: CoverageTable, wanted: number): readonly ThinCell[] {
  return FAULT_NAMES.flatMap((kind) =>
    MOVES_ALL.filter((move) => MOVES_NEVER_MADE[move] === undefined)
      .map((move) => ({ move, kind, count: table.cell(move, kind).together }))
      .filter(({ count }) => count < wanted),
  );
}

export function coverageText(table: CoverageTable, wanted: number, which: 'together' | 'direct'): string {
  const lines = [
    which === 'together' ? CAPTION : 'Of these, moves of payouts that the fault itself had struck.',
  ];
  MOVES_ALL.forEach((move, index) => {
    const never = MOVES_NEVER_MADE[move];
    lines.push(`  ${columnName(index)} ${move}${never === undefined ? '' : ` (never: ${never})`}`);
  });
  lines.push(''.padEnd(25) + MOVES_ALL.map((_, index) => columnName(index).padStart(8)).join(''));
  for (const kind of FAULT_NAMES) {
    const cells = MOVES_ALL.map((move) => {
      if (MOVES_NEVER_MADE[move] !== undefined) return '–'.padStart(8);
      const count = table.cell(move, kind)[which];
      const isThin = which === 'together' && count < wanted;
      return `${count}${isThin ? '*' : ''}`.padStart(8);
    });
    lines.push(kind.padEnd(25) + cells.join(''));
  }
  return lines.join('\n');
}

function columnName(index: number): string {
  return `m${String(index + 1).padStart(2, '0')}`;
}
