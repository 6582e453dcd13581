/**
 * Accepts that a row differs from what was asked. The alarm ends; the difference stays in every report. A later look that
 * shows another difference raises a new alarm.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { command, nextSteps } from '../../domain/next-steps/command.ts';
import { differenceOf, differencesOf, isUnconfirmed, saysTheSame } from '../../domain/payouts/difference.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { EXIT } from '../../domain/reporting/exit-code.ts';
import type { OfflinePorts } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import type { Ask } from '../user-questions.ts';
import { choosePayout } from './choose-payouts.ts';
import { findMove, movedText } from './moved-rows.ts';
import type { Ruled, Unconfirmed } from './rule-on-doubt.ts';

export interface AcceptingDifference {
  readonly batch: Batch;
  /** Row number, reference or tag. */
  readonly row: string;
  readonly by: string;
  readonly reason: string;
  /** Shows the difference and has the row number typed; left out where nobody can be asked. */
  readonly ask?: Ask | undefined;
  /** What the person was shown; undefined: what the ledger has now. Another difference is not accepted. */
  readonly saw?: readonly string[] | undefined;
}

export async function acceptDifference(
  asked: AcceptingDifference,
  ports: OfflinePorts,
): Promise<Ruled | Unconfirmed> {
  const { batch, row, by, reason } = asked;
  const payout = await choosePayout(batch.id, row, ports);
  const move = await findMove(payout, row, ports);
  const now = differencesOf(payout.state);
  const { saw = now } = asked;
  const why = move === undefined ? whyNotAccepted(payout, saw) : `it is another row now: ${movedText(move)}`;
  if (why === undefined && asked.ask !== undefined) {
    const answer = await asked.ask({ kind: 'ruling', ruling: 'difference', payout });
    if (answer?.trim() !== String(payout.rowNumber))
      return { kind: 'unconfirmed', isAsked: true, exitCode: EXIT.needsPerson, payout };
  }
  // A look that came meanwhile made the payout another version: then nothing is accepted.
  const event = { kind: 'accept_difference', by, reason, saw, at: ports.clock.now() } as const;
  const recorded = why === undefined ? await recordEvent(payout, event, ports) : undefined;
  const isAccepted = recorded?.kind === 'recorded';
  const { rowNumber, state } = payout;
  const shown = {
    differences: now,
    ...{ batch, rowNumber, status: state.status, environment: ports.ledger.identity.environment },
    steps: nextSteps(
      command(isAccepted ? 'status' : 'explain', [batchLabel(batch), ...(isAccepted ? [] : [row])]),
    ),
  };
  if (isAccepted) return { ...shown, kind: 'ruled', payout: recorded.payout, exitCode: EXIT.done };
  const refusal = `Row ${rowNumber}: ${why ?? 'it changed just now; look again'}.`;
  return { ...shown, kind: 'refused', reason: refusal, exitCode: EXIT.needsPerson };
}

/** `saw`: the differences that the person was shown. undefined: they may be accepted. */
export function whyNotAccepted(
  payout: Payout,
  saw: readonly string[] = differencesOf(payout.state),
): string | undefined {
  const { state } = payout;
  const difference = differenceOf(payout);
  if (state.status === 'failed' || state.status === 'returned')
    return `it is ${state.status}; a difference is accepted of a payment that is on its way or settled`;
  if ('suspicion' in state && isUnconfirmed(state))
    return 'the service’s word is not confirmed yet; wait for the next look';
  if (!saysTheSame(saw, differencesOf(state))) return changedText(saw, differencesOf(state));
  if (difference === undefined) return 'the service shows nothing that differs from what was asked';
  return difference === 'accepted' ? 'this difference was accepted before' : undefined;
}

function changedText(saw: readonly string[], now: readonly string[]): string {
  const listed = (texts: readonly string[]) => (texts.length === 0 ? 'no difference' : texts.join('; '));
  return `the service shows something else now. You saw: ${listed(saw)}. The service shows now: ${listed(now)}`;
}
