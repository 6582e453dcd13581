/**
 * The ledger on PostgreSQL: opens one, makes one when that is allowed, and refuses whatever is not safe to work with.
 *
 * Errors:  LedgerError, naming the place and what to do.
 */
import type { FileIdentity } from '../../../domain/batches/ledger-trust.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import type { Clock } from '../../../ports/clock.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Ledger, LedgerIdentity } from '../../../ports/ledger/ledger.ts';
import type { Log } from '../../../ports/log.ts';
import { systemClock } from '../../system-clock.ts';
import type { Database } from '../storage/database.ts';
import { EmergencyFile } from '../storage/emergency.ts';
import { FORMAT, MIGRATIONS, migrationsFrom, requireFormat } from '../storage/migrations.ts';
import { newLedgerId, readIdentity, retryWhileBusy, writeIdentity } from '../storage/open-file.ts';
import { isDiskError, ledgerErrorOf, numberOf, prepareOnce } from '../storage/sql-statements.ts';
import type { Machine } from '../storage/this-machine.ts';
import { StoredLedger } from '../stored-ledger.ts';
import { isDistrusted } from '../trust/known-head.ts';
import { moveNotEnded } from '../trust/moved.ts';
import {
  type Acceptances,
  type LedgerTrust,
  refuseWhatNobodyAccepted,
  startAccepted,
  trustOf,
} from '../trust/opened-ledger.ts';
import { PostgresDatabase, PostgresError } from './connection.ts';
import { otherFormat, ServerMoves } from './fast-moves.ts';
import type { ServerPlace } from './pg-client.ts';
import { SCHEMA } from './schema.ts';
import { objectionsTo, requireGrants, requireSafeServer } from './server-checks.ts';

/** "PayF" in ASCII: a lock of the server that only we take. */
export const MAKING = 0x50617946;
/** How long the time of the server is counted on by our own steady clock. */
const CLOCK_MS = 10_000;
/** When the machine's two clocks differ by more, one of them was set or stood still. */
const STEP_MS = 1_000;

export interface OpenPostgresLedgerOptions extends Omit<Acceptances, 'path'> {
  readonly place: ServerPlace;
  readonly create: boolean;
  /** The ledger that the configuration names: no other one is opened, and none is made. */
  readonly namedId?: string | undefined;
  /** Only look; a ledger that was set back, or is not known here, may be looked at too. */
  readonly readOnly?: boolean;
  /** Where outcomes go that no commit takes, by the ledger's id; undefined: nowhere. */
  readonly emergencyPath?: ((id: string) => string) | undefined;
  readonly newId?: (() => string) | undefined;
  readonly log?: Log;
  /** undefined: the server's. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
  readonly machine?: Machine | undefined;
  /** This machine's; undefined: the system's. */
  readonly ownClock?: { now(): number; monotonicMs(): number } | undefined;
  /** Told whenever it was measured how far the server's clock is ahead of this machine's, in milliseconds. */
  readonly clockAhead?: ((ms: number) => void) | undefined;
}

export async function openPostgresLedger(options: OpenPostgresLedgerOptions): Promise<Ledger> {
  const { place } = options;
  const path = shownPlace(place);
  const db = new PostgresDatabase(place);
  try {
    const isMade = await retryWhileBusy(path, () => prepareSchema(db, path, options));
    return await openOn(db, path, { ...options, isMade });
  } catch (error) {
    db.close();
    throw serverErrorOf(error, path);
  }
}

