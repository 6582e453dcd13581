/**
 * The ledger on SQLite: the only door of node:sqlite. Opens a ledger file, makes one when that is allowed, and
 * refuses whatever is not safe to work with.
 *
 * Errors:  LedgerError, naming the path and what to do.
 */
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger, LedgerIdentity } from '../../ports/ledger.ts';
import type { Log } from '../../ports/log.ts';
import { HeadMark } from './head-mark.ts';
import { KnownHead, rolledBack } from './known-head.ts';
import { type KnownLedger, knownLedgers, requireListPlace } from './known-ledgers.ts';
import { checkHeader, createWhole, isThere, makeFolder, missing, modesOf, narrow } from './ledger-file.ts';
import { badPlace, placeOf } from './ledger-place.ts';
import { LedgersInUse } from './ledgers-in-use.ts';
import { type Binding, checkSqlite, identify, patiently, setUp, writeNew } from './open-file.ts';
import { prepareOnce } from './statements.ts';
import { ledgerErrorOf } from './storage-error.ts';
import { StoredLedger } from './stored-ledger.ts';

export { type KnownLedger, knownLedgers };

export interface OpenSqliteLedgerOptions {
  /** A file, or `:memory:` for a ledger that is gone when it is closed. */
  readonly path: string;
  /** The service it must belong to; undefined: whichever it belongs to (for reading only). */
  readonly binding: Binding | undefined;
  /** Make the ledger when there is none. */
  readonly create: boolean;
  /** Shared by a group of users. */
  readonly group?: boolean;
  /** Remembers how far each ledger has come. undefined: no such memory. */
  readonly knownLedgersPath?: string;
  readonly acceptRollback?: boolean;
  /** Only look; a ledger that was set back may be looked at too. */
  readonly readOnly?: boolean;
  /** Refuses to grow beyond this many pages, as a full disk would. */
  readonly maxPages?: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly log?: Log;
}

const MEMORY = ':memory:';

export async function openSqliteLedger(options: OpenSqliteLedgerOptions): Promise<Ledger> {
  const { path } = options;
  const known = options.knownLedgersPath === undefined ? [] : knownLedgers(options.knownLedgersPath);
  if (path !== MEMORY) prepareFile(options, known);
  const db = await patiently(path, () => connect(path, options));
  try {
    return await patiently(path, () => openOn(db, options));
  } catch (error) {
    db.close();
    throw ledgerErrorOf(error, path);
  }
}

function prepareFile(options: OpenSqliteLedgerOptions, known: readonly KnownLedger[]): void {
  const { path, create, binding, clock } = options;
  const modes = modesOf(options.group === true);
  checkPlace(options);
  if (!isThere(path)) {
    if (!create || binding === undefined)
      throw missing(
        path,
        known.map((ledger) => ledger.path),
      );
    if (options.knownLedgersPath !== undefined) requireListPlace(options.knownLedgersPath);
    makeFolder(path, modes);
    createWhole(path, modes, (temporary) => {
      const db = new (sqlite().DatabaseSync)(temporary, CONNECTION);
      try {
        setUp(db, { isReadOnly: false });
        writeNew(db, temporary, binding, clock.now());
      } catch (error) {
        throw ledgerErrorOf(error, path);
      } finally {
        db.close();
      }
    });
  }
  checkHeader(path);
  if (options.readOnly !== true) narrow(path, modes);
}

/** A live ledger alone: what the sandbox forgets costs nobody anything. */
function checkPlace({ path, binding, readOnly, log }: OpenSqliteLedgerOptions): void {
  if (binding?.environment !== 'live' || readOnly === true) return;
  const place = placeOf(path);
  if (place.kind === 'refused') throw badPlace(path, place.why);
  // A container in which payfile works every night is warned of once.
  if (place.kind === 'doubtful' || (place.kind === 'passing' && !isThere(path)))
    log?.write('warn', 'ledger_in_doubtful_place', { path, reason: place.why });
}

const CONNECTION = { timeout: 25, readBigInts: true, enableForeignKeyConstraints: true } as const;

function connect(
  path: string,
  { readOnly = false, binding, clock, maxPages }: OpenSqliteLedgerOptions,
): DatabaseSync {
  const db = new (sqlite().DatabaseSync)(path, { ...CONNECTION, readOnly });
  try {
    const { v } = db.prepare('SELECT sqlite_version() AS v').get() ?? {};
    checkSqlite(String(v));
    setUp(db, { isReadOnly: readOnly });
    if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
    if (path === MEMORY) {
      writeNew(db, path, binding ?? { environment: 'sandbox', baseUrl: '', loginId: '' }, clock.now());
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openOn(db: DatabaseSync, options: OpenSqliteLedgerOptions): Ledger {
  const { path, readOnly = false } = options;
  const identity = identify(db, path, options.binding, readOnly);
  const inUse = path === MEMORY || readOnly ? undefined : inUseOf(identity, options);
  inUse?.take();
  try {
    return openTaken(db, identity, { ...options, inUse });
  } catch (error) {
    inUse?.giveBack();
    throw error;
  }
}

interface TakenOptions extends OpenSqliteLedgerOptions {
  readonly inUse: LedgersInUse | undefined;
}

function openTaken(db: DatabaseSync, identity: LedgerIdentity, options: TakenOptions): Ledger {
  const { path, readOnly = false, acceptRollback = false, knownLedgersPath, inUse } = options;
  // Read before the ledger is, so that another process can only be ahead of it; and no sooner, for a copy may
  // have worked until now.
  const known = knownLedgersPath === undefined ? [] : knownLedgers(knownLedgersPath);
  const before = known.find((ledger) => ledger.id === identity.id);
  const marked = knownLedgersPath === undefined ? undefined : HeadMark.read(knownLedgersPath, identity.id);
  const objection = before === undefined ? undefined : KnownHead.objection(prepareOnce(db), before, marked);
  if (objection !== undefined && !acceptRollback && !readOnly) throw rolledBack(path, objection);
  const keeps = path !== MEMORY && !readOnly;
  const ledger = new StoredLedger(db, identity, {
    path,
    readOnly,
    setBack: readOnly ? objection : undefined,
    clock: options.clock,
    log: options.log,
    knownLedgersPath: keeps ? knownLedgersPath : undefined,
    inUse,
    emergencyPath: keeps ? `${path}.emergency` : undefined,
    fileMode: modesOf(options.group === true).file,
  });
  if (readOnly) return ledger;
  if (objection !== undefined) ledger.acceptRollback(objection);
  ledger.start(objection !== undefined && knownLedgersPath !== undefined);
  return ledger;
}

/** The sandbox's ledgers may be copied as one likes. */
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
