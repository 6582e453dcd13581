/**
 * An incident: a payment that was called failed, or ruled not paid, turned out to be paid. It is shown everywhere and
 * kept for ever, and nothing unsent may still be paid in its place.
 *
 * What the ledger could prove is in the payout's own state (settled, incident). What only a statement or a late
 * answer says is a note in the batch's journal; reports and paying again look at both.
 */
import type { Payout, PayoutIn, Status } from '../../domain/payouts/payout.ts';
import { mayFollow } from '../../domain/payouts/payout-machine.ts';
import type { Transaction } from '../../ports/payment-service.ts';
import { relativesOf } from '../decide/relatives.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';

type Raising = Pick<Ports, 'ledger' | 'clock' | 'log' | 'tell'>;

const SENT: readonly Status[] = ['sending', 'in_doubt', 'accepted', 'settled'];
const INCIDENT = 'incident';

/** `what` finishes the sentence “Row 7: …”. */
export async function raiseIncident(payout: Payout, what: string, ports: Raising): Promise<void> {
  const { batchId, rowNumber: row } = payout;
  ports.log.write('error', 'incident_paid_after_all', { batch: batchId, row });
  await ports.ledger.note(batchId, INCIDENT, { payout: payout.id, row, what }, ports.clock.now());
  ports.tell({ kind: 'warning', text: `Row ${row}: ${what}. A person must look.` });
  const sent = await withdrawReplacements(payout, ports);
  if (sent === 0) return;
  const text = `Row ${row} was paid again meanwhile: it may have been paid twice.`;
  ports.tell({ kind: 'warning', text });
}

/**
 * Withdraws every other payment of the row that was not sent; the row then shows the payment that was made. Returns how many
 * others were sent, and not called unpaid.
 */
export async function withdrawReplacements(
  payout: Payout,
  ports: Pick<Ports, 'ledger' | 'clock' | 'tell'>,
): Promise<number> {
  const reason = `another payment of its row (row ${payout.rowNumber}) turned out paid`;
  let sent = 0;
  for (const relative of await relativesOf(payout, ports))
    if ((await withdrawn(relative, reason, ports)) === 'sent') sent += 1;
  await ports.ledger.putBack(payout.id, ports.clock.now());
  return sent;
}

/** Another process may move it meanwhile, and even begin to send it: it is looked at again until one of the two is sure. */
async function withdrawn(
  relative: Payout,
  reason: string,
  ports: Pick<Ports, 'ledger' | 'clock' | 'tell'>,
): Promise<'sent' | 'unsent'> {
  const { ledger, clock } = ports;
  for (let now: Payout | undefined = relative; now !== undefined; now = await ledger.payout(now.id)) {
    if (!mayFollow(now.state, 'cancel')) return SENT.includes(now.state.status) ? 'sent' : 'unsent';
    const event = { kind: 'cancel', by: 'payfile', reason, at: clock.now() } as const;
    const recorded = await recordEvent(now, event, ports);
    if (recorded.kind === 'recorded') return 'unsent';
  }
  return 'unsent';
}

/** How such a sentence begins. */
export const ANOTHER_ROW = 'transfer ';

/**
 * Why the answer is about the transfer of another row, as a part of a sentence; undefined when it may well be this one's.
 * It then proves nothing about the payment that was asked for.
 */
export async function whyAnotherRow(
  payout: PayoutIn<'accepted' | 'settled' | 'failed' | 'returned'> & Pick<Payout, 'id'>,
  seen: Transaction,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<string | undefined> {
  if (seen.id === payout.state.transferId) return undefined;
  // The interface has ids of transfers and of transactions, so another id alone is not a contradiction.
  const holder = await ledger.payoutOfTransfer(seen.id);
  if (holder === undefined || holder.id === payout.id) return undefined;
  const name = (await ledger.batch(holder.batchId))?.name ?? holder.batchId;
  return `${ANOTHER_ROW}${seen.id} belongs to row ${holder.rowNumber} of batch ${name}`;
}
