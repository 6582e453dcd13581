/**
 * Recovery: when a process takes over a batch, payouts in `sending` may have been sent. payfile puts them in doubt and
 * never sends them again. The doubt also covers earlier tries that the service turned away.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import type { LeaseHolder, Part } from '../../ports/ledger/leases.ts';
import type { Ports } from '../ports.ts';
import { recordEvents } from '../record-event.ts';
import { turnedAwayTriesOf } from './turned-away.ts';

const PAGE_ROWS = 500;

/** Call only while you hold the lease of the batch or part. Notes who recovered the rows, and returns their number. */
export async function recoverBatch(
  batchId: BatchId,
  holder: LeaseHolder,
  ports: Pick<Ports, 'ledger' | 'tell' | 'clock' | 'log'>,
  part?: Part,
): Promise<number> {
  const rows = await countInFlight(batchId, ports, part);
  const by = { by: holder.user, command: holder.command };
  if (rows > 0) await ports.ledger.note(batchId, 'sending_recovered', { ...by, rows }, ports.clock.now());
  let recovered = 0;
  for (;;) {
    const { payouts } = await ports.ledger.page(batchId, inFlightPage(part));
    if (payouts.length === 0) return recovered;
    const at = ports.clock.now();
    const moves: { readonly payout: Payout; readonly event: PayoutEvent }[] = [];
    for (const payout of payouts) {
      const { since } = await turnedAwayTriesOf(payout, ports);
      moves.push({ payout, event: { kind: 'recover', ...(since === undefined ? {} : { since }), at } });
    }
    const results = await recordEvents(moves, ports);
    const moved = results.filter((result) => result.kind === 'recorded').length;
    // Another process changes these rows despite our lease. Stop, because this loop would not end.
    if (moved === 0) return recovered;
    recovered += moved;
    ports.log.write('warn', 'rows_found_in_flight', { batch: batchId, count: moved });
  }
}

const inFlightPage = (part: Part | undefined) =>
  ({ statuses: ['sending'], part, after: undefined, limit: PAGE_ROWS }) as const;

/** For a part, reads one page only, because one process has fewer rows in flight than a page. */
async function countInFlight(
  batchId: BatchId,
  { ledger }: Pick<Ports, 'ledger'>,
  part: Part | undefined,
): Promise<number> {
  if (part === undefined) return (await ledger.counts(batchId)).sending;
  return (await ledger.page(batchId, inFlightPage(part))).payouts.length;
}
