/**
 * A ledger that goes from a file to a server. At every instant at most one of the two is the ledger: the file until its
 * last entry says that it was left, the copy on the server from when it has that entry too.
 */
import type { Ledger } from './ledger.ts';

export interface LedgerMove {
  /** The file. While it is moved nobody else can open it. */
  readonly from: Ledger;
  /** Where it goes, without a secret. */
  readonly to: string;
  /** An earlier move left the file; perhaps it did not come to its end. */
  readonly isLeft: boolean;
  /** All tables in one transaction, in the place of an earlier copy that was not finished. Nobody can work with it yet. */
  copy(copied: (progress: Copied) => void, signal: AbortSignal | undefined): Promise<void>;
  /** Which tables there are not the same as in the file, to the last byte: the copy of a file that is whole is whole. */
  verifyCopy(): Promise<readonly string[]>;
  /** Durable when it resolves: from then on the file is read, and never worked with. */
  leave(by: string): Promise<void>;
  /** The copy becomes the ledger; it was opened once, so that this user's list says where the ledger is. */
  arrive(): Promise<ActivatedLedger>;
  close(): Promise<void>;
}

export interface ActivatedLedger {
  readonly identity: Ledger['identity'];
  readonly batches: number;
  readonly entries: number;
  /** The same in both. */
  readonly head: string;
}

export interface Copied {
  readonly table: string;
  readonly rows: number;
}
