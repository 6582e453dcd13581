/** The rows of a batch that cannot be paid as written, with their issues, in file order. */
import type { BatchId } from '../domain/instruction.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { RowIssues } from './print-issues.ts';

const ROWS_MAX = 100_000;

export async function invalidRowsOf(batchId: BatchId, ledger: Ledger): Promise<RowIssues[]> {
  const rows: RowIssues[] = [];
  for await (const page of ledger.payouts(batchId, { statuses: ['invalid'] })) {
    for (const { rowNumber, state } of page)
      if (state.status === 'invalid') rows.push({ rowNumber, issues: state.issues });
    if (rows.length >= ROWS_MAX) return rows;
  }
  return rows;
}
