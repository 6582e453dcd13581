/**
 * A workbook with drop-downs, coloured rules and named ranges, built whole in memory: the only file of the
 * template that knows exceljs. Its streaming writer (see xlsx-report) has no drop-downs beside other rules.
 */
import ExcelJS from 'exceljs';

export type TemplateSheet = ExcelJS.Worksheet;
export type SheetStyle = Partial<ExcelJS.Style>;

export interface TemplateBook {
  sheet(name: string, look: SheetLook): TemplateSheet;
  /** A name for cells of a sheet, such as `Lists!$A$2:$A$9`. */
  name(name: string, cells: string): void;
  bytes(): Promise<Uint8Array>;
}

export interface SheetLook {
  readonly frozenRows: number;
  readonly widths: readonly number[];
  readonly tabColor: string;
  readonly landscape: boolean;
}

export function newTemplateBook(about: { readonly title: string; readonly madeAt: number }): TemplateBook {
  const workbook = new ExcelJS.Workbook();
  const made = new Date(about.madeAt);
  Object.assign(workbook, { creator: 'payfile', lastModifiedBy: 'payfile', title: about.title });
  Object.assign(workbook, { created: made, modified: made });
  workbook.calcProperties.fullCalcOnLoad = true;
  return {
    sheet(name, look) {
      const sheet = workbook.addWorksheet(name, {
        properties: { tabColor: { argb: look.tabColor } },
        views: look.frozenRows === 0 ? [] : [{ state: 'frozen', ySplit: look.frozenRows }],
        pageSetup: {
          paperSize: 9,
          orientation: look.landscape ? 'landscape' : 'portrait',
          fitToPage: true,
          fitToWidth: 1,
          fitToHeight: 0,
        },
      });
      for (const [at, width] of look.widths.entries()) sheet.getColumn(at + 1).width = width;
      return sheet;
    },
    name: (name, cells) => workbook.definedNames.add(cells, name),
    bytes: async () => new Uint8Array(await workbook.xlsx.writeBuffer()),
  };
}

export type FormulaValue = ExcelJS.CellFormulaValue;
export type CellRule = ExcelJS.DataValidation;

/** One rule for a whole range; a rule per cell makes Excel slow, and past 64,000 of them it repairs the file. */
export function addCellRule(sheet: TemplateSheet, range: string, rule: CellRule): void {
  // Missing from the published types of exceljs 4.4, whose own tests use it.
  const rules = (sheet as unknown as { dataValidations: { add(range: string, rule: CellRule): void } })
    .dataValidations;
  rules.add(range, rule);
}

/** Colours the cells of a range for which the formula, written for its first cell, is true. */
export function addColourRule(
  sheet: TemplateSheet,
  range: string,
  rule: { readonly formula: string; readonly argb: string; readonly priority: number },
): void {
  sheet.addConditionalFormatting({
    ref: range,
    rules: [
      {
        type: 'expression',
        formulae: [rule.formula],
        priority: rule.priority,
        style: { fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: rule.argb } } },
      },
    ],
  });
}

/** Against slips, not against people: there is no password. */
export async function protect(sheet: TemplateSheet): Promise<void> {
  await sheet.protect('', { selectLockedCells: true, selectUnlockedCells: true, formatColumns: true });
}
