/**
 * Why sending stopped, in the same words wherever somebody reads them.
 */
import { pausePieces } from '../../domain/next-steps/batch-steps.ts';
import { IN_A_PROGRAM, textOf } from '../../domain/text/message.ts';
import { secondOf } from '../../domain/timestamp.ts';
import type { SendBatchResult } from '../../use-cases/send/send-batch.ts';

export const pauseText = (reason: string): string => textOf(pausePieces(reason), IN_A_PROGRAM);

/**
 * Why sending stopped, or which institutions were set aside; undefined when all went out. `sendRest` says how the rest is sent
 * after a canary.
 */
export function stopSentence({ stop, setAside }: SendBatchResult, sendRest: string): string | undefined {
  const aside =
    setAside.length === 0
      ? undefined
      : `Set aside for refusing again and again: institution ${setAside.join(', ')}. Its rows stay approved; the next run tries one first.`;
  switch (stop?.kind) {
    case undefined:
      return aside;
    case 'paused':
      return `The batch is paused: ${pauseText(stop.reason)}`;
    case 'outage':
      return `The service does not answer (${stop.reason}). Rows not sent stay approved; run again later.`;
    case 'limited':
      return `The service takes no transfers for now (HTTP 429). payfile sends nothing before ${secondOf(stop.until)} UTC. Rows not sent stay approved. Run again after that.`;
    case 'canary':
      return `The canary stopped the sending: ${stop.reason}. The rest stays approved and was not sent. When you have looked, ${sendRest}.`;
    case 'lease_lost':
      return stop.reason;
    case 'interrupted':
      return 'Stopped as asked. Nothing is in flight any more.';
  }
}
