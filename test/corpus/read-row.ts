/** Reads rows as a file of them is read, and says what the first one comes to. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatDecimal } from '../../src/domain/money/money.ts';
import { FIELDS, type Field, type RowIssue } from '../../src/domain/rows/row.ts';
import { readWhole } from './read-corpus.ts';

export type Row = Readonly<Partial<Record<Field, string>>>;

export interface RowReading {
  /** `0712345678 1200.00 KES`; undefined: it cannot be paid. */
  readonly paid: string | undefined;
  readonly issues: readonly RowIssue[];
  /** Of the file. */
  readonly notes: readonly string[];
}

export async function readRow(row: Row, others: readonly Row[] = []): Promise<RowReading> {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-row-'));
  const path = join(folder, 'rows.csv');
  const cells = (each: Row) =>
    FIELDS.map((field) => `"${(each[field] ?? '').replaceAll('"', '""')}"`).join(',');
  writeFileSync(path, `${FIELDS.join(',')}\n${[row, ...others].map(cells).join('\n')}\n`);
  const { rows, fileNotes: notes } = await readWhole(path, new Map());
  rmSync(folder, { recursive: true });
  const [first] = rows;
  if (first === undefined) throw new Error('No row was read');
  if (first.kind === 'invalid') return { paid: undefined, issues: first.issues, notes };
  const { account, amount } = first.instruction;
  return { paid: `${account.reveal()} ${formatDecimal(amount)} ${amount.currency}`, issues: [], notes };
}
