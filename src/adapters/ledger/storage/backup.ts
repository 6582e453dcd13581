/**
 * A whole copy of a ledger, made by SQLite in one step, also during a run, and its restore. The copy is of one moment;
 * outcomes in the emergency file are copied into a file of their own. Every copy is verified before it gets its name, and
 * no file is overwritten: a ledger that is already there is kept under another name.
 *
 * Errors:  LedgerError, naming the file and what to do; then nothing was changed but where the text says so.
 */
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { LedgerIdentity } from '../../../ports/ledger/ledger.ts';
import { ledgerHead } from '../proof/event-chain.ts';
import { verifyLedger } from '../proof/verify-ledger.ts';
import { LedgerMark } from '../trust/ledger-mark.ts';
import {
  checkHeader,
  FILE_MODE,
  LEDGER_ENDS,
  ledgerExists,
  ledgerMissing,
  makeFolder,
  REPLACED_MARK,
  reasonOf,
  sync,
} from './ledger-file.ts';
import { badPlace, placeOf, requireOneName, UNFINISHED } from './ledger-place.ts';
import { type Binding, identify } from './open-file.ts';
import { isBusy, numberOf, prepareOnce } from './sql-statements.ts';

const EMERGENCY = '.emergency';

/** Opens and copies databases. Passed in, because only sqlite-ledger.ts imports node:sqlite. */
export interface CopyDoors {
  readonly connect: (path: string, options: { readonly readOnly: boolean }) => DatabaseSync;
  /** All pages in one step, so that a run beside it cannot make the copying begin again and again. */
  readonly copy: (from: DatabaseSync, to: string) => Promise<unknown>;
}

export interface LedgerCopy {
  readonly path: string;
  readonly id: string;
  readonly environment: LedgerIdentity['environment'];
  readonly batches: number;
  readonly entries: number;
  readonly commits: number;
  /** Of the newest entry of the journal; milliseconds since 1970. */
  readonly until: number;
  /** Rows on the wire at that moment. */
  readonly sending: number;
  /** The file with outcomes that no commit had taken yet, where there are any. */
  readonly emergencyPath: string | undefined;
}

export interface BackupOptions {
  /** Of the ledger. */
  readonly path: string;
  readonly to: string;
  readonly binding: Binding | undefined;
}

export async function backupLedger(
  { path, to, binding }: BackupOptions,
  doors: CopyDoors,
): Promise<LedgerCopy> {
  const target = resolve(to);
  const there = LEDGER_ENDS.map((end) => `${target}${end}`).filter((file) => existsSync(file));
  if (there.length > 0) throw unwritable(target, `${there.join(', ')} is there already. Choose another name`);
  if (!ledgerExists(path)) throw ledgerMissing(path, []);
  if (binding?.environment !== 'sandbox') requireOneName(path);
  checkHeader(path);
  return copied({ from: path, to: target, binding }, doors, (problems) => {
    const text = `The ledger ${path} does not pass its checks, so no backup was made of it: ${problems}.`;
    return new LedgerError('ledger_damaged', text);
  });
}

export interface RestoreOptions {
  readonly from: string;
  /** Of the ledger. */
  readonly path: string;
  readonly binding: Binding | undefined;
  /** Keep a ledger that is there under another name. */
  readonly replace: boolean;
  readonly now: number;
}

interface SentSince {
  readonly batch: string;
  readonly rows: number;
}

export interface Restored extends LedgerCopy {
  /** Where the ledger that was there is now. */
  readonly keptAt: string | undefined;
  /** How many rows that one sent, by batch, that the backup does not know; undefined: none was there, or it cannot be read. */
  readonly sentSince: readonly SentSince[] | undefined;
}

