/**
 * The ledger: the durable memory of every batch and payout. State and journal change in one commit, or not
 * at all. Durable means: when a promise that writes resolves, the write survives power loss.
 *
 * Nothing above this port assumes one process: every change of a payout is compare-and-set on its version.
 * What a ledger does is written down in facets, one file each; a use case names the facets that it needs.
 * Errors:  LedgerError (errors.ts) for set-up and storage; what may happen in normal work is a value.
 */

import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { PayoutEvent, Writer } from '../../domain/payouts/payout-event.ts';
import type { BatchLedger } from './batches.ts';
import type { ErasingLedger } from './erasing.ts';
import type { ImportLedger } from './imports.ts';
import type { LeaseLedger } from './leases.ts';
import type { PaymentMemory } from './payment-memory.ts';
import type { PayoutLedger } from './payouts.ts';
import type { PeopleLedger } from './people.ts';
import type { ReportLedger } from './reports.ts';

export interface Ledger
  extends ImportLedger,
    BatchLedger,
    PayoutLedger,
    PaymentMemory,
    ReportLedger,
    LeaseLedger,
    PeopleLedger,
    ErasingLedger,
    ProofLedger {
  readonly identity: LedgerIdentity;
  /** This process, as every intent and emergency line names it. */
  readonly writer: Writer;
  /**
   * All that `work` reads with the ledger it is given is of one moment, whatever others write meanwhile. Until it ends the
   * ledger's log only grows; of a ledger in memory nothing is written.
   */
  atOneMoment<T>(work: (still: Ledger) => Promise<T>): Promise<T>;
  /** Its server broke off. Nothing more can be done with it; one that is opened anew is looked at like any other. */
  readonly isLost?: boolean;
  close(): Promise<void>;
}

export interface LedgerIdentity {
  readonly id: string;
  readonly path: string;
  readonly environment: 'live' | 'sandbox';
  readonly baseUrl: string;
  readonly loginId: string;
  /** Digests of rows and payments are salted with it: another ledger, or a list of guesses, does not lead to them. */
  readonly salt: string;
  /** In which days are cut, for limits and reports. Kept when the ledger is made, so that closed months stay as they are. */
  readonly timeZone: string;
}

/**
 * Proof that the ledger is whole, and the last resort where it cannot be written.
 */

interface ProofLedger {
  /** Recomputes chains and replays the journal against the stored state. Empty when all is well. */
  verify(id?: BatchId, tell?: TellChain): Promise<VerifyResult>;
  /** Writes down the outcome of an attempt where an ordinary commit failed: preallocated sidecar file, fsynced. Never throws. */
  emergency(payoutId: PayoutId, attempt: number, event: PayoutEvent): void;
}

/**
 * Is given the chain as it is proven, piece by piece: each text of which a hash of the chain is made. Of persons they hold
 * seals alone.
 */
export type TellChain = (text: string) => Promise<void>;

export interface VerifyResult {
  readonly batches: number;
  readonly entries: number;
  readonly head: string;
  readonly problems: readonly string[];
  /** Why nothing is sent with it until a person accepts it; undefined where it is known. No problem of the ledger. */
  readonly unknownHere: string | undefined;
  /** What spoke against it when a person accepted it at this opening. */
  readonly accepted: string | undefined;
}
