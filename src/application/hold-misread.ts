/**
 * Rows that an older program read otherwise than this one: it paid 27.50 for a cell that says 27,500. What it planned or
 * approved and did not send waits for a person.
 */
import type { BatchId } from '../domain/instruction.ts';
import { isIn, type Payout } from '../domain/payout.ts';
import type { PayoutEvent } from '../domain/payout-event.ts';
import { cellOf } from '../domain/report-line.ts';
import { misreadReasons } from '../domain/three-digits.ts';
import { recordEvents } from './record-event.ts';
import type { World } from './world.ts';

/** A row that a person released from it goes on. A batch that this program read has no such row. */
export async function holdMisread(batchId: BatchId, world: Omit<World, 'paymentService'>): Promise<void> {
  const { ledger, clock } = world;
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
    await recordEvents(holds, world);
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
