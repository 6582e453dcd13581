/**
 * What can be done with a file: check it, plan it.
 */
import { dirname, resolve } from 'node:path';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import type { CellEdit } from '../domain/rows/cell-edit.ts';
import { type Expected, unexpectedTotals } from '../domain/rows/total-rows.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { batchNameOf, nameOfFile, proposedName } from '../use-cases/intake/batch-name.ts';
import { type CheckedFile, checkFile } from '../use-cases/intake/check-file.ts';
import { withEdits } from '../use-cases/intake/edited-rows.ts';
import { type FileColumns, fileColumns } from '../use-cases/intake/file-columns.ts';
import { createFixFile, type FixFile, type FixWritten } from '../use-cases/intake/fix-file.ts';
import type { ReadOptions } from '../use-cases/intake/read-rows.ts';
import { requireOwnPlaces } from '../use-cases/own-places.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import { type FilePlan, type FileRequest, planFile, requireRunnable } from '../use-cases/run-file.ts';
import { untilStopped } from '../use-cases/user-questions.ts';
import { withEnd } from '../use-cases/with-end.ts';
import { type Door, knownLedger } from './door.ts';
import { endPorts } from './reports.ts';

/** Where things stand in the file. */
export interface LayoutOptions extends Partial<Omit<ReadOptions['open'], 'path' | 'words'>>, Dialogue {}

export interface FileOptions extends LayoutOptions {
  /**
   * The name of the batch: which period or purpose it pays. Left out: whoever is asked names it, and in the sandbox it is
   * the file's where nobody is asked.
   */
  readonly batch?: string | undefined;
  readonly decimal?: 'point' | 'comma' | undefined;
  /** Originating country of rows that name none, before that of the settings. */
  readonly source?: string | undefined;
  /** Refuses a file that has other numbers than these. */
  readonly expected?: Expected | undefined;
  /** Rows that cannot be paid as written are left out, instead of stopping everything. */
  readonly skipInvalid?: boolean | undefined;
  /** A workbook of this path gets all rows, with the wrong cells marked. */
  readonly fixFile?: string | undefined;
  /** Corrections of single cells, kept beside the file: it is read as if they stood in it. */
  readonly edits?: readonly CellEdit[] | undefined;
}

export interface CheckOptions extends FileOptions {
  /** Give so many of the rows that cannot be paid whole, to be mended; none unless told, 10,000 at most. */
  readonly keepRows?: number | undefined;
}

export interface PlanOptions extends FileOptions {
  /** The earlier batch that this one pays once more on purpose: repeats of its payments are not held. */
  readonly repeats?: string | undefined;
  /** Create a live ledger that does not exist. */
  readonly newLedger?: boolean | undefined;
  /** What `check` gave: a file that is another by now, or has other corrections, is refused. */
  readonly fileSha256?: string | undefined;
}

export interface CheckedRows extends CheckedFile {
  /** What differs from what was expected; empty when all is well. */
  readonly unexpected: readonly string[];
  readonly fixFile: FixWritten | undefined;
  /** 65: a row that is not left out cannot be paid, or the numbers are not as expected. */
  readonly exitCode: ExitCode;
  /** What stands in the way of a plan; undefined: nothing. */
  readonly toMend: 'rows' | 'numbers' | undefined;
}

export interface FileMethods {
  /** Reads and validates; keeps nothing. */
  check(path: string, options?: CheckOptions): Promise<CheckedRows>;
  /**
   * How the file's columns are read, for a person who says what they hold. A file whose columns do not suffice is no error
   * here. Errors: FileRefused where no table is found.
   */
  columns(path: string, options?: LayoutOptions): Promise<FileColumns>;
  /** A workbook with all rows as they read with their corrections; cells that are still wrong are marked. */
  writeCorrected(path: string, to: string, options?: FileOptions): Promise<FixWritten>;
  /** A name that no batch has, for a batch of the file of this name: the file's and the month. */
  proposedName(fileName: string): Promise<string>;
  /** Reads, places, checks names and quotes; kept in the ledger. `plan` is undefined for a file that was finished or refused. */
  plan(path: string, options?: PlanOptions): Promise<WithEndIfAny<FilePlan>>;
}

/** undefined: the file was refused, or is only planned. */
export type WithEndIfAny<Done> = Done & { readonly batchEnd: BatchEnd | undefined };

export function fileMethods(door: Door): FileMethods {
  const { parts } = door;
  return {
    check: (path, options = {}) => check(path, options, door),
    async columns(path, { signal, onProgress: _, ask: _ask, ...layout } = {}) {
      await parts.requireFile(path);
      const mappings = layout.mappings ?? (await door.savedMappings());
      return fileColumns(parts.openRows, { ...layout, path, mappings }, signal);
    },
    writeCorrected: (path, to, options = {}) => writeCorrected(path, to, options, door),
    proposedName: async (fileName) => proposedName(fileName, parts.clock.now(), await ledgerIfAny(door)),
    async plan(path, options = {}) {
      const { environment } = door.settings;
      requireRunnable({ ...options, environment });
      door.requireService();
      await requireOwnPlaces({ ...options, reads: path }, door.parts);
      const request = await opened(path, options, door);
      return ended(
        await planFile(withEdits(parts.openRows, options.edits), request, await door.ports(options)),
        door,
      );
    },
  };
}

