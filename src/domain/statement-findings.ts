/**
 * What comparing a statement with a batch can find. Nothing here changes anything; what is proposed is decided by a
 * person, or by `--accept` where it leaves no doubt.
 */
import type { StatementEntry } from './statement-entry.ts';
import type { StatementLine } from './statement-line.ts';

/** By what a line was recognised, strongest first. */
export type MatchedBy = 'tag' | 'transfer_id' | 'account' | 'masked_account';

export type Finding =
  /** The row and the line tell the same. */
  | {
      readonly kind: 'matched';
      readonly entry: StatementEntry;
      readonly line: StatementLine;
      readonly by: MatchedBy;
    }
  /** The line is this row's and says something else. */
  | {
      readonly kind: 'differs';
      readonly entry: StatementEntry;
      readonly line: StatementLine;
      readonly what: string;
    }
  /** A row in doubt stands in the statement. */
  | {
      readonly kind: 'propose_paid';
      readonly entry: StatementEntry;
      readonly line: StatementLine;
      readonly by: MatchedBy;
      /** For `resolve --paid`; undefined when the line names none. */
      readonly transferId: string | undefined;
      /** Why it is not ruled by --accept; undefined when it is. */
      readonly weakness: string | undefined;
    }
  /** A row in doubt does not stand in a statement that covers its time. */
  | {
      readonly kind: 'propose_not_paid';
      readonly entry: StatementEntry;
      readonly weakness: string | undefined;
    }
  /** A row in doubt of which the statement says nothing. */
  | { readonly kind: 'still_in_doubt'; readonly entry: StatementEntry; readonly why: string }
  /** Two lines for one payment. */
  | {
      readonly kind: 'duplicate';
      readonly entry: StatementEntry;
      readonly lines: readonly StatementLine[];
    }
  /** A row that was refused, failed or ruled not paid stands in the statement as paid. */
  | {
      readonly kind: 'incident';
      readonly entry: StatementEntry;
      readonly line: StatementLine;
      readonly by: MatchedBy;
      readonly transferId: string | undefined;
      readonly what: string;
    }
  /** The service has it, and a statement that covers its time does not show it. */
  | { readonly kind: 'ours_only'; readonly entry: StatementEntry }
  /** A line with a tag of ours, and no row that was sent has it. */
  | {
      readonly kind: 'theirs_only';
      readonly line: StatementLine;
      readonly tag: string;
      readonly why: string;
      /** The row of this batch that has the tag and is approved, but was never sent. */
      readonly unsent: StatementEntry | undefined;
    };

export type FindingKind = Finding['kind'];
export type FindingOf<K extends FindingKind> = Extract<Finding, { kind: K }>;
