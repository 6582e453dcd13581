/**
 * A ledger in a file: opens it, makes one when that is allowed, and refuses whatever is not safe to work with.
 *
 * Errors:  LedgerError, naming the path and what to do.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Clock } from '../ports/clock.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { Log } from '../ports/log.ts';
import { EmergencyFile } from './emergency.ts';
import {
  type Binding,
  loginMoved,
  movedAway,
  newLedgerId,
  readIdentity,
  requireFormat,
  toldOf,
  writeIdentity,
} from './identity.ts';
import {
  KNOWN_END,
  Known,
  type KnownLedger,
  knownFile,
  knownLedger,
  knownLedgers,
  OpenHere,
  requireKnownPlace,
} from './known.ts';
import { describeHolders } from './leases.ts';
import { type Machine, THIS_MACHINE } from './machine.ts';
import { type Assembled, ledgerOf, partsOf, start } from './open.ts';
import {
  badPlace,
  checkHeader,
  createAtomically,
  ledgerGone,
  ledgerMissing,
  makeFolder,
  placeOf,
  refuseOrphanLog,
  requireOneName,
  restrictModes,
} from './place.ts';
import { schemaText } from './schema.ts';
import { Busy, type Database, type Sql } from './sql.ts';
import { connectSqlite, MEMORY, type SqliteConnection, sqliteDatabase, sqliteError } from './sqlite.ts';
import { type Acceptances, refuseWhatNobodyAccepted, type Trust, trustOf } from './trust.ts';

export interface OpenLedgerOptions extends Acceptances {
  /** A file, or `:memory:` for a ledger that is gone when it is closed. */
  readonly path: string;
  /** The service it must belong to; undefined: whichever it belongs to (for reading only). */
  readonly binding: Binding | undefined;
  /** Make the ledger when there is none. */
  readonly create: boolean;
  /** The id in the configuration. Opens no ledger with another id and makes no new one. */
  readonly namedId?: string | undefined;
  /** The folder that remembers how far each ledger has come. undefined: no such memory. */
  readonly knownLedgersPath?: string;
  /** Warn also of a place where the ledger is only until the machine or the container ends. */
  readonly tellsPlace?: boolean;
  /** Who accepts; kept in the journal. */
  readonly by?: string | undefined;
  /** Only look; a ledger that was set back, or is not known here, may be looked at too. */
  readonly readOnly?: boolean;
  /** Refuses to grow beyond this many pages, as a full disk would. */
  readonly maxPages?: number;
  readonly clock: Pick<Clock, 'now'>;
  /** Nobody else may have the file open, and nobody can open it until this one is closed. */
  readonly alone?: boolean;
  /** Of a ledger that is made; random unless told. */
  readonly newId?: (() => string) | undefined;
  readonly log?: Log;
  /** undefined: this one. */
  readonly machine?: Machine;
}

/** A ledger file and what it is made of, for its move to a server. */
export interface OpenFile {
  readonly ledger: Ledger;
  readonly parts: Assembled;
  readonly trust: Trust;
}

export const openLedger = async (options: OpenLedgerOptions): Promise<Ledger> =>
  (await openFile(options)).ledger;

/** Of a file that was moved before: open for reading only. Errors: LedgerError `ledger_busy` naming who works with it. */
export async function openFileToMove(options: OpenLedgerOptions): Promise<OpenFile> {
  const { path } = options;
  if (path === MEMORY) throw new LedgerError('ledger_unsupported', 'A ledger in memory cannot be moved.');
  try {
    return await openFile({ ...options, create: false, alone: true });
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    if (error.code === 'ledger_moved') return openFile({ ...options, create: false, readOnly: true });
    // Who it is would be good to know, and changes nothing.
    if (error.code === 'ledger_busy')
      throw othersAtWork(path, await reading(path, describeHolders).catch(() => ''), error);
    throw error;
  }
}

/**
 * Throws when the ledger belongs to another login address: asked before the password goes out, by commands that need no
 * ledger too. What else is wrong with the ledger is said by those that work with it.
 */
export async function requireSameLogin(path: string, binding: Binding): Promise<void> {
  const { authUrl } = binding;
  if (!existsSync(path) || authUrl === undefined) return;
  const bound = async (sql: Sql) => {
    await readIdentity(sql, path, binding);
    return (await toldOf(sql)).authUrl;
  };
  const before = await reading(path, bound).catch(() => undefined);
  if (before !== undefined && before !== authUrl) throw loginMoved(path, before, authUrl);
}

/** Asks a file as it is, without any of the checks. */
export async function reading<T>(path: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const writer = connectSqlite(path, { readOnly: true });
  try {
    return await work(sqliteDatabase({ path, writer, open: undefined }).read);
  } finally {
    writer.close();
  }
}

