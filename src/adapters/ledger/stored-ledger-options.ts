/**
 * What an open ledger has beside its database: where it lies, what speaks against it, and what is kept of it elsewhere.
 */

import type { LastLook } from '../../domain/payouts/payout.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Move, Recorded } from '../../ports/ledger/moves.ts';
import type { Log } from '../../ports/log.ts';
import type { Head } from './proof/event-chain.ts';
import type { Database } from './storage/database.ts';
import type { EmergencyFile } from './storage/emergency.ts';
import type { Machine } from './storage/this-machine.ts';
import type { KnownHeadParts } from './trust/known-head.ts';
import type { LedgersInUse } from './trust/ledgers-in-use.ts';

export interface FastMovesNeeds {
  readonly committed: (head: Head) => void;
}

export interface FastMoves {
  /** undefined: the move is not plain, and nothing was written. */
  record(move: Move): Promise<Recorded | undefined>;
  /** undefined: refused, and not written. */
  schedule(id: number, dueAt: number, look: LastLook): Promise<true | undefined>;
  close(): Promise<void>;
}

export interface StoredLedgerOptions {
  readonly path: string;
  readonly readOnly?: boolean;
  /** undefined: nothing beside the database is kept (a ledger in memory). */
  readonly knownLedgersPath?: string | undefined;
  /** Was taken for this ledger and is given back when it is closed; undefined: nothing to keep apart. */
  readonly inUse?: LedgersInUse | undefined;
  /** Why this is an older copy that a person has not accepted; it can be read all the same. */
  readonly setBack?: string | undefined;
  /** Why it is not known here; it can be read all the same. */
  readonly unknown?: string | undefined;
  /** Beside a live ledger a mark is kept. */
  readonly beside?: KnownHeadParts['beside'];
  /** Where outcomes go that no commit takes; closed with the ledger. */
  readonly emergency: EmergencyFile;
  readonly clock: Pick<Clock, 'now'>;
  readonly log?: Log | undefined;
  /** Another connection, which reads one snapshot; undefined where there can be only one connection. */
  readonly openReader?: (() => Database) | undefined;
  /** Bytes that the write-ahead log may grow by while the ledger is verified. */
  readonly verifyLogMax?: number | undefined;
  /** A way for plain moves that does not keep other writers away; undefined: there is none. */
  readonly fastMoves?: ((parts: FastMovesNeeds) => FastMoves) | undefined;
  /** Throws when the tables no longer have the format that this process works with; undefined: that cannot be. */
  readonly requireFormat?: (() => void) | undefined;
  /** Why nothing may be begun with it now, in whole sentences; undefined: there can be no reason. */
  readonly objection?: (() => string | undefined) | undefined;
  /** undefined: this one. */
  readonly machine?: Machine;
}
