/**
 * Is this a place where a ledger can be kept? SQLite's locks do not work between machines on shared file systems, a
 * synchronised folder copies the ledger while it is being written, and files in memory or in a container's own layer are
 * lost one day.
 *
 * Source:  statfs(2) of Linux and coreutils' stat for the numbers; other systems number theirs differently and are not judged.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { LedgerError } from '../../../ports/ledger/errors.ts';

export type Place =
  | { readonly kind: 'good' }
  /** Works, but something may copy the ledger or take it away. */
  | { readonly kind: 'doubtful'; readonly why: string }
  /** Works, until the machine or the container ends. */
  | { readonly kind: 'passing'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x564c, 'NCP'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
]);
const SHARED = new Map([
  [0x01021997, 'a folder of another machine (9p)'],
  [0x786f4256, 'a shared folder of VirtualBox (vboxsf)'],
  [0x7461636f, 'a disk that several machines share (OCFS2)'],
  [0x01161970, 'a disk that several machines share (GFS2)'],
]);
const PASSING = new Map([
  [0x01021994, 'tmpfs, which is kept in memory and gone when the machine or the container ends'],
  [0x858458f6, 'ramfs, which is kept in memory and gone when the machine ends'],
  [0x794c7630, 'overlayfs, the layer of a container, which is gone when the container is removed'],
]);
const FUSE = 0x65735546;
const SYNCED = /^(dropbox|onedrive|google ?drive|my drive|icloud ?drive|com~apple~clouddocs|nextcloud)\b/i;

/** `fileSystem` is what statfs calls its type; undefined when it cannot be asked. */
export function judgePlace(path: string, fileSystem: number | undefined): Place {
  // The number may come as a signed one.
  const type = fileSystem === undefined ? -1 : fileSystem >>> 0;
  const network = NETWORK.get(type);
  if (network !== undefined) return { kind: 'refused', why: `a network file system (${network})` };
  const shared = SHARED.get(type);
  if (shared !== undefined) return { kind: 'refused', why: shared };
  const passing = PASSING.get(type);
  if (passing !== undefined) return { kind: 'passing', why: passing };
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
  const text =
    `The ledger ${path} lies on ${why}. Locks may not hold there, so two processes could pay the same row. ` +
    'Move it to a disk of this machine and name it with --ledger or PAYFILE_LEDGER.';
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

/**
 * Has the ledger's file a second name? SQLite keeps the newest payments in a log that lies beside the name by which the
 * ledger was opened. Under another name of the same file there is another log or none, so payments are forgotten and made
 * again. Folders may have as many names as they like, for the log goes with them; only the file itself may not.
 *
 * Source:  proc(5) for mountinfo; other systems cannot put one file over another.
 * Errors:  LedgerError `ledger_unsupported`, naming the file and what to do.
 */

/** How the names of ledgers end that are being made; nobody opens those. */
export const UNFINISHED = '.new-';

/** Nothing is said of a file that is not there. `mounts` is the text of /proc/self/mountinfo. */
export function requireOneName(path: string, mounts = mountsHere()): void {
  if (!existsSync(path)) return;
  const file = realpathSync(path);
  if (namesOf(file) > 1) throw secondName(path, 'has more than one name on its disk (hard links)', LINKED);
  if (isMountPoint(file, mounts)) throw secondName(path, 'is mounted here as a single file', MOUNTED);
}

const LINKED =
  'The other names are found with find -samefile. Keep the name that has files ending with .mark or -wal beside it, remove ' +
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