export async function restoreLedger(options: RestoreOptions, doors: CopyDoors): Promise<Restored> {
  const { from, path, binding, replace, now } = options;
  if (!existsSync(from)) throw new LedgerError('backup_missing', `There is no backup at ${from}.`);
  const isInTheWay = ledgerExists(path);
  if (isInTheWay && realpathSync(from) === realpathSync(path))
    throw unusable(from, 'it is the ledger itself, not a backup of it');
  if (isInTheWay && !replace) throw present(path, from);
  const place = placeOf(path);
  if (place.kind === 'refused' && binding?.environment === 'live') throw badPlace(path, place.why);
  checkBackup(from);
  makeFolder(path);
  let keptAt: string | undefined;
  let sentSince: readonly SentSince[] | undefined;
  const given = { from, to: path, binding };
  const refused = (problems: string) => unusable(from, `it does not pass its checks: ${problems}`);
  const work = copied(given, doors, refused, (made) => {
    keptAt = setAside(
      path,
      `${path}${REPLACED_MARK}${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`,
      doors,
    );
    if (keptAt !== undefined) sentSince = sentBeyond(from, made.id, { keptAt, doors });
    // It is a copy, whatever the user's list says of this place: a person accepts it before anything is sent.
    if (made.environment === 'live') LedgerMark.writeRestored(path, made.id, made.commits);
  });
  try {
    return { ...(await work), keptAt, sentSince };
  } catch (error) {
    if (keptAt === undefined || !(error instanceof LedgerError)) throw error;
    const text = `${error.message} The ledger that was there is kept as ${keptAt}.`;
    throw new LedgerError(error.code, text, { cause: error });
  }
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly binding: Binding | undefined;
}

/** `before` runs when the copy is whole and verified, just before it gets its name. */
async function copied(
  { from, to, binding }: Copying,
  doors: CopyDoors,
  refused: (problems: string) => LedgerError,
  before: (made: LedgerCopy) => void = () => undefined,
): Promise<LedgerCopy> {
  const temporary = `${to}${UNFINISHED}${process.pid}`;
  const source = doors.connect(from, { readOnly: true });
  try {
    identify(source, from, binding, true);
    rmSync(temporary, { force: true });
    closeSync(openSync(temporary, 'wx', FILE_MODE));
    const waitingBefore = emergencyOf(from);
    await doors.copy(source, temporary);
    const waiting = joined(waitingBefore, emergencyOf(from));
    const made = await checked(temporary, { from, to }, { doors, refused, waiting });
    sync(temporary);
    before(made);
    if (waiting !== undefined) {
      writeFileSync(`${to}${EMERGENCY}`, waiting, { flag: 'wx', mode: FILE_MODE });
      sync(`${to}${EMERGENCY}`);
    }
    putInPlace(temporary, to);
    sync(dirname(to));
    return made;
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    throw unwritable(to, reasonOf(error), error);
  } finally {
    source.close();
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${temporary}${end}`, { force: true });
  }
}

async function checked(
  temporary: string,
  { from, to }: Pick<Copying, 'from' | 'to'>,
  {
    doors,
    refused,
    waiting,
  }: {
    doors: CopyDoors;
    refused: (problems: string) => LedgerError;
    waiting: Buffer | undefined;
  },
): Promise<LedgerCopy> {
  const db = doors.connect(temporary, { readOnly: false });
  try {
    // One file alone, which can be read from a disk that cannot be written to.
    db.exec('PRAGMA journal_mode = DELETE');
    const identity = identify(db, from, undefined, true);
    const { problems, batches, entries } = await verifyLedger({ db, isOwn: false, identity }, undefined);
    if (problems.length > 0) throw refused(problems.slice(0, 3).join('; '));
    const sql = prepareOnce(db);
    const { id, environment } = identity;
    const until = numberOf(sql('SELECT at FROM journal ORDER BY seq DESC LIMIT 1').get()?.at);
    const sending = numberOf(sql("SELECT count(*) AS n FROM payouts WHERE status = 'sending'").get()?.n);
    const { commits } = ledgerHead(sql);
    const emergencyPath = waiting === undefined ? undefined : `${to}${EMERGENCY}`;
    return { path: to, id, environment, batches, entries, commits, until, sending, emergencyPath };
  } finally {
    db.close();
  }
}

/** undefined when no outcome waits in it. */
function emergencyOf(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(`${path}${EMERGENCY}`);
    return bytes.some((byte) => byte !== 0) ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** A line that was taken into the ledger and cleared while it was copied may be in the earlier bytes alone. */
function joined(before: Buffer | undefined, after: Buffer | undefined): Buffer | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  return Buffer.from(after.map((byte, at) => (byte === 0 ? (before[at] ?? 0) : byte)));
}

/** Never over a file that is there. Where the disk knows no second names, as on a stick, it is renamed. */
function putInPlace(temporary: string, to: string): void {
  try {
    linkSync(temporary, to);
  } catch (error) {
    if (existsSync(to)) throw unwritable(to, 'another process has just made it', error);
    renameSync(temporary, to);
  }
}

/** Moves what lies at the ledger's place to another name, all files of it together; undefined when nothing lies there. */
function setAside(path: string, aside: string, { connect }: CopyDoors): string | undefined {
  const there = LEDGER_ENDS.filter((end) => existsSync(`${path}${end}`));
  if (there.length === 0) return undefined;
  const db = existsSync(path) ? lockedAlone(path, connect) : undefined;
  try {
    for (const end of LEDGER_ENDS)
      if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${aside}${end}`);
  } finally {
    db?.close();
  }
  return aside;
}

