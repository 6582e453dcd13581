/**
 * Answers that arrive after their timeout, when the row is already in doubt. A genuine acceptance of the same attempt
 * ends the doubt. payfile ignores a late refusal, because a person may already act on the doubt. A run waits for late
 * answers only at its end.
 *
 * Limits:  the payment service ends each wait after a bounded time. A stop ends all waits.
 * Errors:  `waitForAnswers` rejects if it cannot record an acceptance. The emergency file then has it.
 */

import type { Payout } from '../../domain/payouts/payout.ts';
import { lateAnswerMs } from '../../domain/policy.ts';
import { rowsText } from '../../domain/text/printable.ts';
import { plusMs, secondOf } from '../../domain/timestamp.ts';
import type { AcceptedOutcome, LateAnswer } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';
import { raiseIncident } from '../settle/raise-incident.ts';
import { acceptanceOf, noteAttemptClosed, recordLateAnswer } from './send-payout.ts';

interface LateAnswerCallbacks {
  /** Recording failed, so payfile must send nothing more. */
  readonly onUnrecorded: () => void;
  /** The late answer has the transfer id of another row. */
  readonly onIdSeenBefore: () => Promise<void>;
}

export type LateAnswers = ReturnType<typeof listenForLateAnswers>;

export function listenForLateAnswers(ports: Ports, callbacks: LateAnswerCallbacks) {
  const openWaits = new Set<{ readonly over: Promise<void>; readonly stop: () => void }>();
  const failures: unknown[] = [];
  let cleared = 0;

  async function record(payout: Payout, outcome: AcceptedOutcome): Promise<void> {
    try {
      const sent = await recordLateAnswer(payout, outcome, ports);
      if (sent.kind !== 'outcome') await noteUnusedAcceptance(payout, outcome, ports);
      else if (sent.idSeenBefore) await callbacks.onIdSeenBefore();
      else cleared += 1;
    } catch (error) {
      ports.ledger.emergency(payout.id, payout.attempts, acceptanceOf(outcome, ports));
      failures.push(error);
      callbacks.onUnrecorded();
    }
  }

  async function listen(payout: Payout, { answer }: LateAnswer<AcceptedOutcome>): Promise<void> {
    const outcome = await answer;
    return outcome === undefined ? noteAttemptClosed(payout, ports) : record(payout, outcome);
  }

  const whenAllEnded = () => Promise.all([...openWaits].map(({ over }) => over));

  /** Records answers that have arrived, and closes the other connections. */
  async function stopWaiting(): Promise<void> {
    if (openWaits.size === 0) return;
    // First handle an answer that has just arrived.
    await ports.clock.sleep(0);
    for (const { stop } of openWaits) stop();
    await whenAllEnded();
  }

  return {
    /** Starts to listen for the late answer of a payout that is now in doubt. */
    expect(payout: Payout, late: LateAnswer<AcceptedOutcome>): void {
      const wait = { over: listen(payout, late).finally(() => openWaits.delete(wait)), stop: late.stop };
      openWaits.add(wait);
    },
    /** Waits while an answer is possible, or until the signal aborts. Returns the number of ended doubts. */
    async waitForAnswers(signal: AbortSignal): Promise<number> {
      if (openWaits.size > 0 && !signal.aborted) {
        const { clock, policy } = ports;
        const until = secondOf(plusMs(clock.now(), lateAnswerMs(policy.postTimeoutMs)));
        const reason = `a late answer for ${rowsText(openWaits.size)} in doubt may arrive until ${until} UTC`;
        ports.tell({ kind: 'waiting', reason, delayMs: undefined });
        await Promise.race([whenAllEnded(), aborted(signal)]);
      }
      await stopWaiting();
      if (failures.length > 0) throw failures[0];
      if (cleared > 0) {
        const text = `late answers came for ${rowsText(cleared)} in doubt: the service has accepted the payment after all`;
        ports.tell({ kind: 'warning', text });
      }
      return cleared;
    },
    stopWaiting,
  };
}

/** Notes an acceptance of a row that is no longer in doubt. After a ruling “not paid”, that is an incident. */
async function noteUnusedAcceptance(
  payout: Payout,
  { transferId }: AcceptedOutcome,
  ports: Ports,
): Promise<void> {
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
