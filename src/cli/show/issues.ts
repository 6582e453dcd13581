/**
 * What is wrong with rows, for the person who mends them: where, what was seen, what was expected, what to do.
 * Each wrong value once, with its first place written out, at most twenty of a kind; with --all, every row.
 *
 * --json: issues: [{row, sheet, field, column, columnLetter, kind, seen, expected, suggestion}].
 */

import { type IssueGroup, issueGroups } from '../../domain/rows/issue-groups.ts';
import type { RowIssue, RowIssues } from '../../domain/rows/row.ts';
import { counted, printable, rowsText } from '../../domain/text/printable.ts';
import { type ToLookAt, toLookAt } from '../../operations/told.ts';
import { type Call, typed } from '../call.ts';
import { fileCommand } from '../parse/file-flags.ts';
import { wrapped } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { MOST_OF_A_KIND } from './many-alike.ts';

interface IssuesShown {
  /** Every row of it; else one place for each wrong value in a column, and which rows share it. */
  readonly all: boolean;
  readonly columns: number;
}

/** Places written out, of one kind or another. */
const MOST_LINES = 100_000;
const MOST_ROW_NUMBERS = 8;

/** Lines, in the order of the rows. */
export function printIssues(rows: readonly RowIssues[], { all, columns }: IssuesShown): string[] {
  const width = Math.min(Math.max(columns, 60), 120);
  if (all) {
    const lines = rows.flatMap(({ rowNumber, issues }) =>
      issues.flatMap((issue) => issueLines(rowNumber, issue, width)),
    );
    const left = lines.length - MOST_LINES;
    return left > 0 ? [...lines.slice(0, MOST_LINES), `… and ${counted(left, 'line')} more.`] : lines;
  }
  const places = issueGroups(rows).flatMap((values) => {
    const left = values.slice(MOST_OF_A_KIND);
    return values.slice(0, MOST_OF_A_KIND).map(({ first, issue, others }, at) => ({
      first,
      lines: [
        ...issueLines(first, issue, width),
        ...(others.length === 0 ? [] : [`    ${alsoText(others)}`]),
        ...(at < MOST_OF_A_KIND - 1 || left.length === 0 ? [] : [`    … and ${moreText(left)}`]),
      ],
    }));
  });
  return places.sort((one, other) => one.first - other.first).flatMap(({ lines }) => lines);
}

/** Whether some rows are only counted. */
export function isGrouped(rows: readonly RowIssues[]): boolean {
  return issueGroups(rows).some(
    (values) => values.length > MOST_OF_A_KIND || values.some(({ others }) => others.length > 0),
  );
}

/** `31 more values in 45 rows, wrong in the same way` */
function moreText(groups: readonly IssueGroup[]): string {
  const rows = groups.reduce((sum, { others }) => sum + 1 + others.length, 0);
  return `${counted(groups.length, 'more value')} in ${rowsText(rows)}, wrong in the same way`;
}

/** `the same in 12 rows more: 7, 9, 15 …` */
function alsoText(others: readonly number[]): string {
  const shown = others.slice(0, MOST_ROW_NUMBERS).join(', ');
  const rest = others.length > MOST_ROW_NUMBERS ? ' …' : '';
  return `the same in ${rowsText(others.length)} more: ${shown}${rest}`;
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

/** The first places, for a mail that must be short. */
export function issuesToLookAt(rows: readonly RowIssues[]): ToLookAt {
  const all = rows.flatMap(({ rowNumber, issues }) => issues.map((issue) => ({ rowNumber, issue })));
  return toLookAt(all, ({ rowNumber, issue: { column, field, seen, expected } }) => {
    return `Row ${rowNumber}, ${column ?? field}: saw “${seen}”; expected ${expected}`;
  });
}

export function issuesJson(rows: readonly RowIssues[], sheet: string | undefined): readonly unknown[] {
  return rows.flatMap(({ rowNumber, issues }) =>
    issues.map((issue) => ({ row: rowNumber, sheet, ...issue })),
  );
}

/** What is wrong with rows, and how to see all of it. */
export function tellIssues(rows: readonly RowIssues[], call: Call): void {
  const { terminal } = call;
  const all = call.flags.all === true;
  for (const line of printIssues(rows, { all, columns: terminal.columns }))
    terminal.result(call.command === 'check' ? withStrongRow(line, terminal) : line);
  if (!all && isGrouped(rows))
    terminal.talk(`Every row: ${typed(call, fileCommand(call, 'check', { more: [['--all']] }))}`);
}

export function withStrongRow(line: string, terminal: Pick<Terminal, 'paint'>): string {
  return line.replace(/^Row \d+/, (row) => terminal.paint(row, 'strong'));
}
