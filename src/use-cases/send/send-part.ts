/**
 * Sends one part of a batch with its own gate. Watches the records of the other workers. The caller holds the lease of
 * the part and has recovered it.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Part } from '../../ports/ledger/leases.ts';
import type { Ports } from '../ports.ts';
import { createPriceQuestions } from '../price/ask-name-and-quote.ts';
import { finishSending, NOTHING_SENT, type SendingResult } from './finish-sending.ts';
import { createLedgerPoll, openSending, type SendRowsOptions, sendInPasses } from './send-rows.ts';

interface SendPartOptions extends Omit<SendRowsOptions, 'closeSignal' | 'part' | 'isUnderWay' | 'questions'> {
  readonly part: Part;
  readonly inFlight: number;
}

export async function sendPart(
  batchId: BatchId,
  ports: Ports,
  options: SendPartOptions,
): Promise<SendingResult> {
  const closing = new AbortController();
  const questions = createPriceQuestions(ports, options.signal);
  const rows = { ...options, questions, closeSignal: closing.signal, isUnderWay: true };
  try {
    const sending = await openSending(batchId, 0, ports, rows);
    return await finishSending(sending, async () => {
      await sendInPasses(sending, createLedgerPoll(sending));
      return NOTHING_SENT;
    });
  } finally {
    closing.abort();
  }
}
