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
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { input, said } from '../domain/text/message.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerCopy, RestoredCopy, SentSince } from '../ports/ledger/store.ts';
import { ledgerHead } from './chain.ts';
import { reading } from './file.ts';
import { type Binding, ownEntry, RESTORED, readIdentity, requireFormat } from './identity.ts';
import { THIS_MACHINE } from './machine.ts';
import { partsOf } from './open.ts';
import {
  badPlace,
  checkHeader,
  FILE_MODE,
  LEDGER_ENDS,
  ledgerMissing,
  makeFolder,
  placeOf,
  REPLACED_MARK,
  reasonOf,
  removeUnfinished,
  requireOneName,
  sync,
  unfinished,
} from './place.ts';
import { Busy, numberOf, q } from './sql.ts';
import { connectSqlite, copySqlite, type SqliteConnection, sqliteDatabase, sqliteError } from './sqlite.ts';
import { verifyLedger } from './verify.ts';

const EMERGENCY = '.emergency';

export interface BackupOptions {
  /** Of the ledger. */
  readonly path: string;
  readonly to: string;
  readonly binding: Binding | undefined;
}

export async function backupLedger({ path, to, binding }: BackupOptions): Promise<LedgerCopy> {
  const target = resolve(to);
  const there = LEDGER_ENDS.map((end) => `${target}${end}`).filter((file) => existsSync(file));
  if (there.length > 0) throw unwritable(target, `${there.join(', ')} is there already. Choose another name`);
  if (!existsSync(path)) throw ledgerMissing(path, []);
  if (binding?.environment !== 'sandbox') requireOneName(path);
  checkHeader(path);
  const refused = (problems: string) => {
    const text = `The ledger ${path} does not pass its checks, so no backup was made of it: ${problems}.`;
    return new LedgerError('ledger_damaged', text);
  };
  return copied({ from: path, to: target, binding, refused });
}

export interface RestoreOptions {
  readonly from: string;
  /** Of the ledger. */
  readonly path: string;
  readonly binding: Binding | undefined;
  /** Keep a ledger that is there under another name. */
  readonly replace: boolean;
  readonly now: Timestamp;
}

