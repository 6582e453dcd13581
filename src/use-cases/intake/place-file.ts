/**
 * From a file to a batch in the ledger: reads it, compares it with what was expected of it, and asks what it is where a
 * batch of another name has the same file.
 *
 * Errors:  FileRefused when the expectations are not met; nothing of the file is kept then. BatchBusy when another
 *          process works on the batch that the file belongs to.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { Answer } from '../../domain/reading/answer.ts';
import { NOTHING_SAID } from '../../domain/reading/reading.ts';
import type { CellEdit } from '../../domain/rows/cell-edit.ts';
import { type Expected, unexpectedTotals } from '../../domain/rows/total-rows.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { FileRefused, type OpenRows } from '../../ports/row-source.ts';
import { whyNoNewPeriod } from '../decide/repeats.ts';
import type { Dialogue } from '../dialogue.ts';
import { knownBatch } from '../find-batch.ts';
import type { Ports } from '../ports.ts';
import type { Answers } from '../user-questions.ts';
import type { FixFile, FixWritten } from './fix-file.ts';
import { type Imported, importFile } from './import-file.ts';
import { type Placed, placeImport } from './place-import.ts';
import type { ReadOptions } from './read-pass.ts';

export interface PlaceRequest extends Dialogue {
  readonly read: ReadOptions;
  /** Of the batch that the file belongs to. */
  readonly name: string;
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
    /** A person was asked about a batch of the same file, and stopped. */
    | { readonly kind: 'canceled'; readonly batch: Batch };
  /** Undefined when none was asked for, or no row needs mending. */
  readonly fixFile: FixWritten | undefined;
  /** Set when a person said that this pays a batch of the same file once more, as a period of its own. */
  readonly repeats: Batch | undefined;
}

export async function placeFile(
  openRows: OpenRows,
  request: PlaceRequest,
  ports: Ports,
): Promise<PlacedFile> {
  const { name, holder, edits, repeats } = request;
  const read = await importOnce(openRows, { ...request, read: await withDecimal(request, ports) }, ports);
  const placing = { imported: read.imported, name, holder, edits, repeats };
  const placed = await placeImport(placing, ports);
  if (placed.kind !== 'same_file') return { ...read, placed, repeats: undefined };
  const { batch } = placed;
  const choice = await sameFileAnswer(batch, request, read.imported, ports);
  if (choice === 'same')
    return {
      ...read,
      placed: await placeImport({ ...placing, name: batch.name }, ports),
      repeats: undefined,
    };
  if (choice === 'again')
    return { ...read, placed: await placeImport({ ...placing, repeats: batch.id }, ports), repeats: batch };
  await ports.ledger.dropImport(read.imported.importId);
  return { ...read, placed: choice === 'stop' ? { kind: 'canceled', batch } : placed, repeats: undefined };
}

/** The decimal mark that was said of this batch counts until another one is said: `150,000` can be read in two ways. */
async function withDecimal({ read, name }: PlaceRequest, { ledger }: Ports): Promise<ReadOptions> {
  const { open } = read;
  const { asked = NOTHING_SAID } = open;
  const batch = await ledger.batchNamed(name);
  const before = batch?.file.reading?.answers.find(isDecimal);
  if (batch === undefined || before === undefined || asked.answers.some(isDecimal)) return read;
  const said = { ...before, by: batch.maker, at: batch.createdAt };
  return { ...read, open: { ...open, asked: { ...asked, answers: [...asked.answers, said] } } };
}

const isDecimal = ({ kind }: Answer): boolean => kind === 'decimal';

async function sameFileAnswer(
  batch: Batch,
  { ask }: PlaceRequest,
  { importId }: Imported,
  ports: Ports,
): Promise<Answers['same_file'] | undefined> {
  try {
    if (ask === undefined) return undefined;
    const tooEarly = await whyNoNewPeriod(batch, ports);
    return await ask({ kind: 'same_file', known: await knownBatch(batch, ports.ledger), tooEarly });
  } catch (error) {
    await ports.ledger.dropImport(importId);
    throw error;
  }
}

async function importOnce(
  openRows: OpenRows,
  { read, name, holder, fixFile, expected, fileSha256, onProgress, signal }: PlaceRequest,
  ports: Ports,
): Promise<Pick<PlacedFile, 'imported' | 'fixFile'>> {
  const fixing = fixFile?.();
  const options = { ...read, signal, name, maker: holder.user, holder, fixFile: fixing };
  const imported = await importFile(openRows, options, ports);
  const made = await fixing?.finish();
  if (made !== undefined) onProgress?.({ kind: 'fix_file', written: made });
  const isOther = fileSha256 !== undefined && fileSha256 !== imported.fileSha256;
  const problems = [
    ...(isOther ? ['The file is another than the one that was checked.'] : []),
    ...(expected === undefined ? [] : unexpectedTotals(expected, imported)),
  ];
  if (problems.length === 0) return { imported, fixFile: made };
  await ports.ledger.dropImport(imported.importId);
  throw new FileRefused(`${problems.join(' ')} Nothing was kept of the file and nothing was sent.`);
}
