/**
 * What may be an output? Asked for every file that payfile writes at a user's word, before anything is done and again
 * before the file is put in its place.
 *
 * Nothing that payfile works with is overwritten: ledgers and what lies beside them, lists, configuration, password,
 * input. Files are known by device and inode, so that links, other spellings and other mounts of the same file are
 * found; a file that is not there yet is known by its folder and name. A link as the last part of a name is not
 * followed. A file that is there already is replaced only when payfile wrote it as an output of the same kind.
 * Errors:  ReportUnwritable with the place, the reason and what to do. Nothing is changed.
 */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type OutputGuard, type OutputKind, ReportUnwritable } from '../../ports/report-sink.ts';
import { isDatabase, isOwnOutput } from './own-output.ts';

/** A file that payfile works with; or a folder, with all that is in it. */
export interface KeptPlace {
  readonly path: string;
  /** Behind “it is”, such as `the ledger /srv/ledger.db`. */
  readonly what: string;
  readonly isFolder?: boolean;
}

export interface OutputRules {
  /** Asked at every check, because files come and go while a batch is worked on. */
  readonly kept: () => readonly KeptPlace[];
  /** The user said that whatever is there may be replaced. */
  readonly overwrite: boolean;
}

export const NOTHING_KEPT: OutputRules = { kept: () => [], overwrite: false };

export function createOutputGuard({ kept, overwrite }: OutputRules): OutputGuard {
  return {
    async check(path, kind) {
      if (path === '-') return;
      const standing = await standingAt(path);
      if (standing === 'direct') return;
      const place = await placeIn(await keptBy(kept()), path);
      const refuse = (reason: string) => {
        throw new ReportUnwritable(`Cannot write the ${WORDS[kind].what} “${path}”: ${reason}`);
      };
      if (place !== undefined) refuse(`it is ${place.what}. Name another file.`);
      if (standing === 'link') refuse('it is a link, and links are not followed. Name the file itself.');
      if (standing !== 'file') return;
      if (await isDatabase(path)) refuse('it is a database. Name another file.');
      // A log is added to, whatever stands in it; a backup refuses by itself whatever is there.
      if (overwrite || kind === 'log' || kind === 'backup' || (await isOwnOutput(path, kind))) return;
      refuse(`a file is there already, and ${WORDS[kind].there}, or add --overwrite to replace it.`);
    },
    async same(paths) {
      const seen = new Map<string, string>();
      for (const path of paths) {
        const identity = (await standingAt(path)) === 'direct' ? undefined : await identityOf(path);
        if (identity === undefined) continue;
        const before = seen.get(identity);
        if (before !== undefined) return [before, path];
        seen.set(identity, path);
      }
      return undefined;
    },
  };
}

const NOT_OURS = 'payfile did not write it as';
const OTHER = 'Name another file';

const WORDS: Readonly<Record<OutputKind, { readonly what: string; readonly there: string }>> = {
  csv: { what: 'report', there: `${NOT_OURS} a CSV report. ${OTHER}` },
  json: { what: 'report', there: `${NOT_OURS} a JSON report. ${OTHER}` },
  xlsx: { what: 'report', there: `${NOT_OURS} a report. ${OTHER}` },
  html: { what: 'report', there: `${NOT_OURS} an HTML report. ${OTHER}` },
  pain002: { what: 'report', there: `${NOT_OURS} a pain.002 report. ${OTHER}` },
  redo: { what: 'file', there: `somebody may have worked in it. ${OTHER}` },
  fix: {
    what: 'fix file',
    there: `it may be half mended. To go on with it, check that file itself. Else name another file`,
  },
  template: { what: 'template', there: `it may be filled in. ${OTHER}` },
  metrics: { what: 'metrics file', there: `${NOT_OURS} a metrics file. ${OTHER}` },
  log: { what: 'log file', there: '' },
  backup: { what: 'backup', there: '' },
};

/**
 * `direct`: a device or a pipe, also behind a link such as /dev/stdout; it is written to as it is. `none`: nothing, an
 * empty file or a folder, or nobody may look; whoever opens it says why it cannot be written.
 */
type Standing = 'none' | 'direct' | 'link' | 'file';

async function standingAt(path: string): Promise<Standing> {
  const own = await lstat(path).catch(() => undefined);
  if (own?.isSymbolicLink() === true) {
    const target = await stat(path).catch(() => undefined);
    return target === undefined || target.isFile() || target.isDirectory() ? 'link' : 'direct';
  }
  if (own === undefined || own.isDirectory()) return 'none';
  if (!own.isFile()) return 'direct';
  return own.size === 0 ? 'none' : 'file';
}

interface Kept {
  readonly byIdentity: ReadonlyMap<string, KeptPlace>;
  readonly folders: ReadonlyMap<string, KeptPlace>;
}

async function keptBy(places: readonly KeptPlace[]): Promise<Kept> {
  const byIdentity = new Map<string, KeptPlace>();
  const folders = new Map<string, KeptPlace>();
  for (const place of places) {
    const identity = await identityOf(place.path);
    if (identity !== undefined) (place.isFolder === true ? folders : byIdentity).set(identity, place);
  }
  return { byIdentity, folders };
}

async function placeIn({ byIdentity, folders }: Kept, path: string): Promise<KeptPlace | undefined> {
  const identity = await identityOf(path);
  const found = identity === undefined ? undefined : byIdentity.get(identity);
  if (found !== undefined || folders.size === 0) return found;
  let folder = await realpath(path)
    .catch(() => realpath(dirname(resolve(path))))
    .catch(() => undefined);
  while (folder !== undefined) {
    const inside = folders.get((await identityOf(folder)) ?? '');
    if (inside !== undefined) return inside;
    folder = folder === dirname(folder) ? undefined : dirname(folder);
  }
  return undefined;
}

/**
 * The same for every way to name the same file; undefined where there cannot be one. A name that is not there yet is
 * compared without its case, because the folder may not tell cases apart.
 */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  if (found !== undefined) return `${found.dev}:${found.ino}`;
  const folder = await stat(dirname(resolve(path)), { bigint: true }).catch(() => undefined);
  if (folder === undefined) return undefined;
  return `${folder.dev}:${folder.ino}/${basename(resolve(path)).normalize('NFC').toLowerCase()}`;
}
