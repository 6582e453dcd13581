/**
 * What comparing a statement with a batch finds: one finding for each payment of the batch, and one for each line with
 * a tag that no sent payment has. Nothing here changes anything; a person decides, or `--accept` where the finding
 * leaves no doubt.
 */
import type { StatementEntry } from './entry.ts';
import type { StatementLine } from './line.ts';
import type { LineRoles, MatchedBy } from './matched-line.ts';

/** Most pressing first. */
export const FINDING_KINDS = [
  /** A row that was refused, failed or ruled not paid stands in the statement as paid, by its tag or transfer id. */
  'incident',
  /** Two lines for one payment. */
  'duplicate',
  /** A line with a tag of ours that no row that was sent has, or one that a row may have been paid with elsewhere. */
  'theirs_only',
  /** A row in doubt that the statement does not show, or not clearly enough for a ruling. */
  'still_in_doubt',
  /** A row in doubt stands in the statement. */
  'propose_paid',
  /** A row in doubt does not stand in a statement that covers its time. */
  'propose_not_paid',
  /** The line is this row's and says something else. */
  'differs',
  /** A row that is not in doubt, and lines that may be its or another's. */
  'unclear',
  /** The service has paid it, and a statement that covers its time does not show it. */
  'ours_only',
  /** Under way at the service, and not in the statement. */
  'on_its_way',
  /** The service has paid it, and the statement is too short to show it for certain. */
  'not_yet',
  /** The statement has neither the currency of the payment nor that of its cost. */
  'other_currency',
  /** Not in the statement, and not expected there: never sent, failed, or at another time. */
  'not_expected',
  /** The row and its lines agree. */
  'matched',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** The payment; undefined for a line whose tag no payment of this batch has. */
  readonly entry: StatementEntry | undefined;
  /** Every line that was found for it; the first one is the one that the text is about. */
  readonly lines: readonly StatementLine[];
  /** Its lines by what they mean, for the comparison of amounts. */
  readonly roles?: LineRoles;
  /** Ends the sentence that begins with the row: which line says what. */
  readonly text: string;
  /** By what the line was recognised. */
  readonly by?: MatchedBy;
  /** Of a proposal and an incident: what the line names; undefined when it names none. */
  readonly transferId?: string | undefined;
  /** Of a proposal: why `--accept` does not rule on it; undefined when it does. */
  readonly weakness?: string | undefined;
  /** Of a proposal that `--accept` does not rule on: no other statement could prove more, so a person rules by hand. */
  readonly isByHand?: boolean;
  /** Of what is unclear, and of a row that was never sent: money may have moved that should not have. */
  readonly isPressing?: boolean;
  /** Of a payment not in the statement: the statement covers the time in which it would be booked. */
  readonly isCovered?: boolean;
  /** Of a payment without a line: why it needs none in this statement. It is no difference to look at. */
  readonly whyAbsent?: string;
}

export function isProposal({ kind }: Finding): boolean {
  return kind === 'propose_paid' || kind === 'propose_not_paid';
}

/** Whether `--accept` may rule on it, as far as the statement tells. */
export function isAcceptable(finding: Finding): boolean {
  return isProposal(finding) && finding.weakness === undefined;
}