export async function openFile(options: OpenLedgerOptions): Promise<OpenFile> {
  const { path, alone = false, readOnly = false, maxPages } = options;
  requireFile(options);
  const isMade = path !== MEMORY && (await prepareFile(options));
  // Who asks for the file alone is told at once that it is not.
  const connected = () => connectSqlite(path, { readOnly, alone, maxPages });
  const writer = await whileBusy(path, async () => connected(), alone ? ALONE_TOTAL_MS : undefined);
  const isShared = path !== MEMORY && !alone;
  const open = isShared ? () => connectSqlite(path, { readOnly: true }) : undefined;
  const db = sqliteDatabase({ path, writer, open });
  try {
    if (path === MEMORY) await writeNew(db, writer, { ...options, binding: options.binding ?? FORGETTING });
    return await whileBusy(path, () => openOn(db, options, isMade));
  } catch (error) {
    await db.close();
    throw error;
  }
}

const FORGETTING = { environment: 'sandbox', baseUrl: '', loginId: '' } as const;
const BUSY_SLICE_MS = 25;
const BUSY_TOTAL_MS = 5_000;
const ALONE_TOTAL_MS = 500;

/** Tries again every 25 ms while another process holds a lock. */
async function whileBusy<T>(path: string, work: () => Promise<T>, mostMs = BUSY_TOTAL_MS): Promise<T> {
  for (const since = performance.now(); ; ) {
    try {
      return await work();
    } catch (cause) {
      const error = sqliteError(cause, path);
      if (!(error instanceof Busy) || performance.now() - since >= mostMs) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, BUSY_SLICE_MS);
      });
    }
  }
}

/** SQLite would take such a name for an address, and keep the ledger elsewhere or nowhere. */
const ADDRESS = /^file:/i;

/** Where nothing is remembered of ledgers either, forgetting is what is wanted. */
function requireFile({ path, binding, knownLedgersPath }: OpenLedgerOptions): void {
  const forgets = path === MEMORY && binding?.environment === 'live' && knownLedgersPath !== undefined;
  if (!forgets && !ADDRESS.test(path)) return;
  const what =
    path === MEMORY ? 'is in memory and forgets every payment when the command ends' : 'is no path';
  const text = `The ledger ${path} ${what}. Nothing was done. Name a file with --ledger or PAYFILE_LEDGER.`;
  throw new LedgerError('ledger_unsupported', text);
}

/** True when the ledger was not there and this process made it. */
async function prepareFile(options: OpenLedgerOptions): Promise<boolean> {
  const { path, create, binding, knownLedgersPath } = options;
  checkPlace(options);
  let isMade = false;
  if (!existsSync(path)) {
    const known = knownLedgersPath === undefined ? [] : knownLedgers(knownLedgersPath);
    refuseGone(options, known);
    if (!create || binding === undefined)
      throw ledgerMissing(
        path,
        known.map((ledger) => ledger.path),
      );
    if (knownLedgersPath !== undefined) requireKnownPlace(knownLedgersPath);
    makeFolder(path);
    refuseOrphanLog(path);
    isMade = await createAtomically(path, (temporary) => makeNew(temporary, { ...options, binding }));
  }
  // A sandbox ledger may be copied or linked: its payments do not matter.
  if (binding?.environment !== 'sandbox') requireOneName(path);
  checkHeader(path);
  if (options.readOnly !== true) restrictModes(path);
  return isMade;
}

/** Only for a live ledger; the sandbox's payments do not matter. */
function checkPlace(options: OpenLedgerOptions): void {
  const { path, binding, readOnly, log } = options;
  if (binding?.environment !== 'live' || readOnly === true) return;
  const place = placeOf(path);
  if (place.kind === 'refused') throw badPlace(path, place.why);
  // A container in which payfile works every night is warned of once, and whenever a person asks.
  const { tellsPlace, acceptLedger, acceptRollback } = options;
  const isAsked = [tellsPlace, acceptLedger, acceptRollback, !existsSync(path)].includes(true);
  if (place.kind === 'doubtful' || (place.kind === 'passing' && isAsked))
    log?.write('warn', 'ledger_in_doubtful_place', { path, reason: place.why });
}

/** Its creation alone is worth nothing. */
const MADE_COMMITS = 1;

function refuseGone(
  { path, namedId, knownLedgersPath = '' }: OpenLedgerOptions,
  known: readonly KnownLedger[],
): void {
  if (namedId !== undefined) throw ledgerGone(path, 'take ledger.id out of the configuration');
  const isIt = ({ environment, path: at, head }: KnownLedger) =>
    environment === 'live' && resolve(at) === resolve(path) && head.commits > MADE_COMMITS;
  const gone = known.find(isIt);
  if (gone !== undefined) throw ledgerGone(path, `remove ${knownFile(knownLedgersPath, gone)}`);
}

