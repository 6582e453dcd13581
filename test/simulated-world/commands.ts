/**
 * What people type: each command does with the application's functions what the command line does, in a process
 * of its own.
 */
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import { importFile } from '../../src/use-cases/intake/import-file.ts';
import { type Placed, placeImport } from '../../src/use-cases/intake/place-import.ts';
import { pricePayouts } from '../../src/use-cases/price/price-payouts.ts';
import { runBatch } from '../../src/use-cases/run-batch.ts';
import { recoverBatch } from '../../src/use-cases/send/recover-batch.ts';
import { sendBatch } from '../../src/use-cases/send/send-batch.ts';
import { settleBatch } from '../../src/use-cases/settle/settle-batch.ts';
import { type World, withLease } from '../../src/use-cases/world.ts';
import { type FileRow, openRowsOf } from '../builders/payout-file.ts';
import type { SimProcess } from './sim-process.ts';

export interface RunFile {
  readonly rows: readonly FileRow[];
  readonly name: string | undefined;
  readonly agrees: boolean;
  readonly skipsInvalid: boolean;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly onImported: (importId: BatchId) => void;
  /** Called when the file has become the batch's. */
  readonly onPlaced: (placed: Placed) => void;
}

type Work<Result> = (world: World, process: SimProcess) => Promise<Result>;

export function place({ rows, name, signal, onImported, onPlaced }: RunFile): Work<Placed> {
  return async (world, { holder }) => {
    const options = {
      open: { path: 'pay.csv' },
      decimal: undefined,
      source: 'GB',
      maker: 'ama',
      holder,
      signal,
    };
    const imported = await importFile(openRowsOf(rows), options, world);
    onImported(imported.importId);
    const placed = await placeImport({ imported, name, holder }, world);
    onPlaced(placed);
    return placed;
  };
}

/** A plan that got no further than its rows. */
export function placeOnly(file: RunFile): Work<string> {
  return async (world, process) => (await place(file)(world, process)).kind;
}

/** `payfile run FILE`. */
export function run(file: RunFile): Work<string> {
  return async (world, process) => {
    const placed = await place(file)(world, process);
    if (placed.kind !== 'new' && placed.kind !== 'revision') return placed.kind;
    return runOf(placed.batch.id, file)(world, process);
  };
}

export function runOf(
  batchId: BatchId,
  file: Omit<RunFile, 'rows' | 'name' | 'onImported' | 'onPlaced'>,
): Work<string> {
  return async (world, { holder }) => {
    const ended = await withLease(batchId, holder, world, (leaseLost) =>
      runBatch(batchId, world, {
        consent: async () =>
          file.agrees
            ? { kind: 'agreed', how: 'library', by: 'ben' }
            : { kind: 'not_agreed', reason: 'not now' },
        skipInvalid: file.skipsInvalid,
        ceilings: undefined,
        deadline: () => plusMs(world.clock.now(), file.deadlineMs),
        signal: file.signal,
        leaseLost,
      }),
    );
    return 'kind' in ended ? 'busy' : (ended.sent?.stop?.kind ?? 'ran');
  };
}

const RETURNS_WATCHED_MS = 14 * 86_400_000;

export type Stage = 'price' | 'approve' | 'send' | 'settle';

/** One stage by itself, as `payfile plan`, `approve`, `send` and `settle` do it. */
export function stageOf(
  batchId: BatchId,
  stage: Stage,
  signal: AbortSignal,
  deadlineMs: number,
): Work<string> {
  return async (world, { holder }) => {
    if (stage === 'approve') {
      const options = { by: 'ben', how: 'approve_command', digest: undefined, signal } as const;
      return (await approveBatch(batchId, options, world)).kind;
    }
    const ended = await withLease(batchId, holder, world, async (leaseLost) => {
      if (stage === 'price') return pricePayouts(batchId, world, { signal });
      await recoverBatch(batchId, world);
      if (stage === 'send') return sendBatch(batchId, world, { signal, leaseLost });
      const deadline = plusMs(world.clock.now(), deadlineMs);
      return settleBatch(batchId, world, { signal, deadline, watchReturnsMs: RETURNS_WATCHED_MS });
    });
    return 'kind' in ended ? 'busy' : stage;
  };
}
