/**
 * A person says what a difference is about. It ends the alarm, also without a word about the part of the amount that is not
 * shown; where they found out about that part, the books follow: it was delivered, it is lost, or (open) nobody knows yet,
 * and the alarm is back. The difference stays in every report. A later look that shows another one raises a new alarm.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { command, nextSteps } from '../../domain/next-steps/command.ts';
import {
  differenceOf,
  differencesOf,
  isUnconfirmed,
  restNow,
  saysTheSame,
} from '../../domain/payouts/difference.ts';
import type { Payout, RestFound } from '../../domain/payouts/payout.ts';
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
  /** What was found out about the part that is not shown; undefined: only why the row differs. */
  readonly rest?: RestFound | undefined;
  /** Shows the difference and has the row number typed; left out where nobody can be asked. */
  readonly ask?: Ask | undefined;
  /** What the person was shown; undefined: what the ledger has now. Another difference is not accepted. */
  readonly saw?: readonly string[] | undefined;
}

export async function acceptDifference(
  asked: AcceptingDifference,
  ports: OfflinePorts,
): Promise<Ruled | Unconfirmed> {
  const { batch, row, by, reason, rest } = asked;
  const payout = await choosePayout(batch.id, row, ports);
  const move = await findMove(payout, row, ports);
  const now = differencesOf(payout.state);
  const { saw = now } = asked;
  const why =
    move === undefined ? whyNotAccepted(payout, saw, rest) : `it is another row now: ${movedText(move)}`;
  if (why === undefined && asked.ask !== undefined) {
    const answer = await asked.ask({ kind: 'ruling', ruling: 'difference', payout });
    if (answer?.trim() !== String(payout.rowNumber))
      return { kind: 'unconfirmed', isAsked: true, exitCode: EXIT.needsPerson, payout };
  }
  // A look that came meanwhile made the payout another version: then nothing is accepted.
  const minor = restNow(payout).rest;
  const found = rest === undefined ? {} : { rest: { is: rest, minor: minor > 0n ? minor : 0n } };
  const event = { kind: 'accept_difference', by, reason, saw, at: ports.clock.now(), ...found } as const;
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
  rest?: RestFound,
): string | undefined {
  const { state } = payout;
  const difference = differenceOf(payout);
  if (state.status === 'failed' || state.status === 'returned')
    return `it is ${state.status}; a difference is accepted of a payment that is on its way or settled`;
  if ('suspicion' in state && isUnconfirmed(state))
    return 'the service’s word is not confirmed yet; wait for the next look';
  if (!saysTheSame(saw, differencesOf(state))) return changedText(saw, differencesOf(state));
  if (difference === undefined) return 'the service shows nothing that differs from what was asked';
  const before = 'acceptedDifference' in state ? state.acceptedDifference : undefined;
  if (rest === undefined)
    return difference === 'accepted' ? 'this difference was accepted before' : undefined;
  if (before?.rest?.is === rest && saysTheSame(before.saw, saw))
    return `it was said before that it is ${rest}`;
  // It also takes back what was said of a part that is not missing any more.
  if (rest === 'open' && before !== undefined) return undefined;
  return restNow(payout).rest > 0n
    ? undefined
    : 'the service shows no less than what was asked, so that there is no missing part to rule on';
}

function changedText(saw: readonly string[], now: readonly string[]): string {
  const listed = (texts: readonly string[]) => (texts.length === 0 ? 'no difference' : texts.join('; '));
  return `the service shows something else now. You saw: ${listed(saw)}. The service shows now: ${listed(now)}`;
}
