/**
 * The place of a ledger's file: may one be kept there, is it there, is it ours to open, who may read it; and making a new one at
 * once or not at all.
 *
 * SQLite's locks do not work between machines on shared file systems, a synchronised folder copies the ledger while it is being
 * written, and files in memory or in a container's own layer are lost one day. SQLite keeps the newest payments in a log that
 * lies beside the name by which the ledger was opened: under another name of the same file they are forgotten and made
 * again. Folders may have as many names as they like, for the log goes with them; only the file itself may not.
 * Errors:  LedgerError, naming the path and what to do.
 * Source:  statfs(2) of Linux and coreutils' stat for the numbers; other systems number theirs differently and are not
 *          judged. proc(5) for mountinfo; other systems cannot put one file over another.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { input, said } from '../domain/text/message.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import { APPLICATION_ID } from './schema.ts';
import { ledgerDamaged } from './sqlite.ts';

/** What the names of a ledger and of the files beside it end with. */
export const LEDGER_ENDS = ['', '-wal', '-shm', '-journal', '.emergency'] as const;

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

export function ledgerMissing(path: string, known: readonly string[]): LedgerError {
  const others = known.length === 0 ? '' : ` Ledgers known on this machine: ${known.join(', ')}.`;
  const text = said`There is no ledger at ${path}. A new ledger remembers no earlier payment, so it is never made silently.${others} If payments were made before, name their ledger with ${input('ledger')}, or restore a backup. Make a new one only if none were ever made.`;
  return new LedgerError('ledger_missing', text);
}

/** The ledger existed and was used. A new one would not know what it paid, so none is created, not even on request. */
export function ledgerGone(path: string, wayOut: string): LedgerError {
  const kept = keptBeside(path);
  const text =
    `The ledger ${path} is gone, and with it what was paid from it. Put it back${kept === undefined ? '' : `: it may be ${kept}`}. A ` +
    'backup does not know what was paid after it was made. No other ledger is made in its place. ' +
    `Where it paid nothing, ${wayOut}.`;
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
  if (log === undefined || existsSync(path)) return;
  const text =
    `There is no ledger at ${path}, and yet its log ${log} is there, which may know of payments that nothing else knows of. ` +
    'A new ledger beside it would be damaged. Nothing was made. Put the ledger back beside its log; or, when the ledger is ' +
    'gone for good, move the log to another folder and keep it.';
  throw new LedgerError('ledger_unwritable', text);
}

/** Looks at the first bytes before SQLite may change anything; whether the rest is there, SQLite sees itself. */
export function checkHeader(path: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  let bytes = 0;
  try {
    const file = openSync(path, 'r');
    try {
      bytes = readSync(file, header, 0, HEADER_BYTES, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    const text = `The ledger ${path} cannot be opened: ${reasonOf(error)}.${isForbidden ? OWNER_ONLY : ''}`;
    throw new LedgerError('ledger_unwritable', text, { cause: error });
  }
  if (bytes < HEADER_BYTES) throw ledgerDamaged(path, 'the file is cut short');
  if (header.toString('latin1', 0, 16) !== MAGIC) throw ledgerDamaged(path, 'it is not a ledger file at all');
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) {
    // Not to be opened at all: that alone would change how the other program's file is kept.
    const text = `${path} is a database of another program, not a payfile ledger.`;
    throw new LedgerError('ledger_foreign', text);
  }
}

const OWNER_ONLY =
  ' Only its owner can open a ledger file. To share a ledger, put it on a server: payfile help server.';

/** The folder for a new ledger. */
export function makeFolder(path: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    const text = said`The folder ${folder} cannot be made: ${reasonOf(error)}. Set HOME or XDG_STATE_HOME to a folder that this user can write to, or name the ledger with PAYFILE_LEDGER or ${input('ledger')}.`;
    throw new LedgerError('ledger_unwritable', text, { cause: error });
  }
}

/**
 * `build` makes a whole ledger under another name; then it gets its own name in one step. When two processes
 * do this at once, the second finds the first one's ledger and uses it. True when this process made it.
 */
