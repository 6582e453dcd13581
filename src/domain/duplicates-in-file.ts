/**
 * Rows of one file that repeat an earlier row of it.
 *
 * Of equal rows (same reference and payment, or no reference and the same payment) the first goes and later
 * ones are held. A reference that comes again with another payment makes the later row invalid.
 */
import type { InstructionKeys } from './instruction.ts';
import { createIssueWriter, type FileColumns } from './issue-writer.ts';
import type { HoldReason } from './payout.ts';
import type { RowIssue } from './row-issue.ts';
import { createSeenKeys } from './seen-keys.ts';

export interface DuplicateFinder {
  /** Call for every valid row, in file order, once. */
  look(row: RowToCompare): Repeated | undefined;
}

export interface RowToCompare {
  readonly rowNumber: number;
  readonly keys: Pick<InstructionKeys, 'referenceKey' | 'paymentKey'>;
  /** As written, for the message. */
  readonly reference: string | undefined;
}

export type Repeated =
  | { readonly kind: 'held'; readonly reason: HoldReason }
  | { readonly kind: 'invalid'; readonly issue: RowIssue };

export function createDuplicateFinder(file: FileColumns): DuplicateFinder {
  const references = createSeenKeys();
  const payments = createSeenKeys();
  const issue = createIssueWriter(file);
  return {
    look({ rowNumber, keys, reference }) {
      const mark = markOf(keys.paymentKey);
      if (keys.referenceKey === undefined) {
        const first = payments.meet(keys.paymentKey, rowNumber, mark);
        return (
          first && held(`the same account and amount as row ${first.rowNumber}, and neither has a reference`)
        );
      }
      const first = references.meet(keys.referenceKey, rowNumber, mark);
      if (first === undefined) return undefined;
      if (first.mark === mark) {
        return held(`the same reference, account and amount as row ${first.rowNumber}`);
      }
      return {
        kind: 'invalid',
        issue: issue({
          kind: 'reference_repeated',
          field: 'reference',
          seen: reference ?? '',
          expected: `a reference of its own; row ${first.rowNumber} has the same one with another account or amount`,
          suggestion: 'Give each payment its own reference, or take the wrong row out.',
        }),
      };
    },
  };
}

function held(text: string): Repeated {
  return { kind: 'held', reason: { kind: 'duplicate_in_file', text } };
}

/** 32 bits of the payment, to tell an equal row from a reference used for something else. */
function markOf(paymentKey: Uint8Array): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = paymentKey;
  return ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0;
}
