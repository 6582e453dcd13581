/**
 * The ledger as a file: is it there, is it ours to open, who may read it; and making a new one at once or not
 * at all.
 *
 * Errors:  LedgerError, naming the path and what to do.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import { MARK_END } from '../trust/ledger-mark.ts';
import { UNFINISHED } from './ledger-place.ts';
import { APPLICATION_ID } from './ledger-schema.ts';
import { ledgerDamaged } from './sql-statements.ts';

/** What the names of a ledger and of the files beside it end with. */
export const LEDGER_ENDS = ['', '-wal', '-shm', '-journal', '.emergency', MARK_END] as const;

/** Added to the name of a ledger that a restore replaced, before the time of the restore. */
export const REPLACED_MARK = '.replaced-';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const APPLICATION_ID_AT = 68;
/** The folder that payfile makes for itself; another folder is the user's own and its mode is left alone. */
const OWN_FOLDER = 'payfile';

/** The mode of a ledger and of the files beside it. */
export const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export function ledgerExists(path: string): boolean {
  return existsSync(path);
}

export function ledgerMissing(path: string, known: readonly string[]): LedgerError {
  const others = known.length === 0 ? '' : ` Ledgers known on this machine: ${known.join(', ')}.`;
  const text =
    `There is no ledger at ${path}. A new ledger remembers no earlier payment, so it is never made silently.` +
    `${others} If payments were made before, name their ledger with --ledger, or restore a backup. Make a new one ` +
    'only if none were ever made.';
  return new LedgerError('ledger_missing', text);
}

/** The ledger existed and was used. A new one would not know what it paid, so none is created, not even on request. */
export function ledgerGone(path: string, namedBy: string): LedgerError {
  const kept = keptBeside(path);
  const text =
    `The ledger ${path} is gone, and with it what was paid from it. Put it back${kept === undefined ? '' : `: it may be ${kept}`}. A ` +
    'backup does not know what was paid after it was made. No other ledger is made in its place. ' +
    `Where it paid nothing, take it out of ${namedBy}.`;
  return new LedgerError('ledger_gone', text);
}

/** The newest ledger that a restore replaced. */
function keptBeside(path: string): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}${REPLACED_MARK}`));
  const last = names
    .filter((name) => /Z$/.test(name))
    .sort()
    .at(-1);
  return last === undefined ? undefined : join(folder, last);
}

/** SQLite would apply a log without its ledger to the new one, damage it, and lose the payments that only the log has. */
export function refuseOrphanLog(path: string): void {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const log = ['-wal', '-journal'].map((end) => `${path}${end}`).find((file) => sizeOf(file) > 0);
  // Another process may have made the ledger meanwhile.
  if (log === undefined || ledgerExists(path)) return;
  const text =
    `There is no ledger at ${path}, and yet its log ${log} is there, which may know of payments that nothing else knows of. ` +
    'A new ledger beside it would be damaged. Nothing was made. Put the ledger back beside its log; or, when the ledger is ' +
    'gone for good, move the log to another folder and keep it.';
  throw new LedgerError('ledger_unwritable', text);
}

/** Looks at the first bytes before SQLite may change anything. */
export function checkHeader(path: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  let bytes = 0;
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    const text = `The ledger ${path} cannot be opened: ${reasonOf(error)}.${isForbidden(error) ? OWNER_ONLY : ''}`;
    throw new LedgerError('ledger_unwritable', text, { cause: error });
  }
  try {
    bytes = readSync(file, header, 0, HEADER_BYTES, 0);
  } catch (error) {
    throw ledgerDamaged(path, reasonOf(error), error);
  } finally {
    closeSync(file);
  }
  if (bytes === 0) throw ledgerDamaged(path, 'the file is empty');
  if (header.toString('latin1', 0, 16) !== MAGIC) throw ledgerDamaged(path, 'it is not a ledger file at all');
  if (bytes < HEADER_BYTES) throw ledgerDamaged(path, 'the file is cut short');
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) throw foreignDatabase(path);
  checkLength(path, header);
}

/** Not to be opened at all: that alone would change how the other program's file is kept. */
export function foreignDatabase(path: string): LedgerError {
  return new LedgerError('ledger_foreign', `${path} is a database of another program, not a payfile ledger.`);
}

const OWNER_ONLY =
  ' Only its owner can open a ledger file. To share a ledger, put it on a server: payfile help server.';

function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EACCES';
}

/** Without a write-ahead log beside it, the file must be as long as its header says. */
function checkLength(path: string, header: Buffer): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return;
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const expected = pageSize * header.readUInt32BE(28);
  const { size } = statSync(path);
  if (size < expected) throw ledgerDamaged(path, `the file is cut short (${size} of ${expected} bytes)`);
}

/** The folder for a new ledger. */
export function makeFolder(path: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    const text =
      `The folder ${folder} cannot be made: ${reasonOf(error)}. Set HOME or XDG_STATE_HOME to a folder that this user ` +
      'can write to, or name the ledger with PAYFILE_LEDGER or --ledger.';
    throw new LedgerError('ledger_unwritable', text, { cause: error });
  }
}

/**
 * `build` makes a whole ledger under another name; then it gets its own name in one step. When two processes
 * do this at once, the second finds the first one's ledger and uses it. True when this process made it.
 */
export function createAtomically(path: string, build: (temporary: string) => void): boolean {
  const temporary = `${path}${UNFINISHED}${process.pid}`;
  rmSync(temporary, { force: true });
  try {
    closeSync(openSync(temporary, 'wx', FILE_MODE));
    build(temporary);
    sync(temporary);
    linkSync(temporary, path);
    sync(dirname(path));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    if (error instanceof LedgerError) throw error;
    throw new LedgerError('ledger_unwritable', `The ledger ${path} cannot be made: ${reasonOf(error)}.`, {
      cause: error,
    });
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${temporary}${end}`, { force: true });
  }
}

/** Removes rights that others have on the ledger's files and folder. Never adds any. */
export function restrictModes(path: string): void {
  for (const end of LEDGER_ENDS) narrowOne(`${path}${end}`, FILE_MODE);
  const folder = dirname(path);
  if (basename(folder) === OWN_FOLDER) narrowOne(folder, FOLDER_MODE);
}

function narrowOne(path: string, mode: number): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || (stat.mode & 0o777 & ~mode) === 0) return;
  try {
    chmodSync(path, stat.mode & mode);
  } catch (error) {
    const text = `Others may read ${path} and its mode cannot be changed: ${reasonOf(error)}. Run: chmod ${mode.toString(8)} ${path}`;
    throw new LedgerError('ledger_unwritable', text, { cause: error });
  }
}

export function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
