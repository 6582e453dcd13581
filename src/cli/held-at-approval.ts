/**
 * Rows that an approval left with a person, because another instruction of the same row lives: which one, and the
 * commands to let it go or to withdraw it.
 */
import type { Batch } from '../domain/batch.ts';
import { commandsFor, nextStepOf } from '../domain/next-step.ts';
import type { Payout } from '../domain/payout.ts';
import { DEFAULT_POLICY, hoursMs } from '../domain/policy.ts';
import { reasonOf } from '../domain/report-reason.ts';
import { type Call, placeWords } from './call.ts';

export interface HeldRow {
  readonly row: number;
  readonly reason: string;
  readonly nextStep: string;
}

export function heldAtApproval(
  held: readonly Payout[],
  batch: Batch,
  { call, environment }: { readonly call: Call; readonly environment: 'live' | 'sandbox' },
): readonly HeldRow[] {
  // A held row has no waiting time before it is paid again.
  const reissueAfterMs = hoursMs(DEFAULT_POLICY.reissueAfterHours);
  const commands = commandsFor({ batch, environment, place: placeWords(call.flags), reissueAfterMs });
  return held.map((payout) => ({
    row: payout.rowNumber,
    reason: reasonOf(payout, []),
    nextStep: nextStepOf(payout, commands),
  }));
}

export function heldText({ row, reason, nextStep }: HeldRow): string {
  return `Row ${row} is held and was not approved: ${reason}. ${nextStep}`;
}
