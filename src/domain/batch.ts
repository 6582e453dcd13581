/**
 * A batch: one payment file's worth of work. Its status is derived from its payouts and its pause, never
 * stored.
 */
import type { BatchId, Digest } from './instruction.ts';
import type { Status } from './payout.ts';
import type { Field } from './row-issue.ts';
import type { StyleRead } from './style-read.ts';
import type { Timestamp } from './timestamp.ts';

export interface Batch {
  readonly id: BatchId;
  readonly name: string | undefined;
  /** Over the canonical rows, whatever their order; undefined while importing. */
  readonly digest: Digest | undefined;
  /** True until all rows of the file are staged. */
  readonly isImporting: boolean;
  /** Set when this import became a revision of another batch. */
  readonly mergedInto: BatchId | undefined;
  /** Something of it was approved once: name and digest are bound for ever. */
  readonly isBound: boolean;
  /** Counted from 1; grows with every revision of the file. */
  readonly revision: number;
  readonly file: BatchFile;
  readonly maker: string;
  readonly createdAt: Timestamp;
  readonly pause: Pause | undefined;
  /** When the last pause was lifted; doubts are counted since then. */
  readonly resumedAt: Timestamp | undefined;
  readonly approval: Approval | undefined;
}

/** The name of a file that came over standard input. */
export const STANDARD_INPUT = 'standard input';

export interface BatchFile {
  readonly name: string;
  readonly sha256: string;
  readonly format: 'csv' | 'xlsx';
  readonly sheet: string | undefined;
  readonly headers: readonly string[];
  readonly columns: ReadonlyMap<Field, number>;
  /** How its amounts were read; undefined while they are, and for files read before this was kept. */
  readonly amountStyle?: StyleRead | undefined;
}

export interface Pause {
  readonly reason: string;
  readonly by: string;
  readonly at: Timestamp;
}

/** Why batches with unsent rows are paused when a person goes on with a ledger that was set back. */
export const SET_BACK_REASON = 'the ledger was set back: compare it with a statement before anything is sent';

/** Why they are paused when a person accepts a ledger that was not known here. */
export const UNKNOWN_LEDGER_REASON =
  'the ledger was not known here: compare it with a statement before anything is sent';

/** The last agreement to a plan. `how`: typed total, approve command, ceiling, or yes in the sandbox. */
export interface Approval {
  readonly digest: Digest;
  readonly by: string;
  readonly at: Timestamp;
  readonly how: 'typed_total' | 'approve_command' | 'ceiling' | 'sandbox_yes' | 'library';
  readonly count: number;
}

export type StatusCounts = Readonly<Record<Status, number>>;

export type BatchStatus =
  | 'importing'
  | 'planned'
  | 'approved'
  | 'sending'
  | 'paused'
  | 'settling'
  | 'finished'
  | 'canceled';

/** Where a batch stands, from what stands of its payouts. */
export function batchStatus(batch: Pick<Batch, 'isImporting' | 'pause'>, counts: StatusCounts): BatchStatus {
  const of = (...statuses: readonly Status[]) => statuses.reduce((sum, status) => sum + counts[status], 0);
  if (batch.isImporting) return 'importing';
  const everSent = of('sending', 'in_doubt', 'accepted', 'settled', 'failed', 'returned');
  if (batch.pause !== undefined && of('approved', 'quoted', 'planned', 'held') > 0) return 'paused';
  if (of('approved', 'sending') > 0) return everSent > 0 ? 'sending' : 'approved';
  if (of('accepted', 'in_doubt') > 0) return 'settling';
  // What still waits for a quote or an approval is not finished; held rows never stop the others.
  if (everSent > 0 && of('planned', 'quoted') === 0) return 'finished';
  if (of('planned', 'held', 'quoted') > 0) return 'planned';
  return of('canceled') > 0 ? 'canceled' : 'planned';
}

/** The ledger may not know what was paid: only a statement can tell, before a person lifts the pause. */
export function isPausedForStatement({ pause }: Pick<Batch, 'pause'>): boolean {
  return pause !== undefined && [SET_BACK_REASON, UNKNOWN_LEDGER_REASON].includes(pause.reason);
}
