/**
 * What is wrong with rows, for the person who mends them: all issues of every row, each with where, what was
 * seen, what was expected and what to do; kinds of trouble summed up below.
 *
 * --json: issues: [{row, sheet, field, column, columnLetter, kind, seen, expected, suggestion}].
 */
import { countText } from '../domain/batch-outcome.ts';
import { printable } from '../domain/printable.ts';
import type { RowIssue } from '../domain/row-issue.ts';
import { rowsText } from './print-plan.ts';
import { wrapped } from './table.ts';

export interface RowIssues {
  readonly rowNumber: number;
  readonly issues: readonly RowIssue[];
}

/** Lines; at most `most` rows are written out, and what is not is said. */
export function printIssues(rows: readonly RowIssues[], most: number, columns: number): string[] {
  const width = Math.min(Math.max(columns, 60), 120);
  const lines = rows
    .slice(0, most)
    .flatMap(({ rowNumber, issues }) => issues.flatMap((issue) => issueLines(rowNumber, issue, width)));
  const left = rows.length - most;
  return left > 0 ? [...lines, `… and ${rowsText(left)} more with issues.`] : lines;
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

/** One line per kind of trouble that more than one row has, most rows first: the picture of a long list. */
export function issueKinds(rows: readonly RowIssues[]): string[] {
  const kinds = new Map<string, { count: number; first: number; column: string }>();
  for (const { rowNumber, issues } of rows) {
    for (const issue of issues) {
      const seen = kinds.get(issue.kind);
      if (seen === undefined)
        kinds.set(issue.kind, { count: 1, first: rowNumber, column: issue.column ?? issue.field });
      else seen.count += 1;
    }
  }
  if (rows.length < 10) return [];
  return [...kinds]
    .filter(([, { count }]) => count > 1)
    .sort((one, other) => other[1].count - one[1].count)
    .map(
      ([kind, { count, first, column }]) =>
        `${countText(count)} × ${kind.replaceAll('_', ' ')} (${printable(column)}; first on row ${first})`,
    );
}

export function issuesJson(rows: readonly RowIssues[], sheet: string | undefined): readonly unknown[] {
  return rows.flatMap(({ rowNumber, issues }) =>
    issues.map((issue) => ({ row: rowNumber, sheet, ...issue })),
  );
}
