/**
 * The sheet Input as received: the user's own rows and columns, each cell as text, as it was read. Account numbers
 * are masked unless asked for, in their own column and wherever else the row repeats them.
 */
import type { BatchFile } from '../../../domain/batches/batch.ts';
import { maskedCells } from '../../../domain/reporting/hidden-accounts.ts';
import type { ReportLine } from '../../../domain/reporting/report-line.ts';
import type { Field } from '../../../domain/rows/row.ts';
import { printable } from '../../../domain/text/printable.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { TableSheet, widthsOf } from './sheet.ts';
import { DeflatedRows, type PackedRow, type Sheet } from './xlsx-workbook.ts';

const WIDTH_MIN = 9;
const WIDTH_MAX = 44;
const COLUMNS_MAX = 16_383;
const SLICE = 500;

export const INPUT_NAME = 'Input as received';
export const CORRECTED_INPUT_NAME = 'Input as read';

/** The file that was received holds other cells where people corrected some beside it. */
export function inputName({ corrected }: Pick<BatchFile, 'corrected'>): string {
  return corrected === undefined ? INPUT_NAME : CORRECTED_INPUT_NAME;
}

export class Input {
  readonly #kept = new DeflatedRows();
  readonly #headers: readonly string[];
  readonly #fullAccounts: boolean;
  readonly #fields: ReadonlyMap<number, Field>;
  readonly #longest: number[];

  constructor(file: BatchFile, fullAccounts: boolean) {
    this.#headers = file.headers;
    this.#fullAccounts = fullAccounts;
    this.#fields = new Map([...file.columns].map(([field, at]) => [at, field]));
    this.#longest = file.headers.map((header) => header.length);
  }

  add(line: ReportLine): void {
    const cells = this.#fullAccounts ? line.cells : maskedCells(line, this.#fields);
    for (const [at, cell] of cells.entries()) {
      if (cell.length > (this.#longest[at] ?? 0)) this.#longest[at] = cell.length;
    }
    this.#kept.add([line.row, ...cells.slice(0, COLUMNS_MAX)]);
  }

  packed(): Promise<void> {
    return this.#kept.packed();
  }

  /** Known when all rows are. */
  get widths(): readonly number[] {
    return widthsOf(this.#columns());
  }

  async writeTo(sheet: Sheet): Promise<void> {
    const table = new TableSheet(sheet, this.#columns());
    let written = 0;
    for await (const row of this.#kept.rows()) {
      table.add(row);
      written += 1;
      if (written % SLICE === 0) await sheet.drained();
    }
    table.end();
  }

  #columns(): readonly Column<PackedRow>[] {
    const own = Array.from(this.#longest.slice(0, COLUMNS_MAX), (length = 0, at): Column<PackedRow> => {
      const width = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, length + 3));
      const header = printable(this.#headers[at] ?? '');
      return column.received(header, (row) => String(row[at + 1] ?? ''), { width });
    });
    return [column.row('Row', ([row]) => Number(row), { width: 8 }), ...own];
  }
}
