/**
 * The ledger on SQLite: the only door of node:sqlite. Opens a ledger file, makes one when that is allowed, and
 * refuses whatever is not safe to work with.
 *
 * Errors:  LedgerError, naming the path and what to do.
 */
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../ports/clock.ts';
import { LedgerError } from '../../ports/ledger/errors.ts';
import type { Ledger, LedgerIdentity } from '../../ports/ledger/ledger.ts';
import type { Log } from '../../ports/log.ts';
import { describeHolders } from './batches/leases.ts';
import {
  type BackupOptions,
  backupLedger,
  type CopyDoors,
  type RestoreOptions,
  restoreLedger,
} from './storage/backup.ts';
import { EmergencyFile } from './storage/emergency.ts';
import {
  checkHeader,
  createAtomically,
  ledgerExists,
  ledgerGone,
  ledgerMissing,
  makeFolder,
  refuseOrphanLog,
  restrictModes,
} from './storage/ledger-file.ts';
import { badPlace, placeOf, requireOneName } from './storage/ledger-place.ts';
import {
  type Binding,
  boundOf,
  checkSqlite,
  identify,
  loginMoved,
  MEMORY,
  newLedgerId,
  retryWhileBusy,
  setPragmas,
  writeNewLedger,
} from './storage/open-file.ts';
import { ledgerErrorOf, prepareOnce } from './storage/sql-statements.ts';
import { StoredLedger } from './stored-ledger.ts';
import { type KnownLedger, knownLedgers, requireListPlace } from './trust/known-ledgers.ts';
import { fileIdentityOf, realPathOf } from './trust/ledger-mark.ts';
import { LedgersInUse } from './trust/ledgers-in-use.ts';
import { othersAtWork } from './trust/moved.ts';
import {
  type LedgerTrust,
  refuseWhatNobodyAccepted,
  startAccepted,
  type TrustPlace,
  trustOf,
} from './trust/opened-ledger.ts';

export type { LedgerCopy, Restored } from './storage/backup.ts';
export { type KnownLedger, knownLedgers };

export interface OpenSqliteLedgerOptions {
  /** A file, or `:memory:` for a ledger that is gone when it is closed. */
  readonly path: string;
  /** The service it must belong to; undefined: whichever it belongs to (for reading only). */
  readonly binding: Binding | undefined;
  /** Make the ledger when there is none. */
  readonly create: boolean;
  /** The id in the configuration. Opens no ledger with another id and makes no new one. */
  readonly namedId?: string | undefined;
  /** Remembers how far each ledger has come. undefined: no such memory. */
  readonly knownLedgersPath?: string;
  /** A person accepts a ledger that is older than this machine remembers. */
  readonly acceptRollback?: boolean;
  /** A person accepts a live ledger that is not known here. */
  readonly acceptLedger?: boolean;
  /** A person agrees to another login address. */
  readonly acceptAuthUrl?: boolean;
  /** Warn also of a place where the ledger is only until the machine or the container ends. */
  readonly tellsPlace?: boolean;
  /** Who accepts; kept in the journal. */
  readonly by?: string | undefined;
  /** Only look; a ledger that was set back, or is not known here, may be looked at too. */
  readonly readOnly?: boolean;
  /** Refuses to grow beyond this many pages, as a full disk would. */
  readonly maxPages?: number;
  /** Bytes that the write-ahead log may grow by while the ledger is verified beside a run. */
  readonly verifyLogMax?: number;
  readonly clock: Pick<Clock, 'now'>;
  /** Nobody else may have the file open, and nobody can open it until this one is closed. */
  readonly alone?: boolean;
  /** Of a ledger that is made; random unless told. */
  readonly newId?: (() => string) | undefined;
  readonly log?: Log;
}

export const openSqliteLedger = async (options: OpenSqliteLedgerOptions): Promise<Ledger> =>
  (await openFile(options)).ledger;

/** A ledger file and what it is made of, for its move to a server. */
export interface OpenFile {
  readonly ledger: StoredLedger;
  readonly db: DatabaseSync;
}

/** Of a file that was moved before: open for reading only. Errors: LedgerError `ledger_busy` naming who works with it. */
export async function openFileToMove(options: OpenSqliteLedgerOptions): Promise<OpenFile> {
  const { path } = options;
  if (path === MEMORY) throw new LedgerError('ledger_unsupported', 'A ledger in memory cannot be moved.');
  try {
    return await openFile({ ...options, create: false, alone: true });
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    if (error.code === 'ledger_moved') return openFile({ ...options, create: false, readOnly: true });
    if (error.code === 'ledger_busy') throw othersAtWork(path, holdersOf(path), error);
    throw error;
  }
}

function holdersOf(path: string): string {
  try {
    const db = COPY_DOORS.connect(path, { readOnly: true });
    try {
      return describeHolders(prepareOnce(db));
    } finally {
      db.close();
    }
  } catch {
    // Who it is would be good to know, and changes nothing.
    return '';
  }
}

