/**
 * The file of rows to be paid again: the user's own columns as they were written, plus the instruction that
 * each row replaces. It loads again as input, so nothing in it is escaped.
 *
 * In a workbook every cell is text: a spreadsheet neither rounds an account number nor runs a formula.
 */
import type { RedoRow } from '../../domain/reporting/redo.ts';
import { REPLACES_COLUMN } from '../../domain/reporting/report-columns.ts';
import { csvText, UTF8_MARK } from './csv-report.ts';
import type { Begin } from './report-sink.ts';
import { cell } from './xlsx/cells.ts';
import { LOOK } from './xlsx/styles.ts';
import { newWorkbook } from './xlsx/xlsx-workbook.ts';

type BeginRedo = Begin<readonly string[], RedoRow>;

export const redoCsv: BeginRedo = async (headers, file) => {
  await file.write(UTF8_MARK + csvText([[...headers, REPLACES_COLUMN]]));
  return {
    write: async (rows) => {
      if (rows.length > 0) await file.write(csvText(rows.map((row) => [...row.cells, row.replaces])));
    },
    end: () => undefined,
  };
};

const NAME = 'Payments';

export const redoWorkbook: BeginRedo = (headers, file) => {
  const workbook = newWorkbook(file, { title: 'Rows to be paid again', createdAt: undefined });
  const names = [...headers, REPLACES_COLUMN];
  const sheet = workbook.addSheet({
    name: NAME,
    widths: names.map((name) => Math.min(48, Math.max(14, name.length + 4))),
    columnStyle: LOOK.text,
    frozen: { rows: 1, columns: 0 },
  });
  sheet.addRow(names.map((name) => cell('header', name)));
  return {
    write: async (rows) => {
      for (const row of rows) sheet.addRow([...row.cells, row.replaces].map((text) => cell('text', text)));
      await sheet.drained();
    },
    end: async () => {
      sheet.close();
      await workbook.finish([NAME]);
    },
  };
};
