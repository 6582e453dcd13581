/**
 * Which rows may go into a file that pays again: only those proven unpaid, each naming the instruction that
 * it replaces.
 *
 * Source:  design §3 (failed, returned and canceled are final; paying again is a new instruction), §8.
 */
import type { Batch } from './batch.ts';
import { formatDecimal, parseDecimal } from './money.ts';
import type { Payout, Status } from './payout.ts';
import { ownColumns } from './report-columns.ts';
import { cellOf, type LineSource } from './report-line.ts';
import type { Timestamp } from './timestamp.ts';

export interface RedoRow {
  /** The user's own columns, in their order. */
  readonly cells: readonly string[];
  /** Id of the failed or returned instruction; empty for a row that was never sent. */
  readonly replaces: string;
}

export type Redo =
  | { readonly kind: 'unpaid'; readonly row: RedoRow; readonly status: Status }
  /** Paid, on its way, or not known; `why` finishes the sentence “left out because …”. */
  | { readonly kind: 'left_out'; readonly status: Status; readonly why: string };

export interface RedoContext {
  readonly file: Pick<Batch['file'], 'headers' | 'columns'>;
  readonly asOf: Timestamp;
  readonly reissueAfterMs: number;
}

/** The header of the redo file, without the column of replaced instructions. */
export function redoHeaders(headers: readonly string[]): readonly string[] {
  return ownColumns(headers).map((at) => headers[at] ?? '');
}

export function redoOf(source: LineSource, context: RedoContext): Redo {
  const { status } = source.payout.state;
  const why = whyNotUnpaid(source.payout, context) ?? earlierNotUnpaid(source);
  if (why !== undefined) return { kind: 'left_out', status, why };
  const cells = ownColumns(context.file.headers).map((at) => cellAt(source, at, context));
  return { kind: 'unpaid', status, row: { cells, replaces: replacedBy(source, context) } };
}

function whyNotUnpaid(payout: Payout, context: RedoContext): string | undefined {
  const { state } = payout;
  switch (state.status) {
    case 'settled':
      return 'it is paid';
    case 'accepted':
      return 'it is on its way';
    case 'sending':
    case 'in_doubt':
      return 'it may be paid';
    case 'planned':
    case 'held':
    case 'quoted':
      return payout.instruction?.replaces === undefined
        ? undefined
        : 'it was reissued and waits in its batch';
    case 'approved':
      return 'it is approved and goes out with the next send';
    case 'failed':
      return state.basis === 'service_status' && context.asOf - state.at < context.reissueAfterMs
        ? 'the service called it failed too short a time ago'
        : undefined;
    default:
      return undefined;
  }
}

/** An earlier instruction that turned out to be paid after all makes the row a paid one. */
function earlierNotUnpaid(source: LineSource): string | undefined {
  const paid = source.replaced.some(
    ({ state }) => !['failed', 'returned', 'canceled'].includes(state.status),
  );
  return paid ? 'an earlier instruction of the row may be paid' : undefined;
}

function replacedBy(source: LineSource, context: RedoContext): string {
  const { payout, cells } = source;
  if (payout.state.status === 'failed' || payout.state.status === 'returned') return payout.id;
  if (payout.instruction === undefined) return cellOf(cells, context.file.columns, 'replaces');
  return payout.instruction.replaces ?? '';
}

/**
 * The cell as it was written. Only an amount that does not read the same without knowing how the rest of the
 * file writes numbers (`1.500` for a thousand and a half) is written as the plain decimal that it meant.
 */
function cellAt(source: LineSource, at: number, context: RedoContext): string {
  const text = source.cells[at] ?? '';
  const amount = source.payout.instruction?.amount;
  if (amount === undefined || at !== context.file.columns.get('amount')) return text;
  return parseDecimal(text.trim(), amount.currency)?.minor === amount.minor ? text : formatDecimal(amount);
}
