/**
 * Conditional formats of the report: one rule for a whole range each, never one per cell. They follow what a person
 * changes; the words beside say the same to those who do not see colours.
 */
import { GROUP_WORDS } from '../../../../domain/reporting/control-totals.ts';
import type { CellStyle, Rule } from './xlsx-workbook.ts';

/** Cells that say `ties` or `differs by …`; `first` is the first of them. */
export function checkRules(first: string): readonly Rule[] {
  return [
    {
      formula: `LEFT(${first},7)="differs"`,
      style: { font: { bold: true, color: { argb: 'FF7F1D1D' } }, fill: filled('FFFCA5A5') },
    },
    { formula: `${first}="ties"`, style: { font: { bold: true, color: { argb: 'FF166534' } } } },
  ];
}

/** Whole rows by what they count as; `first` is the first cell of that column, such as `$G2`. */
export function groupRules(first: string): readonly Rule[] {
  return [
    { formula: `${first}="${GROUP_WORDS.in_doubt.word}"`, style: { fill: filled('FFFEF9C3') } },
    { formula: `${first}="${GROUP_WORDS.failed.word}"`, style: { fill: filled('FFFEE2E2') } },
    { formula: `${first}="${GROUP_WORDS.returned.word}"`, style: { fill: filled('FFFFEDD5') } },
  ];
}

/** Cells that must not stay empty. */
export function blankRule(first: string): readonly Rule[] {
  return [{ formula: `LEN(TRIM(${first}))=0`, style: { fill: filled('FFFDE68A') } }];
}

/** A rule takes the colour of a solid fill from what a cell's style calls its background. */
function filled(argb: string): NonNullable<CellStyle['fill']> {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb }, bgColor: { argb } };
}
