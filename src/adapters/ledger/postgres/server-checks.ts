/**
 * What a server must promise before it keeps a ledger: what it acknowledged survives its own end, no copy of it goes on
 * without, and this user may do what the work needs.
 *
 * Errors:  LedgerError `ledger_unsupported`, with what to do.
 */
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Database, StoredRow } from '../storage/database.ts';
import { numberOf } from '../storage/sql-statements.ts';
import type { ServerPlace } from './pg-client.ts';

const VERSION_MIN = 150_000;

interface Promises {
  readonly version: number;
  readonly isStandby: boolean;
  readonly fsync: string;
  readonly pages: string;
  readonly commit: string;
  readonly standbys: string;
  readonly replicas: number;
  /** Of them, those that the server does not wait for; those of which this role may not see whether it does. */
  readonly lagging: number;
  readonly hidden: number;
}

/** Asked when a ledger is opened to work with it. */
export function requireSafeServer(db: Database, path: string): void {
  const why = objectionsTo(db, path)();
  if (why !== undefined) throw new LedgerError('ledger_unsupported', why);
}

/** Asked again at each heartbeat: replicas are added, and settings changed, while the server works. */
export function objectionsTo(db: Database, path: string): () => string | undefined {
  const asked = db.prepare(PROMISES);
  return () => {
    const why = whyUnsafe(promisesIn(asked.get()));
    return why && `The ledger ${path} cannot be kept: ${why}`;
  };
}

/** Whoever follows the server, but for a backup that is just taken: it has a connection for the files and one for the log. */
const REPLICAS = `SELECT sync_state FROM pg_stat_replication follower WHERE state IS DISTINCT FROM 'backup'
  AND NOT EXISTS (SELECT 1 FROM pg_replication_slots
    WHERE active_pid = follower.pid AND temporary AND slot_name LIKE 'pg\\_basebackup\\_%')`;

const PROMISES = `SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
         current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
         current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS standbys,
         (SELECT count(*) FROM (${REPLICAS}) one)
           + (SELECT count(*) FROM pg_replication_slots WHERE slot_type = 'physical' AND NOT temporary) AS replicas,
         (SELECT count(*) FROM (${REPLICAS}) one WHERE sync_state = 'async') AS lagging,
         (SELECT count(*) FROM (${REPLICAS}) one WHERE sync_state IS NULL) AS hidden`;

function promisesIn(row: StoredRow | undefined): Promises {
  return {
    version: numberOf(row?.version),
    isStandby: numberOf(row?.standby) === 1,
    fsync: String(row?.fsync),
    pages: String(row?.pages),
    commit: String(row?.commit),
    standbys: String(row?.standbys),
    replicas: numberOf(row?.replicas),
    lagging: numberOf(row?.lagging),
    hidden: numberOf(row?.hidden),
  };
}

function whyUnsafe(promises: Promises): string | undefined {
  const { version, isStandby, fsync, pages, commit, standbys, replicas, lagging, hidden } = promises;
  if (version < VERSION_MIN)
    return `PostgreSQL ${Math.floor(version / 10_000)} is too old; expected 15 or newer.`;
  if (isStandby)
    return 'the server is a standby, which only reads. Name the server that the standby follows.';
  if (fsync !== 'on' || pages !== 'on')
    return 'fsync or full_page_writes is off, so a crash could forget payments. Switch both on.';
  if (commit === 'off' || (commit === 'local' && replicas > 0))
    return `synchronous_commit is ${commit}, so a crash could forget payments. Set it to on.`;
  if (lagging > 0 || (replicas > 0 && standbys.trim() === ''))
    return (
      'the server has a replica that lags behind it. If the replica took over, payments would be forgotten and made ' +
      'again. Name the replica in synchronous_standby_names on the server, or remove the replica and its slot.'
    );
  if (hidden > 0)
    return (
      'the server has replicas, and the user of the ledger may not see whether the server waits for them. On the ' +
      'server: GRANT pg_read_all_stats TO that user.'
    );
  return undefined;
}

/**
 * A user who does not own the tables cannot take their triggers away, and needs to be granted each of them (guide/server.md).
 * Asked before anything is begun: a table that an outcome needs must not be found closed after the sending.
 */
export function requireGrants(db: Database, path: string, { user, schema }: ServerPlace): void {
  const closed = db
    .prepare(
      `SELECT string_agg(relname, ', ' ORDER BY relname) AS names FROM pg_class
       WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = ?) AND relkind = 'r' AND NOT
         (has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT'))`,
    )
    .get(schema)?.names;
  if (closed === null) return;
  const text =
    `The user ${user} may not work with the ledger ${path}: its owner has not granted ${closed}. Nothing was done. Run the ` +
    'grants of payfile help server as its owner.';
  throw new LedgerError('ledger_unsupported', text, { guide: 'server' });
}
