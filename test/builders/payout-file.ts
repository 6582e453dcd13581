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

interface Table {
  readonly fields: readonly Field[];
  readonly headers: readonly string[];
  readonly cells: readonly (readonly string[])[];
}

/** The rows as a table: every field and header that any row has is a column. */
export function tableOf(rows: readonly FileRow[]): Table {
  const fields = FIELDS.filter((field) => rows.some((row) => row[field] !== undefined));
  const own = [...new Set(rows.flatMap((row) => Object.keys(row.own ?? {})))];
  const cells = rows.map((row) => [
    ...fields.map((field) => row[field] ?? ''),
    ...own.map((header) => row.own?.[header] ?? ''),
  ]);
  return { fields, headers: [...fields, ...own], cells };
}

/** `mark`: with another one, the same rows are a file of other bytes. */
export function sha256Of(rows: readonly FileRow[], mark = ''): string {
  const { headers, cells } = tableOf(rows);
  return createHash('sha256')
    .update(JSON.stringify([mark, headers, cells]))
    .digest('hex');
}

export function openRowsOf(rows: readonly FileRow[], mark = ''): OpenRows {
  const { fields, headers, cells } = tableOf(rows);
  const sha256 = sha256Of(rows, mark);
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
