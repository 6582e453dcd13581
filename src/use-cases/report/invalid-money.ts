/** The money of rows that cannot be paid as written, where their amount can be read for certain. Reads these rows alone. */
import type { Batch } from '../../domain/batches/batch.ts';
import { CurrencyCounter, type LedgerTotal } from '../../domain/reporting/currency-totals.ts';
import { lineContext, reportLineOf } from '../../domain/reporting/report-line.ts';
import type { Ports } from '../ports.ts';
import { reportHeader } from './report-batch.ts';

const PAGE_ROWS = 500;

export async function invalidMoney(
  batch: Batch,
  ports: Pick<Ports, 'ledger' | 'clock' | 'policy'>,
): Promise<readonly LedgerTotal[]> {
  const context = lineContext(await reportHeader(batch, ports));
  const counter = new CurrencyCounter();
  for (let after: number | undefined, isMore = true; isMore; ) {
    const question = { statuses: ['invalid'] as const, after, limit: PAGE_ROWS };
    const { rows, next } = await ports.ledger.reportPage(batch.id, question);
    for (const row of rows) {
      const { amount } = reportLineOf(row, context);
      if (amount !== undefined) counter.add('invalid', amount, undefined);
    }
    after = next;
    isMore = next !== undefined;
  }
  return counter.asked();
}
