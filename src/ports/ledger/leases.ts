/**
 * One runner per batch: a lease kept by heartbeat, and who holds it.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Timestamp } from '../../domain/timestamp.ts';

export interface LeaseLedger {
  /** Takes the batch for this process and keeps it by heartbeat; `busy` names the holder. */
  lease(id: BatchId, holder: LeaseHolder): Promise<Lease | LeaseBusy>;
  /** Who works on the batch now, as far as this machine can tell; undefined when no living process does. */
  holderOf(id: BatchId): Promise<LeaseBusy | undefined>;
  /** A lease like that of a batch, of which the whole ledger has one: who holds it approves alone. */
  approvalTurn(by: string): Promise<Lease | LeaseBusy>;
}

export interface LeaseHolder {
  readonly pid: number;
  readonly host: string;
  readonly user: string;
  readonly command: string;
}

export interface Lease {
  readonly kind: 'leased';
  /** Payouts found in `sending` under a dead holder; the caller records `recover` for each. */
  readonly tookOver: boolean;
  /** Aborts when the lease was lost: nothing more may be sent. Its reason is an Error that says why, in whole sentences. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export interface LeaseBusy {
  readonly kind: 'busy';
  readonly holder: LeaseHolder;
  readonly since: Timestamp;
}