/**
 * What the replaced ledger sent since the last commit that it and the backup have in common. It need not go on from the
 * backup: it may have been set back itself.
 */
function sentBeyond(
  from: string,
  backupId: string,
  { keptAt, doors }: { readonly keptAt: string; readonly doors: CopyDoors },
): readonly SentSince[] | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = doors.connect(keptAt, { readOnly: true });
    const { id } = identify(db, keptAt, undefined, true);
    db.prepare('ATTACH ? AS backup').run(from);
    const beyond = db.prepare(
      `SELECT min(k.first) AS first FROM main.commits k LEFT JOIN backup.commits b ON b.seq = k.seq
       WHERE b.head IS NOT k.head`,
    );
    const sent = db.prepare(
      `SELECT coalesce(b.name, b.id) AS batch, count(DISTINCT j.payout) AS rows FROM main.journal j
       JOIN main.batches b ON b.id = j.batch
       WHERE j.kind = 'begin_attempt' AND j.seq >= ? GROUP BY b.id ORDER BY b.id`,
    );
    // Where no commit differs there is no number, and nothing is at or behind it.
    const rows = sent.all(id === backupId ? (beyond.get()?.first ?? null) : 0);
    return rows.map((row) => ({ batch: String(row.batch), rows: numberOf(row.rows) }));
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** Takes the log into the file, and keeps every other process out until it is closed. One that cannot be read is moved as it is. */
function lockedAlone(path: string, connect: CopyDoors['connect']): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = connect(path, { readOnly: false });
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (!isBusy(error)) return undefined;
    const text = `The ledger ${path} is in use. Nothing was changed. Wait until no payfile works with it, then run again.`;
    throw new LedgerError('ledger_busy', text, { cause: error });
  }
}

function unwritable(to: string, why: string, cause?: unknown): LedgerError {
  return new LedgerError('backup_unwritable', `${to} cannot be written: ${why}.`, { cause });
}

/** A file that is no backup must not be reported as a damaged ledger, which a person would have to keep. */
function checkBackup(from: string): void {
  try {
    checkHeader(from);
  } catch (error) {
    throw unusable(from, 'it is not a whole backup of a ledger', error);
  }
}

function unusable(from: string, why: string, cause?: unknown): LedgerError {
  const text = `${from} cannot be restored: ${why}. Nothing was changed.`;
  return new LedgerError('backup_unusable', text, { cause });
}

function present(path: string, from: string): LedgerError {
  const text =
    `There is a ledger at ${path}. It may know of payments that ${from} does not know. Nothing was changed. To put the ` +
    'backup in its place and keep the ledger under another name, add --replace.';
  return new LedgerError('ledger_present', text);
}
