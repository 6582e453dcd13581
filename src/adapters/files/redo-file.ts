/**
 * The file of rows to be paid again: the user's own columns as they were written, plus the instruction that
 * each row replaces. It loads again as input, so nothing in it is escaped.
 *
 * In a workbook every cell is text: a spreadsheet neither rounds an account number nor runs a formula.
 */
import { REPLACES_COLUMN } from '../../domain/report-columns.ts';
import type { RedoSink } from '../../ports/report-sink.ts';
import { csvText, UTF8_MARK } from './csv-report.ts';
import type { ReportFile } from './write-report-file.ts';
import { HEADER_STYLE, TEXT_STYLE } from './xlsx-report/styles.ts';
import { newWorkbook, type Sheet } from './xlsx-report/xlsx-workbook.ts';

export function redoCsv(file: ReportFile): RedoSink {
  return {
    begin: (headers) => file.write(UTF8_MARK + csvText([[...headers, REPLACES_COLUMN]])),
    write: async (rows) => {
      if (rows.length > 0) await file.write(csvText(rows.map((row) => [...row.cells, row.replaces])));
    },
    end: () => file.commit(),
    abort: () => file.abort(),
  };
}

export function redoWorkbook(file: ReportFile): RedoSink {
  const workbook = newWorkbook(file, { title: 'Rows to be paid again', createdAt: undefined });
  let sheet: Sheet | undefined;
  return {
    begin: async (headers) => {
      const names = [...headers, REPLACES_COLUMN];
      sheet = workbook.addSheet({
        name: 'Payments',
        widths: names.map((name) => Math.min(48, Math.max(14, name.length + 4))),
        columnStyle: TEXT_STYLE,
        frozen: { rows: 1, columns: 0 },
      });
      sheet.addRow(names.map((value) => ({ value, style: HEADER_STYLE })));
    },
    write: async (rows) => {
      for (const row of rows) {
        sheet?.addRow([...row.cells, row.replaces].map((value) => ({ value, style: TEXT_STYLE })));
      }
      await sheet?.drained();
    },
    end: async () => {
      sheet?.close();
      await workbook.finish(['Payments']);
      await file.commit();
    },
    abort: () => file.abort(),
  };
}
