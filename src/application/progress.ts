/**
 * What a stage tells while it works. Typed, so that a terminal, a log and a program can each make of it what
 * they need; nothing here is needed for the work itself.
 */
import type { BatchId } from '../domain/instruction.ts';
import type { Payout, Status } from '../domain/payout.ts';

export type ProgressEvent =
  | {
      readonly kind: 'stage';
      readonly stage: Stage;
      readonly batchId: BatchId | undefined;
      readonly total: number | undefined;
    }
  /** Rows read so far. */
  | { readonly kind: 'read'; readonly rows: number; readonly invalid: number }
  /** A payout moved. */
  | { readonly kind: 'moved'; readonly from: Status; readonly payout: Payout }
  /** The stage waits: rate limit, breaker, outage. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly delayMs: number | undefined }
  | { readonly kind: 'warning'; readonly text: string };

export type Stage = 'read' | 'price' | 'approve' | 'send' | 'settle' | 'report';
export type Tell = (event: ProgressEvent) => void;