async function openOn(
  db: Database,
  path: string,
  options: OpenPostgresLedgerOptions & { readonly isMade: boolean },
): Promise<Ledger> {
  const { place, namedId, binding, readOnly = false, emergencyPath, knownLedgersPath, isMade, log } = options;
  if (db.prepare('SELECT 1 AS here FROM ledger').get() === undefined) throw moveNotEnded(path);
  const identity = readIdentity(db, path, binding);
  const fileNow = () => tablesOf(db);
  const trust = trustOf(prepareOnce(db), identity, {
    ...{ path, realPath: addressOf, knownLedgersPath, isMade, fileNow, markBeside: false, namedId },
  });
  const { setBack, unknown, file } = trust;
  const accepting = { ...options, path };
  const clock = options.clock ?? serverClock(db, options);
  clock.now();
  const isFound = !readOnly && setBack !== undefined && options.acceptRollback !== true;
  if (isFound) await retryWhileBusy(path, () => pauseForOthers(db, identity, { trust, path, clock }));
  if (!readOnly) refuseWhatNobodyAccepted(trust, accepting);
  const ledger = new StoredLedger(db, identity, {
    path,
    readOnly,
    setBack: readOnly ? setBack : undefined,
    unknown: readOnly ? unknown : undefined,
    clock,
    log,
    knownLedgersPath: readOnly ? undefined : knownLedgersPath,
    beside: file === undefined ? undefined : { file, isMarked: false },
    emergency: new EmergencyFile(readOnly ? undefined : emergencyPath?.(identity.id), identity.id),
    openReader: () => snapshotOf(place),
    objection: readOnly ? undefined : objectionsTo(db, path),
    requireFormat: () => {
      if (formatOf(db) !== FORMAT) throw otherFormat(path);
    },
    ...(options.machine && { machine: options.machine }),
    fastMoves: readOnly ? undefined : (needs) => new ServerMoves({ place, path, ...needs }),
  });
  if (!readOnly) startAccepted(ledger, trust, accepting);
  return ledger;
}

/** Other machines do not know what is forgotten, and would pay it again. Once, until a person has seen to it. */
function pauseForOthers(
  db: Database,
  identity: LedgerIdentity,
  { trust, path, clock }: { trust: LedgerTrust; path: string; clock: Pick<Clock, 'now'> },
): void {
  const { setBack: why = '', rememberedAt = 0, file } = trust;
  if (isDistrusted(prepareOnce(db), rememberedAt)) return;
  const emergency = new EmergencyFile(undefined, identity.id);
  const ledger = new StoredLedger(db, identity, { path, clock, emergency });
  ledger.accept({ kind: 'rollback_found', why, by: undefined, file });
}

/** Whoever asks for it. */
function addressOf(path: string): string {
  return path.replace(/\/\/[^/@]*@/, '//');
}

/** Time by the server, so that machines whose clocks differ agree on who is silent. */
function serverClock(
  db: Database,
  { ownClock: own = systemClock, clockAhead }: Pick<OpenPostgresLedgerOptions, 'ownClock' | 'clockAhead'>,
): Pick<Clock, 'now'> {
  const statement = db.prepare('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now');
  let [at, wallMs, asked] = [0, 0, Number.NEGATIVE_INFINITY];
  return {
    now() {
      const sinceMs = own.monotonicMs() - asked;
      // The steady clock of a machine that was suspended stood still.
      const isSame = Math.abs(own.now() - wallMs - sinceMs) < STEP_MS;
      if (sinceMs <= CLOCK_MS && isSame) return timestampOf(Math.floor(at + sinceMs));
      at = numberOf(statement.get()?.now);
      [wallMs, asked] = [own.now(), own.monotonicMs()];
      clockAhead?.(at - wallMs);
      return timestampOf(at);
    },
  };
}

/** Which tables of which server: a dump that is restored gives others. */
export function tablesOf(db: Database): FileIdentity {
  const row = db
    .prepare(
      `SELECT system_identifier || '.' || (SELECT oid FROM pg_database WHERE datname = current_database()) || '.' ||
         'ledger'::regclass::oid AS tables FROM pg_control_system()`,
    )
    .get();
  return { inode: String(row?.tables), birth: 'server' };
}

/** Of an opening: a server that cannot be reached is no damaged ledger, and nothing was written that could be unknown. */
export function serverErrorOf(error: unknown, path: string): unknown {
  const raw = error instanceof LedgerError ? error.cause : error;
  if (!(raw instanceof PostgresError)) return error;
  const why = whyNotOpened(raw, path);
  if (why !== undefined) return new LedgerError('ledger_unwritable', why.text, { cause: raw, ...why });
  if (raw !== error) return error;
  const known = ledgerErrorOf(raw, path);
  if (known instanceof LedgerError && known.code !== 'ledger_unwritable') return known;
  const text = `The ledger ${path} cannot be opened: ${raw.message}. Nothing was done. Check the server, its address, the user and the password.`;
  return new LedgerError('ledger_unwritable', text, { cause: raw });
}

