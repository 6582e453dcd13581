/**
 * Keeps in the journal of a batch who corrected which cell of its file, each correction once, and which of its lines are no
 * payments.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { CellEdit } from '../../domain/rows/cell-edit.ts';
import { columnLetters, usedColumns } from '../../domain/rows/column-names.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { CellCorrected } from '../../ports/ledger/notes.ts';
import type { Ports } from '../ports.ts';
import type { Imported } from './import-file.ts';

interface Edited {
  readonly imported: Pick<Imported, 'importId' | 'fileSha256'>;
  readonly edits?: readonly CellEdit[] | undefined;
  /** Whoever brings the file. */
  readonly holder: Pick<LeaseHolder, 'user'>;
}

/** Before the import becomes the batch's file, so that no crash leaves a corrected file without its corrections. */
export async function keepEdits(
  id: BatchId,
  { imported, edits = [], holder: { user: by } }: Edited,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  const file = edits.length === 0 ? undefined : (await ledger.batch(imported.importId))?.file;
  if (file === undefined) return;
  const used = usedColumns(file);
  const at = clock.now();
  const corrected = edits.map((edit): CellCorrected => {
    const field = used.get(edit.column);
    return {
      file: imported.fileSha256,
      row: edit.row,
      column: file.headers[edit.column] || columnLetters(edit.column),
      ...(field === undefined ? {} : { field }),
      ...{ was: edit.was, text: edit.text, by: edit.by ?? by, at: edit.at ?? at },
    };
  });
  const keyOf = ({ at: _, by: _by, ...cell }: CellCorrected) => JSON.stringify(Object.entries(cell).sort());
  const known = new Set((await ledger.notes(id, 'cell_corrected')).map(({ body }) => keyOf(body)));
  const fresh = corrected.filter((each) => !known.has(keyOf(each)));
  await Promise.all(fresh.map((each) => ledger.note(id, 'cell_corrected', each, at)));
}

export async function keepLinesLeftOut(
  id: BatchId,
  { imported: { leftOut } }: { readonly imported: Pick<Imported, 'leftOut'> },
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  const last = (await ledger.notes(id, 'lines_left_out')).at(-1)?.body ?? { rows: [], more: 0 };
  if (JSON.stringify(last) === JSON.stringify(leftOut)) return;
  await ledger.note(id, 'lines_left_out', leftOut, clock.now());
}
