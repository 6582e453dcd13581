/**
 * A payout file in memory: what a reader of CSV or XLSX would give.
 */
import { createHash } from 'node:crypto';
import { FIELDS, type Field } from '../../src/domain/rows/row.ts';
import type { OpenRows } from '../../src/ports/row-source.ts';

/** One row by field, and by header in `own`; every field and header that any row has becomes a column. */
export type FileRow = Readonly<Partial<Record<Field, string>>> & {
  readonly own?: Readonly<Record<string, string>>;
};

export function aRow(number: number, changes: FileRow = {}): FileRow {
  const digits = String(number).padStart(3, '0');
  return {
    reference: `GH-${digits}`,
    country: 'Ghana',
    institution: 'MTN Mobile Money',
    account: `0244123${digits}`,
    name: 'Ama Mensah',
    amount: '1200.00',
    note: 'May salary',
    ...changes,
  };
}

export const someRows = (count: number, changes: FileRow = {}): FileRow[] =>
  Array.from({ length: count }, (_, index) => aRow(index + 1, changes));

export function openRowsOf(rows: readonly FileRow[]): OpenRows {
  const fields = FIELDS.filter((field) => rows.some((row) => row[field] !== undefined));
  const own = [...new Set(rows.flatMap((row) => Object.keys(row.own ?? {})))];
  const headers = [...fields, ...own];
  const cells = rows.map((row) => [
    ...fields.map((field) => row[field] ?? ''),
    ...own.map((header) => row.own?.[header] ?? ''),
  ]);
  const sha256 = createHash('sha256')
    .update(JSON.stringify([headers, cells]))
    .digest('hex');
  return async () => ({
    format: 'csv',
    fileSha256: () => sha256,
    headers,
    columns: new Map(fields.map((field, index) => [field, index])),
    notes: [],
    sheet: undefined,
    headerRow: 1,
    async *rows() {
      yield cells.map((texts, index) => ({ rowNumber: index + 2, cells: texts }));
    },
    blankRows: () => 0,
    close: async () => undefined,
  });
}
