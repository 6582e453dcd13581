/** Trouble as a payroll officer reads it: one place of each kind, how many rows share it, and all rows on demand. */
import { describe, expect, it } from 'vitest';
import { command } from '../../src/domain/next-steps/command.ts';
import type { RowIssues } from '../../src/domain/rows/row.ts';
import { firstOfEachKind, issueBlocks } from '../../src/operations/issue-blocks.ts';
import { drawn } from '../builders/drawn.ts';

const ALL_BY = command('check', ['may.csv'], [['--all']]);
const EVERY_ROW = 'Every row: payfile check may.csv --all';
const issueLines = (rows: readonly RowIssues[], all = false) =>
  drawn(issueBlocks(rows, { all, allBy: ALL_BY }));

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
    const lines = issueLines(sameBank(5, 9, 14));
    expect(lines).toEqual([
      'Row 5, Bank (C): saw “KCBL”; expected an institution of Kenya.',
      '    the same in 2 more rows: 9, 14',
      EVERY_ROW,
    ]);
  });

  it('show each of three wrong names over sixty rows', () => {
    const found = firstNumbers(60).flatMap((row) =>
      rows(row).map(({ issues }) => ({
        rowNumber: row,
        issues: issues.map((issue) => ({ ...issue, seen: ['KCBL', 'Equitie', 'GCP Bank'][row % 3] ?? '' })),
      })),
    );
    const lines = issueLines(found);
    expect(lines.map((line) => line.slice(0, 36))).toEqual([
      'Row 2, Bank (C): saw “GCP Bank”; exp',
      '    the same in 19 more rows: 5, 8, ',
      'Row 3, Bank (C): saw “KCBL”; expecte',
      '    the same in 19 more rows: 6, 9, ',
      'Row 4, Bank (C): saw “Equitie”; expe',
      '    the same in 19 more rows: 7, 10,',
      EVERY_ROW.slice(0, 36),
    ]);
  });

  it('stand in the order of the rows, whatever is wrong', () => {
    const amount = (row: number): RowIssues[] =>
      rows(row).map(({ rowNumber, issues }) => ({
        rowNumber,
        issues: issues.map((issue) => ({ ...issue, kind: 'amount_zero', field: 'amount' as const })),
      }));
    const lines = issueLines([...rows(2), ...amount(3), ...rows(5), ...amount(9)]);
    expect(lines.map((line) => line.slice(0, 5))).toEqual(['Row 2', 'Row 3', 'Row 5', 'Row 9']);
  });

  it('show twenty values of a kind, and count the rest', () => {
    const found = rows(...firstNumbers(5_000));
    const lines = issueLines(found);
    expect(lines).toHaveLength(22);
    expect(lines.slice(-2)).toEqual([
      '    … and 4,980 more values in 4,980 rows with the same issue',
      EVERY_ROW,
    ]);
  });

  it('name eight rows of a long list, and count the rest', () => {
    const lines = issueLines(sameBank(...firstNumbers(2_000)));
    expect(lines[1]).toBe('    the same in 1,999 more rows: 3, 4, 5, 6, 7, 8, 9, 10 …');
  });

  it('are one place a row with --all, or where each stands alone', () => {
    expect(issueLines(rows(5, 9), true)).toHaveLength(2);
    expect(issueLines(rows(5))).toHaveLength(1);
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
    expect(shown[21]).toEqual(['… and 830 more like this. ', { input: 'all' }, ' shows them.']);
    expect(shown[22]?.[0]).toContain('the phone is stored');
  });
});
