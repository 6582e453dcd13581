/**
 * Questions to the ledger's server for what no rule of the ledger needs, over two connections of their own: every wait has an
 * end, and what was lost in between is asked once more.
 *
 * Errors:  ServerGone, for everything that a server or a network can do.
 */

import type { ServerPlace } from '../ports/server-place.ts';
import { patienceOf } from './patience.ts';
import { poolOf, type Stoppable } from './pg-connection.ts';
import type { Row } from './sql.ts';

export class ServerGone extends Error {
  override readonly name = 'ServerGone';
  constructor(cause: unknown, sqlState?: string) {
    const what = sqlState === undefined ? 'gives no answer' : `refuses (SQLSTATE ${sqlState})`;
    super(`the server of the ledger ${what}`, { cause });
  }
}

export type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

const ANSWER_MS = 5_000;
/** What is lost with the server's last moments costs a wait or a login, and no payment. */
const MORE = `SET lock_timeout TO ${ANSWER_MS / 2}; SET synchronous_commit TO off`;

export function askingOf(
  place: ServerPlace,
  { stop }: Stoppable = {},
): { readonly ask: Ask; close(): Promise<void> } {
  // A question keeps the process, an idle connection does not.
  const pool = poolOf(place, { max: 2, allowExitOnIdle: true, query_timeout: ANSWER_MS, more: MORE, stop });
  const patience = patienceOf(stop);
  const once: Ask = async (text, values = []) =>
    (await patience.of(pool.query(text, [...values]))).rows as Row[];
  const ask: Ask = async (text, values) => {
    try {
      // Each may happen twice; the pool makes a new connection where the old one was lost.
      return await once(text, values).catch((error) =>
        isLost(sqlStateOf(error)) && !pool.ended ? once(text, values) : Promise.reject(error),
      );
    } catch (error) {
      throw new ServerGone(error, sqlStateOf(error));
    }
  };
  return { ask, close: () => patience.of(pool.end()).catch(() => undefined) };
}

function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = error as { readonly code?: string; readonly severity?: string };
  return severity === undefined ? undefined : code;
}

const isLost = (sqlState: string | undefined) => sqlState === undefined || /^(08|57P|58)/.test(sqlState);
