/**
 * What monitors, pagers and a short mail are told of a call, beside its answer.
 *
 * No account number is in it: rows are named by their row number.
 */
import type { Batch } from '../domain/batches/batch.ts';
import type { ControlTotals } from '../domain/reporting/control-totals.ts';

export interface Told {
  readonly batch?: Pick<Batch, 'id' | 'name'>;
  readonly outcome?: string | undefined;
  readonly sentence?: string | undefined;
  /** The sentence says no more than the counts of the rows. */
  readonly isOnlyCounts?: boolean;
  /** Absent if no batch was looked at. */
  readonly totals?: Pick<ControlTotals, 'counts' | 'byStatus' | 'differing'>;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** What a person has to look at, the most pressing first. */
  readonly toLookAt?: ToLookAt | undefined;
  /** Why reports are not there. */
  readonly unwritten?: readonly string[];
}

export interface ToLookAt {
  /** The first of them. */
  readonly lines: readonly string[];
  readonly count: number;
}

/** A cron mail stays short. */
const ROWS_MAX = 5;
export const WIDTH = 160;

/** `left`: how many more there are than were listed. */
export const toLookAt = (lines: readonly string[], left = 0): ToLookAt => ({
  lines: lines.slice(0, ROWS_MAX),
  count: lines.length + left,
});

export function bothOf(first: ToLookAt, then: ToLookAt | undefined): ToLookAt {
  if (then === undefined) return first;
  return { lines: [...first.lines, ...then.lines].slice(0, ROWS_MAX), count: first.count + then.count };
}

interface AttentionSaid {
  readonly row: number;
  readonly status: string;
  readonly reason: string;
}

/** `Row 12 in_doubt: The request went out and no answer came.` */
export function attentionLine({ row, status, reason }: AttentionSaid): string {
  // What a statement is searched for stands where no line is cut.
  const tag = /PF-[0-9A-Z]{8}/.exec(reason)?.[0];
  const start = `Row ${row} ${status}`;
  return tag === undefined || reason.length < WIDTH / 2
    ? `${start}: ${reason}`
    : `${start} (${tag}): ${reason}`;
}
