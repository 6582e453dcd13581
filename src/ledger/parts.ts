/**
 * What the rooms of the ledger work with: each is a function that is given these parts and gives back the methods of the
 * port that are its own (open.ts puts them together).
 */
import type { Clock } from '../ports/clock.ts';
import type { LedgerIdentity } from '../ports/ledger/ledger.ts';
import type { Machine } from './machine.ts';
import type { Routes } from './routes.ts';
import type { Database, Sql } from './sql.ts';
import type { Writer } from './writer.ts';

export interface LedgerParts {
  /** What was committed. Never inside a commit: there a part asks its own `sql`. */
  readonly read: Sql;
  readonly still: Database['still'];
  readonly settled: Database['settled'];
  readonly writer: Writer;
  readonly routes: Routes;
  readonly identity: LedgerIdentity;
  readonly clock: Pick<Clock, 'now'>;
  readonly machine: Machine;
  readonly holding: Holding;
}

/** Which batches, and parts of them, this process holds (leases.ts). */
export interface Holding {
  /**
   * The token of the lease under which it may begin the payout, by what it knows itself; null: it never took the batch, so
   * that nothing is asked; `lost`: it had the batch, or has other parts of it alone.
   */
  tokenFor(batch: number, payout: number): string | null | 'lost';
  /** The full rule, inside a commit; without a payout it is about the whole batch. */
  mayBegin(sql: Sql, batch: number, payout?: number): Promise<boolean>;
}
