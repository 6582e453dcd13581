/**
 * Totals by a column of the file, such as a cost centre. The groups come to the totals of the report.
 *
 * Units:   the first thousand different texts are a group each, the rest is one. Accounts in the column are masked.
 */
import { isSameHeader } from '../rows/column-names.ts';
import { type ControlTotals, LineCounter, totalsJson } from './control-totals.ts';
import { cellMask } from './hidden-accounts.ts';
import { type MatrixLine, moneyMatrix } from './money-matrix.ts';
import type { ReportLine } from './report-line.ts';

export interface GroupTotals {
  /** As the person named it. */
  readonly column: string;
  /** In the order of their first rows. */
  readonly groups: readonly GroupTotal[];
}

interface GroupTotal {
  /** The text in the column; empty where nothing stands there. */
  readonly value: string;
  readonly totals: ControlTotals;
}

const GROUPS_MAX = 1_000;
const REST = '(all other texts)';

/** Counts lines one by one. `headers`: of the cells of the lines. */
export class GroupCounter {
  readonly #column: string;
  readonly #at: number;
  readonly #width: number;
  readonly #groups = new Map<string, LineCounter>();

  constructor(column: string, headers: readonly string[]) {
    this.#column = column;
    this.#at = headers.findIndex((header) => isSameHeader(header, column));
    this.#width = headers.length;
  }

  add(line: ReportLine): void {
    const { cells } = line;
    // A row of an older file has other columns.
    const cell = cells.length === this.#width ? (cells[this.#at] ?? '') : '';
    const value = cellMask(line)(cell.trim());
    const isRest = this.#groups.size >= GROUPS_MAX && !this.#groups.has(value);
    const key = isRest ? REST : value;
    const counter = this.#groups.get(key) ?? new LineCounter();
    this.#groups.set(key, counter);
    counter.add(line);
  }

  finish(): GroupTotals {
    const groups = [...this.#groups].map(([value, counter]) => ({ value, totals: counter.result([]) }));
    return { column: this.#column, groups };
  }
}

export interface GroupLine extends MatrixLine {
  readonly value: string;
}

/** One line for each group and currency. `isOverDays`: without fees and cost, which the accounts have. */
export function groupLines({ groups }: GroupTotals, isOverDays: boolean): readonly GroupLine[] {
  return groups.flatMap(({ value, totals }) =>
    moneyMatrix(isOverDays ? { ...totals, accounts: [] } : totals)
      .filter(({ isTotal }) => !isTotal)
      .map((line) => ({ ...line, value: value === '' ? '(empty)' : value })),
  );
}

export function groupsJson({ column, groups }: GroupTotals) {
  return {
    column,
    groups: groups.map(({ value, totals }) => ({ value, rows: totals.linesOut, totals: totalsJson(totals) })),
  };
}
