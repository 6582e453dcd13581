/**
 * A workbook with drop-downs, coloured rules and named ranges, built whole in memory: the only file of the
 * template that knows exceljs. Its streaming writer (see xlsx-workbook.ts) has no drop-downs beside other rules.
 */
import ExcelJS from 'exceljs';
import {
  type CellStyle,
  cellValueOf,
  LINE_HEIGHT,
  type Sheet,
  type SheetSpec,
} from '../report/xlsx/xlsx-workbook.ts';

export type CellRule = ExcelJS.DataValidation;

/** Filled like a sheet of the report, and then given what only a template has. */
interface TemplateSheet extends Pick<Sheet, 'addRow' | 'rowCount' | 'rule'> {
  /** Of every cell of a column that has none of its own, counted from 1. */
  styleColumn(column: number, style: CellStyle): void;
  /** One rule for a whole range; a rule per cell makes Excel slow, and past 64,000 of them it repairs the file. */
  validate(range: string, rule: CellRule): void;
  /** The columns and rows that are printed, such as `A$1:C$9`: exceljs puts a `$` before each letter only. */
  printOnly(area: string): void;
  /** Protects against accidental changes only: there is no password. */
  protect(): Promise<void>;
}

export interface TemplateBook {
  addSheet(spec: SheetSpec): TemplateSheet;
  /** A name for cells of a sheet, such as `Lists!$A$2:$A$9`. */
  name(name: string, cells: string): void;
  bytes(): Promise<Uint8Array>;
}

export function newTemplateBook(about: { readonly title: string; readonly madeAt: number }): TemplateBook {
  const workbook = new ExcelJS.Workbook();
  const made = new Date(about.madeAt);
  Object.assign(workbook, { creator: 'payfile', lastModifiedBy: 'payfile', title: about.title });
  Object.assign(workbook, { created: made, modified: made });
  workbook.calcProperties.fullCalcOnLoad = true;
  return {
    addSheet: (spec) => newSheet(workbook, spec),
    name: (name, cells) => workbook.definedNames.add(cells, name),
    bytes: async () => new Uint8Array(await workbook.xlsx.writeBuffer()),
  };
}

function newSheet(workbook: ExcelJS.Workbook, { name, widths, frozen, tabColor }: SheetSpec): TemplateSheet {
  const sheet = workbook.addWorksheet(name, {
    properties: tabColor === undefined ? {} : { tabColor: { argb: tabColor } },
    views: frozen.rows === 0 ? [] : [{ state: 'frozen', ySplit: frozen.rows }],
    pageSetup: { paperSize: 9, orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
  });
  for (const [at, width] of widths.entries()) sheet.getColumn(at + 1).width = width;
  let rows = 0;
  let rules = 0;
  return {
    addRow: (cells, lines = 1) => {
      rows += 1;
      const row = sheet.getRow(rows);
      if (lines > 1) row.height = lines * LINE_HEIGHT;
      for (const [at, cell] of cells.entries()) {
        if (cell === undefined) continue;
        row.getCell(at + 1).value = cellValueOf(cell.value);
        row.getCell(at + 1).style = cell.style;
      }
    },
    rowCount: () => rows,
    rule: (ref, list) => {
      for (const { formula, style } of list) {
        rules += 1;
        sheet.addConditionalFormatting({
          ref,
          rules: [{ type: 'expression', formulae: [formula], priority: rules, style }],
        });
      }
    },
    styleColumn: (column, style) => {
      sheet.getColumn(column).style = style;
    },
    validate: (range, rule) => {
      // Missing from the published types of exceljs 4.4, whose own tests use it.
      (sheet as unknown as { dataValidations: { add: TemplateSheet['validate'] } }).dataValidations.add(
        range,
        rule,
      );
    },
    printOnly: (area) => {
      sheet.pageSetup.printArea = area;
    },
    protect: () =>
      sheet.protect('', { selectLockedCells: true, selectUnlockedCells: true, formatColumns: true }),
  };
}
