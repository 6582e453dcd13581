/**
 * Notes once in the journal who started a sending, before its first intent. A sending without transfers leaves no
 * entry.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Ports } from '../ports.ts';

/** Returns a function that every row awaits before it is sent. `rows`: how many rows this sending may send. */
export function noteSendingOnce(
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
