/** What monitors and a short mail are told of a result, beside its JSON. */
import type { Batch } from '../domain/batches/batch.ts';
import type { ControlTotals } from '../domain/reporting/control-totals.ts';

export interface ShortResult {
  readonly batch?: Pick<Batch, 'id' | 'name'>;
  readonly outcome?: string;
  readonly sentence?: string;
  /** The sentence says no more than the counts of the rows. */
  readonly isOnlyCounts?: boolean;
  /** Absent if no batch was looked at. */
  readonly totals?: Pick<ControlTotals, 'counts' | 'byStatus' | 'differing'>;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** What a person has to look at, the most pressing first. */
  readonly toLookAt?: ToLookAt;
  /** Why reports are not there. */
  readonly unwritten?: readonly string[];
}

export interface ToLookAt {
  /** The first of them. */
  readonly lines: readonly string[];
  readonly count: number;
}

const ROWS_MAX = 5;

/** `left`: how many more there are than were listed. */
export function toLookAt<Item>(items: readonly Item[], lineOf: (item: Item) => string, left = 0): ToLookAt {
  return { lines: items.slice(0, ROWS_MAX).map(lineOf), count: items.length + left };
}

export function bothOf(first: ToLookAt, then: ToLookAt | undefined): ToLookAt {
  if (then === undefined) return first;
  return { lines: [...first.lines, ...then.lines].slice(0, ROWS_MAX), count: first.count + then.count };
}
