/**
 * One runner per batch: a lease kept by heartbeat, and who holds it.
 */
import type { Timestamp } from '../../domain/timestamp.ts';

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
  /** Aborts when the lease was lost: nothing more may be sent. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export interface LeaseBusy {
  readonly kind: 'busy';
  readonly holder: LeaseHolder;
  readonly since: Timestamp;
}
