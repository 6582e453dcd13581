/**
 * PostgreSQL behind the port: one connection that writes, opened when it is needed first, and a pool of those that read.
 *
 * Errors:  as sql.ts says.
 */
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import { patienceOf } from './patience.ts';
import {
  type Asker,
  type Client,
  connectPg,
  otherFormat,
  type Pool,
  type PoolClient,
  pgError,
  pooled,
  poolOf,
  type QueryResult,
  SESSION,
  type Stoppable,
  shownPlace,
  unreachable,
} from './pg-connection.ts';
import {
  type Begun,
  type Database,
  type Dialect,
  given,
  type How,
  type Query,
  q,
  Refused,
  type Row,
  refusedOnly,
  SAVEPOINT,
  type Sql,
  StorageError,
  type Table,
  text,
  type Value,
} from './sql.ts';

const READERS = 4;
/** A sign of life that is not answered by then is given again, by another connection. */
const PULSE_MS = 5_000;
const BLOCK = 1_000;
const DIALECT: Dialect = 'pg';

type Ask = (query: Query) => Promise<QueryResult>;

/** Each text is prepared once on each connection. */
function askerOf(client: Asker, path: string): Ask {
  const names = new Map<string, string>();
  return async (query) => {
    const { text, values } = query.render(DIALECT);
    for (const value of values) refuseNul(value);
    let name = names.get(text);
    if (name === undefined) {
      name = `payfile_${names.size}`;
      names.set(text, name);
    }
    try {
      return await client.query({ name, text, values: values as unknown[] });
    } catch (error) {
      throw pgError(error, path);
    }
  };
}

const askers = new WeakMap<Asker, Ask>();
function asking(client: Asker, path: string): Ask {
  let ask = askers.get(client);
  if (ask === undefined) {
    ask = askerOf(client, path);
    askers.set(client, ask);
  }
  return ask;
}

function sqlOf(ask: Ask, each: Sql['each']): Sql {
  return {
    dialect: DIALECT,
    get: async (query) => (await ask(query)).rows[0] as Row | undefined,
    all: async (query) => (await ask(query)).rows as Row[],
    run: async (query) => (await ask(query)).rowCount ?? 0,
    async add(table, rows) {
      if (rows.length > 0) await ask(insertOf(table, rows));
    },
    each,
  };
}

function insertOf({ name, columns: of }: Table, rows: readonly (readonly Value[])[]): Query {
  const into = text(`INSERT INTO ${name}(${Object.keys(of).join(', ')})`);
  return q`${into} SELECT * FROM ${given('r', of, rows)}`;
}

/** Of an open transaction. */
function cursorOf(client: Asker, path: string): Sql['each'] {
  let cursors = 0;
  return async function* each(query) {
    cursors += 1;
    const name = `rows_${cursors}`;
    const { text: words, values } = query.render(DIALECT);
    const ask = asked(path);
    await ask(client.query({ text: `DECLARE ${name} NO SCROLL CURSOR FOR ${words}`, values: [...values] }));
    try {
      for (let count = BLOCK; count === BLOCK; ) {
        const { rows } = await ask(client.query(`FETCH ${BLOCK} FROM ${name}`));
        count = rows.length;
        if (count > 0) yield rows as Row[];
      }
    } finally {
      await client.query(`CLOSE ${name}`).catch(() => undefined);
    }
  };
}

const asked =
  (path: string) =>
  async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw pgError(error, path);
    }
  };

/** It keeps nobody from work, and may think for long between two pages. */
const STILL = `BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL idle_in_transaction_session_timeout TO '10min'`;

class Readers {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #patience: ReturnType<typeof patienceOf>;

  constructor(
    { place, stop }: PgDatabaseOptions,
    limits: { readonly max: number; readonly query_timeout?: number },
  ) {
    this.#path = shownPlace(place);
    this.#pool = poolOf(place, { ...limits, stop });
    this.#patience = patienceOf(stop);
  }