type Making = Pick<OpenLedgerOptions, 'path' | 'clock' | 'newId' | 'machine'> & {
  readonly binding: Binding;
};

async function makeNew(temporary: string, options: Making): Promise<void> {
  const writer = connectSqlite(temporary);
  const db = sqliteDatabase({ path: temporary, writer, open: undefined });
  try {
    await writeNew(db, writer, options);
  } catch (error) {
    throw sqliteError(error, options.path);
  } finally {
    await db.close();
  }
}

/** A new ledger in an empty database. */
async function writeNew(db: Database, sqlite: SqliteConnection, options: Making): Promise<void> {
  const { path, binding, clock, newId = newLedgerId, machine = THIS_MACHINE } = options;
  // At once, for each commit waits for the disk.
  sqlite.exec(`BEGIN; ${schemaText('sqlite')} COMMIT`);
  const made = { newId, at: clock.now(), place: realPlace(path) };
  const identity = { ...binding, id: '', path, salt: '' };
  const { writer } = partsOf({ db, identity, clock, machine });
  await writer.write((commit) => writeIdentity(commit, binding, made));
}

/**
 * Where a user remembers nothing of the ledger that the configuration names, as in a container with an empty home, what is
 * remembered lies beside the ledger. It shows there that an older file was put in its place.
 */
function memoryOf({ path, namedId, knownLedgersPath }: OpenLedgerOptions, id: string): string | undefined {
  if (knownLedgersPath === undefined || namedId === undefined) return knownLedgersPath;
  return knownLedger(knownLedgersPath, id) === undefined ? `${path}${KNOWN_END}` : knownLedgersPath;
}

/** Whatever links lead to it; the file itself need not be there yet. undefined: in memory. */
export function realPlace(path: string): string | undefined {
  if (path === MEMORY) return undefined;
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

async function openOn(db: Database, options: OpenLedgerOptions, isMade: boolean): Promise<OpenFile> {
  const { path, binding, readOnly = false, namedId } = options;
  const { clock, machine = THIS_MACHINE } = options;
  const { isLeft } = await requireFormat(db.read, path);
  if (isLeft && !readOnly) throw movedAway(path, (await toldOf(db.read)).moved);
  const identity = await readIdentity(db.read, path, binding);
  const place = realPlace(path);
  const folder = memoryOf(options, identity.id);
  const trust = () => trustOf(db.read, identity, { path, place, knownLedgersPath: folder, isMade, namedId });
  const isKept = place !== undefined && !readOnly;
  // It is read again from another folder.
  const whole = { ...identity, path: resolve(path) };
  const of =
    isKept && folder !== undefined
      ? { folder, identity: whole, place, now: () => clock.now(), machine }
      : undefined;
  // Sandbox ledgers may be copied freely.
  const openHere = of !== undefined && identity.environment === 'live' ? new OpenHere(of) : undefined;
  if (!readOnly) refuseBeforeTaking(await trust(), openHere, options);
  openHere?.take();
  const emergency = new EmergencyFile(isKept ? `${path}.emergency` : undefined, identity.id, machine);
  const kept = { known: of && new Known(of), openHere, emergency };
  try {
    const parts = partsOf({ db, identity, clock, machine, isReadOnly: readOnly, kept });
    // Asked again: until it was taken, another copy could be at work.
    const taken = await trust();
    if (!readOnly) {
      refuseWhatNobodyAccepted(taken, options);
      await start(parts, taken, { ...options, place });
    }
    return { parts, trust: taken, ledger: ledgerOf(parts, taken) as unknown as Ledger };
  } catch (error) {
    openHere?.giveBack();
    kept.known?.close();
    emergency.close();
    throw error;
  }
}

/**
 * A copy that nobody accepted must not keep the ledger itself from work, not even for a moment. While another file of the ledger
 * is at work, that is what a person has to know first.
 */
function refuseBeforeTaking(trust: Trust, openHere: OpenHere | undefined, options: OpenLedgerOptions): void {
  try {
    refuseWhatNobodyAccepted(trust, options);
  } catch (error) {
    openHere?.requireNoOther();
    throw error;
  }
}

function othersAtWork(path: string, holders: string, cause: unknown): LedgerError {
  const text =
    `The ledger ${path} is open in another process, such as a run or a console, and is moved only when nobody works ` +
    `with it.${holders} Nothing was done. Wait until it ends, or end it; then run again.`;
  return new LedgerError('ledger_busy', text, { cause });
}
