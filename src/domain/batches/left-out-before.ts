/**
 * A row that an earlier version of the program left out, and that this one can pay: nobody knows whether it was paid
 * another way since, so it waits for a person.
 */
import type { HoldReason, PayoutState } from '../payouts/payout.ts';

/** `before`: where the earlier version left the row. */
export function leftOutReason(before: PayoutState): HoldReason {
  return { kind: 'left_out_before', text: `An earlier version of payfile left this row out${whyOf(before)}` };
}

function whyOf(before: PayoutState): string {
  if (before.status === 'held' && before.reasons[0] !== undefined) return `: ${before.reasons[0].text}`;
  const issue = before.status === 'invalid' ? before.issues[0] : undefined;
  if (issue === undefined) return '';
  const what = issue.seen.trim() === '' ? 'nothing' : `“${issue.seen}”`;
  return `: it could not read ${what} in the column ${issue.column ?? issue.field}`;
}

/** Why a ceiling does not agree to a batch of which an earlier version paid nothing. */
export const LEFT_OUT_SENTENCE =
  'An earlier version of payfile could not read this file as it is read now, and nothing of it was approved. Its rows may ' +
  'have been paid another way since: a person has to approve the plan once.';
