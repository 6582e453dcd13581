/**
 * What a server must promise before it keeps a ledger: what it acknowledged survives its own end, and no copy of it goes
 * on without.
 *
 * Errors:  LedgerError `ledger_unsupported`, with what to do.
 */
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Database } from '../storage/database.ts';
import { numberOf } from '../storage/sql-statements.ts';

const VERSION_MIN = 150_000;

interface Promises {
  readonly version: number;
  readonly isStandby: boolean;
  readonly fsync: string;
  readonly pages: string;
  readonly commit: string;
  readonly standbys: string;
  readonly replicas: number;
}

/** Asked whenever a ledger is opened to work with it: a replica that is added meanwhile is found at the next opening. */
export function requireSafeServer(db: Database, path: string): void {
  const why = whyUnsafe(promisesOf(db));
  if (why !== undefined)
    throw new LedgerError('ledger_unsupported', `The ledger ${path} cannot be kept: ${why}`);
}

function promisesOf(db: Database): Promises {
  const row = db
    .prepare(
      `SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
         current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
         current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS standbys,
         (SELECT count(*) FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup')
           + (SELECT count(*) FROM pg_replication_slots WHERE slot_type = 'physical' AND NOT temporary) AS replicas`,
    )
    .get();
  return {
    version: numberOf(row?.version),
    isStandby: numberOf(row?.standby) === 1,
    fsync: String(row?.fsync),
    pages: String(row?.pages),
    commit: String(row?.commit),
    standbys: String(row?.standbys),
    replicas: numberOf(row?.replicas),
  };
}

export function whyUnsafe({
  version,
  isStandby,
  fsync,
  pages,
  commit,
  standbys,
  replicas,
}: Promises): string | undefined {
  if (version < VERSION_MIN)
    return `PostgreSQL ${Math.floor(version / 10_000)} is too old; expected 15 or newer.`;
  if (isStandby)
    return 'the server is a standby, which only reads. Name the server that the standby follows.';
  if (fsync !== 'on' || pages !== 'on')
    return 'fsync or full_page_writes is off, so a crash could forget payments. Switch both on.';
  if (commit === 'off' || (commit === 'local' && replicas > 0))
    return `synchronous_commit is ${commit}, so a crash could forget payments. Set it to on.`;
  if (replicas > 0 && standbys.trim() === '')
    return (
      'the server has a replica that lags behind it. If the replica took over, payments would be forgotten and made ' +
      'again. Set synchronous_standby_names on the server, or remove the replica and its slot.'
    );
  return undefined;
}
