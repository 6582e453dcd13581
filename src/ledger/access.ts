/**
 * What no rule of the ledger needs, on the ledger's server: a database for the queue of the workers, and the records of a
 * login (session and pace) that all processes with that login share. Each has a few connections of its own. Every wait has an
 * end.
 */
import { randomUUID } from 'node:crypto';
import { type ServerDatabase, ServerFailure, type ServerPlace } from '../ports/server-place.ts';
import { RecordLost, type SharedRecord, type SharedRecords } from '../ports/service-access.ts';
import { patienceOf } from './patience.ts';
import { poolOf, type Stoppable } from './pg-connection.ts';
import type { Row } from './sql.ts';

const ANSWER_MS = 5_000;
/** What is lost with the server's last moments costs a wait or a login, and no payment. */
const MORE = `SET lock_timeout TO ${ANSWER_MS / 2}; SET synchronous_commit TO off`;
const NO_TABLE = '42P01';
/** SQLSTATE of a statement or value that cannot be right. A missing right (42501) is mended at the server. */
const OUR_MISTAKE = /^(22|23|42(?!501))/;

interface Limits extends Stoppable {
  /** Connections. */
  readonly max: number;
  readonly answerMs: number;
  /** Statements for each new connection. */
  readonly more?: string;
}

/** Values come back as pg gives them. Errors: ServerFailure; an error in a statement of ours as pg gives it. */
export function serverDatabase(place: ServerPlace, { max, answerMs, more, stop }: Limits): ServerDatabase {
  // A question keeps the process, an idle connection does not.
  const limits = { max, allowExitOnIdle: true, query_timeout: answerMs, types: undefined, stop };
  const pool = poolOf(place, { ...limits, ...(more === undefined ? {} : { more }) });
  const patience = patienceOf(stop);
  const asked = <T>(answer: Promise<T>) =>
    patience.of(answer).catch((error: unknown): never => {
      throw OUR_MISTAKE.test(sqlStateOf(error) ?? '') ? error : new ServerFailure(error);
    });
  return {
    executeSql: (text, values = []) => asked(pool.query(text, [...values])),
    async inTransaction(work) {
      const client = await asked(pool.connect());
      let isDone = false;
      try {
        await asked(client.query('BEGIN'));
        const executeSql: ServerDatabase['executeSql'] = (text, values = []) =>
          asked(client.query(text, [...values]));
        const result = await work({ executeSql });
        await asked(client.query('COMMIT'));
        isDone = true;
        return result;
      } finally {
        // The server undoes what a connection leaves open.
        client.release(!isDone);
      }
    },
    close: () => patience.of(pool.end()).catch(() => undefined),
  };
}

/** `login`: at which service, and who; no secret. */
export function serverRecords(place: ServerPlace, login: string, { stop }: Stoppable = {}): SharedRecords {
  const database = serverDatabase(place, { max: 2, answerMs: ANSWER_MS, more: MORE, stop });
  const once = async (text: string, values: readonly unknown[]) =>
    (await database.executeSql(text, values)).rows as Row[];
  const ask: Ask = (text, values) =>
    // The pool makes a new connection where the old one was lost.
    once(text, values).catch((error: unknown) => {
      const state = sqlStateOf(error);
      if (state === undefined || /^(08|57P|58)/.test(state)) return once(text, values);
      throw error;
    });
  return {
    session: recordIn('service_session', login, ask),
    pace: recordIn('pace', login, ask),
    close: () => database.close(),
  };
}

type Ask = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

function recordIn(table: 'service_session' | 'pace', login: string, ask: Ask): SharedRecord {
  const look = `SELECT version, state::text, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now
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

/** undefined: the error is not of the server itself. */
function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = (error instanceof ServerFailure ? error.cause : error) as {
    readonly code?: string;
    readonly severity?: string;
  };
  return severity === undefined ? undefined : code;
}
