/**
 * The rows of a large sheet, read by a thread of its own (sheet-thread.ts) while this one checks those that it has. Where no
 * thread can begin, they are read here.
 */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FileRefused } from '../../ports/row-source.ts';
import type { PayoutFile } from '../opened-file.ts';
import type { SheetReading } from './choose-sheet.ts';
import { type SheetPlace, sheetRows } from './sheet-reading.ts';
import type { SheetFacts, SheetRow } from './sheet-rows.ts';

/** What the thread is told when it begins. After each answer it is told that it was taken. */
export type SheetAsked = Pick<SheetPlace, 'workbook' | 'part' | 'name'> & Pick<PayoutFile, 'fd' | 'size'>;

/** Rows in their order, with what is known of the sheet by then; the last ones may be none. Or why the file is refused. */
export type SheetTold =
  | { readonly rows: SheetRow[]; readonly facts: SheetFacts; readonly isLast: boolean }
  | { readonly refused: string };

export function rowsBeside(place: SheetPlace & { readonly file: PayoutFile }): SheetReading {
  const facts: SheetFacts = { merges: [], hiddenColumns: [] };
  return { rows: rowsOf(place, facts), facts };
}

async function* rowsOf(
  { file, ...place }: SheetPlace & { readonly file: PayoutFile },
  facts: SheetFacts,
): AsyncGenerator<SheetRow[]> {
  const { workbook, part, name } = place;
  const workerData: SheetAsked = { workbook, part, name, fd: file.fd, size: file.size };
  const worker = new Worker(new URL(`./sheet-thread.${import.meta.url.slice(-2)}`, import.meta.url), {
    workerData,
  });
  let isBegun = false;
  try {
    for await (const [told] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[SheetTold]>) {
      isBegun = true;
      if ('refused' in told) throw new FileRefused(told.refused);
      Object.assign(facts, told.facts);
      if (told.rows.length > 0) yield told.rows;
      if (told.isLast) return;
      worker.postMessage('taken');
    }
    throw new Error('The thread that reads the sheet has ended');
  } catch (error) {
    if (isBegun) throw error;
  } finally {
    await worker.terminate();
  }
  const here = sheetRows(place);
  Object.assign(facts, here.facts);
  yield* here.rows;
}
