/** Trouble as a payroll officer reads it: one place of each kind, how many rows share it, and all rows on demand. */
import { describe, expect, it } from 'vitest';
import { isGrouped, printIssues } from '../../src/cli/show/issues.ts';
import { firstOfEachKind } from '../../src/cli/show/many-alike.ts';
import type { RowIssues } from '../../src/domain/rows/row.ts';

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

const sameBank = (...numbers: readonly number[]): RowIssues[] =>
  rows(...numbers).map(({ rowNumber, issues }) => ({
    rowNumber,
    issues: issues.map((issue) => ({ ...issue, seen: 'KCBL' })),
  }));
const firstNumbers = (count: number) => Array.from({ length: count }, (_, at) => at + 2);

describe('issues on a terminal', () => {
  it('are one line for each wrong value: the first place, then the other rows', () => {
    const lines = printIssues(sameBank(5, 9, 14), { all: false, columns: 100 });
    expect(lines).toEqual([
      'Row 5, Bank (C): saw “KCBL”; expected an institution of Kenya.',
      '    the same in 2 rows more: 9, 14',
    ]);
    expect(isGrouped(sameBank(5, 9, 14))).toBe(true);
  });

  it('show each of three wrong names over sixty rows', () => {
    const found = firstNumbers(60).flatMap((row) =>
      rows(row).map(({ issues }) => ({
        rowNumber: row,
        issues: issues.map((issue) => ({ ...issue, seen: ['KCBL', 'Equitie', 'GCP Bank'][row % 3] ?? '' })),
      })),
    );
    const lines = printIssues(found, { all: false, columns: 100 });
    expect(lines.map((line) => line.slice(0, 36))).toEqual([
      'Row 2, Bank (C): saw “GCP Bank”; exp',
      '    the same in 19 rows more: 5, 8, ',
      'Row 3, Bank (C): saw “KCBL”; expecte',
      '    the same in 19 rows more: 6, 9, ',
      'Row 4, Bank (C): saw “Equitie”; expe',
      '    the same in 19 rows more: 7, 10,',
    ]);
  });

  it('stand in the order of the rows, whatever is wrong', () => {
    const amount = (row: number): RowIssues[] =>
      rows(row).map(({ rowNumber, issues }) => ({
        rowNumber,
        issues: issues.map((issue) => ({ ...issue, kind: 'amount_zero', field: 'amount' as const })),
      }));
    const lines = printIssues([...rows(2), ...amount(3), ...rows(5), ...amount(9)], {
      all: false,
      columns: 100,
    });
    expect(lines.map((line) => line.slice(0, 5))).toEqual(['Row 2', 'Row 3', 'Row 5', 'Row 9']);
  });

  it('show twenty values of a kind, and count the rest', () => {
    const found = rows(...firstNumbers(5_000));
    const lines = printIssues(found, { all: false, columns: 100 });
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('    … and 4,980 more values in 4,980 rows, wrong in the same way');
    expect(isGrouped(found)).toBe(true);
  });

  it('name eight rows of a long list, and count the rest', () => {
    const lines = printIssues(sameBank(...firstNumbers(2_000)), { all: false, columns: 100 });
    expect(lines[1]).toBe('    the same in 1,999 rows more: 3, 4, 5, 6, 7, 8, 9, 10 …');
  });

  it('are one place a row with --all, or where each stands alone', () => {
    expect(printIssues(rows(5, 9), { all: true, columns: 100 })).toHaveLength(2);
    expect(printIssues(rows(5), { all: false, columns: 100 })).toHaveLength(1);
    expect(isGrouped(rows(5))).toBe(false);
  });
});

describe('notes and holds of many rows', () => {
  it('are shown twenty of a kind, with how many more there are', () => {
    const notes = [
      'header found on row 1',
      ...firstNumbers(850).map((row) => `Row ${row}: the account comes from a formula`),
      'Row 3: the phone is stored as a number; a leading zero or + may be lost',
    ];
    const shown = firstOfEachKind(notes);
    expect(shown).toHaveLength(23);
    expect(shown[21]).toBe('… and 830 more like this (--all shows them)');
    expect(shown[22]).toContain('the phone is stored');
  });
});