  readonly sql = sqlOf(
    (query) => this.#with((client) => asking(client, this.#path)(query)),
    (query) => this.#blocks(query),
  );

  still<T>(work: (sql: Sql) => Promise<T>, begin = STILL): Promise<T> {
    return this.#with(async (client) => {
      const told = asked(this.#path);
      await told(client.query(begin));
      try {
        return await work(sqlOf(asking(client, this.#path), cursorOf(client, this.#path)));
      } finally {
        await client.query('ROLLBACK').catch(() => undefined);
      }
    });
  }

  async close(): Promise<void> {
    await this.#patience.of(this.#pool.end()).catch(() => undefined);
  }

  #connected(): Promise<PoolClient> {
    return this.#patience.of(this.#pool.connect()).catch((error: unknown) => {
      throw pgError(error, this.#path);
    });
  }

  /** A connection that failed is not used again. */
  async #with<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connected();
    let failed = false;
    try {
      return await work(client);
    } catch (error) {
      failed = error instanceof StorageError;
      throw error;
    } finally {
      client.release(failed);
    }
  }

  async *#blocks(query: Query): AsyncGenerator<readonly Row[]> {
    const client = await this.#connected();
    try {
      await asked(this.#path)(client.query(STILL));
      yield* cursorOf(client, this.#path)(query);
    } finally {
      await client.query('ROLLBACK').catch(() => undefined);
      client.release();
    }
  }
}

/** Keeps apart whoever works alone: a lock that needs no right on any table. */
const LOCK_ID = "hashtextextended('payfile ' || current_schema(), 0)";
const LOCKED = {
  alone: `SELECT pg_advisory_xact_lock(${LOCK_ID})`,
  beside: `SELECT pg_advisory_xact_lock_shared(${LOCK_ID})`,
} as const;
const FACTS = `SELECT version, nextval('commit_numbers') AS number, ${SESSION} AS session FROM format`;

export interface PgDatabaseOptions extends Stoppable {
  readonly place: ServerPlace;
  /** The tables have another format than this process works with: whoever wrote them last is newer. */
  readonly format: number;
}

export function pgDatabase(options: PgDatabaseOptions): Database {
  const readers = new Readers(options, { max: READERS });
  const pulse = new Readers(options, { max: 1, query_timeout: PULSE_MS });
  const writer = new WritingConnection(options);
  return {
    read: readers.sql,
    pulse: (query) => (writer.isLost ? Promise.reject(writer.gone()) : pulse.sql.run(query)),
    get shard() {
      return writer.shard;
    },
    get isLost() {
      return writer.isLost;
    },
    still: (work) => readers.still(work),
    settled: (work) => readers.still(work, `BEGIN; ${LOCKED.alone}`),
    begin: (how) => writer.begin(how),
    savepoint: (word) => writer.exec(SAVEPOINT[word]),
    guarded: (statement) => writer.guarded(statement),
    commit: () => writer.commit(),
    rollback: () => writer.rollback(),
    scrub: () => writer.scrub(),
    requireInPlace: () => undefined,
    async close() {
      await writer.close();
      await Promise.all([readers.close(), pulse.close()]);
    },
  };
}

class WritingConnection {
  readonly #options: PgDatabaseOptions;
  readonly #path: string;
  #client: Client | undefined;
  #sql: Sql | undefined;
  #how: How = 'alone';
  #own = 0;
  #session = '';
  #isFresh = false;
  isLost = false;

  constructor(options: PgDatabaseOptions) {
    this.#options = options;
    this.#path = shownPlace(options.place);
  }

  /** Of the open commit. */
  get shard(): number {
    return this.#how === 'alone' ? 0 : this.#own;
  }

