/**
 * Recovery: a payout found in `sending` when a batch is taken over may have been on the wire. The machine never sends it
 * again: it is in doubt. The doubt also covers earlier tries that the service turned away.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import type { LeaseHolder, Part } from '../../ports/ledger/leases.ts';
import type { Ports } from '../ports.ts';
import { recordEvents } from '../record-event.ts';
import { turnedAway } from './turned-away.ts';

const PAGE_ROWS = 500;

/**
 * Call only while holding the lease of the batch, or of the part. Keeps who found them, and returns how many rows were
 * found in flight.
 */
export async function recoverBatch(
  batchId: BatchId,
  holder: LeaseHolder,
  ports: Pick<Ports, 'ledger' | 'tell' | 'clock' | 'log'>,
  part?: Part,
): Promise<number> {
  const rows = await inFlight(batchId, ports, part);
  const by = { by: holder.user, command: holder.command };
  if (rows > 0) await ports.ledger.note(batchId, 'sending_recovered', { ...by, rows }, ports.clock.now());
  let recovered = 0;
  for (;;) {
    const { payouts } = await ports.ledger.page(batchId, sendingOf(part));
    if (payouts.length === 0) return recovered;
    const at = ports.clock.now();
    const moves: { readonly payout: Payout; readonly event: PayoutEvent }[] = [];
    for (const payout of payouts) {
      const { since } = await turnedAway(payout, ports);
      moves.push({ payout, event: { kind: 'recover', ...(since === undefined ? {} : { since }), at } });
    }
    const results = await recordEvents(moves, ports);
    const moved = results.filter((result) => result.kind === 'recorded').length;
    // Another process changes these rows although the lease is ours: stop, because this loop would not end.
    if (moved === 0) return recovered;
    recovered += moved;
    ports.log.write('warn', 'rows_found_in_flight', { batch: batchId, count: moved });
  }
}

const sendingOf = (part: Part | undefined) =>
  ({ statuses: ['sending'], part, after: undefined, limit: PAGE_ROWS }) as const;

/** Of a part no more than a page: it has as many in flight as one process. */
async function inFlight(
  batchId: BatchId,
  { ledger }: Pick<Ports, 'ledger'>,
  part: Part | undefined,
): Promise<number> {
  if (part === undefined) return (await ledger.counts(batchId)).sending;
  return (await ledger.page(batchId, sendingOf(part))).payouts.length;
}
