/**
 * What can be done with a file: check it, plan it, run it.
 */

import type { Money } from '../domain/money/money.ts';
import type { RowIssue } from '../domain/rows/row.ts';
import { plusMs } from '../domain/timestamp.ts';
import { type CheckedFile, checkFile } from '../use-cases/intake/check-file.ts';
import { type PlacedFile, type PlannedBatch, placeFile, planBatch } from '../use-cases/intake/plan-file.ts';
import type { ReadOptions } from '../use-cases/intake/read-rows.ts';
import { type Consent, type Run, runBatch } from '../use-cases/run-batch.ts';
import { BatchBusy } from '../use-cases/world.ts';
import type { Dialogue, Door } from './door.ts';

export interface FileOptions extends Partial<Omit<ReadOptions['open'], 'path'>>, Dialogue {
  readonly decimal?: 'point' | 'comma';
  /** Originating country of rows that name none, before that of the settings. */
  readonly source?: string;
}

export interface PlanOptions extends FileOptions {
  readonly batch?: string;
}

export interface RunFileOptions extends PlanOptions {
  readonly consent: Consent;
  readonly skipInvalid?: boolean;
  readonly maxTotals?: readonly Money[];
  /** So many rows go first, and the rest when they are settled; kept for the batch, 0 lifts it. */
  readonly canary?: number;
  /** How long to wait for transfers to become final; 15 minutes unless told. */
  readonly settleForMs?: number;
}

export interface FileMethods {
  /** Reads and validates; keeps nothing. */
  check(
    path: string,
    options?: FileOptions,
  ): Promise<
    CheckedFile & {
      readonly issues: readonly { readonly row: number; readonly issues: readonly RowIssue[] }[];
    }
  >;
  /** Reads, places, checks names and quotes; kept in the ledger. `plan` is undefined for a file that was finished or refused. */
  plan(
    path: string,
    options?: PlanOptions,
  ): Promise<PlacedFile & { readonly plan: PlannedBatch | undefined }>;
  /** Plan, consent, send and settle in one go; safe to run again. */
  run(path: string, options: RunFileOptions): Promise<PlacedFile & { readonly run: Run | undefined }>;
}

const SETTLE_MS = 15 * 60_000;
const ISSUES_MAX = 100_000;

export function fileMethods(door: Door): FileMethods {
  const place = async (path: string, file: PlanOptions) => {
    const placing = { maker: door.user, name: file.batch, holder: door.holder };
    const read = { ...readOptions(path, file, door), ...placing };
    const placedFile = await placeFile(door.parts.openRows, read, await door.world(file));
    if (placedFile.placed.kind === 'busy') throw new BatchBusy(placedFile.placed.busy);
    return { ...placedFile, placed: placedFile.placed };
  };
  return {
    async check(path, file = {}) {
      const issues: { row: number; issues: readonly RowIssue[] }[] = [];
      const listener = {
        invalid: (row: number, found: readonly RowIssue[]) => {
          if (issues.length < ISSUES_MAX) issues.push({ row, issues: found });
        },
        held: () => undefined,
      };
      const paymentService = await door.parts.paymentService();
      const questions = { paymentService, tell: file.onProgress ?? (() => undefined) };
      const checked = await checkFile(
        door.parts.openRows,
        readOptions(path, file, door),
        listener,
        questions,
      );
      return { ...checked, issues };
    },
    async plan(path, file = {}) {
      const placedFile = await place(path, file);
      const { placed } = placedFile;
      if (placed.kind === 'refused' || placed.kind === 'finished') return { ...placedFile, plan: undefined };
      const { id } = placed.batch;
      const world = await door.world(file);
      const plan = await door.underLease(id, () => planBatch(id, world, { signal: file.signal }));
      return { ...placedFile, plan };
    },
    async run(path, file) {
      const placedFile = await place(path, file);
      const { placed } = placedFile;
      if (placed.kind === 'refused' || placed.kind === 'finished') return { ...placedFile, run: undefined };
      const { id } = placed.batch;
      const { consent, skipInvalid = false, maxTotals: ceilings, canary, signal } = file;
      const { settleForMs = SETTLE_MS } = file;
      const deadline = () => plusMs(door.parts.clock.now(), settleForMs);
      const world = await door.world(file, settleForMs);
      const stages = { consent, skipInvalid, ceilings, canary, by: door.user, deadline, signal };
      const run = await door.underLease(id, (leaseLost) => runBatch(id, world, { ...stages, leaseLost }));
      return { ...placedFile, run };
    },
  };
}

function readOptions(path: string, file: FileOptions, door: Door): ReadOptions {
  const { decimal, source, signal, onProgress: _tell, ask: _ask, ...open } = file;
  return { open: { ...open, path }, decimal, source: source ?? door.settings.source, signal };
}
