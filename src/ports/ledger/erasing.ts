/**
 * Erasing persons: what the ledger keeps of a person is replaced by nothing, and everything else stays. Amounts, states,
 * days and hashes are still proven by the chain.
 */
import type { Timestamp } from '../../domain/timestamp.ts';

export interface ErasingLedger {
  /** What `erase` would do. */
  erasable(before: Timestamp): Promise<Erasable>;
  /**
   * Erases names, accounts, phones, notes, references and cells of rows that ended before this instant. Each commit says so
   * in the journal. Safe to repeat: the next call goes on where one was broken off.
   *
   * Errors: LedgerError `ledger_damaged` if a row is not what its journal says; that row and later ones stay.
   */
  erase(asked: EraseAsked): Promise<Erased>;
}

export interface Erasable {
  readonly rows: number;
  /** Rows that began before the instant and stay, because they have not ended, or ended later. */
  readonly kept: number;
}

export interface EraseAsked {
  readonly before: Timestamp;
  readonly by: string;
  /** Asked between two commits. */
  readonly signal?: AbortSignal | undefined;
}

export interface Erased {
  readonly rows: number;
  /** Journal entries of these rows and of their batches. */
  readonly entries: number;
}
