/**
 * A line that was found for a payment: by what it was recognised, and what the lines of one payment mean.
 */
import type { StatementEntry } from './entry.ts';
import type { StatementLine } from './line.ts';
import type { Part } from './totals.ts';

/** By what a line was recognised. Only a tag or a transfer id proves anything. */
export type MatchedBy = 'tag' | 'transfer_id' | 'account' | 'masked_account' | 'total';

export interface MatchedLine {
  readonly line: StatementLine;
  readonly by: MatchedBy;
  /** The payout that has the transfer which this line names beside another payout's tag. */
  readonly idHolder: StatementEntry | undefined;
  /** The line shows several payments, and so much of this one. */
  readonly part?: Part | undefined;
}

/** Lines of one payment by what they mean. */
export interface LineRoles {
  readonly paying: readonly MatchedLine[];
  /** Of a transfer that failed or came back. */
  readonly back: readonly MatchedLine[];
  readonly charges: readonly MatchedLine[];
}

export const NO_ROLES: LineRoles = { paying: [], back: [], charges: [] };
