/**
 * Has the ledger's file a second name? SQLite keeps the newest payments in a log that lies beside the name by which the
 * ledger was opened. Under another name of the same file there is another log or none, so payments are forgotten and made
 * again. Folders may have as many names as they like, for the log goes with them; only the file itself may not.
 *
 * Source:  proc(5) for mountinfo; other systems cannot put one file over another.
 * Errors:  LedgerError `ledger_unsupported`, naming the file and what to do.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LedgerError } from '../../ports/ledger.ts';

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
