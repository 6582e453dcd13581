/**
 * The records of a login beside a ledger on a server: session and pace of all processes that work with it. No rule of the
 * ledger needs them, so they are asked over two connections of their own: every wait has an end, and a question that was
 * lost is asked once more.
 *
 * Errors:  RecordLost.
 */
import { randomUUID } from 'node:crypto';
import type { ServerPlace } from '../ports/server-place.ts';
import { RecordLost, type SharedRecord, type SharedRecords } from '../ports/service-access.ts';
import { patienceOf } from './patience.ts';
import { poolOf, type Stoppable } from './pg-connection.ts';
import type { Row } from './sql.ts';

const ANSWER_MS = 5_000;
/** What is lost with the server's last moments costs a wait or a login, and no payment. */
const MORE = `SET lock_timeout TO ${ANSWER_MS / 2}; SET synchronous_commit TO off`;
const NO_TABLE = '42P01';

/** `login`: at which service, and who; no secret. */
export function serverRecords(place: ServerPlace, login: string, { stop }: Stoppable = {}): SharedRecords {
  // A question keeps the process, an idle connection does not.
  const pool = poolOf(place, { max: 2, allowExitOnIdle: true, query_timeout: ANSWER_MS, more: MORE, stop });
  const patience = patienceOf(stop);
  const once = async (text: string, values: readonly unknown[]) =>
    (await patience.of(pool.query(text, [...values]))).rows as Row[];
  const ask: Ask = (text, values) =>
    // The pool makes a new connection where the old one was lost.
    once(text, values).catch((error) => {
      if (isLost(sqlStateOf(error)) && !pool.ended) return once(text, values);
      throw error;
    });
  return {
    session: recordIn('service_session', login, ask),
    pace: recordIn('pace', login, ask),
    close: () => patience.of(pool.end()).catch(() => undefined),
  };
}

type Ask = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

function recordIn(table: 'service_session' | 'pace', login: string, ask: Ask): SharedRecord {
  const look = `SELECT version, state, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now
    FROM (SELECT) one LEFT JOIN ${table} ON login = $1`;
  const put = `INSERT INTO ${table} AS own(login, version, state) VALUES ($1, $2, $3) ON CONFLICT (login)
    DO UPDATE SET version = $2, state = $3 WHERE own.version = $4 RETURNING 1`;
  return {
    async read() {
      const row = await ask(look, [login]).then(([one]) => one, unlessNotMade);
      if (row === undefined) return undefined;
      const { version, state, now } = row;
      return {
        ...{ text: state === null ? undefined : String(state), nowMs: Number(now) },
        async replace(text) {
          const ours = randomUUID();
          const done = await ask(put, [login, ours, text, version]).catch(lost);
          if (done.length > 0) return true;
          // It was ours if its answer was lost and it was asked once more.
          const [seen] = await ask(look, [login]).catch(lost);
          return seen?.['version'] === ours;
        },
      };
    },
  };
}

function unlessNotMade(error: unknown): undefined {
  if (sqlStateOf(error) !== NO_TABLE) lost(error);
}

function lost(error: unknown): never {
  const state = sqlStateOf(error);
  const what = state === undefined ? 'gives no answer' : `refuses (SQLSTATE ${state})`;
  throw new RecordLost(`the server of the ledger ${what}`, { cause: error });
}

function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = error as { readonly code?: string; readonly severity?: string };
  return severity === undefined ? undefined : code;
}

const isLost = (sqlState: string | undefined) => sqlState === undefined || /^(08|57P|58)/.test(sqlState);
