/** A thread that reads the rows of one sheet (sheet-beside.ts), a few thousand ahead of whoever takes them. */
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { FileRefused } from '../../ports/row-source.ts';
import { bytesOf } from '../opened-file.ts';
import type { SheetAsked, SheetTold } from './sheet-beside.ts';
import { sheetRows } from './sheet-reading.ts';
import type { SheetRow } from './sheet-rows.ts';
import { openZip } from './zip-entries.ts';

/** Rows of an answer, at least, and answers that nobody took yet. */
const [ROWS, AHEAD] = [500, 6];

const { fd, size, ...place } = workerData as SheetAsked;
const readAt = promisify(read);
let ahead = 0;
let taken: (() => void) | undefined;
parentPort?.on('message', () => {
  ahead -= 1;
  taken?.();
});
const tell = (told: SheetTold) => parentPort?.postMessage(told);

try {
  const bytes = (start = 0, end = size) => bytesOf((...into) => readAt(fd, ...into), start, end);
  const zip = await openZip({ name: place.name, size, read: bytes });
  const { rows: all, facts } = sheetRows({ ...place, zip });
  let rows: SheetRow[] = [];
  for await (const some of all) {
    rows = rows.length === 0 ? some : rows.concat(some);
    if (rows.length < ROWS) continue;
    tell({ rows, facts, isLast: false });
    rows = [];
    ahead += 1;
    while (ahead >= AHEAD)
      await new Promise<void>((resolve) => {
        taken = resolve;
      });
  }
  tell({ rows, facts, isLast: true });
} catch (error) {
  if (!(error instanceof FileRefused)) throw error;
  tell({ refused: error.message });
}
parentPort?.close();
