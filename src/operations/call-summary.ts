/**
 * Summary of a call for monitors, pagers and short mails.
 *
 * It names rows by row number and contains no account number.
 */
import type { Batch } from '../domain/batches/batch.ts';
import type { ControlTotals } from '../domain/reporting/control-totals.ts';

export interface CallSummary {
  readonly batch?: Pick<Batch, 'id' | 'name'>;
  readonly outcome?: string | undefined;
  readonly sentence?: string | undefined;
  /** The sentence only repeats the row counts. */
  readonly isOnlyCounts?: boolean;
  /** Absent if the call read no batch. */
  readonly totals?: Pick<ControlTotals, 'counts' | 'byStatus' | 'differing'>;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Rows that need a person, the most urgent first. */
  readonly toLookAt?: RowsToLookAt | undefined;
  /** Why reports were not written. */
  readonly unwritten?: readonly string[];
}

export interface RowsToLookAt {
  /** The first few. */
  readonly lines: readonly string[];
  readonly count: number;
}

/** Keeps a cron mail short. */
const ROWS_MAX = 5;
export const WIDTH = 160;

/** `left`: how many rows are not in `lines`. */
export const toLookAt = (lines: readonly string[], left = 0): RowsToLookAt => ({
  lines: lines.slice(0, ROWS_MAX),
  count: lines.length + left,
});

export function joinRowsToLookAt(first: RowsToLookAt, then: RowsToLookAt | undefined): RowsToLookAt {
  if (then === undefined) return first;
  return { lines: [...first.lines, ...then.lines].slice(0, ROWS_MAX), count: first.count + then.count };
}

interface AttentionRow {
  readonly row: number;
  readonly status: string;
  readonly reason: string;
}

/** `Row 12 in_doubt: The request went out and no answer came.` */
export function attentionLine({ row, status, reason }: AttentionRow): string {
  // The tag comes first, so that cutting the line keeps it. People search statements for it.
  const tag = /PF-[0-9A-Z]{8}/.exec(reason)?.[0];
  const start = `Row ${row} ${status}`;
  return tag === undefined || reason.length < WIDTH / 2
    ? `${start}: ${reason}`
    : `${start} (${tag}): ${reason}`;
}
