/**
 * From a file to a batch in the ledger: reads it, checks what the caller expected of it, and asks the person
 * where two readings are possible (a repeat, or a new period?).
 *
 * Errors:  FileRefused when the expectations are not met; nothing of the file is kept then.
 */
import { type Imported, importFile } from '../application/import-file.ts';
import { type Placed, placeImport } from '../application/place-import.ts';
import type { ReadOptions } from '../application/read-rows.ts';
import type { World } from '../application/world.ts';
import { BatchBusy } from '../batch-busy.ts';
import type { Batch } from '../domain/batch.ts';
import { formatMoney } from '../domain/money.ts';
import { FileRefused } from '../ports/row-source.ts';
import { askChoice, askText, mayAsk } from './ask.ts';
import { argument, type Call } from './call.ts';
import type { Opened } from './open-parts.ts';
import { leaseHolder, userName } from './person.ts';
import { batchLabel, rowsText } from './print-plan.ts';

export type FilePlaced =
  | Exclude<Placed, { kind: 'busy' }>
  | { readonly kind: 'canceled'; readonly batch: Batch };

export interface PlacedFile {
  readonly imported: Imported;
  readonly placed: FilePlaced;
  /** Set when the person said that this pays a finished batch once more, as a period of its own. */
  readonly repeats: Batch | undefined;
}

export async function placeFile(call: Call, opened: Opened, world: World): Promise<PlacedFile> {
  const { batch: name } = call.flags;
  const first = await importOnce(call, opened, world);
  const placed = await place(first, name, { call, world });
  if (placed.kind !== 'finished' || name !== undefined || !mayAsk(call))
    return { imported: first, placed, repeats: undefined };
  const choice = await askFinished(placed.batch);
  if (choice === 'report') return { imported: first, placed, repeats: undefined };
  const newName = choice === 'again' ? await askName() : undefined;
  if (newName === undefined)
    return { imported: first, placed: { kind: 'canceled', batch: placed.batch }, repeats: undefined };
  const imported = await importOnce(call, opened, world);
  const again = await place(imported, newName, { call, world });
  return { imported, placed: again, repeats: placed.batch };
}

/** Errors: BatchBusy when another process runs the batch that the file belongs to. */
async function place(imported: Imported, name: string | undefined, at: { call: Call; world: World }) {
  const placed = await placeImport({ imported, name, holder: leaseHolder(at.call.command) }, at.world);
  if (placed.kind === 'busy') throw new BatchBusy(placed.busy);
  return placed;
}

async function importOnce(call: Call, opened: Opened, world: World): Promise<Imported> {
  const options = { ...readOptions(call, opened), maker: userName() };
  const imported = await importFile(opened.parts.openRows, options, world);
  opened.progress.clear();
  const problem = unexpected(call, imported);
  if (problem === undefined) return imported;
  await world.ledger.dropImport(imported.importId);
  throw new FileRefused(`${problem} Nothing was kept of the file and nothing was sent.`);
}

export function readOptions(call: Call, opened: Pick<Opened, 'settings'>): ReadOptions {
  const { sheet, headerRow, map, delimiter, encoding, decimal } = call.flags;
  return {
    open: { path: argument(call, 0), sheet, headerRow, map, delimiter, encoding },
    decimal,
    source: opened.settings.source,
    signal: call.stopping.signal,
  };
}

/** What --expect-count and --expect-total say against what was read; undefined when they agree. */
export function unexpected(
  { flags }: Pick<Call, 'flags'>,
  read: Pick<Imported, 'rows' | 'sums'>,
): string | undefined {
  if (flags.expectCount !== undefined && flags.expectCount !== read.rows)
    return `The file has ${rowsText(read.rows)}; expected ${rowsText(flags.expectCount)} (--expect-count).`;
  for (const expected of flags.expectTotal ?? []) {
    const minor = read.sums.get(expected.currency) ?? 0n;
    if (minor !== expected.minor) {
      const seen = formatMoney({ ...expected, minor });
      return `The payable rows come to ${seen}; expected ${formatMoney(expected)} (--expect-total).`;
    }
  }
  return undefined;
}

function askFinished(batch: Batch): Promise<'report' | 'again' | 'stop' | undefined> {
  const day = new Date(batch.createdAt).toISOString().slice(0, 10);
  return askChoice(
    `These rows were paid before, by batch ${batchLabel(batch)} of ${day}. What is this file?`,
    [
      { value: 'report', label: 'The same payment: show how it went' },
      { value: 'again', label: 'A new period: pay all of it once more, under a name of its own' },
      { value: 'stop', label: 'Stop here' },
    ],
  );
}

export function askName(): Promise<string | undefined> {
  return askText('Name of the new batch (such as payroll-2026-05)', (text) =>
    /^\S.{0,99}$/.test(text.trim()) ? undefined : 'Write a name of 2 to 100 characters.',
  );
}
