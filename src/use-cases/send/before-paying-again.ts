/**
 * Before a replacement is sent, the service is asked once more about every other payment of the row that it had, in any
 * batch and however long ago it failed or came back. Paying again is safe only while all of them are unpaid.
 *
 * Why:     a row may be paid again from two places (a redo file, and payfile reissue), so that its payments form a tree
 *          and not a chain; and a transfer that was called failed a month ago may be Finished today.
 */

import { isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { relativesOf } from '../decide/relatives.ts';
import type { Ports } from '../ports.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { whyAnotherRow, withdrawReplacements } from '../settle/raise-incident.ts';
import { type Looked, pollAgain } from '../settle/settle-batch.ts';
import { isStillUnpaid } from '../settle/still-unpaid.ts';

/** What was found, and for an incident the row that turned out paid. */
export interface Before {
  readonly kind: Looked;
  readonly incident?: number;
}

export async function checkBeforePayingAgain(
  payout: PayoutIn<'approved'> & Payout,
  ports: Ports,
  signal: AbortSignal | undefined,
): Promise<Before> {
  if (payout.instruction.replaces === undefined) return { kind: 'looked' };
  for (const relative of await relativesOf(payout, ports)) {
    const { rowNumber } = relative;
    if ((await notedIncidents(relative.batchId, ports)).has(relative.id)) {
      await withdrawReplacements(relative, ports);
      return { kind: 'incident', incident: rowNumber };
    }
    const kind = await lookAt(relative, ports, signal);
    if (kind === 'incident') return { kind, incident: rowNumber };
    if (kind !== 'looked') return { kind };
  }
  return { kind: 'looked' };
}

async function lookAt(payout: Payout, ports: Ports, signal: AbortSignal | undefined): Promise<Looked> {
  if (isIn(payout, 'failed')) return pollAgain(payout, ports, signal);
  return isIn(payout, 'returned') ? lookAtReturned(payout, ports, signal) : 'looked';
}

/** What came back stays so in the ledger; a service that calls it anything else now is for a person to ask. */
async function lookAtReturned(
  payout: PayoutIn<'returned'> & Payout,
  ports: Ports,
  signal: AbortSignal | undefined,
): Promise<Looked> {
  const { paymentService } = ports;
  const asked = await paymentService.transaction(payout.state.transferId, signal).catch((error: unknown) => {
    if (signal?.aborted === true) return undefined;
    throw error;
  });
  if (asked === undefined || asked.kind === 'unavailable') return 'unknown';
  if (asked.kind === 'declined' || (await whyAnotherRow(payout, asked.answer, ports)) !== undefined)
    return 'unclear';
  return (await isStillUnpaid(payout, asked.answer, ports)) ? 'looked' : 'unclear';
}
