/**
 * Why sending stopped, in the same words wherever somebody reads them.
 */
import { isPausedForStatement, UNKNOWN_LEDGER_REASON } from '../../domain/batches/batch.ts';
import { secondOf } from '../../domain/timestamp.ts';
import type { SendBatchResult } from '../../payfile.ts';

/** A pause of the whole ledger says so. What ends it is named only where nothing was forgotten: a ledger that was set back has to be compared first. */
export function pauseText(reason: string): string {
  if (!isPausedForStatement({ pause: { reason } })) return reason;
  const ends = 'When all was compared, this ends it for all of them: payfile resume --all';
  return `${reason}. Each new batch is paused, too.${reason === UNKNOWN_LEDGER_REASON ? ` ${ends}` : ''}`;
}

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
