/** Trouble as a payroll officer reads it: one place of each kind, how many rows share it, and all rows on demand. */
import { describe, expect, it } from 'vitest';
import type { RowIssues } from '../../../src/domain/rows/row.ts';
import { isGrouped, printIssues } from '../../../src/faces/cli/show/issues.ts';

function rows(...numbers: readonly number[]): RowIssues[] {
  return numbers.map((rowNumber) => ({
    rowNumber,
    issues: [
      {
        kind: 'institution_unknown',
        field: 'institution',
        column: 'Bank',
        columnLetter: 'C',
        seen: `KCBL ${rowNumber}`,
        expected: 'an institution of Kenya',
        suggestion: undefined,
      },
    ],
  }));
}

describe('issues on a terminal', () => {
  it('are one line for each kind and column: the first place, then the other rows', () => {
    const lines = printIssues(rows(5, 9, 14), { all: false, columns: 100 });
    expect(lines).toEqual([
      'Row 5, Bank (C): saw “KCBL 5”; expected an institution of Kenya.',
      '    and the like in 2 rows more: 9, 14',
    ]);
    expect(isGrouped(rows(5, 9, 14))).toBe(true);
  });

  it('name eight rows of a long list, and count the rest', () => {
    const lines = printIssues(rows(...Array.from({ length: 2_000 }, (_, at) => at + 2)), {
      all: false,
      columns: 100,
    });
    expect(lines[1]).toBe('    and the like in 1,999 rows more: 3, 4, 5, 6, 7, 8, 9, 10 …');
  });

  it('are one place a row with --all, or where each stands alone', () => {
    expect(printIssues(rows(5, 9), { all: true, columns: 100 })).toHaveLength(2);
    expect(printIssues(rows(5), { all: false, columns: 100 })).toHaveLength(1);
    expect(isGrouped(rows(5))).toBe(false);
  });
});
