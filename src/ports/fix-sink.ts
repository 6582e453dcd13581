/**
 * Where a fix file goes: the user's own rows with what is wrong marked, to be mended and read again.
 *
 * Promises: nothing stands under the target's name until `end` has resolved; `abort` leaves nothing behind. An
 *           unmended fix file has the same issues again: a damaged cell is never made good by being copied.
 * Errors:   ReportUnwritable, from any method.
 */
import type { Field, RowIssue } from '../domain/row-issue.ts';
import type { WrittenRow } from '../domain/written-row.ts';
import type { RowSource } from './row-source.ts';

export type FixHeader = Pick<RowSource, 'headers' | 'columns' | 'sheet' | 'headerRow'> & {
  /** Of the file that is to be mended. */
  readonly fileName: string;
};

export interface FixRow {
  readonly row: WrittenRow;
  /** Empty for a row that can be paid. */
  readonly issues: readonly RowIssue[];
  /** What a person should look at, although the row can be paid. */
  readonly remarks: readonly string[];
  /** What of it is to be looked at. */
  readonly lookAt: readonly Field[];
}

export interface FixSink {
  begin(header: FixHeader): Promise<void>;
  write(rows: readonly FixRow[]): Promise<void>;
  end(): Promise<void>;
  abort(): Promise<void>;
}

/** `path` names a file, never standard output. */
export type OpenFixSink = (path: string) => Promise<FixSink>;
