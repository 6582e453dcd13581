/**
 * What both formats share on the way out: chunks of even size, an early end, and the last checks.
 */
import type { WrittenRow } from '../../domain/written-row.ts';
import { FileRefused } from '../../ports/row-source.ts';
import type { PayoutFile } from './payout-file.ts';

/** As in a spreadsheet. */
export const LONGEST_CELL = 32_767;
const CHUNK_ROWS = 1_000;

/** Ends without a word when the signal aborts; a reading that came to its end proves that the file stayed the same. */
export async function* chunked(
  rows: AsyncGenerator<WrittenRow[]>,
  signal: AbortSignal | undefined,
  file: PayoutFile,
): AsyncGenerator<readonly WrittenRow[]> {
  let waiting: WrittenRow[] = [];
  let isEmpty = true;
  for await (const some of rows) {
    if (signal?.aborted) return;
    waiting = waiting.length === 0 ? some : waiting.concat(some);
    isEmpty = false;
    let from = 0;
    for (; waiting.length - from >= CHUNK_ROWS; from += CHUNK_ROWS)
      yield waiting.slice(from, from + CHUNK_ROWS);
    waiting = waiting.slice(from);
  }
  if (signal?.aborted) return;
  await file.assertUnchanged();
  if (isEmpty)
    throw new FileRefused(`${file.name} has a header and no rows below it: there is nothing to pay.`);
  if (waiting.length > 0) yield waiting;
}
