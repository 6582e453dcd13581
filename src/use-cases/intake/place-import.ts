/**
 * Decides what a file that was just read is: a new batch, the next revision of one, one that was finished
 * before, or a file that changes what was already agreed to, which is refused.
 *
 * Planning again and revising are one mechanism: the file is compared with the batch row by row, by content, and only
 * rows from approved onward can refuse it, and rows that stand for a payment that went out. Before anything was approved
 * nothing can conflict, so planning again simply replaces the plan and keeps releases.
 *
 * Errors:  FileRefused for a row that pays a row of the same batch again, and for a new batch of a file that a batch has
 *          with other corrections or other rows; nothing is kept of the file then.
 */
import {
  type Batch,
  type BatchFile,
  batchLabel,
  batchStatus,
  type Corrected,
  receivedSha256,
} from '../../domain/batches/batch.ts';
import { freeRedoName } from '../../domain/next-steps/pay-again.ts';
import { daysMs } from '../../domain/policy.ts';
import type { CellEdit } from '../../domain/rows/cell-edit.ts';
import { type Timestamp, timestampOf } from '../../domain/timestamp.ts';
import type { Comparison, Overlap, Seal } from '../../ports/ledger/imports.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { FileRefused } from '../../ports/row-source.ts';
import { keepRules } from '../approve/lasting-rules.ts';
import { BatchBusy, type Ports, withLease } from '../ports.ts';
import { nameIsId } from './batch-name.ts';
import type { Imported } from './import-file.ts';
import { keepEdits } from './keep-edits.ts';
import { keepShapers } from './keep-shapers.ts';

export type Placed =
  | { readonly kind: 'new'; readonly batch: Batch; readonly overlaps: readonly Overlap[] }
  | {
      readonly kind: 'revision';
      readonly batch: Batch;
      readonly comparison: Comparison;
      readonly overlaps: readonly Overlap[];
    }
  /** The same rows as a batch in which nothing is left to do. */
  | { readonly kind: 'finished'; readonly batch: Batch }
  /** Rows that were agreed to, or that stand for a payment that went out, are changed or left out. Nothing was kept of the file. */
  | { readonly kind: 'refused'; readonly batch: Batch; readonly comparison: Comparison };

interface Placing {
  readonly imported: Imported;
  readonly name: string | undefined;
  /** Who places it, and holds the batch meanwhile: a batch that runs elsewhere must not change under it. */
  readonly holder: LeaseHolder;
  /** Corrections of the file's cells. */
  readonly edits?: readonly CellEdit[] | undefined;
  /** The batch that the file pays once more on purpose. */
  readonly repeats?: string | undefined;
}

/** Errors: BatchBusy when another process runs the batch that the file belongs to; nothing is kept of the file then. */
export async function placeImport(placing: Placing, ports: Ports): Promise<Placed> {
  const target = await targetOf(placing, ports);
  if (target === undefined) return placeNew(placing, ports);
  try {
    return await withLease(target.id, placing.holder, ports, () => placeRevision(placing, target, ports));
  } catch (error) {
    if (error instanceof BatchBusy) await ports.ledger.dropImport(placing.imported.importId);
    throw error;
  }
}

async function placeNew(placing: Placing, ports: Ports): Promise<Placed> {
  const { importId } = placing.imported;
  await requireOtherFile(placing, ports);
  await keepRules(importId, placing.holder.user, ports);
  await keepEdits(importId, placing, ports);
  await keepShapers(importId, shaping(placing), ports);
  const sealed = await ports.ledger.seal(importId, sealOf(placing, ports.clock.now()));
  // Another process made a batch of this name just now: the file is compared with it.
  if (sealed === 'name_taken') return placeImport(placing, ports);
  if (sealed === 'name_is_id') {
    await ports.ledger.dropImport(importId);
    throw nameIsId(placing.name ?? '');
  }
  const batch = await batchOrThrow(importId, ports);
  return { kind: 'new', batch, overlaps: await overlapsOf(importId, ports) };
}

async function placeRevision(placing: Placing, target: Batch, ports: Ports): Promise<Placed> {
  const { ledger, clock } = ports;
  const { imported, name, holder } = placing;
  const { importId } = imported;
  const comparison = await ledger.compare(target.id, importId);
  if (comparison.conflictCount > 0) {
    await ledger.dropImport(importId);
    return { kind: 'refused', batch: target, comparison };
  }
  const [beside] = comparison.paidAgainBeside;
  if (beside !== undefined) {
    await ledger.dropImport(importId);
    throw paidAgainBeside(beside, target, await freeRedoName(target, ledger.isNameTaken));
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
    await ledger.revise(target.id, importId, { by, at, seal: sealOf(placing, at) });
  }
  if (name !== undefined && target.name === undefined) await ledger.nameBatch(target.id, name);
  const batch = await batchOrThrow(target.id, ports);
  return { kind: 'revision', batch, comparison, overlaps: await overlapsOf(target.id, ports) };
}

function shaping({ imported: { mapping }, holder: { user: by } }: Placing) {
  return { by, mapping };
}

/** In one batch the two would count as two payments, and a new account would be compared with nothing. */
function paidAgainBeside(row: number, batch: Batch, redoName: string): FileRefused {
  const textWith = (how: string) =>
    `Row ${row} pays a row of batch ${batchLabel(batch)} again (payfile_replaces), and this file is of the same batch. ` +
    `Put the unpaid rows into a file of their own, without the other rows, and run it as a batch of its own ` +
    `(${how}). Nothing was kept of the file and nothing was sent.`;
  return new FileRefused(textWith(`--batch ${redoName}`), { onPage: textWith(`such as ${redoName}`) });
}

