/**
 * What is wrong with rows, kind by kind, and within a kind value by value: a value that is wrong in the same way in many
 * rows is one thing to mend.
 */
import type { RowIssue, RowIssues } from './row.ts';

export interface IssueGroup {
  /** The first row of it. */
  readonly first: number;
  readonly issue: RowIssue;
  readonly others: number[];
}

/** In the order in which the trouble first comes up. */
export function issueGroups(rows: readonly RowIssues[]): readonly (readonly IssueGroup[])[] {
  const kinds = new Map<string, Map<string, IssueGroup>>();
  for (const { rowNumber, issues } of rows) {
    for (const issue of issues) {
      const kind = `${issue.kind} ${issue.field}`;
      const values = kinds.get(kind) ?? new Map<string, IssueGroup>();
      kinds.set(kind, values);
      const value = JSON.stringify([issue.seen, issue.expected]);
      const group = values.get(value);
      if (group === undefined) values.set(value, { first: rowNumber, issue, others: [] });
      else group.others.push(rowNumber);
    }
  }
  return [...kinds.values()].map((values) => [...values.values()]);
}
