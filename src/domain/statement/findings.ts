/**
 * What comparing a statement with a batch can find. Nothing here changes anything; what is proposed is decided by a
 * person, or by `--accept` where it leaves no doubt.
 */
import type { StatementEntry } from './entry.ts';
import type { StatementLine } from './line.ts';

/** By what a line was recognised, strongest first. */
export type MatchedBy = 'tag' | 'transfer_id' | 'account' | 'masked_account';

export type Finding =
  /** The row and the line tell the same. */
  | {
      readonly kind: 'matched';
      readonly entry: StatementEntry;
      readonly line: StatementLine;
      /** Of a row that came back: what shows it. */
      readonly others: readonly StatementLine[];
      readonly by: MatchedBy;
    }
  /** The line is this row's and says something else. */
  | {
      readonly kind: 'differs';
      readonly entry: StatementEntry;
      readonly line: StatementLine;
      readonly others: readonly StatementLine[];
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
      /** Lines with its account and amount at another time. */
      readonly lines: readonly StatementLine[];
      readonly note: string | undefined;
      readonly weakness: string | undefined;
    }
  /** A row in doubt of which the statement says nothing, or nothing that rules it. */
  | {
      readonly kind: 'still_in_doubt';
      readonly entry: StatementEntry;
      readonly lines: readonly StatementLine[];
      readonly why: string;
    }
  /** A row that is not in doubt, and lines that may be its or another's. */
  | {
      readonly kind: 'unclear';
      readonly entry: StatementEntry;
      readonly lines: readonly StatementLine[];
      readonly why: string;
      /** Money may have moved that should not have. */
      readonly isPressing: boolean;
    }
  /** A much smaller line that names a payment, beside the payment's own line: a note. */
  | { readonly kind: 'fee_line'; readonly entry: StatementEntry; readonly line: StatementLine }
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
  | {
      readonly kind: 'ours_only';
      readonly entry: StatementEntry;
      readonly lines: readonly StatementLine[];
      readonly note: string | undefined;
    }
  /** Under way at the service, and not in the statement. */
  | {
      readonly kind: 'on_its_way';
      readonly entry: StatementEntry;
      readonly lines: readonly StatementLine[];
      readonly note: string | undefined;
      /** The statement reaches over the time in which it would be booked. */
      readonly isCovered: boolean;
    }
  /** Lines of a row beside what is told of it: a note, so that no line is lost. */
  | {
      readonly kind: 'further_lines';
      readonly entry: StatementEntry;
      readonly lines: readonly StatementLine[];
    }
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

/** All lines that a finding is about, each once. */
export function linesOf(finding: Finding): readonly StatementLine[] {
  const main = 'line' in finding ? [finding.line] : [];
  const others = 'others' in finding ? finding.others : 'lines' in finding ? finding.lines : [];
  return [...new Set([...main, ...others])];
}