  gone(): StorageError {
    return unreachable(this.#path, 'the connection is gone');
  }

  async begin(how: How): Promise<Begun> {
    if (this.isLost) throw this.gone();
    this.#client ??= await this.#connect();
    this.#how = how;
    const answers = await this.#ask(this.#client.query(`BEGIN; ${LOCKED[how]}; ${FACTS}`));
    const { rows } = (answers as unknown as QueryResult[]).at(-1) ?? { rows: [] };
    const { version, number, session } = rows[0] ?? {};
    if (session !== this.#session) throw pooled(this.#path);
    if (Number(version) !== this.#options.format) throw otherFormat(this.#path);
    this.#sql ??= this.#sqlOf(this.#client);
    this.#isFresh = true;
    return { sql: this.#sql, number: Number(number) };
  }

  /** The first statement of a commit needs no savepoint: what it leaves is the whole commit, which is begun anew. */
  async guarded<T>(statement: () => Promise<T>): Promise<T | Refused> {
    const isFirst = this.#isFresh;
    // Both go there at once. If the connection breaks, both fail.
    const set = isFirst ? undefined : this.exec('SAVEPOINT statement');
    const [done] = await Promise.all([statement().catch(refusedOnly), set]);
    if (!(done instanceof Refused)) return done;
    if (!isFirst) await this.exec('ROLLBACK TO statement');
    else {
      await this.rollback();
      await this.begin(this.#how);
    }
    return done;
  }

  #sqlOf(client: Client): Sql {
    const ask = asking(client, this.#path);
    return sqlOf((query) => {
      this.#isFresh = false;
      return this.#ask(ask(query));
    }, notHere);
  }

  async scrub(): Promise<boolean> {
    this.#client ??= await this.#connect();
    for (const table of ['payouts', 'journal']) await this.exec(`VACUUM (FULL) ${table}`);
    return true;
  }

  async exec(words: string): Promise<void> {
    if (this.#client === undefined) throw new TypeError('No commit is open');
    this.#isFresh = false;
    await this.#ask(this.#client.query(words));
  }

  async commit(): Promise<void> {
    if (this.#client === undefined) throw new TypeError('No commit is open');
    const { command } = await this.#ask(this.#client.query('COMMIT'), { isUnknown: true });
    // The server says so and calls it no error: one of its statements had failed.
    if (command !== 'COMMIT')
      throw new StorageError('ledger_unwritable', `The ledger ${this.#path}: a commit came to nothing.`);
  }

  async rollback(): Promise<void> {
    if (!this.isLost) await this.#client?.query('ROLLBACK').catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#client !== undefined)
      await patienceOf(this.#options.stop)
        .of(this.#client.end())
        .catch(() => undefined);
    this.#client = undefined;
    this.isLost = true;
  }

  async #connect(): Promise<Client> {
    const client = await connectPg(this.#options.place, { pipeline: true, stop: this.#options.stop });
    const lost = () => {
      this.isLost = true;
    };
    client.on('error', lost).on('end', lost);
    // The server plans before it knows how many rows there will be; each question of a commit has an index.
    await this.#ask(client.query('SET enable_seqscan TO off'));
    const { rows } = await this.#ask(
      client.query(`SELECT nextval('shards') AS shard, ${SESSION} AS session`),
    );
    this.#own = Number(rows[0]?.shard);
    this.#session = String(rows[0]?.session);
    return client;
  }

  async #ask<T>(answer: Promise<T>, { isUnknown = false } = {}): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      const told = pgError(error, this.#path, isUnknown);
      if (told instanceof StorageError && told.isFinal) this.isLost = true;
      throw told;
    }
  }
}

const notHere: Sql['each'] = () => {
  throw new TypeError('Rows are read in blocks beside a commit, not inside');
};

export function refuseNul(value: unknown): void {
  if (Array.isArray(value)) {
    for (const each of value) refuseNul(each);
    return;
  }
  if (typeof value !== 'string' || !value.includes('\0')) return;
  const text =
    'A text holds a NUL, a character of no kind, which a ledger on a server cannot keep. Nothing of it was written. Take ' +
    'it out where the text comes from. A ledger file that holds one stays a file, and goes on as it is.';
  throw new LedgerError('ledger_unsupported', text);
}
