/**
 * The CSV report: the user's own columns with their names, order and text, then ours. The only file that
 * knows csv-stringify.
 *
 * Text that a spreadsheet would take for a formula is escaped, wherever it splits the line, and control characters are
 * shown by name (line breaks and tabs stay); a UTF-8 mark tells Excel the encoding.
 */
import { stringify } from 'csv-stringify/sync';
import { ownColumns, REPORT_COLUMNS } from '../../domain/reporting/report-columns.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import { visibleText } from '../../domain/text/printable.ts';
import { escapeFirstCell, escapeFormulas, isHarmless } from '../escape-text.ts';
import type { BeginReport } from './report-sink.ts';

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