async function openFile(options: OpenSqliteLedgerOptions): Promise<OpenFile> {
  const { path } = options;
  requireFile(options);
  const known = options.knownLedgersPath === undefined ? [] : knownLedgers(options.knownLedgersPath);
  const isMade = path !== MEMORY && prepareFile(options, known);
  // Who asks for the file alone is told at once that it is not.
  const db = await retryWhileBusy(
    path,
    () => connect(path, options),
    options.alone === true ? 20 : undefined,
  );
  try {
    return await retryWhileBusy(path, () => openOn(db, { ...options, isMade }));
  } catch (error) {
    db.close();
    throw ledgerErrorOf(error, path);
  }
}

/** Its creation alone is worth nothing. */
const MADE_COMMITS = 1;

function refuseGone(
  { path, namedId, knownLedgersPath = '' }: OpenSqliteLedgerOptions,
  known: readonly KnownLedger[],
): void {
  if (namedId !== undefined) throw ledgerGone(path, 'the configuration (ledger.id)');
  const isIt = ({ environment, path: at, head }: KnownLedger) =>
    environment === 'live' && at === resolve(path) && head.commits > MADE_COMMITS;
  if (known.some(isIt)) throw ledgerGone(path, knownLedgersPath);
}

/** SQLite would take such a name for an address, and keep the ledger elsewhere or nowhere. */
const ADDRESS = /^file:/i;

/** Where no list of ledgers is kept either, forgetting is what is wanted. */
function requireFile({ path, binding, knownLedgersPath }: OpenSqliteLedgerOptions): void {
  const forgets = path === MEMORY && binding?.environment === 'live' && knownLedgersPath !== undefined;
  if (!forgets && !ADDRESS.test(path)) return;
  const what =
    path === MEMORY ? 'is in memory and forgets every payment when the command ends' : 'is no path';
  const text = `The ledger ${path} ${what}. Nothing was done. Name a file with --ledger or PAYFILE_LEDGER.`;
  throw new LedgerError('ledger_unsupported', text);
}

/** True when the ledger was not there and this process made it. */
function prepareFile(options: OpenSqliteLedgerOptions, known: readonly KnownLedger[]): boolean {
  const { path, create, binding, clock } = options;
  checkPlace(options);
  let isMade = false;
  if (!ledgerExists(path)) {
    refuseGone(options, known);
    if (!create || binding === undefined)
      throw ledgerMissing(
        path,
        known.map((ledger) => ledger.path),
      );
    if (options.knownLedgersPath !== undefined) requireListPlace(options.knownLedgersPath);
    makeFolder(path);
    refuseOrphanLog(path);
    isMade = createAtomically(path, (temporary) => {
      const db = new (sqlite().DatabaseSync)(temporary, CONNECTION);
      try {
        setPragmas(db, { isReadOnly: false });
        writeNewLedger(db, temporary, binding, { at: clock.now(), id: (options.newId ?? newLedgerId)() });
      } catch (error) {
        throw ledgerErrorOf(error, path);
      } finally {
        db.close();
      }
    });
  }
  // A sandbox ledger may be copied or linked: its payments do not matter.
  if (binding?.environment !== 'sandbox') requireOneName(path);
  checkHeader(path);
  if (options.readOnly !== true) restrictModes(path);
  return isMade;
}

/** Only for a live ledger; the sandbox's payments do not matter. */
function checkPlace(options: OpenSqliteLedgerOptions): void {
  const { path, binding, readOnly, log } = options;
  if (binding?.environment !== 'live' || readOnly === true) return;
  const place = placeOf(path);
  if (place.kind === 'refused') throw badPlace(path, place.why);
  // A container in which payfile works every night is warned of once, and whenever a person asks.
  const { tellsPlace, acceptLedger, acceptRollback } = options;
  const isAsked = [tellsPlace, acceptLedger, acceptRollback, !ledgerExists(path)].includes(true);
  if (place.kind === 'doubtful' || (place.kind === 'passing' && isAsked))
    log?.write('warn', 'ledger_in_doubtful_place', { path, reason: place.why });
}

/** More than a database can have. */
const PAGES_MAX = 2 ** 31 - 1;
const FORGETTING = { environment: 'sandbox', baseUrl: '', loginId: '' } as const;
const CONNECTION = { timeout: 25, readBigInts: true, enableForeignKeyConstraints: true } as const;