const NO_PASSWORD = /empty password|password must be a (non-empty )?string/;

function whyNotOpened(error: PostgresError, path: string): { text: string; guide?: 'server' } | undefined {
  const { message, sqlState } = error;
  if (NO_PASSWORD.test(message)) {
    const text =
      `The server of the ledger ${path} wants a password, and none is set. Write it into a file that only you can read, ` +
      'and name the file in PAYFILE_LEDGER_PASSWORD_FILE, or as "passwordFile" in "ledger" of the configuration.';
    return { text };
  }
  // The tables are there, and whoever has no right on their schema does not find them.
  if (sqlState === '42P01') {
    const text =
      `The user of the ledger ${path} has no rights on its tables (${message}). Run the grants of payfile help server as ` +
      'the owner of the tables.';
    return { text, guide: 'server' };
  }
  if (!isDiskError(error)) return undefined;
  const text =
    `The server of the ledger ${path} cannot be reached, or broke off: ${message}. Check the server, its address, the user ` +
    'and the password. Then run the same command again.';
  return { text };
}

/** Without a password: there is none in the place that a person writes. */
export function shownPlace({ user, host, port, database, schema }: ServerPlace): string {
  return `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
}

/** True when this process made the ledger. */
function prepareSchema(db: Database, path: string, options: OpenPostgresLedgerOptions): boolean {
  const { place, create, binding, readOnly = false, newId = newLedgerId } = options;
  if (!readOnly) requireSafeServer(db, path);
  const isThere = hasTables(db, place);
  if (!isThere && (readOnly || !create || binding === undefined || options.namedId !== undefined))
    throw missing(path);
  if (readOnly) {
    requireFormat(formatOf(db), path);
    return false;
  }
  if (isThere) requireGrants(db, path, place);
  return makeTables(db, place, (wasThere) => {
    if (!wasThere && binding !== undefined)
      writeIdentity(db, binding, {
        at: (options.clock ?? serverClock(db, options)).now(),
        id: newId(),
        file: tablesOf(db),
      });
  });
}

/** In one transaction with `fill`. True when there were none. */
export function makeTables(
  db: Database,
  place: ServerPlace,
  fill: (isThere: boolean) => void = () => undefined,
): boolean {
  const path = shownPlace(place);
  db.exec('BEGIN');
  try {
    // Of two processes that make or migrate it, the second waits and finds it done.
    db.exec(`SELECT pg_advisory_xact_lock(${MAKING})`);
    const isThere = hasTables(db, place);
    if (!isThere) db.exec(`CREATE SCHEMA IF NOT EXISTS "${place.schema.replaceAll('"', '""')}"; ${SCHEMA}`);
    migrate(db, path);
    fill(isThere);
    db.exec('COMMIT');
    return !isThere;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/** Also where this user may not look into them. */
export function hasTables(db: Database, { schema }: Pick<ServerPlace, 'schema'>): boolean {
  const found = db.prepare("SELECT 1 AS here FROM pg_tables WHERE schemaname = ? AND tablename = 'format'");
  return found.get(schema) !== undefined;
}

/** Brings the tables to the newest format. Call it inside a transaction. */
export function migrate(db: Database, path: string, migrations = MIGRATIONS): void {
  for (const { postgres, to } of migrationsFrom(formatOf(db), path, migrations))
    db.exec(`${postgres}; UPDATE format SET version = ${to}`);
}

function formatOf(db: Database): number {
  return numberOf(db.prepare('SELECT version FROM format').get()?.version);
}

function snapshotOf(place: ServerPlace): Database {
  const db = new PostgresDatabase(place);
  try {
    // It keeps nobody from work, and may think for long between two pages.
    db.exec("SET idle_in_transaction_session_timeout = '10min'");
    db.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT count(*) FROM ledger');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function missing(path: string): LedgerError {
  const text = `There is no ledger at ${path}. Make one with payfile init, or mend PAYFILE_LEDGER.`;
  return new LedgerError('ledger_missing', text);
}
