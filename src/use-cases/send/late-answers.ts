/**
 * Answers that come after their timeout. Their rows are already recorded as in doubt. A genuine acceptance of the same
 * attempt ends the doubt; a late refusal is not believed, because a person may already be acting on the doubt. The run
 * waits for late answers only at its end, and listens no longer than it runs.
 *
 * Limits:  the payment service ends each waiting after a bounded time; a stop ends all of them.
 * Errors:  `end` rejects when an acceptance could not be recorded; it is then in the emergency file.
 */

import type { Payout } from '../../domain/payouts/payout.ts';
import { lateAnswerMs } from '../../domain/policy.ts';
import { rowsText } from '../../domain/text/printable.ts';
import { plusMs, secondOf } from '../../domain/timestamp.ts';
import type { AcceptedOutcome, LateAnswer } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';
import { raiseIncident } from '../settle/raise-incident.ts';
import { acceptanceOf, noteClosed, recordLateAnswer } from './send-payout.ts';

interface LateTrouble {
  /** Recording failed: nothing more may be sent. */
  readonly onUnrecorded: () => void;
  /** The late answer names a transfer that another row has. */
  readonly onIdSeenBefore: () => Promise<void>;
}

export type LateAnswers = ReturnType<typeof listenForLateAnswers>;

export function listenForLateAnswers(ports: Ports, trouble: LateTrouble) {
  const waits = new Set<{ readonly over: Promise<void>; readonly stop: () => void }>();
  const failures: unknown[] = [];
  let cleared = 0;

  async function record(payout: Payout, outcome: AcceptedOutcome): Promise<void> {
    try {
      const sent = await recordLateAnswer(payout, outcome, ports);
      if (sent.kind !== 'outcome') await noteUnused(payout, outcome, ports);
      else if (sent.idSeenBefore) await trouble.onIdSeenBefore();
      else cleared += 1;
    } catch (error) {
      ports.ledger.emergency(payout.id, payout.attempts, acceptanceOf(outcome, ports));
      failures.push(error);
      trouble.onUnrecorded();
    }
  }

  async function listen(payout: Payout, { answer }: LateAnswer<AcceptedOutcome>): Promise<void> {
    const outcome = await answer;
    return outcome === undefined ? noteClosed(payout, ports) : record(payout, outcome);
  }

  const allOver = () => Promise.all([...waits].map(({ over }) => over));

  /** Records what has arrived already and closes the other connections: no answer comes to a run that has ended. */
  async function finish(): Promise<void> {
    if (waits.size === 0) return;
    // Lets an answer that has just arrived be handled first.
    await ports.clock.sleep(0);
    for (const { stop } of waits) stop();
    await allOver();
  }

  return {
    /** Listens for the late answer to a payout that was just put in doubt. */
    expect(payout: Payout, late: LateAnswer<AcceptedOutcome>): void {
      const wait = { over: listen(payout, late).finally(() => waits.delete(wait)), stop: late.stop };
      waits.add(wait);
    },
    /** Waits while an answer is still possible, or until the signal aborts. Returns how many rows were cleared. */
    async end(signal: AbortSignal): Promise<number> {
      if (waits.size > 0 && !signal.aborted) {
        const { clock, policy } = ports;
        const until = secondOf(plusMs(clock.now(), lateAnswerMs(policy.postTimeoutMs)));
        const reason = `a late answer to ${rowsText(waits.size)} in doubt may still come, until ${until} UTC at the latest`;
        ports.tell({ kind: 'waiting', reason, delayMs: undefined });
        await Promise.race([allOver(), aborted(signal)]);
      }
      await finish();
      if (failures.length > 0) throw failures[0];
      if (cleared > 0) {
        const text = `${rowsText(cleared)} in doubt answered late: the service has the payment after all`;
        ports.tell({ kind: 'warning', text });
      }
      return cleared;
    },
    finish,
  };
}

/** Somebody else ended the doubt meanwhile. If the ruling was “not paid”, the row is paid after all: a person must know. */
async function noteUnused(payout: Payout, { transferId }: AcceptedOutcome, ports: Ports): Promise<void> {
  const now = await ports.ledger.payout(payout.id);
  if (now === undefined || ('transferId' in now.state && now.state.transferId === transferId)) return;
  const { status } = now.state;
  const body = { payout: payout.id, row: payout.rowNumber, transferId, status };
  await ports.ledger.note(payout.batchId, 'late_acceptance_not_applied', body, ports.clock.now());
  const what = `${status}, but the service accepted it late as ${transferId}`;
  if (status === 'failed') return raiseIncident(now, what, ports);
  ports.tell({ kind: 'warning', text: `Row ${payout.rowNumber}: ${what}.` });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