function connect(
  path: string,
  { readOnly = false, alone = false, binding, clock, maxPages, newId = newLedgerId }: OpenSqliteLedgerOptions,
): DatabaseSync {
  const db = new (sqlite().DatabaseSync)(path, { ...CONNECTION, readOnly });
  try {
    // Before the first page is read: then that is refused while another connection is open, even one that only reads.
    if (alone) db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const { v } = db.prepare('SELECT sqlite_version() AS v').get() ?? {};
    checkSqlite(String(v));
    setPragmas(db, { isReadOnly: readOnly });
    if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
    if (path === MEMORY) writeNewLedger(db, path, binding ?? FORGETTING, { at: clock.now(), id: newId() });
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openOn(db: DatabaseSync, options: PreparedOptions): OpenFile {
  const { path, readOnly = false } = options;
  const identity = identify(db, path, options.binding, readOnly);
  const inUse = path === MEMORY || readOnly ? undefined : inUseOf(identity, options);
  // A copy that nobody accepted must not keep the ledger itself from work, not even for a moment.
  if (inUse !== undefined)
    refuseBeforeTaking(inUse, trustOf(prepareOnce(db), identity, trustIn(options)), options);
  inUse?.take();
  try {
    return { db, ledger: openTaken(db, identity, { ...options, inUse }) };
  } catch (error) {
    inUse?.giveBack();
    throw error;
  }
}

/** While another file of the ledger is at work, that is what a person has to know first. */
function refuseBeforeTaking(inUse: LedgersInUse, trust: LedgerTrust, options: PreparedOptions): void {
  try {
    refuseWhatNobodyAccepted(trust, options);
  } catch (error) {
    inUse.requireNoOther();
    throw error;
  }
}

interface PreparedOptions extends OpenSqliteLedgerOptions {
  /** This process made the ledger just now. */
  readonly isMade: boolean;
}

/** Of the sandbox, and of a ledger in memory, nothing is remembered. */
function trustIn({ path, knownLedgersPath, isMade, namedId }: PreparedOptions): TrustPlace {
  const keeps = path === MEMORY ? undefined : knownLedgersPath;
  return {
    ...{ path, realPath: realPathOf, isMade, namedId, markBeside: true },
    knownLedgersPath: keeps,
    fileNow: () => fileIdentityOf(path),
  };
}

interface TakenOptions extends PreparedOptions {
  readonly inUse: LedgersInUse | undefined;
}

function openTaken(db: DatabaseSync, identity: LedgerIdentity, options: TakenOptions): StoredLedger {
  const { path, readOnly = false, knownLedgersPath, inUse } = options;
  const sql = prepareOnce(db);
  const trust = trustOf(sql, identity, trustIn(options));
  const { setBack, unknown, file } = trust;
  if (!readOnly) refuseWhatNobodyAccepted(trust, options);
  const keeps = path !== MEMORY && !readOnly;
  const ledger = new StoredLedger(db, identity, {
    path,
    readOnly,
    setBack: readOnly ? setBack : undefined,
    unknown: readOnly ? unknown : undefined,
    clock: options.clock,
    log: options.log,
    knownLedgersPath: keeps ? knownLedgersPath : undefined,
    beside: file === undefined ? undefined : { file, isMarked: true },
    inUse,
    emergency: new EmergencyFile(keeps ? `${path}.emergency` : undefined, identity.id),
    openReader: path === MEMORY || options.alone === true ? undefined : () => snapshotOf(path, options),
    verifyLogMax: options.verifyLogMax,
  });
  if (!readOnly) startAccepted(ledger, trust, options);
  return ledger;
}

/** Everything that is read with it is of one moment, until it is closed. */
function snapshotOf(path: string, options: OpenSqliteLedgerOptions): DatabaseSync {
  const db = connect(path, { ...options, readOnly: true });
  try {
    // The first read takes the snapshot.
    db.exec('BEGIN; SELECT count(*) FROM ledger');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Throws when the ledger belongs to another login address: asked before the password goes out, by commands that need no
 * ledger too. What else is wrong with the ledger is said by those that work with it.
 */
export function requireSameLogin(path: string, binding: Binding): void {
  if (!ledgerExists(path) || binding.authUrl === undefined) return;
  const before = boundLoginOf(path, binding);
  if (before !== undefined && before !== binding.authUrl) throw loginMoved(path, before, binding.authUrl);
}

function boundLoginOf(path: string, binding: Binding): string | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = COPY_DOORS.connect(path, { readOnly: true });
    identify(db, path, binding, true);
    return boundOf(prepareOnce(db))?.authUrl;
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** A whole copy of the ledger, beside a run. */
export const backupSqliteLedger = (options: BackupOptions) => backupLedger(options, COPY_DOORS);
/** A backup becomes the ledger; nothing is sent with it until a person accepts it. */
export const restoreSqliteLedger = (options: RestoreOptions) => restoreLedger(options, COPY_DOORS);

const COPY_DOORS: CopyDoors = {
  connect: (path, { readOnly }) => {
    const db = new (sqlite().DatabaseSync)(path, { ...CONNECTION, readOnly });
    try {
      db.exec('PRAGMA busy_timeout = 2000; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  },
  copy: (from, to) => sqlite().backup(from, to, { rate: PAGES_MAX }),
};

/** Sandbox ledgers may be copied freely. */
function inUseOf(identity: LedgerIdentity, { knownLedgersPath, clock }: OpenSqliteLedgerOptions) {
  if (identity.environment !== 'live' || knownLedgersPath === undefined) return undefined;
  const path = join(dirname(knownLedgersPath), 'ledgers-in-use.db');
  const open = (file: string) => new (sqlite().DatabaseSync)(file);
  return new LedgersInUse({ path, open, identity, now: () => clock.now() });
}

/** Loads node:sqlite without the notice that it is experimental, which cron would mail to somebody each night. */
function sqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = (() => undefined) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
