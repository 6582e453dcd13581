/**
 * What is wrong with rows, for the person who mends them: where, what was seen, what was expected, what to do.
 * Grouped by kind of trouble and column, with the first place written out; with --all, every row.
 *
 * --json: issues: [{row, sheet, field, column, columnLetter, kind, seen, expected, suggestion}].
 */

import type { BatchId } from '../../../domain/payouts/instruction.ts';
import type { RowIssue } from '../../../domain/rows/row.ts';
import { counted, printable, rowsText } from '../../../domain/text/printable.ts';
import type { Ledger } from '../../../ports/ledger/ledger.ts';
import { wrapped } from '../terminal/table.ts';

export interface RowIssues {
  readonly rowNumber: number;
  readonly issues: readonly RowIssue[];
}

export interface IssuesShown {
  /** Every row of it; else one place for each kind of trouble in a column, and how many rows share it. */
  readonly all: boolean;
  readonly columns: number;
}

/** Places written out, of one kind or another. */
const MOST_LINES = 100_000;
const MOST_ROW_NUMBERS = 8;

/** Lines, in the order in which the trouble first comes up. */
export function printIssues(rows: readonly RowIssues[], { all, columns }: IssuesShown): string[] {
  const width = Math.min(Math.max(columns, 60), 120);
  if (all) {
    const lines = rows.flatMap(({ rowNumber, issues }) =>
      issues.flatMap((issue) => issueLines(rowNumber, issue, width)),
    );
    const left = lines.length - MOST_LINES;
    return left > 0 ? [...lines.slice(0, MOST_LINES), `… and ${counted(left, 'line')} more.`] : lines;
  }
  return groupsOf(rows).flatMap(({ first, issue, others }) => {
    const lines = issueLines(first, issue, width);
    return others.length === 0 ? lines : [...lines, `    ${alsoText(others)}`];
  });
}

/** Whether some rows are only counted. */
export function isGrouped(rows: readonly RowIssues[]): boolean {
  return groupsOf(rows).some(({ others }) => others.length > 0);
}

interface IssueGroup {
  readonly first: number;
  readonly issue: RowIssue;
  readonly others: number[];
}

function groupsOf(rows: readonly RowIssues[]): readonly IssueGroup[] {
  const groups = new Map<string, IssueGroup>();
  for (const { rowNumber, issues } of rows) {
    for (const issue of issues) {
      const key = `${issue.kind} ${issue.field}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { first: rowNumber, issue, others: [] });
      else group.others.push(rowNumber);
    }
  }
  return [...groups.values()];
}

/** `and the like in 12 rows more: 7, 9, 15 …` */
function alsoText(others: readonly number[]): string {
  const shown = others.slice(0, MOST_ROW_NUMBERS).join(', ');
  const rest = others.length > MOST_ROW_NUMBERS ? ' …' : '';
  return `and the like in ${rowsText(others.length)} more: ${shown}${rest}`;
}

/** `Row 12, amount (F): saw “1,250.0”; expected a number such as 1250.00. Write it without the comma.` */
function issueLines(rowNumber: number, issue: RowIssue, width: number): string[] {
  const letter = issue.columnLetter === undefined ? '' : ` (${issue.columnLetter})`;
  const where = `Row ${rowNumber}, ${printable(issue.column ?? issue.field)}${letter}`;
  const seen = issue.seen.trim() === '' ? 'saw nothing' : `saw “${printable(issue.seen)}”`;
  const advice =
    issue.suggestion === undefined ? '' : ` ${printable(issue.suggestion).replace(/([^.?!])$/, '$1.')}`;
  return wrapped(`${where}: ${seen}; expected ${printable(issue.expected)}.${advice}`, width, '    ');
}

export function issuesJson(rows: readonly RowIssues[], sheet: string | undefined): readonly unknown[] {
  return rows.flatMap(({ rowNumber, issues }) =>
    issues.map((issue) => ({ row: rowNumber, sheet, ...issue })),
  );
}

/** The rows of a batch that cannot be paid as written, with their issues, in file order. */

const ROWS_MAX = 100_000;

export async function invalidRowsOf(batchId: BatchId, ledger: Ledger): Promise<RowIssues[]> {
  const rows: RowIssues[] = [];
  for await (const page of ledger.payouts(batchId, { statuses: ['invalid'] })) {
    for (const { rowNumber, state } of page)
      if (state.status === 'invalid') rows.push({ rowNumber, issues: state.issues });
    if (rows.length >= ROWS_MAX) return rows;
  }
  return rows;
}
