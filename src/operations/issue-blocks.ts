/**
 * Lists the issues of rows: the cell, the value, the expected value, and advice. Shows each wrong value once, at its
 * first place, and at most twenty of a kind. `all` shows every row.
 *
 * JSON: issues: [{row, sheet, field, column, columnLetter, kind, seen, expected, suggestion}].
 */
import type { Command } from '../domain/next-steps/command.ts';
import { type IssueGroup, issueGroups } from '../domain/rows/issue-groups.ts';
import type { RowIssue, RowIssues } from '../domain/rows/row.ts';
import { input, type Piece } from '../domain/text/message.ts';
import { counted, countText, printable, rowsText } from '../domain/text/printable.ts';
import { aside, type Block, line } from './block.ts';

interface IssuesShown {
  readonly all: boolean;
  /** Command that shows every row. */
  readonly allBy: Command;
}

/** Twenty lines fit on one screen. */
const MOST_OF_A_KIND = 20;
const MOST_LINES = 100_000;
const MOST_ROW_NUMBERS = 8;

export function issueBlocks(rows: readonly RowIssues[], { all, allBy }: IssuesShown): readonly Block[] {
  if (all) {
    const texts = rows.flatMap(({ rowNumber, issues }) => issues.map((issue) => issueText(rowNumber, issue)));
    const left = texts.length - MOST_LINES;
    const more = left > 0 ? [line(`… and ${counted(left, 'more issue')}.`)] : [];
    return [...texts.slice(0, MOST_LINES).map((text) => line(...text)), ...more];
  }
  const groups = issueGroups(rows);
  const places = groups.flatMap((values) => {
    const left = values.slice(MOST_OF_A_KIND);
    return values.slice(0, MOST_OF_A_KIND).map(({ first, issue, others }, at) => ({
      first,
      lines: [
        line(...issueText(first, issue)),
        ...(others.length === 0 ? [] : [line(`    ${alsoText(others)}`)]),
        ...(at < MOST_OF_A_KIND - 1 || left.length === 0 ? [] : [line(`    … and ${moreText(left)}`)]),
      ],
    }));
  });
  const isShort = groups.some(
    (values) => values.length > MOST_OF_A_KIND || values.some(({ others }) => others.length > 0),
  );
  return [
    ...places.sort((one, other) => one.first - other.first).flatMap(({ lines }) => lines),
    ...(isShort ? [aside('Every row: ', allBy)] : []),
  ];
}

/** `31 more values in 45 rows, with the same issue` */
function moreText(groups: readonly IssueGroup[]): string {
  const rows = groups.reduce((sum, { others }) => sum + 1 + others.length, 0);
  return `${counted(groups.length, 'more value')} in ${rowsText(rows)} with the same issue`;
}

/** `the same in 12 more rows: 7, 9, 15 …` */
function alsoText(others: readonly number[]): string {
  const shown = others.slice(0, MOST_ROW_NUMBERS).join(', ');
  const rest = others.length > MOST_ROW_NUMBERS ? ' …' : '';
  return `the same in ${counted(others.length, 'more row')}: ${shown}${rest}`;
}

/** `Row 12, amount (F): saw “1,250.0”; expected a number such as 1250.00. Write it without the comma.` */
function issueText(rowNumber: number, issue: RowIssue): readonly Piece[] {
  const letter = issue.columnLetter === undefined ? '' : ` (${issue.columnLetter})`;
  const where = `Row ${rowNumber}, ${printable(issue.column ?? issue.field)}${letter}`;
  const seen = issue.seen.trim() === '' ? 'saw nothing' : `saw “${printable(issue.seen)}”`;
  const advice =
    issue.suggestion === undefined ? '' : ` ${printable(issue.suggestion).replace(/([^.?!])$/, '$1.')}`;
  return [`${where}: ${seen}; expected ${printable(issue.expected)}.`, ...withInputs(advice, issue)];
}

/** What is to be said of the file, with the input that says it. */
function withInputs(advice: string, { column = '' }: RowIssue): readonly Piece[] {
  const found = /that the (?:column is not used|decimal mark is a (point|comma))/.exec(advice);
  if (found === null) return [advice];
  const [said, mark] = found;
  const way = mark === undefined ? input('ignore', `"${printable(column)}"`) : input('decimal', mark);
  const end = found.index + said.length;
  return [`${advice.slice(0, end)} (`, way, `)${advice.slice(end)}`];
}

/** One line per issue, for a short mail. */
export function shortIssues(rows: readonly RowIssues[]): readonly string[] {
  return rows.flatMap(({ rowNumber, issues }) =>
    issues.map(
      ({ column, field, seen, expected }) =>
        `Row ${rowNumber}, ${column ?? field}: saw “${seen}”; expected ${expected}`,
    ),
  );
}

export const issuesJson = (rows: readonly RowIssues[], sheet: string | undefined) =>
  rows.flatMap(({ rowNumber, issues }) => issues.map((issue) => ({ row: rowNumber, sheet, ...issue })));

/** Two sentences have the same kind if only numbers and quoted words differ. */
const kindOf = (sentence: string) => sentence.replace(/“[^”]*”/g, '“”').replace(/\d+/g, '0');

/** The first sentences of each kind. The last one is followed by the count of the rest. */
export function firstOfEachKind(sentences: readonly string[]): readonly (readonly Piece[])[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences) counts.set(kindOf(sentence), (counts.get(kindOf(sentence)) ?? 0) + 1);
  const shown = new Map<string, number>();
  return sentences.flatMap((sentence): readonly (readonly Piece[])[] => {
    const kind = kindOf(sentence);
    const before = shown.get(kind) ?? 0;
    shown.set(kind, before + 1);
    if (before >= MOST_OF_A_KIND) return [];
    const more = (counts.get(kind) ?? 0) - MOST_OF_A_KIND;
    if (before < MOST_OF_A_KIND - 1 || more <= 0) return [[sentence]];
    return [[sentence], [`… and ${countText(more)} more like this. `, input('all'), ' shows them.']];
  });
}
