/**
 * Recovery: a payout found in `sending` when a batch is taken over may have been on the wire. The machine never sends it
 * again: it is in doubt.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Ports } from '../ports.ts';
import { recordEvents } from '../record-event.ts';

const PAGE_ROWS = 500;

/** Call only while holding the batch's lease. Keeps who found them, and returns how many rows were found in flight. */
export async function recoverBatch(
  batchId: BatchId,
  holder: LeaseHolder,
  ports: Pick<Ports, 'ledger' | 'tell' | 'clock' | 'log'>,
): Promise<number> {
  const { sending: rows } = await ports.ledger.counts(batchId);
  const by = { by: holder.user, command: holder.command };
  if (rows > 0) await ports.ledger.note(batchId, 'sending_recovered', { ...by, rows }, ports.clock.now());
  let recovered = 0;
  for (;;) {
    const question = { statuses: ['sending'] as const, after: undefined, limit: PAGE_ROWS };
    const { payouts } = await ports.ledger.page(batchId, question);
    if (payouts.length === 0) return recovered;
    const at = ports.clock.now();
    const results = await recordEvents(
      payouts.map((payout) => ({ payout, event: { kind: 'recover', at } as const })),
      ports,
    );
    const moved = results.filter((result) => result.kind === 'recorded').length;
    // Another process changes these rows although the lease is ours: stop, because this loop would not end.
    if (moved === 0) return recovered;
    recovered += moved;
    ports.log.write('warn', 'rows_found_in_flight', { batch: batchId, count: moved });
  }
}
