/**
 * Whether a file may be written: asked for every file that a user names as an output, before anything is done and again
 * before the file is put in its place.
 *
 * Nothing that payfile works with is overwritten: ledgers and what lies beside them, lists, configuration, password,
 * input. Files are known by device and inode, so that links, other spellings and other mounts of the same file are
 * found; a file that is not there yet is known by its folder and name. A link as the last part of a name is not
 * followed. A file that is there already is replaced only when payfile wrote it as an output of the same kind.
 * Errors:  ReportUnwritable with the place, the reason and what to do. Nothing is changed.
 */
import { constants, type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { input, type Message, piecesOf, said } from '../domain/text/message.ts';
import { type OutputGuard, type OutputKind, ReportUnwritable } from '../ports/outputs.ts';
import { bytesOf } from './opened-file.ts';

/** A file that payfile works with; or a folder, with all that is in it. */
export interface KeptPlace {
  readonly path: string;
  /** Behind “it is”, such as `the ledger /srv/ledger.db`. */
  readonly what: string;
  readonly isFolder?: boolean;
}

interface OutputRules {
  /** Looked up at every check, because files come and go while a batch is worked on. */
  readonly kept: () => readonly KeptPlace[];
  /** The user allowed to replace any file. */
  readonly overwrite: boolean;
  /** Relative paths are meant from here; undefined: from where the process stands. */
  readonly cwd?: string;
}

export const NOTHING_KEPT: OutputRules = { kept: () => [], overwrite: false };

export function createOutputGuard({ kept, overwrite, cwd = '' }: OutputRules): OutputGuard {
  return {
    async check(written, kind, isReplaced = false) {
      if (written === '-') return;
      const path = resolve(cwd, written);
      const standing = await targetKindAt(path);
      if (standing === 'direct') return;
      const place = await placeIn(await keptBy(kept(), cwd), path);
      const refuse = (reason: string | Message) => {
        throw new ReportUnwritable(
          said`Cannot write the ${WORDS[kind].what} “${written}”: ${piecesOf(reason)}`,
        );
      };
      if (place !== undefined) refuse(`it is ${place.what}. Name another file.`);
      if (standing === 'link') refuse('it is a link, and links are not followed. Name the file itself.');
      if (standing !== 'file') return;
      if (await isDatabase(path)) refuse('it is a database. Name another file.');
      // A log is added to, whatever stands in it; a backup refuses by itself whatever is there.
      if (overwrite || isReplaced || kind === 'log' || kind === 'backup' || (await isOwnOutput(path, kind)))
        return;
      refuse(
        said`a file is there already, and ${WORDS[kind].there}, or add ${input('overwrite')} to replace it.`,
      );
    },
    async same(paths) {
      const seen = new Map<string, string>();
      for (const written of paths) {
        const path = resolve(cwd, written);
        const identity = (await targetKindAt(path)) === 'direct' ? undefined : await identityOf(path);
        if (identity === undefined) continue;
        const before = seen.get(identity);
        if (before !== undefined) return [before, written];
        seen.set(identity, written);
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
  journal: { what: 'journal', there: `${NOT_OURS} a journal. ${OTHER}` },
  'journal-by-day': { what: 'journal', there: `${NOT_OURS} a journal by day. ${OTHER}` },
  advice: { what: 'advice', there: `${NOT_OURS} advice. ${OTHER}` },
  reconciliation: { what: 'reconciliation', there: `somebody may keep it. ${OTHER}` },
  audit: { what: 'audit file', there: `somebody may keep it. ${OTHER}` },
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
type TargetKind = 'none' | 'direct' | 'link' | 'file';

async function targetKindAt(path: string): Promise<TargetKind> {
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

async function keptBy(places: readonly KeptPlace[], cwd: string): Promise<Kept> {
  const byIdentity = new Map<string, KeptPlace>();
  const folders = new Map<string, KeptPlace>();
  for (const place of places) {
    const identity = await identityOf(resolve(cwd, place.path));
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

/**
 * Whether payfile wrote this file as an output of this kind, judged by its content. So a new report replaces only a
 * report of its own kind.
 */

/** The beginning of a file that is looked at: a header row of 256 columns fits. */
const HEAD_BYTES = 65_536;

const CSV_FIELD = '(?:"[^"]*(?:""[^"]*)*"|[^",\\r\\n]*)';

/** What each kind of output has near its beginning. Workbooks say it in a part of their own. */
const MARKERS: Readonly<Partial<Record<OutputKind, RegExp>>> = {
  csv: new RegExp(`^\\ufeff?(?:${CSV_FIELD},)*?payfile_row,payfile_status,payfile_reason,`),
  // A report over days has no name of a file.
  json: /^\{"schemaVersion":\d+,\n"batch":(?:null,\n"period":\{.*\}|\{.*\},\n"file":.*),\n"environment":"(?:live|sandbox)",\n"rows":\[/,
  html: /^<!doctype html>\n(?:.*\n){0,20}?<meta name="generator" content="payfile">/,
  pain002: /^<\?xml [^>]*>\n<Document xmlns="[^"]*:pain\.002\.[^"]*">\n<CstmrPmtStsRpt>\n<GrpHdr><MsgId>PF-/,
  journal: /^\ufeffdate,voucher,account_code,account_name,debit,credit,amount,currency,foreign_amount,/,
  'journal-by-day': /^\ufeffdate,account_code,account_name,used_for,debit,credit,currency,entries,note\n/,
  advice:
    /^(?:<!doctype html>\n(?:.*\n){0,20}?<meta name="generator" content="payfile advice">|\ufeffadvice_row,name,)/,
  metrics: /^# HELP payfile_/,
};

/** The title tells a report from a template, a fix file and a file of rows to be paid again. */
const WORKBOOK = /<dc:creator>payfile<\/dc:creator>.*<dc:title>Payments of /s;

async function isOwnOutput(path: string, kind: OutputKind): Promise<boolean> {
  const marker = kind === 'xlsx' ? WORKBOOK : MARKERS[kind];
  const look = kind === 'xlsx' ? propertiesOf : headOf;
  return marker?.test((await onFile(path, look)).toString('utf8')) === true;
}

const DATABASES = ['SQLite format 3\0', '\x37\x7f\x06\x82', '\x37\x7f\x06\x83'];

/** A database or its log: perhaps a ledger that this machine does not know. */
async function isDatabase(path: string): Promise<boolean> {
  const head = (await onFile(path, headOf)).toString('latin1', 0, 16);
  return DATABASES.some((magic) => head.startsWith(magic));
}

type Look = (file: FileHandle) => Promise<Buffer>;

/** What cannot be read is empty here, and so is not known to be ours. */
async function onFile(path: string, look: Look): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return await look(file);
  } catch {
    return Buffer.alloc(0);
  } finally {
    await file?.close();
  }
}

const headOf: Look = async (file) => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
};

/** One small part of a workbook: a report may be larger than what payfile reads as input. Throws where there is none. */
const propertiesOf: Look = async (file) => {
  const { openZip } = await import('./xlsx/zip-entries.ts');
  const { size } = await file.stat();
  const read = (start = 0, end = size) => bytesOf((...into) => file.read(...into), start, end);
  for await (const beginning of (await openZip({ name: '', size, read })).read('docProps/core.xml'))
    return beginning;
  return Buffer.alloc(0);
};
