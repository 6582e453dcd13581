/**
 * What every use case works with: the ports, the policy, and a listener for progress. And the lease of a batch.
 */

import type { Place } from '../domain/next-steps/command.ts';
import type { BatchId } from '../domain/payouts/instruction.ts';
import type { Payout, Status } from '../domain/payouts/payout.ts';
import type { Policy } from '../domain/policy.ts';
import { PayfileError } from '../domain/text/message.ts';
import { minuteOf } from '../domain/timestamp.ts';
import type { Clock } from '../ports/clock.ts';
import type { Fleet } from '../ports/fleet.ts';
import type { Lease, LeaseBusy, LeaseHolder } from '../ports/ledger/leases.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { Log } from '../ports/log.ts';
import type { PaymentService } from '../ports/payment-service.ts';

export interface Ports {
  readonly ledger: Ledger;
  readonly paymentService: PaymentService;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: Policy;
  readonly tell: Tell;
  /** For the commands in reports, which are read in any folder. */
  readonly place?: Place | undefined;
  /** The passkey that whoever asks came in with; undefined: came in with none. */
  readonly cameWith?: string | undefined;
  /** The login under which a program runs that says who asks; undefined: payfile itself knows who asks. */
  readonly namedBy?: string | undefined;
  /** Whether whoever asks has a login of the operating system to themselves, and the ledger is open to other logins too. */
  readonly hasOwnLogin?: boolean | undefined;
  /** Set where the wait for a silent service is limited. */
  readonly silence?: SilenceLimit | undefined;
  /** Where several machines share the ledger: those who may do the work; undefined: nobody does. */
  readonly fleet?: (() => Promise<Fleet | undefined>) | undefined;
  /** Set inside work that has a batch's lease: a stage of it takes no other one. */
  readonly held?: { readonly batchId: BatchId; readonly lease: Lease } | undefined;
  /** Opens the ledger anew whose server broke off, for whoever only watches; undefined: it has no server. */
  readonly openAgain?: (() => Promise<void>) | undefined;
}

/** What decisions about rows need: no question to the service. */
export type OfflinePorts = Omit<Ports, 'paymentService'>;

/** What views of the ledger need: they change nothing. */
export type LookingPorts = Pick<Ports, 'ledger' | 'clock' | 'policy' | 'place' | 'cameWith'>;

/** How long a service may say nothing at all (silent-service.ts). */
interface SilenceLimit {
  /** Why the wait is over; undefined while the service may still answer. */
  ended(): string | undefined;
  /** Aborts when the wait is over. */
  readonly over: AbortSignal;
  /** Look-ups begin, and their answers count. They are given up at this time of the monotonic clock. */
  lookUntil(endMs: number): LookUps;
}

export interface LookUps {
  /** Aborts when they are given up. */
  readonly signal: AbortSignal;
  end(): void;
}

/** What a stage reports while it works. Delays are milliseconds. */
export type ProgressEvent =
  | {
      readonly kind: 'stage';
      readonly stage: Stage;
      readonly batchId: BatchId | undefined;
      readonly total: number | undefined;
    }
  /** Rows read so far. */
  | { readonly kind: 'read'; readonly rows: number; readonly invalid: number }
  /** How many payouts of the stage were done by others, by what they came to. */
  | { readonly kind: 'elsewhere'; readonly outcomes: ReadonlyMap<Status, number> }
  /** Workers do the stage. `stopped`: the ledger takes no more intents of theirs; `inFlight` rows are at most on the wire. */
  | { readonly kind: 'at_workers'; readonly stand: 'at_work' | 'ended' }
  | { readonly kind: 'at_workers'; readonly stand: 'stopped'; readonly inFlight: number }
  /** A payout changed its status. */
  | { readonly kind: 'moved'; readonly from: Status; readonly payout: Payout }
  /** The stage waits: rate limit, breaker, outage. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly delayMs: number | undefined }
  | { readonly kind: 'warning'; readonly text: string };

export type Stage = 'read' | 'price' | 'approve' | 'send' | 'settle' | 'report';
export type Tell = (event: ProgressEvent) => void;

const DUE: Readonly<Record<'price' | 'send' | 'settle', Status>> = {
  price: 'planned',
  send: 'approved',
  settle: 'accepted',
};

/** A stage of a batch begins: with how many rows. */
export async function tellStage(
  stage: keyof typeof DUE,
  batchId: BatchId,
  { ledger, tell }: Pick<Ports, 'ledger' | 'tell'>,
): Promise<void> {
  const counts = await ledger.counts(batchId);
  tell({ kind: 'stage', stage, batchId, total: counts[DUE[stage]] });
}

/** Work that changes a batch is done while holding its lease: one process at a time. Throws BatchBusy. */
export async function withLease<Result>(
  batchId: BatchId,
  holder: LeaseHolder,
  ports: Pick<Ports, 'ledger' | 'held'>,
  work: (leaseLost: AbortSignal, lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { held } = ports;
  if (held?.batchId === batchId) return work(held.lease.lost, held.lease);
  const lease = await ports.ledger.lease(batchId, holder);
  if (lease.kind === 'busy') throw new BatchBusy(lease);
  try {
    return await work(lease.lost, lease);
  } finally {
    await lease.release();
  }
}

/** Another process runs this batch: who, since when, and what to do. Exit code 75. */
export class BatchBusy extends PayfileError {
  override readonly name = 'BatchBusy';
  readonly code = 'batch_busy';
  readonly holder: LeaseHolder;
  readonly busy: LeaseBusy;
  /** `batchName`: where several batches are meant. */
  constructor(busy: LeaseBusy, batchName?: string) {
    const { holder, since } = busy;
    const { user, pid, host, command } = holder;
    super(
      `Another process runs ${batchName === undefined ? 'this batch' : `batch ${batchName}`}: “${command}” of ${user} on ${host}, process ${pid}, since ${minuteOf(since)} UTC. ` +
        'Nothing was done. Wait until it ends, then type the same command again.',
    );
    this.holder = holder;
    this.busy = busy;
  }
}
