/**
 * Sends one part of a batch whose holder handed it out: behind a gate of its own, and with an eye on what the others write
 * down. The caller holds the part's lease and has recovered it.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Part } from '../../ports/ledger/leases.ts';
import type { Ports } from '../ports.ts';
import { createPriceQuestions } from '../price/ask-name-and-quote.ts';
import type { PartSent } from './hand-out.ts';
import { closeSending, lookAround, openSending, type SendRowsOptions, sendInPasses } from './send-rows.ts';
import { recordedRateLimit } from './turned-away.ts';

export interface SendPartOptions extends Omit<SendRowsOptions, 'over' | 'part' | 'isUnderWay' | 'questions'> {
  readonly part: Part;
  readonly inFlight: number;
}

export async function sendPart(batchId: BatchId, ports: Ports, options: SendPartOptions): Promise<PartSent> {
  const over = new AbortController();
  const questions = createPriceQuestions(ports, options.signal);
  const rows = { ...options, questions, over: over.signal, isUnderWay: true };
  try {
    const sending = await openSending(batchId, 0, ports, rows);
    const { gate, late, moved, odd } = sending;
    const kept = await recordedRateLimit(ports);
    if (kept !== undefined) gate.limitUntil(kept);
    let clearedLate = 0;
    try {
      await sendInPasses(sending, lookAround(sending));
      const { signal, leaseLost } = options;
      clearedLate = await late.end(signal === undefined ? leaseLost : AbortSignal.any([signal, leaseLost]));
    } finally {
      await closeSending(sending);
    }
    return {
      stop: gate.stopped(),
      isOver: gate.isOver(),
      setAside: gate.setAside(),
      clearedLate,
      incidents: [...sending.incidents, ...odd.values()],
      moved,
    };
  } finally {
    over.abort();
  }
}
