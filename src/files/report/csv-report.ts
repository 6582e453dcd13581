/**
 * The CSV report: the user's own columns with their names, order and text, then ours. The only file that
 * knows csv-stringify.
 *
 * Text that a spreadsheet would take for a formula is escaped, wherever it splits the line, and control characters are
 * shown by name (line breaks and tabs stay); a UTF-8 mark tells Excel the encoding.
 */
import { stringify } from 'csv-stringify/sync';
import { ownColumns, REPLACES_COLUMN, REPORT_COLUMNS } from '../../domain/reporting/report-columns.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import { visibleText } from '../../domain/text/printable.ts';
import type { RedoSink } from '../../ports/outputs.ts';
import { escapeFirstCell, escapeFormulas, isHarmless } from '../escape-text.ts';
import type { ReportFile } from './report-file.ts';
import type { BeginReport } from './report-sink.ts';
import { HEADER_STYLE, TEXT_STYLE } from './xlsx/styles.ts';
import { newWorkbook, type Sheet } from './xlsx/xlsx-workbook.ts';

export const UTF8_MARK = '\ufeff';

export const csvReport: BeginReport = async (header, file) => {
  const { headers } = header.batch.file;
  const own = ownColumns(headers);
  const names = [...own.map((at) => headers[at] ?? ''), ...REPORT_COLUMNS.map((name) => `payfile_${name}`)];
  await file.write(UTF8_MARK + shownCsv([names]));
  return {
    write: (lines) => file.write(shownCsv(lines.map((line) => recordOf(line, own)))),
    end: () => undefined,
  };
};

/** Each cell as it stands, in quotes where it needs them. */
export function csvText(records: readonly (readonly string[])[]): string {
  return stringify(records as string[][]);
}

/** Each cell harmless to a spreadsheet. A cell that says the same as the one above it is not looked at again. */
export function shownCsv(records: readonly (readonly string[])[]): string {
  const above: string[] = [];
  const shown: string[] = [];
  return csvText(
    records.map((record) =>
      record.map((cell, at) => {
        if (cell !== above[at]) {
          above[at] = cell;
          shown[at] = shownCell(cell, at);
        }
        return shown[at] ?? '';
      }),
    ),
  );
}

function recordOf(line: ReportLine, own: readonly number[]): string[] {
  const record: string[] = [];
  for (const at of own) record.push(line.cells[at] ?? '');
  for (const column of REPORT_COLUMNS) record.push(line.texts[column]);
  return record;
}

function shownCell(text: string, at: number): string {
  // Nearly every cell is, and one look is less than three.
  if (isHarmless(text)) return text;
  return (at === 0 ? escapeFirstCell : escapeFormulas)(visibleText(text));
}

/**
 * The file of rows to be paid again: the user's own columns as they were written, plus the instruction that
 * each row replaces. It loads again as input, so nothing in it is escaped.
 *
 * In a workbook every cell is text: a spreadsheet neither rounds an account number nor runs a formula.
 */

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