export async function createAtomically(
  path: string,
  build: (temporary: string) => Promise<void>,
): Promise<boolean> {
  const temporary = unfinished(path);
  try {
    closeSync(openSync(temporary, 'wx', FILE_MODE));
    await build(temporary);
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
    removeUnfinished(temporary);
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

export type Place =
  | { readonly kind: 'good' }
  /** Works, but something may copy the ledger or take it away. */
  | { readonly kind: 'doubtful'; readonly why: string }
  /** Works, until the machine or the container ends. */
  | { readonly kind: 'passing'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

const network = (name: string): Place => ({ kind: 'refused', why: `a network file system (${name})` });
const refused = (why: string): Place => ({ kind: 'refused', why });
const passing = (why: string): Place => ({ kind: 'passing', why });
const FILE_SYSTEMS: ReadonlyMap<number, Place> = new Map([
  [0x6969, network('NFS')],
  [0x517b, network('SMB')],
  [0xfe534d42, network('SMB')],
  [0xff534d42, network('CIFS')],
  [0x5346414f, network('AFS')],
  [0x00c36400, network('Ceph')],
  [0x564c, network('NCP')],
  [0x0bd00bd0, network('Lustre')],
  [0x47504653, network('GPFS')],
  [0x19830326, network('BeeGFS')],
  [0x01021997, refused('a folder of another machine (9p)')],
  [0x786f4256, refused('a shared folder of VirtualBox (vboxsf)')],
  [0x7461636f, refused('a disk that several machines share (OCFS2)')],
  [0x01161970, refused('a disk that several machines share (GFS2)')],
  [0x01021994, passing('tmpfs, which is kept in memory and gone when the machine or the container ends')],
  [0x858458f6, passing('ramfs, which is kept in memory and gone when the machine ends')],
  [0x794c7630, passing('overlayfs, the layer of a container, which is gone when the container is removed')],
]);
const FUSE = 0x65735546;
const SYNCED = /^(dropbox|onedrive|google ?drive|my drive|icloud ?drive|com~apple~clouddocs|nextcloud)\b/i;

/** `fileSystem` is what statfs calls its type; undefined when it cannot be asked. */
export function judgePlace(path: string, fileSystem: number | undefined): Place {
  // The number may come as a signed one.
  const type = fileSystem === undefined ? -1 : fileSystem >>> 0;
  const known = FILE_SYSTEMS.get(type);
  if (known !== undefined) return known;
  const synced = path.split(sep).find((part) => SYNCED.test(part));
  if (synced !== undefined) return { kind: 'doubtful', why: `the synchronised folder “${synced}”` };
  if (type === FUSE) return { kind: 'doubtful', why: 'a file system of another program (FUSE)' };
  return { kind: 'good' };
}

/** What the place of a ledger is like; the file itself, and its folder, need not be there yet. */
export function placeOf(path: string, typeOf = fileSystemOf): Place {
  const whole = resolve(path);
  const there = existingFolder(whole);
  const real = join(realpathSync(there), relative(there, whole));
  return judgePlace(real, process.platform === 'linux' ? typeOf(there) : undefined);
}

export function badPlace(path: string, why: string): LedgerError {
  const text = said`The ledger ${path} lies on ${why}. Locks may not hold there, so two processes could pay the same row. Move it to a disk of this machine and name it with ${input('ledger')} or PAYFILE_LEDGER.`;
  return new LedgerError('ledger_unsupported', text);
}

function existingFolder(path: string): string {
  let folder = dirname(path);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

function fileSystemOf(folder: string): number | undefined {
  try {
    return statfsSync(folder).type;
  } catch {
    return undefined;
  }
}

/** How the names of ledgers end that are being made; nobody opens those. */
const UNFINISHED = '.new-';

/** A name that nobody else has, also not in this process. */
export const unfinished = (path: string) => `${path}${UNFINISHED}${randomUUID()}`;

export function removeUnfinished(temporary: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${temporary}${end}`, { force: true });
}

/** Nothing is said of a file that is not there. `mounts` is the text of /proc/self/mountinfo. */
export function requireOneName(path: string, mounts = mountsHere()): void {
  if (!existsSync(path)) return;
  const file = realpathSync(path);
  if (namesOf(file) > 1) throw secondName(path, 'has more than one name on its disk (hard links)', LINKED);
  if (isMountPoint(file, mounts)) throw secondName(path, 'is mounted here as a single file', MOUNTED);
}

const LINKED =
  'The other names are found with find -samefile. Keep the name that has a file ending with -wal beside it, remove ' +
  'the others';
const MOUNTED = 'Mount the folder that the ledger lies in instead of the file';

function secondName(path: string, what: string, advice: string): LedgerError {
  const text =
    `The ledger ${path} ${what}. Its newest payments stand in a log that lies beside one of its names only; under another ` +
    `name they are forgotten and would be made again. Nothing was done. ${advice}, and run again.`;
  return new LedgerError('ledger_unsupported', text);
}

/** Without those of a process that made the ledger and was killed before it took its working name away. */
function namesOf(file: string): number {
  const { nlink, ino } = statSync(file, { bigint: true });
  if (nlink <= 1n) return 1;
  const folder = dirname(file);
  const unfinished = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}${UNFINISHED}`));
  const same = unfinished.filter(
    (name) => statSync(join(folder, name), { bigint: true, throwIfNoEntry: false })?.ino === ino,
  );
  return Number(nlink) - same.length;
}

const PLACE_AT = 4;

function isMountPoint(file: string, mounts: string): boolean {
  // Spaces and the like are written as three octal digits.
  const plain = (text: string) =>
    text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return mounts.split('\n').some((line) => plain(line.split(' ')[PLACE_AT] ?? '') === file);
}

function mountsHere(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}
