/**
 * Which payouts a person means: spreadsheet row numbers, references, or all of them.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { World } from '../world.ts';

export type Choice = { readonly kind: 'all' } | { readonly kind: 'rows'; readonly rows: readonly string[] };

/** A row that names no payout, or more than one. Exit code 64. */
export class RowNotFound extends Error {
  override readonly name = 'RowNotFound';
  readonly code = 'row_not_found';
}

export async function choosePayout(
  batchId: BatchId,
  row: string,
  world: Pick<World, 'ledger'>,
): Promise<Payout> {
  const found = await world.ledger.findPayouts(batchId, row);
  const [payout] = found;
  if (payout === undefined)
    throw new RowNotFound(`No row “${row}” in this batch. Give a spreadsheet row number or a reference.`);
  if (found.length > 1) {
    const rows = found.map(({ rowNumber }) => rowNumber).join(', ');
    throw new RowNotFound(`“${row}” fits rows ${rows}. Give the spreadsheet row number.`);
  }
  return payout;
}

/** Calls back for every chosen payout in file order. With `all`, only those in the given statuses. */
export async function eachChosen(
  batchId: BatchId,
  choice: Choice,
  statuses: readonly Payout['state']['status'][],
  world: Pick<World, 'ledger'>,
  visit: (payout: Payout) => Promise<void>,
): Promise<void> {
  if (choice.kind === 'all') {
    for await (const page of world.ledger.payouts(batchId, { statuses }))
      for (const payout of page) await visit(payout);
    return;
  }
  const payouts: Payout[] = [];
  for (const row of choice.rows) payouts.push(await choosePayout(batchId, row, world));
  for (const payout of payouts) await visit(payout);
}