export async function restoreLedger({
  from,
  path,
  binding,
  replace,
  now,
}: RestoreOptions): Promise<RestoredCopy> {
  if (!existsSync(from)) throw new LedgerError('backup_missing', `There is no backup at ${from}.`);
  const isInTheWay = existsSync(path);
  if (isInTheWay && realpathSync(from) === realpathSync(path))
    throw unusable(from, 'it is the ledger itself, not a backup of it');
  if (isInTheWay && !replace) throw present(path, from);
  const place = placeOf(path);
  if (place.kind === 'refused' && binding?.environment === 'live') throw badPlace(path, place.why);
  checkBackup(from);
  makeFolder(path);
  const aside = `${path}${REPLACED_MARK}${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
  let keptAt: string | undefined;
  let sentSince: readonly SentSince[] | undefined;
  const refused = (problems: string) => unusable(from, `it does not pass its checks: ${problems}`);
  const before = async ({ id }: LedgerCopy) => {
    keptAt = setAside(path, aside);
    if (keptAt !== undefined) sentSince = await sentBeyond(from, id, keptAt).catch(() => undefined);
  };
  try {
    const copy = await copied({ from, to: path, binding, refused, restored: { at: now, before } });
    return { ...copy, keptAt, sentSince };
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
  readonly refused: (problems: string) => LedgerError;
  /** `before` is called when the copy is whole and verified, just before it gets its name. */
  readonly restored?: { readonly at: Timestamp; readonly before: (made: LedgerCopy) => Promise<void> };
}

async function copied(copying: Copying): Promise<LedgerCopy> {
  const { from, to, restored } = copying;
  const temporary = unfinished(to);
  const source = connectSqlite(from, { readOnly: true });
  try {
    closeSync(openSync(temporary, 'wx', FILE_MODE));
    const waitingBefore = emergencyOf(from);
    await copySqlite(source, temporary);
    const waiting = joined(waitingBefore, emergencyOf(from));
    const made = await checked(temporary, copying, waiting !== undefined);
    sync(temporary);
    await restored?.before(made);
    if (waiting !== undefined) {
      writeFileSync(`${to}${EMERGENCY}`, waiting, { flag: 'wx', mode: FILE_MODE });
      sync(`${to}${EMERGENCY}`);
    }
    putInPlace(temporary, to);
    sync(dirname(to));
    return made;
  } catch (cause) {
    const error = sqliteError(cause, from);
    throw error instanceof LedgerError ? error : unwritable(to, reasonOf(error), error);
  } finally {
    source.close();
    removeUnfinished(temporary);
  }
}

/** A copy that takes the ledger's place says so in its own chain: a person accepts it before anything is sent with it. */
async function checked(
  temporary: string,
  { from, to, binding, refused, restored }: Copying,
  hasWaiting: boolean,
): Promise<LedgerCopy> {
  const connection = connectSqlite(temporary);
  const db = sqliteDatabase({ path: temporary, writer: connection, open: undefined });
  try {
    // One file alone, which can be read from a disk that cannot be written to.
    connection.exec('PRAGMA journal_mode = DELETE');
    await requireFormat(db.read, from);
    const identity = { ...(await readIdentity(db.read, from, binding)), path: temporary };
    const { id, environment } = identity;
    const { problems, batches, entries } = await verifyLedger({ still: db.still, identity });
    if (problems.length > 0) throw refused(problems.slice(0, 3).join('; '));
    const row = await db.read.get(q`SELECT (SELECT at FROM journal ORDER BY seq DESC LIMIT 1) AS until,
      (SELECT count(*) FROM payouts WHERE status = 'sending') AS sending`);
    if (restored !== undefined && environment === 'live') {
      const { at } = restored;
      const { writer } = partsOf({ db, identity, clock: { now: () => at }, machine: THIS_MACHINE });
      await writer.write(async ({ add }) => add(ownEntry(RESTORED, { from: resolve(from) }, at)));
    }
    const { commits } = await ledgerHead(db.read);
    return {
      ...{ path: to, id, environment, batches, entries, commits },
      ...{ until: numberOf(row?.['until']), sending: numberOf(row?.['sending']) },
      emergencyPath: hasWaiting ? `${to}${EMERGENCY}` : undefined,
    };
  } finally {
    await db.close();
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
function setAside(path: string, aside: string): string | undefined {
  const there = LEDGER_ENDS.filter((end) => existsSync(`${path}${end}`));
  if (there.length === 0) return undefined;
  const connection = existsSync(path) ? lockedAlone(path) : undefined;
  try {
    for (const end of LEDGER_ENDS)
      if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${aside}${end}`);
  } finally {
    connection?.close();
  }
  return aside;
}

/**
 * What the replaced ledger sent since the last commit that it and the backup have in common. It need not go on from the
 * backup: it may have been set back itself. Where no commit differs, no entry is at or behind NULL.
 */
function sentBeyond(from: string, backupId: string, keptAt: string): Promise<readonly SentSince[]> {
  return reading(keptAt, async (sql) => {
    const { id } = await readIdentity(sql, keptAt, undefined);
    await sql.run(q`ATTACH ${from} AS backup`);
    const beyond = await sql.get(q`SELECT min(k.first) AS first FROM main.commits k
      LEFT JOIN backup.commits b ON b.seq = k.seq WHERE b.head IS NOT k.head`);
    const first = id === backupId ? (beyond?.['first'] ?? null) : 0;
    const rows = await sql.all(q`SELECT b.name AS batch, count(DISTINCT j.payout) AS rows
      FROM main.journal j JOIN main.batches b ON b.id = j.batch
      WHERE j.kind = 'begin_attempt' AND j.seq >= ${first} GROUP BY b.id ORDER BY b.id`);
    return rows.map((row) => ({ batch: String(row['batch']), rows: numberOf(row['rows']) }));
  });
}

/** Takes the log into the file, and keeps every other process out until it is closed. One that cannot be read is moved as it is. */
function lockedAlone(path: string): SqliteConnection | undefined {
  let connection: SqliteConnection | undefined;
  try {
    connection = connectSqlite(path);
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection?.close();
    if (!(sqliteError(error, path) instanceof Busy)) return undefined;
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
  const text = said`There is a ledger at ${path}. It may know of payments that ${from} does not know. Nothing was changed. To put the backup in its place and keep the ledger under another name, add ${input('replace')}.`;
  return new LedgerError('ledger_present', text);
}
