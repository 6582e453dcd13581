/** Somebody who has the ledger's turn and does not give it back. */

import { connectPg } from '../../src/ledger/pg-connection.ts';
import { connectSqlite } from '../../src/ledger/sqlite.ts';
import type { Place } from './new-ledgers.ts';

/** From now on, until the returned function is called, nothing is written by anybody else. */
export async function heldBy({
  path,
  server,
}: Pick<Place, 'path' | 'server'>): Promise<() => Promise<unknown>> {
  if (server === undefined) {
    const db = connectSqlite(path);
    db.exec('BEGIN IMMEDIATE');
    return async () => {
      db.exec('ROLLBACK');
      db.close();
    };
  }
  const client = await connectPg(server);
  await client.query(
    `SET idle_in_transaction_session_timeout TO 0; BEGIN;
     SELECT pg_advisory_xact_lock(hashtextextended('payfile ' || current_schema(), 0))`,
  );
  return () => client.end();
}
