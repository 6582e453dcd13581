/**
 * Lines of a statement that are kept beside a payout: a few of each, whatever kind of likeness they are kept for.
 */
import type { PayoutId } from '../payouts/instruction.ts';
import type { StatementEntry } from './entry.ts';
import type { StatementLine } from './line.ts';

/** So many of each payout. */
export const LINES_KEPT = 3;

export class KeptLines<Kept extends { readonly line: StatementLine }> {
  readonly #lines = new Map<PayoutId, readonly Kept[]>();

  of(entry: StatementEntry): readonly Kept[] {
    return this.#lines.get(entry.payoutId) ?? [];
  }

  /** The first of them are kept. */
  set(entry: StatementEntry, lines: readonly Kept[]): void {
    this.#lines.set(entry.payoutId, lines.slice(0, LINES_KEPT));
  }

  /** Numbers of all lines that are kept. */
  get rowNumbers(): ReadonlySet<number> {
    const kept = new Set<number>();
    for (const lines of this.#lines.values()) for (const { line } of lines) kept.add(line.rowNumber);
    return kept;
  }
}
