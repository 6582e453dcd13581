/**
 * An answer that came after the patience had run out: an acceptance ends the doubt, anything else changes
 * nothing. A late refusal is not believed, because a person may already be acting on the doubt.
 *
 * Errors:  none; the promise never rejects.
 */
import { asTransferId } from '../../domain/instruction.ts';
import type { AcceptedOutcome } from '../../ports/payment-service.ts';
import { outcomeOfAnswer } from './outcome-of-answer.ts';
import type { PostAnswer } from './post-transfer.ts';
import { evidenceOf } from './send-evidence.ts';
import type { Posted, SendWorld } from './send-transfer.ts';
import { textOf } from './service-text.ts';

export async function lateAcceptance(
  posted: Posted,
  late: Promise<PostAnswer | undefined>,
  world: Pick<SendWorld, 'clock' | 'log'>,
): Promise<AcceptedOutcome | undefined> {
  const { clock, log } = world;
  const result = await late;
  if (result === undefined) return undefined;
  const { complete, httpStatus } = result;
  const { outcome, facts } = outcomeOfAnswer({ complete, httpStatus, body: textOf(result.body) }, []);
  const { attempt } = posted.order;
  log.write('warn', 'transfer_answered_late', { attempt, httpStatus, status: outcome.kind });
  if (outcome.kind !== 'accepted') return undefined;
  const at = clock.now();
  const answered = { ...posted, result, endedAt: at, endedMs: clock.monotonicMs() };
  return {
    kind: 'accepted',
    transferId: asTransferId(outcome.id),
    at,
    evidence: evidenceOf(answered, facts),
  };
}
