/**
 * The sheet Input as received: the user's own rows and columns, each cell as text, as it was read. Account numbers
 * are masked unless asked for, in their own column and wherever else the row repeats them.
 */
import type { BatchFile } from '../../../../domain/batches/batch.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import type { Field } from '../../../../domain/rows/row.ts';
import { printable } from '../../../../domain/text/printable.ts';
import { columnLetter, headerCells, overNumbers, textCell, wordsCell } from './cells.ts';
import { DeflatedRows } from './deflated-rows.ts';
import { maskedCells } from './masked-text.ts';
import { ROW_STYLE } from './styles.ts';
import type { Sheet } from './xlsx-workbook.ts';

export const INPUT = { name: 'Input as received' } as const;

const WIDTH_MIN = 9;
const WIDTH_MAX = 44;
const COLUMNS_MAX = 16_383;
const SLICE = 500;
/** A row of a sheet is no taller. */
const LINES_MAX = 25;

export class Input {
  readonly #kept = new DeflatedRows();
  readonly #file: BatchFile;
  readonly #fullAccounts: boolean;
  readonly #fields: ReadonlyMap<number, Field>;
  readonly #widths: number[];

  constructor(file: BatchFile, fullAccounts: boolean) {
    this.#file = file;
    this.#fullAccounts = fullAccounts;
    this.#fields = new Map([...file.columns].map(([field, at]) => [at, field]));
    this.#widths = file.headers.map((header) => header.length);
  }

  add(line: ReportLine): void {
    const cells = this.#fullAccounts ? line.cells : maskedCells(line, this.#fields);
    for (const [at, cell] of cells.entries()) {
      if (cell.length > (this.#widths[at] ?? 0)) this.#widths[at] = cell.length;
    }
    this.#kept.add([line.row, ...cells.slice(0, COLUMNS_MAX)]);
  }

  packed(): Promise<void> {
    return this.#kept.packed();
  }

  widths(): readonly number[] {
    const own = [...this.#widths].map((width = 0) => Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width + 3)));
    return [8, ...own.slice(0, COLUMNS_MAX)];
  }

  async writeTo(sheet: Sheet): Promise<void> {
    const { length } = this.widths();
    const names = Array.from({ length: length - 1 }, (_, at) => this.#file.headers[at] ?? '');
    sheet.addRow(headerCells([overNumbers('Row'), ...names.map((name) => printable(name))]));
    let written = 0;
    for await (const [row, ...cells] of this.#kept.rows()) {
      const texts = cells.map(String);
      const lines = texts.reduce((most, text) => Math.max(most, linesOf(text)), 1);
      const own = texts.map((text) => (linesOf(text) > 1 ? wordsCell(text) : textCell(text)));
      sheet.addRow([{ value: Number(row), style: ROW_STYLE }, ...own], Math.min(lines, LINES_MAX));
      written += 1;
      if (written % SLICE === 0) await sheet.drained();
    }
    sheet.filter(`A1:${columnLetter(length)}${sheet.rowCount()}`);
  }
}

function linesOf(text: string): number {
  return text.includes('\n') ? text.split('\n').length : 1;
}
