/**
 * One runner per batch: a lease kept by heartbeat, and who holds it.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Timestamp } from '../../domain/timestamp.ts';

export interface LeaseLedger {
  /** Takes the batch for this process and keeps it by heartbeat; `busy` names the holder. */
  lease(id: BatchId, holder: LeaseHolder): Promise<Lease | LeaseBusy>;
  /**
   * Takes a part of a batch whose holder handed parts out. It is lost when the holder of the whole is silent for ten
   * seconds, and gone when the whole is given back or taken over.
   */
  leasePart(id: BatchId, part: Part, holder: LeaseHolder): Promise<Lease | LeaseBusy | NotHandedOut>;
  /**
   * Whoever holds the batch, or a part of it, for this work begins no more rows. Durable when it resolves. The holder keeps
   * its lease until the rows in flight have ended.
   */
  stopWork(id: BatchId, work: string): Promise<void>;
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
  /** The work of the fleet that it does; undefined: its own. */
  readonly work?: string | undefined;
}

export interface Lease {
  readonly kind: 'leased';
  /** Payouts found in `sending` under a dead holder; the caller records `recover` for each. */
  readonly tookOver: boolean;
  /**
   * Aborts when the lease was lost: nothing more may be sent. Its reason is an Error that says why, in whole sentences;
   * LeaseStopped when somebody stopped the work.
   */
  readonly lost: AbortSignal;
  release(): Promise<void>;
  /** From now on others may take parts of the batch; whoever releases it waits for them first. Of a part: nothing follows. */
  handOut(parts: number): Promise<void>;
}

/** Every payout is in exactly one of `of` parts. */
export interface Part {
  /** 0 … of − 1. */
  readonly index: number;
  readonly of: number;
}

/** Nobody holds the whole, or it is not handed out in so many parts. */
export interface NotHandedOut {
  readonly kind: 'not_handed_out';
}

export interface LeaseBusy {
  readonly kind: 'busy';
  readonly holder: LeaseHolder;
  readonly since: Timestamp;
}

/** Somebody stopped the work for which the lease was taken. */
export class LeaseStopped extends Error {
  override readonly name = 'LeaseStopped';
}
