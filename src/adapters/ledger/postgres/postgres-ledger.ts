/**
 * The ledger on PostgreSQL: opens one, makes one when that is allowed, and refuses whatever is not safe to work with.
 *
 * Errors:  LedgerError, naming the place and what to do.
 */
import type { Clock } from '../../../ports/clock.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Ledger } from '../../../ports/ledger/ledger.ts';
import type { Log } from '../../../ports/log.ts';
import type { Database } from '../storage/database.ts';
import { EmergencyFile } from '../storage/emergency.ts';
import {
  type Binding,
  newLedgerId,
  readIdentity,
  retryWhileBusy,
  writeIdentity,
} from '../storage/open-file.ts';
import { ledgerErrorOf, numberOf } from '../storage/sql-statements.ts';
import { StoredLedger } from '../stored-ledger.ts';
import { PostgresDatabase } from './connection.ts';
import type { ServerPlace } from './pg-client.ts';
import { MIGRATIONS } from './schema.ts';

export interface OpenPostgresLedgerOptions {
  readonly place: ServerPlace;
  readonly binding: Binding | undefined;
  readonly create: boolean;
  readonly readOnly?: boolean;
  /** Where outcomes go that no commit takes; undefined: nowhere. */
  readonly emergencyPath?: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId?: (() => string) | undefined;
  readonly log?: Log;
}

export async function openPostgresLedger(options: OpenPostgresLedgerOptions): Promise<Ledger> {
  const { place, binding, clock, readOnly = false, emergencyPath, log } = options;
  const path = shownPlace(place);
  const db = new PostgresDatabase(place);
  try {
    await retryWhileBusy(path, () => prepareSchema(db, path, options));
    const identity = readIdentity(db, path, binding);
    const ledger = new StoredLedger(db, identity, {
      path,
      readOnly,
      clock,
      log,
      emergency: new EmergencyFile(readOnly ? undefined : emergencyPath, identity.id, { mode: 0o600 }),
      openReader: () => snapshotOf(place),
    });
    if (!readOnly) ledger.start(false);
    return ledger;
  } catch (error) {
    db.close();
    throw ledgerErrorOf(error, path);
  }
}

/** Without a password: there is none in the place that a person writes. */
export function shownPlace({ user, host, port, database, schema }: ServerPlace): string {
  return `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
}

function prepareSchema(db: Database, path: string, options: OpenPostgresLedgerOptions): void {
  const { place, create, binding, readOnly = false, clock, newId = newLedgerId } = options;
  const found = db.prepare(
    "SELECT 1 AS here FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'format'",
  );
  const isThere = found.get() !== undefined;
  if (!isThere && (!create || binding === undefined)) throw missing(path);
  const name = `"${place.schema.replaceAll('"', '""')}"`;
  db.exec('BEGIN');
  try {
    if (!isThere) db.exec(`CREATE SCHEMA IF NOT EXISTS ${name}`);
    if (!readOnly) migrate(db, path, isThere);
    if (!isThere && binding !== undefined)
      writeIdentity(db, binding, { at: clock.now(), id: newId(), file: undefined });
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function migrate(db: Database, path: string, isThere: boolean): void {
  const version = isThere ? numberOf(db.prepare('SELECT version FROM format').get()?.version) : 0;
  if (version > MIGRATIONS.length) {
    const text = `The ledger ${path} was written by a newer payfile (format ${version}, this one knows ${MIGRATIONS.length}). Update payfile.`;
    throw new LedgerError('ledger_unsupported', text);
  }
  if (version === MIGRATIONS.length) return;
  for (const step of MIGRATIONS.slice(version)) db.exec(step);
  db.prepare('UPDATE format SET version = ?').run(MIGRATIONS.length);
}

function snapshotOf(place: ServerPlace): Database {
  const db = new PostgresDatabase(place);
  try {
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