/** Checks the configuration first, then the ledger, then the file, so that a script gets the same error every time. */
async function opened(path: string, options: PlanOptions, door: Door): Promise<FileRequest> {
  door.requireService();
  const { batch, expected, fileSha256, repeats, skipInvalid = false, edits, signal } = options;
  if (batch !== undefined) batchNameOf(batch);
  const ledger = await door.workingLedger(options, options.newLedger);
  const { clock } = door.parts;
  await door.parts.requireFile(path);
  const ask = untilStopped(options.ask, signal);
  const { environment } = door.settings;
  const naming = { name: batch, path, environment, ask };
  const name = await nameOfFile(naming, { ledger, clock });
  const onProgress = door.tell(options);
  const request = {
    name,
    expected,
    fileSha256,
    repeats,
    skipInvalid,
    edits,
    ask,
    onProgress,
    signal,
    holder: door.holder,
  };
  const fixFile = await fixFileMaker(path, options, door);
  return { ...request, fixFile, read: await readOptions(path, options, door) };
}

async function ended(done: FilePlan, door: Door): Promise<WithEndIfAny<FilePlan>> {
  const { end } = done;
  if (!('codes' in end)) return { ...done, batchEnd: undefined };
  const { codes, isDoneBefore } = end;
  const { user, settings } = door;
  const ending = { user, namesPeople: settings.people.size > 0, endPorts: () => endPorts(door) };
  return withEnd(done, { codes, isDoneBefore }, ending);
}

async function ledgerIfAny(door: Door): Promise<Ledger | undefined> {
  try {
    return await knownLedger(door);
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'ledger_missing') return undefined;
    throw error;
  }
}

async function check(path: string, options: CheckOptions, door: Door): Promise<CheckedRows> {
  const { parts } = door;
  door.requireService();
  if (options.batch !== undefined) batchNameOf(options.batch);
  await requireOwnPlaces({ ...options, reads: path }, door.parts);
  await parts.requireFile(path);
  const paymentService = await parts.paymentService();
  const fixFile = (await fixFileMaker(path, options, door))?.();
  const ports = { paymentService, tell: door.tell(options), fixFile };
  try {
    const read = { ...(await readOptions(path, options, door)), keepRows: options.keepRows };
    const checked = await checkFile(withEdits(parts.openRows, options.edits), read, ports);
    const { rows, invalid, totals } = checked;
    const sums = new Map([...totals].map(([currency, { minor }]) => [currency, minor]));
    const { expected, skipInvalid } = options;
    const unexpected = expected === undefined ? [] : unexpectedTotals(expected, { rows, invalid, sums });
    const isInvalid = invalid > 0 && skipInvalid !== true;
    const toMend = isInvalid ? 'rows' : unexpected.length > 0 ? 'numbers' : undefined;
    const exitCode = toMend === undefined ? EXIT.done : EXIT.badFile;
    return { ...checked, unexpected, fixFile: await fixFile?.finish(), exitCode, toMend };
  } catch (error) {
    await fixFile?.abort();
    throw error;
  }
}

async function writeCorrected(
  path: string,
  to: string,
  options: FileOptions,
  door: Door,
): Promise<FixWritten> {
  const { parts } = door;
  door.requireService();
  await requireOwnPlaces({ fixFile: to, reads: path }, door.parts);
  await parts.requireFile(path);
  await parts.outputs.check(to, 'fix');
  const paymentService = await parts.paymentService();
  const fixFile = createFixFile(parts.openFixSink, to, { source: path, isAlways: true });
  try {
    const read = await readOptions(path, options, door);
    await checkFile(withEdits(parts.openRows, options.edits), read, {
      paymentService,
      tell: door.tell(options),
      fixFile,
    });
    const written = await fixFile.finish();
    if (written === undefined) throw new TypeError('A corrected file has rows');
    return written;
  } catch (error) {
    await fixFile.abort();
    throw error;
  }
}

async function fixFileMaker(
  source: string,
  { fixFile: path }: FileOptions,
  { parts }: Door,
): Promise<(() => FixFile) | undefined> {
  if (path === undefined) return undefined;
  await parts.outputs.check(path, 'fix');
  return () => createFixFile(parts.openFixSink, path, { source });
}

async function readOptions(path: string, options: FileOptions, door: Door): Promise<ReadOptions> {
  const { sheet, headerRow, map, delimiter, encoding, decimal, source, signal } = options;
  const mappings = options.mappings ?? (await door.savedMappings());
  const { cwd, origins, source: set } = door.settings;
  // What is configured is there the next time, too.
  const typedSource = source ?? (origins.get('source') === 'flag' ? set : undefined);
  return {
    open: { path, sheet, headerRow, map, mappings, delimiter, encoding },
    decimal,
    source: source ?? set,
    typed: {
      folder: path === '-' ? undefined : dirname(resolve(cwd, path)),
      reading: { sheet, headerRow, delimiter, encoding, decimal, source: typedSource },
    },
    signal,
  };
}
