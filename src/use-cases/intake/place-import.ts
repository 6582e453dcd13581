/**
 * Decides what a file that was just read is: a new batch, the newer file of the batch of that name, one that was finished
 * before, or a file that changes what was already agreed to, which is refused. The name alone says which batch it is.
 *
 * Planning again and revising are one mechanism: the file is compared with the batch row by row. Two kinds of rows can
 * refuse it: rows from approved onward, and rows that pay again a payment that went out. Before an approval nothing can
 * conflict: planning again replaces the plan and keeps releases.
 *
 * Errors:  FileRefused for a row that pays a row of the same batch again; nothing is kept of the file then.
 */
import { type Batch, batchLabel, batchStatus, type Corrected } from '../../domain/batches/batch.ts';
import { freeRedoName } from '../../domain/next-steps/pay-again.ts';
import { daysMs } from '../../domain/policy.ts';
import type { CellEdit } from '../../domain/rows/cell-edit.ts';
import { IN_A_PROGRAM, type InputName, input, said, textOf } from '../../domain/text/message.ts';
import { type Timestamp, timestampOf } from '../../domain/timestamp.ts';
import type { Comparison, Overlap, Seal } from '../../ports/ledger/imports.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { FileRefused } from '../../ports/row-source.ts';
import { keepRules } from '../approve/lasting-rules.ts';
import { BatchBusy, type Ports, withLease } from '../ports.ts';
import { isTakenIn, nameIsId } from './batch-name.ts';
import type { Imported } from './import-file.ts';
import { keepEdits, keepLinesLeftOut } from './keep-edits.ts';
import { keepShapers } from './keep-shapers.ts';

export type Placed =
  | { readonly kind: 'new'; readonly batch: Batch; readonly overlaps: readonly Overlap[] }
  | {
      readonly kind: 'revision';
      readonly batch: Batch;
      readonly comparison: Comparison;
      readonly overlaps: readonly Overlap[];
    }
  /** The same rows as the batch of that name, in which nothing is left to do. */
  | { readonly kind: 'finished'; readonly batch: Batch }
  /** Rows that were agreed to, or that stand for a payment that went out, are changed or left out. Nothing was kept of the file. */
  | { readonly kind: 'refused'; readonly batch: Batch; readonly comparison: Comparison }
  /** The batch of another name has the same file. The import is kept: place it once somebody said what it is, or drop it. */
  | { readonly kind: 'same_file'; readonly batch: Batch };

interface Placing {
  readonly imported: Imported;
  /** That the import was begun with, or that of a batch that is there. */
  readonly name: string;
  /** Who places it, and holds the batch meanwhile: a batch that runs elsewhere must not change under it. */
  readonly holder: LeaseHolder;
  /** Corrections of the file's cells. */
  readonly edits?: readonly CellEdit[] | undefined;
  /** The batch that the file pays once more on purpose. */
  readonly repeats?: string | undefined;
}

/** Errors: BatchBusy when another process runs the batch that the file belongs to; nothing is kept of the file then. */
export async function placeImport(placing: Placing, ports: Ports): Promise<Placed> {
  const other = await batchOfSameFile(placing, ports);
  if (other !== undefined) return { kind: 'same_file', batch: other };
  const target = await ports.ledger.batchNamed(placing.name);
  if (target === undefined) return placeNew(placing, ports);
  try {
    return await withLease(target.id, placing.holder, ports, () => placeRevision(placing, target, ports));
  } catch (error) {
    if (error instanceof BatchBusy) await ports.ledger.dropImport(placing.imported.importId);
    throw error;
  }
}

/**
 * A batch of another name with the same bytes, however they are read, mapped or corrected. Nobody can tell whether they are
 * the same payments or new ones, and what is read or corrected otherwise would look like payments that nobody made yet.
 */
async function batchOfSameFile(
  { imported: { receivedSha256 }, name, repeats }: Placing,
  { ledger }: Ports,
): Promise<Batch | undefined> {
  const batches = await ledger.batchesOfBytes(receivedSha256);
  if (batches.some((batch) => batch.name === name)) return undefined;
  const meant = repeats === undefined ? undefined : await ledger.findBatch(repeats);
  const isSaid = meant?.kind === 'found' && batches.some(({ id }) => id === meant.batch.id);
  return isSaid ? undefined : batches[0];
}

