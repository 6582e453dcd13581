/**
 * From a file to a batch in the ledger: reads it, checks what the caller expected of it, and asks the person
 * where two readings are possible (a repeat, or a new period?).
 *
 * Errors:  FileRefused when the expectations are not met; nothing of the file is kept then.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import type { Mapping } from '../../domain/rows/mapping.ts';
import { type SeenTotals, unexpectedTotals } from '../../domain/rows/total-rows.ts';
import { FileRefused } from '../../ports/row-source.ts';
import type { FixWritten } from '../../use-cases/intake/fix-file.ts';
import { type Imported, importFile } from '../../use-cases/intake/import-file.ts';
import { type Placed, placeImport } from '../../use-cases/intake/place-import.ts';
import type { ReadOptions } from '../../use-cases/intake/read-rows.ts';
import { BatchBusy, type World } from '../../use-cases/world.ts';
import { argument, type Call, leaseHolder, userName } from './call.ts';
import { savedMappings } from './commands/mapping.ts';
import type { Opened } from './open-parts.ts';
import { fixFileFor, fixFileText } from './show/fix-file.ts';
import { askChoice, askText, mayAsk } from './terminal/ask.ts';

export type FilePlaced =
  | Exclude<Placed, { kind: 'busy' }>
  | { readonly kind: 'canceled'; readonly batch: Batch };

interface ImportedFile {
  readonly imported: Imported;
  /** Undefined when none was asked for, or no row needs mending. */
  readonly fixFile: FixWritten | undefined;
}

export interface PlacedFile extends ImportedFile {
  readonly placed: FilePlaced;
  /** Set when the person said that this pays a finished batch once more, as a period of its own. */
  readonly repeats: Batch | undefined;
}

export async function placeFile(call: Call, opened: Opened, world: World): Promise<PlacedFile> {
  const { batch: name } = call.flags;
  const first = await importOnce(call, opened, world);
  const placed = await place(first.imported, name, { call, world });
  if (placed.kind !== 'finished' || name !== undefined || !mayAsk(call))
    return { ...first, placed, repeats: undefined };
  const choice = await askFinished(placed.batch, call);
  if (choice === 'report') return { ...first, placed, repeats: undefined };
  const newName = choice === 'again' ? await askName(call) : undefined;
  if (newName === undefined)
    return { ...first, placed: { kind: 'canceled', batch: placed.batch }, repeats: undefined };
  const second = await importOnce(call, opened, world, first.fixFile);
  const again = await place(second.imported, newName, { call, world });
  return { ...second, placed: again, repeats: placed.batch };
}

/** Errors: BatchBusy when another process runs the batch that the file belongs to. */
async function place(imported: Imported, name: string | undefined, at: { call: Call; world: World }) {
  const placed = await placeImport({ imported, name, holder: leaseHolder(at.call) }, at.world);
  if (placed.kind === 'busy') throw new BatchBusy(placed.busy);
  return placed;
}

/** `written`: the fix file that an earlier reading of the same file has made. */
async function importOnce(
  call: Call,
  opened: Opened,
  world: World,
  written?: FixWritten,
): Promise<ImportedFile> {
  const fixing = written === undefined ? await fixFileFor(call, opened) : undefined;
  const options = {
    ...readOptions(call, opened, await savedMappings(opened)),
    maker: userName(call),
    holder: leaseHolder(call),
    fixFile: fixing,
  };
  const imported = await importFile(opened.parts.openRows, options, world);
  opened.progress.clear();
  const fixFile = (await fixing?.finish()) ?? written;
  if (fixFile !== undefined && written === undefined)
    call.terminal.talk(fixFileText(fixFile, argument(call, 0)));
  const problems = unexpected(call, imported);
  if (problems.length === 0) return { imported, fixFile };
  await world.ledger.dropImport(imported.importId);
  throw new FileRefused(`${problems.join(' ')} Nothing was kept of the file and nothing was sent.`);
}

export function readOptions(
  call: Call,
  opened: Pick<Opened, 'settings'>,
  mappings: readonly Mapping[],
): ReadOptions {
  const { sheet, headerRow, map, delimiter, encoding, decimal } = call.flags;
  return {
    open: { path: argument(call, 0), sheet, headerRow, map, mappings, delimiter, encoding },
    decimal,
    source: opened.settings.source,
    signal: call.stopping.signal,
  };
}

/** What --expect-count and --expect-total say against what was read; empty when they agree. */
export function unexpected({ flags }: Pick<Call, 'flags'>, read: SeenTotals): readonly string[] {
  return unexpectedTotals({ count: flags.expectCount, totals: flags.expectTotal ?? [] }, read);
}

function askFinished(batch: Batch, call: Call): Promise<'report' | 'again' | 'stop' | undefined> {
  const day = new Date(batch.createdAt).toISOString().slice(0, 10);
  return askChoice(
    call,
    `These rows were paid before, by batch ${batchLabel(batch)} of ${day}. What is this file?`,
    [
      { value: 'report', label: 'The same payment: show how it went' },
      { value: 'again', label: 'A new period: pay all of it once more, under a name of its own' },
      { value: 'stop', label: 'Stop here' },
    ],
  );
}

export function askName(call: Call): Promise<string | undefined> {
  return askText(call, 'Name of the new batch (such as payroll-2026-05)', (text) =>
    /^\S.{0,99}$/.test(text.trim()) ? undefined : 'Write a name of 2 to 100 characters.',
  );
}
