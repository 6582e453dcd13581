/** The ledger as a whole: how it is opened, whether it exists, its backups, and its move to a server. */
import type { LedgerIdentity } from './ledger.ts';
import type { LedgerMove } from './moving.ts';

export interface OpenLedgerOptions {
  readonly create?: boolean;
  /** A person accepts a ledger that was set back; one that is not known here; another login address. */
  readonly acceptRollback?: boolean;
  readonly acceptLedger?: boolean;
  readonly acceptAuthUrl?: boolean;
  /** Who accepts. */
  readonly by?: string;
  /** To read: allows a ledger that was set back, or is not known here. */
  readonly readOnly?: boolean;
  /** Also warns of a place that does not outlive the machine or the container. */
  readonly tellsPlace?: boolean;
}

export interface LedgerStore {
  /** Whether the ledger exists. Does not create it. */
  hasLedger(): Promise<boolean>;
  /** On a server, creates the tables of the workers: they may not create any themselves. */
  prepareWorkers(): Promise<void>;
  /** Copies the whole ledger to another file, also during a run. Errors: ReportUnwritable, LedgerError. */
  backup(to: string): Promise<LedgerCopy>;
  /** Makes a backup the ledger. Errors: LedgerError. */
  restore(from: string, options: { readonly replace: boolean }): Promise<RestoredCopy>;
  /** Opens the ledger file to move it to a server. Errors: ConfigError for a wrong address, LedgerError. */
  moveTo(server: string): Promise<LedgerMove>;
}

export interface LedgerCopy {
  readonly path: string;
  readonly id: string;
  readonly environment: LedgerIdentity['environment'];
  readonly batches: number;
  readonly entries: number;
  readonly commits: number;
  /** Time of the newest journal entry; milliseconds since 1970. */
  readonly until: number;
  /** Rows on the wire at that moment. */
  readonly sending: number;
  /** The file of outcomes that the ledger could not write yet, if there are any. */
  readonly emergencyPath: string | undefined;
}

export interface RestoredCopy extends LedgerCopy {
  /** Where the previous ledger is now. */
  readonly keptAt: string | undefined;
  /** Rows that the previous ledger sent and the backup does not know, by batch; undefined: none, or unreadable. */
  readonly sentSince: readonly SentSince[] | undefined;
}

export interface SentSince {
  readonly batch: string;
  readonly rows: number;
}