async function placeNew(placing: Placing, ports: Ports): Promise<Placed> {
  const { importId } = placing.imported;
  await keepRules(importId, placing.holder.user, ports);
  await keepEdits(importId, placing, ports);
  await keepShapers(importId, shaping(placing), ports);
  await keepLinesLeftOut(importId, placing, ports);
  const sealed = await ports.ledger.seal(importId, sealOf(placing, ports.clock.now()));
  // Another process made a batch of this name just now: the file is compared with it.
  if (sealed === 'name_taken') return placeImport(placing, ports);
  if (sealed === 'name_is_id') {
    await ports.ledger.dropImport(importId);
    throw nameIsId(placing.name);
  }
  const batch = await batchOrThrow(importId, ports);
  return { kind: 'new', batch, overlaps: await overlapsOf(importId, ports) };
}

async function placeRevision(placing: Placing, target: Batch, ports: Ports): Promise<Placed> {
  const { ledger, clock } = ports;
  const { imported, holder } = placing;
  const { importId } = imported;
  const comparison = await ledger.compare(target.id, importId);
  if (comparison.conflictCount > 0) {
    await ledger.dropImport(importId);
    return { kind: 'refused', batch: target, comparison };
  }
  const [beside] = comparison.paidAgainBeside;
  if (beside !== undefined) {
    await ledger.dropImport(importId);
    throw paidAgainBeside(beside, target, await freeRedoName(target, isTakenIn(ledger)));
  }
  // Equal rows are not enough where an earlier revision stopped half-way: their places are of two files.
  const isSame = comparison.added === 0 && comparison.removed === 0 && !comparison.isHalfRevised;
  if (isSame && (await isFinished(target, ports))) {
    await ledger.dropImport(importId);
    return { kind: 'finished', batch: target };
  }
  const at = clock.now();
  const by = holder.user;
  await keepRules(target.id, by, ports);
  await keepEdits(target.id, placing, ports);
  if (isSame && target.file.sha256 === imported.fileSha256) await ledger.dropImport(importId);
  else {
    await keepShapers(target.id, shaping(placing), ports);
    await keepLinesLeftOut(target.id, placing, ports);
    await ledger.revise(target.id, importId, { by, at, seal: sealOf(placing, at) });
  }
  const batch = await batchOrThrow(target.id, ports);
  return { kind: 'revision', batch, comparison, overlaps: await overlapsOf(target.id, ports) };
}

function shaping({ imported: { answers, readingName }, holder: { user: by } }: Placing) {
  return { by, answers, readingName };
}

/** In one batch the two would count as two payments, and a new account would be compared with nothing. */
function paidAgainBeside(row: number, batch: Batch, redoName: string): FileRefused {
  const textWith = (how: InputName | string) =>
    said`Row ${row} pays a row of batch ${batchLabel(batch)} again (payfile_replaces), and this file is of the same batch. Put the unpaid rows into a file of their own, without the other rows, and run it as a batch of its own (${how}). Nothing was kept of the file and nothing was sent.`;
  return new FileRefused(textWith(input('batch', redoName)), {
    onPage: textOf(textWith(`such as ${redoName}`).pieces, IN_A_PROGRAM),
  });
}

function sealOf(placing: Placing, at: Timestamp): Seal {
  const { fileSha256, digest, amountStyle } = placing.imported;
  return { fileSha256, corrected: correctedOf(placing, at), digest, at, amountStyle };
}

function correctedOf(
  { edits = [], imported: { receivedSha256 }, holder }: Placing,
  now: Timestamp,
): Corrected | undefined {
  if (edits.length === 0) return undefined;
  const by = [...new Set(edits.map((edit) => edit.by ?? holder.user))];
  const times = edits.map(({ at }) => at ?? now).sort((one, other) => one - other);
  const [firstAt = now, lastAt = now] = [times[0], times.at(-1)];
  return { receivedSha256, cells: edits.length, by, firstAt, lastAt };
}

async function overlapsOf(batchId: Batch['id'], ports: Ports): Promise<readonly Overlap[]> {
  const { clock, ledger, policy } = ports;
  return ledger.overlaps(batchId, timestampOf(clock.now() - daysMs(policy.duplicateWindowDays)));
}

async function isFinished(batch: Batch, ports: Ports): Promise<boolean> {
  const counts = await ports.ledger.counts(batch.id);
  const status = batchStatus(batch, counts);
  return status === 'finished' && counts.held + counts.quoted + counts.planned + counts.invalid === 0;
}

async function batchOrThrow(id: Batch['id'], ports: Ports): Promise<Batch> {
  const batch = await ports.ledger.batch(id);
  if (batch === undefined) throw new TypeError(`Batch ${id} was just written and is not there`);
  return batch;
}