function sealOf(placing: Placing, at: Timestamp): Seal {
  const { imported, name } = placing;
  const { fileSha256, digest, amountStyle } = imported;
  return { fileSha256, corrected: correctedOf(placing, at), digest, name, at, amountStyle };
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

/**
 * The same bytes with other corrections, or read by another mapping, differ in a few rows alone, and those that differ
 * would look like payments that nobody made yet: a corrected amount, or another bank, would be paid beside the first. So
 * it has to be said which it is. Equal rows are known as repeats by themselves.
 */
async function requireOtherFile({ imported, repeats, name }: Placing, ports: Ports): Promise<void> {
  const { ledger } = ports;
  const same = (await batchesOfBytes(imported, ports)).filter(
    ({ file, digest }) => file.sha256 !== imported.fileSha256 || digest !== imported.digest,
  );
  const [first] = same;
  if (first === undefined) return;
  const found = repeats === undefined ? undefined : await ledger.findBatch(repeats);
  if (found?.kind === 'found' && same.some(({ id }) => id === found.batch.id)) return;
  await ledger.dropImport(imported.importId);
  const label = batchLabel(first);
  const how = first.file.sha256 === imported.fileSha256 ? 'read in another way' : 'with other corrections';
  const what = `Batch ${label} is of the same file, ${how}. Nothing was kept of the file and nothing was sent.`;
  const newer = first.name === undefined ? '' : `--batch ${label} if this is a newer version of it, `;
  throw new FileRefused(
    `${what} Say which it is: ${newer}--repeats ${label} if it is paid as well, in a batch of its own${name === undefined ? ' (--batch NAME)' : ''}.`,
    { onPage: what, sameAs: { id: first.id, label } },
  );
}

async function targetOf(placing: Placing, ports: Ports): Promise<Batch | undefined> {
  const { name, imported } = placing;
  const sameRows = await ports.ledger.findByDigest(imported.digest);
  if (name !== undefined) {
    const named = await ports.ledger.batchNamed(name);
    if (named !== undefined) return named;
    // Planned before without a name: the name is given now. A bound batch keeps what it was called.
    return sameRows.find((batch) => batch.name === undefined && !batch.isBound);
  }
  return (
    sameRows[0] ??
    (await sameFile(imported, ports)) ??
    (await replacedPlan(placing, ports)) ??
    (await overlappingBatch(placing, ports))
  );
}

/**
 * A file with the same bytes as a batch's file is that batch's file, even if this version of the program reads it
 * differently: a file that was paid must never be taken for a new one.
 */
async function sameFile(imported: Imported, ports: Ports): Promise<Batch | undefined> {
  const same = await batchesOfBytes(imported, ports);
  return same.find(({ file }) => file.sha256 === imported.fileSha256) ?? same[0];
}

/** However their cells were corrected. */
async function batchesOfBytes(
  { importId, receivedSha256: bytes }: Imported,
  { ledger }: Ports,
): Promise<readonly Batch[]> {
  const own = await ledger.batch(importId);
  return (await ledger.batches()).filter(
    ({ id, isImporting, file }) =>
      !isImporting &&
      id !== importId &&
      receivedSha256(file) === bytes &&
      file.sheet === own?.file.sheet &&
      isSameColumns(file, own?.file),
  );
}

/**
 * The batch that a file belongs to, where its rows could not be read: the one of that name, else the only one of the same
 * bytes. undefined: none, or more than one.
 */
export async function batchOfUnread(
  { name, sha256 }: { readonly name: string | undefined; readonly sha256: () => Promise<string | undefined> },
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<Batch | undefined> {
  if (name !== undefined) return ledger.batchNamed(name);
  const batches = (await ledger.batches()).filter(({ isImporting }) => !isImporting);
  const bytes = await sha256();
  const same = bytes === undefined ? [] : batches.filter(({ file }) => file.sha256 === bytes);
  return same.length === 1 ? same[0] : undefined;
}

/**
 * Whether two files use the same columns. One file can hold two batches: on two sheets, or in two mappings. A name read
 * from one column may now be read from two.
 */
function isSameColumns(one: BatchFile, other: BatchFile | undefined): boolean {
  return [...one.columns].every(([field, at]) => {
    const now = other?.columns.get(field);
    return now === at || (field === 'name' && other !== undefined && now === undefined);
  });
}

/** Until something is approved, planning the same file again replaces the plan. */
async function replacedPlan({ imported, holder }: Placing, ports: Ports): Promise<Batch | undefined> {
  const batches = await ports.ledger.batches();
  return batches.find(
    (batch) =>
      !batch.isBound &&
      !batch.isImporting &&
      batch.name === undefined &&
      batch.maker === holder.user &&
      batch.file.name === imported.fileName,
  );
}

/**
 * An open batch that shares half of the rows, or a finished one of which the file seems to be an edited copy. Without
 * the second, a changed amount of a paid row would become a new payment instead of a refusal with both amounts.
 */
async function overlappingBatch({ imported }: Placing, ports: Ports): Promise<Batch | undefined> {
  const [most] = await overlapsOf(imported.importId, ports);
  if (most === undefined || most.rows * 2 < imported.rows) return undefined;
  if (most.batch.halfRead !== undefined || !(await isFinished(most.batch, ports))) return most.batch;
  const { conflicts } = await ports.ledger.compare(most.batch.id, imported.importId);
  return conflicts.some(({ after }) => after !== undefined) ? most.batch : undefined;
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
