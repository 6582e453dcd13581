/**
 * Which moves of a payout were seen in histories with which faults. A move counts for a fault that had struck
 * earlier in the same history; it is a direct hit when the fault had struck that very payout.
 */
import type { Status } from '../../src/domain/payouts/payout.ts';
import { MOVES } from '../../src/domain/payouts/payout-machine.ts';
import { FAULT_NAMES, type FaultName } from './faults.ts';

export type Move = `${Status} → ${Status}`;

export const moveOf = (from: Status, to: Status): Move => `${from} → ${to}`;

export const MOVES_ALL: readonly Move[] = [
  ...new Set(
    Object.entries(MOVES).flatMap(([from, events]) =>
      Object.values(events).map((to) => moveOf(from as Status, to)),
    ),
  ),
];

/** Moves that the table allows and this version never makes. */
export const MOVES_NEVER_MADE: Readonly<Partial<Record<Move, string>>> = {};

export interface Coverage {
  count(move: Move, struck: Iterable<FaultName>, hits: Iterable<FaultName>): void;
}

export class CoverageTable implements Coverage {
  readonly #together: Uint32Array;
  readonly #direct: Uint32Array;

  constructor(saved?: { readonly together: readonly number[]; readonly direct: readonly number[] }) {
    const cells = MOVES_ALL.length * FAULT_NAMES.length;
    this.#together = saved === undefined ? new Uint32Array(cells) : Uint32Array.from(saved.together);
    this.#direct = saved === undefined ? new Uint32Array(cells) : Uint32Array.from(saved.direct);
  }

  count(move: Move, struck: Iterable<FaultName>, hits: Iterable<FaultName>): void {
    const row = MOVES_ALL.indexOf(move) * FAULT_NAMES.length;
    for (const kind of struck) bump(this.#together, row + columnOf(kind));
    for (const kind of hits) bump(this.#direct, row + columnOf(kind));
  }

  add(other: { readonly together: readonly number[]; readonly direct: readonly number[] }): void {
    for (const [index, count] of other.together.entries()) bump(this.#together, index, count);
    for (const [index, count] of other.direct.entries()) bump(this.#direct, index, count);
  }

  saved() {
    return { together: [...this.#together], direct: [...this.#direct] };
  }

  cell(move: Move, kind: FaultName): { readonly together: number; readonly direct: number } {
    const index = MOVES_ALL.indexOf(move) * FAULT_NAMES.length + columnOf(kind);
    return { together: this.#together[index] ?? 0, direct: this.#direct[index] ?? 0 };
  }
}

const COLUMNS = new Map(FAULT_NAMES.map((kind, index) => [kind, index]));

function columnOf(kind: FaultName): number {
  return COLUMNS.get(kind) ?? 0;
}

function bump(counts: Uint32Array, index: number, by = 1): void {
  counts[index] = (counts[index] ?? 0) + by;
}

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
