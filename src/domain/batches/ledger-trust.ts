/**
 * May this user send with this ledger without being asked? Only where the mark beside the file, or the user's own list,
 * names this very file. A copy, a restored backup or another machine's ledger may not know what was paid later.
 *
 * Either of the two may refuse. A mark that names another file refuses whatever the list says. Without a mark, the list
 * has to name this file. Where the file system keeps no creation time, the mark can only refuse, and each user accepts the
 * ledger once. A new ledger names its own file in its first commit, so that a process killed while making one leaves no
 * question. A user without a list is not asked if the configuration names the ledger by its id and the mark beside it
 * does not call it a copy. Without list and mark nothing would show an older state.
 */

/** Whether the ledger is on a server, and not in a file. */
export function isServerPlace(path: string): boolean {
  return /^postgres(ql)?:\/\//.test(path);
}

const NO_SECRETS = new Set(['schema', 'sslrootcert']);

/**
 * The place of a ledger as it may be shown: of a server's address without what could be a password, wherever it stands.
 * undefined where the address is too odd to tell.
 */
export function shownPlaceOf(written: string): string | undefined {
  if (!isServerPlace(written)) return written;
  if (!URL.canParse(written)) return undefined;
  const url = new URL(written);
  for (const name of [...url.searchParams.keys()]) if (!NO_SECRETS.has(name)) url.searchParams.delete(name);
  const hadPassword = url.password !== '';
  url.password = '';
  // With a `/` in it a password ends the host, and its rest stands in the path.
  if (url.username === '' || /@|%40/.test(url.pathname + url.search + url.hash)) return undefined;
  url.hash = '';
  return hadPassword || url.href.length < written.length ? url.href : written;
}

/** Identity of a file. A copy has another inode; a copy that got a freed inode has another creation time. */
export interface FileIdentity {
  readonly inode: string;
  /** In nanoseconds; undefined where the file system does not tell. */
  readonly birth: string | undefined;
}

/**
 * In the place of an inode: the file was restored from a backup, and nobody accepted it yet. A mark with this word
 * refuses, so that no list can vouch for a restored file.
 */
export const RESTORED = 'restored';

export interface LedgerFound {
  readonly file: FileIdentity;
  readonly path: string;
  /** It was made as this very file, and nothing was written to it since. */
  readonly isNewborn: boolean;
  /** Its journal says that it came from this file to where it is. */
  readonly movedFrom?: { readonly path: string; readonly file: FileIdentity } | undefined;
  /** Set if the configuration names this ledger (`ledger.id`). `here`: it was made or last accepted in this place. */
  readonly named?: 'here' | 'elsewhere' | undefined;
}

const RESTORED_ELSEWHERE =
  'the configuration names it, but it is not where it was made, so it was restored from a dump or a backup';

const NEVER_SEEN = 'this user has not worked with it before';

/** Machines share a server: one that is new to it joins without a person. undefined where it takes one who accepts. */
export function wayToJoin(path: string, why: string): string | undefined {
  if (!isServerPlace(path) || why !== NEVER_SEEN) return undefined;
  return (
    'A machine joins it by its id: payfile doctor on a machine that works with it shows the id. Write the id into ' +
    '~/.config/payfile/config.json of this machine, or into the file that --config names: "ledger": {"id": "ID"}, with ' +
    '"path" beside it where the address stands there. Only if the server was restored or copied must a person accept ' +
    'it instead (payfile verify --accept-ledger): that pauses every batch, for all machines.'
  );
}

export interface LedgerRemembered {
  /** What the mark beside the file says; undefined when there is none of this ledger. */
  readonly mark: FileIdentity | undefined;
  /** The entry in the user's list. */
  readonly entry: { readonly path: string; readonly file: FileIdentity } | undefined;
}

const ANOTHER_ADDRESS =
  'it is at another address than the one where this user worked with it, and a copy of a whole server looks the same';
const UNMARKED = 'the mark beside it is gone, so nothing shows whether it is an older state';
const MOVED_ALONE =
  'it was moved without the mark beside it, so its log, where the newest payments stand, may have been left behind';

/** Why a person has to accept the ledger first; undefined when it is known. */
export function whyLedgerUnknown(found: LedgerFound, { mark, entry }: LedgerRemembered): string | undefined {
  const byMark = mark === undefined ? 'unproven' : compared(mark, found.file);
  if (byMark === 'same') return undefined;
  if (mark?.inode === RESTORED) return 'it was restored from a backup';
  if (byMark === 'other') return 'the mark beside it belongs to another file, so this one is a copy';
  if (found.isNewborn) return undefined;
  if (entry === undefined && found.named === 'here')
    return mark === undefined && !isServerPlace(found.path) ? UNMARKED : undefined;
  if (entry === undefined) return found.named === undefined ? NEVER_SEEN : RESTORED_ELSEWHERE;
  const isInPlace = entry.path === found.path;
  if (isMovedFrom(found, entry.path, entry.file)) return undefined;
  const byList = compared(entry.file, found.file);
  // If only the file is moved, its log stays behind, with payments that another user made.
  if (byList === 'same' && !isInPlace && isServerPlace(found.path))
    return `${ANOTHER_ADDRESS} (${entry.path})`;
  if (byList === 'same' && !isInPlace && mark === undefined) return MOVED_ALONE;
  if (byList === 'same' || (byList === 'unproven' && isInPlace)) return undefined;
  return `it is another file than the one that this user worked with at ${entry.path}`;
}

/** Whoever worked with the file that was moved knows the ledger that it became. */
function isMovedFrom({ movedFrom }: LedgerFound, path: string, file: FileIdentity): boolean {
  if (movedFrom === undefined) return false;
  const same = compared(file, movedFrom.file);
  return same === 'same' || (same === 'unproven' && path === movedFrom.path);
}

export function compared(one: FileIdentity, other: FileIdentity): 'same' | 'other' | 'unproven' {
  if (one.inode !== other.inode) return 'other';
  // Without a creation time, a copy may have got the inode of a deleted file.
  if (one.birth === undefined || other.birth === undefined) return 'unproven';
  return one.birth === other.birth ? 'same' : 'other';
}
