/**
 * A ledger in a file: opens it, makes one when that is allowed, and refuses one that is not safe to work with.
 *
 * Errors:  LedgerError, naming the path and what to do.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { input, said } from '../domain/text/message.ts';
import type { Clock } from '../ports/clock.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import { type Binding, loginMoved, movedAway, readIdentity, requireFormat, standingOf } from './identity.ts';
import {
  KNOWN_END,
  type KnownLedger,
  knownFile,
  knownLedger,
  knownLedgers,
  requireKnownPlace,
} from './known.ts';
import { describeHolders } from './leases.ts';
import { makeLedger, type OpenLedger, type OpenOptions, openFound } from './open.ts';
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

export interface OpenLedgerOptions extends OpenOptions {
  /** A file, or `:memory:` for a ledger that is gone when it is closed. */
  readonly path: string;
  /** Warn also of a place where the ledger is only until the machine or the container ends. */
  readonly tellsPlace?: boolean;
  /** Refuses to grow beyond this many pages, as a full disk would. */
  readonly maxPages?: number;
  readonly clock: Pick<Clock, 'now'>;
  /** Nobody else may have the file open, and nobody can open it until this one is closed. */
  readonly alone?: boolean;
}

export const openLedger = async (options: OpenLedgerOptions): Promise<Ledger> =>
  (await openFile(options)).ledger;

/** Of a file that was moved before: open for reading only. Errors: LedgerError `ledger_busy` naming who works with it. */
export async function openFileToMove(options: OpenLedgerOptions): Promise<OpenLedger> {
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
    return (await standingOf(sql)).authUrl;
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

export async function openFile(options: OpenLedgerOptions): Promise<OpenLedger> {
  const { path, alone = false, readOnly = false, maxPages } = options;
  requireFile(options);
  const isMade = path !== MEMORY && (await prepareFile(options));
  // A process that wants the file alone learns soon that it is not.
  const connected = () => connectSqlite(path, { readOnly, alone, maxPages });
  const writer = await whileBusy(path, async () => connected(), alone ? ALONE_TOTAL_MS : undefined);
  const isShared = path !== MEMORY && !alone;
  const open = isShared ? () => connectSqlite(path, { readOnly: true }) : undefined;
  const db = sqliteDatabase({ path, writer, open });
  try {
    if (path === MEMORY) await makeTables(writer, db, { ...options, binding: options.binding ?? FORGETTING });
    return await whileBusy(path, async () => {
      const { isLeft } = await requireFormat(db.read, path);
      if (isLeft && !readOnly) throw movedAway(path, (await standingOf(db.read)).moved);
      const found = { db, path, isMade, clock: options.clock, place: realPlace(path) };
      const folderOf = (id: string) => folderFor(options, id);
      return openFound({ ...found, folderOf, emergencyOf: () => `${path}.emergency` }, options);
    });
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
  const text = said`The ledger ${path} ${what}. Nothing was done. Name a file with ${input('ledger')} or PAYFILE_LEDGER.`;
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

type Making = OpenLedgerOptions & { readonly binding: Binding };

async function makeNew(temporary: string, options: Making): Promise<void> {
  const writer = connectSqlite(temporary);
  const db = sqliteDatabase({ path: temporary, writer, open: undefined });
  try {
    await makeTables(writer, db, options);
  } catch (error) {
    throw sqliteError(error, options.path);
  } finally {
    await db.close();
  }
}

async function makeTables(sqlite: SqliteConnection, db: Database, options: Making): Promise<void> {
  const { path, clock } = options;
  // At once, for each commit waits for the disk.
  sqlite.exec(`BEGIN; ${schemaText('sqlite')} COMMIT`);
  await makeLedger({ db, path, clock, place: realPlace(path) }, options);
}

/**
 * Where a user remembers nothing of the ledger that the configuration names, as in a container with an empty home, what is
 * remembered lies beside the ledger. It shows there that an older file was put in its place.
 */
function folderFor({ path, namedId, knownLedgersPath }: OpenLedgerOptions, id: string): string | undefined {
  if (knownLedgersPath === undefined || namedId === undefined) return knownLedgersPath;
  return knownLedger(knownLedgersPath, id) === undefined ? `${path}${KNOWN_END}` : knownLedgersPath;
}

/** Without links; the file itself need not be there yet. undefined: in memory. */
export function realPlace(path: string): string | undefined {
  if (path === MEMORY) return undefined;
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

function othersAtWork(path: string, holders: string, cause: unknown): LedgerError {
  const text =
    `The ledger ${path} is open in another process, such as a run or a console, and is moved only when nobody works ` +
    `with it.${holders} Nothing was done. Wait until it ends, or end it; then run again.`;
  return new LedgerError('ledger_busy', text, { cause });
}
