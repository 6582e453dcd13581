/**
 * What people type: each command does with the use cases what the command line does, in a process of its own. And
 * what they learn from it: which file a batch has now, and how the command ended.
 */
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import type { LeaseHolder } from '../../src/ports/ledger/leases.ts';
import { NotReplaceable } from '../../src/ports/ledger/moves.ts';
import { CredentialsRefused } from '../../src/ports/payment-service.ts';
import { FileRefused } from '../../src/ports/row-source.ts';
import { approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import { RowNotFound } from '../../src/use-cases/decide/choose-payouts.ts';
import { findBatch } from '../../src/use-cases/find-batch.ts';
import { WorkFailed } from '../../src/use-cases/fleet/work-json.ts';
import { ServiceUnavailable, SettingRefused } from '../../src/use-cases/intake/directory-lists.ts';
import { BatchHalfRead, OtherFileRead } from '../../src/use-cases/intake/half-read.ts';
import { importFile } from '../../src/use-cases/intake/import-file.ts';
import { type Placed, placeImport } from '../../src/use-cases/intake/place-import.ts';
import { BatchBusy, type Ports, withLease } from '../../src/use-cases/ports.ts';
import { priceBatch } from '../../src/use-cases/price/price-batch.ts';
import { pricePayouts } from '../../src/use-cases/price/price-payouts.ts';
import { type RunOptions, runBatch } from '../../src/use-cases/run.ts';
import { recoverBatch } from '../../src/use-cases/send/recover-batch.ts';
import { sendApproved } from '../../src/use-cases/send/send-approved.ts';
import { sendBatch } from '../../src/use-cases/send/send-batch.ts';
import { settleBatch } from '../../src/use-cases/settle/settle-batch.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { type FileRow, openRowsOf } from '../builders/payout-file.ts';
import { ProcessDied } from './disk.ts';
import type { Paper, Scene } from './scene.ts';
import type { Ended, SimProcess } from './sim-process.ts';

export interface RunFile {
  readonly rows: readonly FileRow[];
  readonly name: string;
  readonly agrees: boolean;
  readonly skipsInvalid: boolean;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** The batch that this one repeats on purpose. */
  readonly newPeriod?: BatchId | undefined;
  readonly onImported: (importId: BatchId) => void;
  /** Called when the file has become the batch's. */
  readonly onPlaced: (placed: Placed) => void;
}

export type Work<Result> = (world: Ports, process: SimProcess) => Promise<Result>;

export function place({ rows, name, signal, onImported, onPlaced }: RunFile): Work<Placed> {
  return async (world, { holder }) => {
    const options = {
      open: { path: 'pay.csv' },
      name,
      source: 'GB',
      maker: 'ama',
      holder,
      signal,
    };
    const imported = await importFile(openRowsOf(rows, name), options, world);
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
    const asked: RunOptions = {
      consent: async () =>
        file.agrees ? { kind: 'agreed', how: 'library' } : { kind: 'not_agreed', reason: 'not now' },
      skipInvalid: file.skipsInvalid,
      ceilings: undefined,
      deadlineMs: file.deadlineMs,
      signal: file.signal,
      newPeriod: file.newPeriod && { of: file.newPeriod, by: 'ben' },
      // Whoever runs it agrees, and under four eyes that is nobody who brought the file.
      holder: { ...holder, user: 'ben' },
    };
    const ended = await runBatch(await findBatch(batchId, world.ledger), asked, world);
    return ended.sent?.stop?.kind ?? 'ran';
  };
}

const RETURNS_WATCHED_MS = 14 * 86_400_000;

export type Stage = 'price' | 'approve' | 'send' | 'settle';

/** One stage by itself, as `payfile plan`, `approve`, `send` and `settle` do it. */
export function stageOf(
  batchId: BatchId,
  stage: Stage,
  signal: AbortSignal,
  { deadlineMs, newPeriod: of }: { deadlineMs: number; newPeriod?: BatchId | undefined },
): Work<string> {
  return async (world, { holder }) => {
    if (stage === 'approve') {
      const options = { by: 'ben', how: 'approve_command', digest: undefined, signal } as const;
      return (await approveBatch(batchId, options, world)).kind;
    }
    if (world.fleet !== undefined)
      return stageElsewhere(batchId, stage, { signal, deadlineMs }, world, holder);
    await withLease(batchId, holder, world, async (leaseLost) => {
      const newPeriod = of && { of, by: 'ben' };
      if (stage === 'price') return pricePayouts(batchId, world, { signal, newPeriod });
      await recoverBatch(batchId, holder, world);
      if (stage === 'send') return sendBatch(batchId, world, { holder, signal, leaseLost });
      const deadline = plusMs(world.clock.now(), deadlineMs);
      return settleBatch(batchId, world, { signal, deadline, watchReturnsMs: RETURNS_WATCHED_MS });
    });
    return stage;
  };
}

/** By the workers, where some are there. */
async function stageElsewhere(
  batchId: BatchId,
  stage: Exclude<Stage, 'approve'>,
  { signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
  world: Ports,
  holder: LeaseHolder,
): Promise<string> {
  const batch = await findBatch(batchId, world.ledger);
  const request = { holder, signal, deadlineMs };
  if (stage === 'price') await priceBatch(batch, request, world);
  else if (stage === 'send') await sendApproved(batch, request, { ...world, open: async () => world });
  else await settleSent(batch, { ...request, watchReturnsMs: RETURNS_WATCHED_MS }, world);
  return stage;
}

/** What is known of the batch's file now. A refused file leaves it as it was; two names may mean one batch. */
export function placedAs(
  paper: Paper,
  papers: readonly Paper[],
  rows: RunFile['rows'],
  placed: Placed,
): void {
  if (placed.kind !== 'refused' && placed.kind !== 'same_file') {
    paper.batchId = placed.batch.id;
    // Who brought what was known already, and then stood still, says nothing of what others brought meanwhile.
    if (paper.trying !== rows && isUnchanged(placed)) return;
    for (const one of papers) if (one.batchId === placed.batch.id) one.rows = rows;
  }
  if (paper.trying === rows && paper.batchId !== undefined) paper.trying = undefined;
}

function isUnchanged(placed: Placed): boolean {
  if (placed.kind !== 'revision') return placed.kind === 'finished';
  const { added, removed, isHalfRevised } = placed.comparison;
  return added === 0 && removed === 0 && !isHalfRevised;
}

const EXPECTED = [
  BatchBusy,
  BatchHalfRead,
  LedgerError,
  NotReplaceable,
  OtherFileRead,
  CredentialsRefused,
  FileRefused,
  RowNotFound,
  ServiceUnavailable,
  SettingRefused,
  ProcessDied,
];

/** What a command may say when it fails; anything else is a bug of ours. */
export function told(scene: Pick<Scene, 'trace' | 'scheduler' | 'judge'>, ended: Ended<unknown>): void {
  const { trace, scheduler, judge } = scene;
  const say = (text: string) => trace.add(scheduler.nowMs, 'ended', text);
  if (ended.kind !== 'failed') {
    say(ended.kind === 'done' ? wordOf(ended.result) : 'died');
    return;
  }
  const { error } = ended;
  const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // What a worker met comes with its code; an error without one is a bug there as well.
  const isTold = error instanceof WorkFailed && error.code !== undefined;
  const isTakenOver = name.includes('Another process took this batch over');
  if (
    isTold ||
    isTakenOver ||
    name.includes('interrupted') ||
    EXPECTED.some((kind) => error instanceof kind)
  ) {
    say(`failed: ${error instanceof Error ? error.name : ''}`);
    return;
  }
  judge.violation(`a command failed as none may: ${name} ${error instanceof Error ? error.stack : ''}`);
}

function wordOf(result: unknown): string {
  return typeof result === 'string' ? result : 'done';
}
