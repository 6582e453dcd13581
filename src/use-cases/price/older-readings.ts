/**
 * Rows that an earlier version of the program read differently. As long as they are not sent, their name and fee are
 * asked for again and they need a new approval. A row that cannot be paid as it was written is invalid.
 */
import { isPricedAsBefore, storedFault } from '../../domain/accounts/read-account.ts';
import { misreadReasons } from '../../domain/money/amount-style.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { type HoldReason, isIn, type Payout } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import { cellOf } from '../../domain/reporting/report-line.ts';
import type { OfflinePorts, Ports } from '../ports.ts';
import { recordEvent, recordEvents } from '../record-event.ts';

const WHY = 'an earlier version of payfile read the account or the name of the row differently';

/** Found while the row was read; a price does not find them again. */
const OF_FILE: readonly HoldReason['kind'][] = [
  'hidden_row',
  'duplicate_in_file',
  'batch_repeated',
  'left_out_before',
];

/** Whether rows wait for a new price afterwards that the ledger calls quoted. */
export async function repriceOlderReadings(batchId: BatchId, ports: OfflinePorts): Promise<boolean> {
  let waits = false;
  for await (const page of ports.ledger.olderReadings(batchId)) {
    for (const payout of page) {
      const event = eventFor(payout, ports);
      if (event !== undefined) await recordEvent(payout, event, ports);
      waits ||= isPricedAsBefore(payout);
    }
  }
  return waits;
}

/** Whether `repriceOlderReadings` would change a row, or a row waits for its new price. */
export async function hasOlderReadings(
  batchId: BatchId,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<boolean> {
  for await (const page of ledger.olderReadings(batchId))
    if (page.some((payout) => olderReadingReason(payout) !== undefined)) return true;
  return false;
}

/** What becomes of a row that was not sent; undefined: it stays, to be priced as it stands. */
function eventFor(payout: Payout, { clock }: Pick<Ports, 'clock'>): PayoutEvent | undefined {
  const { instruction, state } = payout;
  const at = clock.now();
  const fault = instruction === undefined ? undefined : storedFault(instruction);
  if (fault !== undefined) return { kind: 'invalidate', issues: [fault], at };
  if (!isPricedAsBefore(payout)) return undefined;
  if (isIn(payout, 'approved')) return { kind: 'unapprove', reason: WHY, at };
  if (state.status !== 'held' || state.reasons.some(({ kind }) => OF_FILE.includes(kind))) return undefined;
  // Releases no reason: all of them are checked again.
  return { kind: 'release', release: { kinds: [], by: 'payfile', reason: WHY, at }, at };
}

/** Why a row is not approved, or not sent, as it stands. */
export function olderReadingReason(payout: Payout): string | undefined {
  const { instruction } = payout;
  const isOdd =
    isPricedAsBefore(payout) || (instruction !== undefined && storedFault(instruction) !== undefined);
  return isOdd ? WHY : undefined;
}

/**
 * Amounts that an older program read differently: it took 27.50 from a cell that says 27,500. Rows that it planned or
 * approved and did not send wait for a person.
 */

/** A row that a person released from it goes on. A batch that this program read has no such row. */
export async function holdMisreadAmounts(batchId: BatchId, ports: OfflinePorts): Promise<void> {
  const { ledger, clock } = ports;
  const batch = await ledger.batch(batchId);
  if (batch === undefined || batch.file.amountStyle !== undefined) return;
  const { planned, quoted, approved } = await ledger.counts(batchId);
  if (planned + quoted + approved === 0) return;
  for await (const page of ledger.reportRows(batchId)) {
    const at = clock.now();
    const holds = page.flatMap(({ payout, cells }) => {
      if (payout.instruction === undefined || isReleased(payout)) return [];
      const text = cellOf(cells, batch.file.columns, 'amount');
      const reasons = misreadReasons(text, payout.instruction.amount, batch.file.format);
      return reasons.length === 0 ? [] : holdOf(payout, { reasons, at });
    });
    await recordEvents(holds, ports);
  }
}

function isReleased({ state }: Payout): boolean {
  return 'releases' in state && state.releases.some(({ kinds }) => kinds.includes('amount_misread'));
}

type Held = Pick<Extract<PayoutEvent, { kind: 'hold' }>, 'reasons' | 'at'>;

function holdOf(payout: Payout, held: Held): readonly { payout: Payout; event: PayoutEvent }[] {
  if (isIn(payout, 'planned')) return [{ payout, event: { kind: 'hold', ...held, pricing: undefined } }];
  if (!isIn(payout, 'quoted') && !isIn(payout, 'approved')) return [];
  return [{ payout, event: { kind: 'hold', ...held, pricing: payout.state.pricing } }];
}
