/**
 * From a file to a batch in the ledger: reads it, compares it with what was expected of it, and asks where two readings
 * are possible (paid before, or a new period?).
 *
 * Errors:  FileRefused when the expectations are not met; nothing of the file is kept then. BatchBusy when another
 *          process works on the batch that the file belongs to.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { CellEdit } from '../../domain/rows/cell-edit.ts';
import { type Expected, unexpectedTotals } from '../../domain/rows/total-rows.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { FileRefused, type OpenRows } from '../../ports/row-source.ts';
import type { Dialogue } from '../dialogue.ts';
import type { Ports } from '../ports.ts';
import { freeBatchName } from './batch-name.ts';
import type { FixFile, FixWritten } from './fix-file.ts';
import { type Imported, importFile } from './import-file.ts';
import { type Placed, placeImport } from './place-import.ts';
import type { ReadOptions } from './read-rows.ts';

export interface PlaceRequest extends Dialogue {
  readonly read: ReadOptions;
  readonly name: string | undefined;
  readonly expected?: Expected | undefined;
  /** Of the file that was checked. */
  readonly fileSha256?: string | undefined;
  /** Who brings the file, and holds the batch that it belongs to while it is revised. */
  readonly holder: LeaseHolder;
  /** The batch that the file pays once more on purpose. */
  readonly repeats?: string | undefined;
  /** Corrections that the rows are read with; the journal keeps them. */
  readonly edits?: readonly CellEdit[] | undefined;
  /** Makes the fix file that is wanted; undefined: none is. */
  readonly fixFile?: (() => FixFile) | undefined;
}

export interface PlacedFile {
  readonly imported: Imported;
  readonly placed:
    | Placed
    /** A person was asked about rows that were paid before, and stopped. */
    | { readonly kind: 'canceled'; readonly batch: Batch };
  /** Undefined when none was asked for, or no row needs mending. */
  readonly fixFile: FixWritten | undefined;
  /** Set when a person said that this pays a finished batch once more, as a period of its own. */
  readonly repeats: Batch | undefined;
}

export async function placeFile(
  openRows: OpenRows,
  request: PlaceRequest,
  ports: Ports,
): Promise<PlacedFile> {
  const { name, ask, holder, edits, repeats } = request;
  const first = await importOnce(openRows, request, ports);
  const placed = await placeImport({ imported: first.imported, name, holder, edits, repeats }, ports);
  if (placed.kind !== 'finished' || name !== undefined || ask === undefined)
    return { ...first, placed, repeats: undefined };
  const { batch } = placed;
  const choice = await ask({ kind: 'finished_before', batch });
  if (choice === 'report') return { ...first, placed, repeats: undefined };
  const answer = choice === 'again' ? await ask({ kind: 'name_of_batch' }) : undefined;
  if (answer === undefined) return { ...first, placed: { kind: 'canceled', batch }, repeats: undefined };
  const newName = await freeBatchName(answer, ports.ledger);
  // What is kept of a file is dropped when it turns out to be a finished batch: it is read once more.
  const second = await importOnce(openRows, request, ports, first.fixFile);
  const meant = { name: newName, repeats: batch.id };
  const again = await placeImport({ imported: second.imported, ...meant, holder, edits }, ports);
  return { ...second, placed: again, repeats: batch };
}

/** `written`: the fix file that an earlier reading of the same file has made. */
async function importOnce(
  openRows: OpenRows,
  { read, holder, fixFile, expected, fileSha256, onProgress, signal }: PlaceRequest,
  ports: Ports,
  written?: FixWritten,
): Promise<Pick<PlacedFile, 'imported' | 'fixFile'>> {
  const fixing = written === undefined ? fixFile?.() : undefined;
  const options = { ...read, signal, maker: holder.user, holder, fixFile: fixing };
  const imported = await importFile(openRows, options, ports);
  const made = await fixing?.finish();
  if (made !== undefined) onProgress?.({ kind: 'fix_file', written: made });
  const isOther = fileSha256 !== undefined && fileSha256 !== imported.fileSha256;
  const problems = [
    ...(isOther ? ['The file is another than the one that was checked.'] : []),
    ...(expected === undefined ? [] : unexpectedTotals(expected, imported)),
  ];
  if (problems.length === 0) return { imported, fixFile: made ?? written };
  await ports.ledger.dropImport(imported.importId);
  throw new FileRefused(`${problems.join(' ')} Nothing was kept of the file and nothing was sent.`);
}
