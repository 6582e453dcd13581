/**
 * Who began a sending: written down once, before the first intent of it. A sending that sends nothing leaves no entry.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Ports } from '../ports.ts';

/** What every row waits for before it is sent; `rows`: how many this sending may send. */
export function noteOnce(
  batchId: BatchId,
  rows: number,
  { holder, ports }: { readonly holder: LeaseHolder; readonly ports: Pick<Ports, 'ledger' | 'clock'> },
): () => Promise<void> {
  const body = { by: holder.user, command: holder.command, rows };
  let noted: Promise<void> | undefined;
  return () => {
    noted ??= ports.ledger.note(batchId, 'sending_begun', body, ports.clock.now());
    return noted;
  };
}
