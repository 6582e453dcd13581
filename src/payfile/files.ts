/** What can be done with a file: run it. */
import type { Money } from '../domain/money/money.ts';
import type { Expected } from '../domain/rows/total-rows.ts';
import { fileRequestOf } from '../operations/file-request.ts';
import type { InputOf } from '../operations/operation.ts';
import type { plan } from '../operations/plan.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { withEdits } from '../use-cases/intake/edited-rows.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import type { Consent } from '../use-cases/run-batch.ts';
import { type FileRun, requireRunnable, runFile } from '../use-cases/run-file.ts';
import { NOTHING_BEGUN, rememberWorkOnError } from '../use-cases/work-of-error.ts';
import { contextOf } from './context-of.ts';
import { DEADLINE_MS, type Door, knownLedger } from './door.ts';
import { requireOwnPlaces } from './outputs.ts';
import { type WantedReports, wanted, withEnd } from './reports.ts';

type PlanInput = InputOf<typeof plan>;
type Optional<Given> = { readonly [Name in keyof Given]?: Given[Name] | undefined };

export interface RunFileOptions
  extends Optional<Omit<PlanInput, 'file' | 'all' | 'changes' | 'expectCount' | 'expectTotal' | 'fixFile'>>,
    Dialogue,
    WantedReports {
  /** Refuses a file that has other numbers than these. */
  readonly expected?: Expected | undefined;
  /** A workbook of this path gets all rows, with the wrong cells marked. */
  readonly fixFile?: string | undefined;
  /** Agrees to the plan, or says why not. Left out: whoever is asked types its totals; else `yes` or `maxTotals`. */
  readonly consent?: Consent | undefined;
  /** Agrees to sandbox payments. */
  readonly yes?: boolean | undefined;
  /** Principal per destination currency, whole batch, all runs; agrees to a live plan where nobody can be asked. */
  readonly maxTotals?: readonly Money[] | undefined;
  /** What is taken per source currency, fees included, whole batch, all runs: above it nothing is sent. */
  readonly maxDebits?: readonly Money[] | undefined;
  /** Number of rows to send first; the rest waits until they are settled. Kept for the batch; 0 removes it. */
  readonly canary?: number | undefined;
  /** How long to wait for transfers to become final, and for a service that is away; 15 minutes unless told. */
  readonly settleForMs?: number | undefined;
}

export interface FileMethods {
  /** Plan, consent, send and settle in one go; safe to run again. */
  run(path: string, options: RunFileOptions): Promise<WithEndIfAny<FileRun>>;
}

/** undefined: the file was refused. */
export type WithEndIfAny<Done> = Done & { readonly batchEnd: BatchEnd | undefined };

export function fileMethods(door: Door): FileMethods {
  return { run: (path, options) => run(path, options, door) };
}

async function run(path: string, options: RunFileOptions, door: Door): Promise<WithEndIfAny<FileRun>> {
  const { parts } = door;
  const { environment } = door.settings;
  requireRunnable({ ...options, environment });
  const { consent, yes, maxTotals: ceilings, maxDebits, canary, settleForMs } = options;
  let name = options.batch;
  const meant = async () => (name === undefined ? undefined : (await knownLedger(door)).batchNamed(name));
  const done = await rememberWorkOnError(
    () => ({ begun: NOTHING_BEGUN, meant }),
    async () => {
      door.requireService();
      for (const report of options.reports ?? []) await parts.requireReportPlace(report);
      await requireOwnPlaces({ ...options, reads: path }, door);
      const request = await fileRequestOf(askedOf(path, options), contextOf(door, options));
      name = request.name;
      const deadlineMs = settleForMs ?? DEADLINE_MS;
      const asked = { ...request, consent, yes, ceilings, maxDebits, canary, deadlineMs };
      return runFile(withEdits(parts.openRows, options.edits), asked, await door.ports(options, settleForMs));
    },
  );
  return ended(done, wanted(options), door);
}

function askedOf(file: string, options: RunFileOptions) {
  const { expected, skipInvalid = false, newLedger = false, edits, ...given } = options;
  const { count: expectCount, totals: expectTotal } = expected ?? {};
  const shown = { all: false, changes: false };
  return { ...given, ...shown, file, skipInvalid, newLedger, edits, expectCount, expectTotal };
}

async function ended(done: FileRun, reports: WantedReports, door: Door): Promise<WithEndIfAny<FileRun>> {
  const { end } = done;
  if (!('codes' in end)) return { ...done, batchEnd: undefined };
  const { codes, isDoneBefore } = end;
  const next = 'next' in end ? end.next : undefined;
  return withEnd(done, { codes, isDoneBefore, next, ...reports }, door);
}
