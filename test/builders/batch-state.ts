/** How one batch stands, and what its report says, as their views get it. */

import type { Batch } from '../../src/domain/batches/batch.ts';
import type { InputOf } from '../../src/operations/operation.ts';
import { report } from '../../src/operations/report.ts';
import { type BatchState, overview, status } from '../../src/operations/status.ts';
import type { Payfile } from '../../src/payfile.ts';
import type { BatchSummary } from '../../src/use-cases/report/batch-view.ts';

export async function stateOf(payfile: Pick<Payfile, 'call'>, batch: string): Promise<BatchState> {
  const result = await payfile.call(status, { batch });
  if (result.kind !== 'one') throw new TypeError('status of one batch answered for all');
  return result;
}

/** `more`: where the report is written, and how. Without it only the totals are made. */
export async function summaryOf(
  payfile: Pick<Payfile, 'call'>,
  batch: string,
  more: Omit<InputOf<typeof report>, 'batch'> = {},
): Promise<BatchSummary> {
  const result = await payfile.call(report, { batch, ...more });
  if (result.kind !== 'batch') throw new TypeError('the report is not about one batch');
  return result;
}

/** Of a ledger with few of them, newest first. */
export async function batchesOf(payfile: Pick<Payfile, 'call'>): Promise<readonly Batch[]> {
  return (await payfile.call(overview, { limit: 200 })).batches.map(({ batch }) => batch);
}
