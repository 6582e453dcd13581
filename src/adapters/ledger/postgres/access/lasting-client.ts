/**
 * An asynchronous connection to the ledger's server that is made again when it was lost, and a lock that ends with it.
 * For what no rule of the ledger needs: every wait has an end, and what was lost in between may be asked again.
 *
 * Errors:  ServerGone, for everything that a server or a network can do.
 */
import { type Client, connectClient, type ServerPlace } from '../pg-client.ts';

export class ServerGone extends Error {
  override readonly name = 'ServerGone';
  /** undefined: no answer, or no connection. */
  readonly sqlState: string | undefined;
  constructor(cause: unknown) {
    const code =
      cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
    const sqlState = code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
    super(
      sqlState === undefined
        ? 'the server of the ledger gives no answer'
        : `the server of the ledger refuses (SQLSTATE ${sqlState})`,
      { cause },
    );
    this.sqlState = sqlState;
  }
}

/** Left out of pg's types. */
type LastingConnection = Client & { ref(): void; unref(): void };

export type Row = Readonly<Record<string, unknown>>;
export type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

const CONNECT_MS = 10_000;
const ANSWER_MS = 5_000;
/** Who holds a lock says so often that he is there: the server frees a lock whose holder was stopped. */
const HOLDER_SPEAKS_MS = 4_000;
const HOLDER_GONE_MS = 15_000;
const SETTINGS = `SET lock_timeout TO ${ANSWER_MS / 2}; SET synchronous_commit TO off; SET idle_session_timeout TO 0`;

export class LastingClient {
  readonly #place: ServerPlace;
  #connecting: Promise<LastingConnection> | undefined;
  #isClosed = false;

  constructor(place: ServerPlace) {
    this.#place = place;
  }

  /** Asked once more on a new connection where the old one was lost: only for what may happen twice. */
  rows: Ask = async (text, values) => {
    try {
      return await this.#askOn(await this.#client(), text, values);
    } catch (error) {
      if (!(error instanceof ServerGone) || !isConnectionLost(error)) throw error;
      return this.#askOn(await this.#client(), text, values);
    }
  };

  /** undefined: somebody else has the lock. What `work` asks fails when the lock was lost. */
  async alone<Result>(lock: string, work: (ask: Ask) => Promise<Result>): Promise<Result | undefined> {
    const client = await this.#client();
    const ask: Ask = (text, values) => this.#askOn(client, text, values);
    const [taken] = await ask(`SELECT pg_try_advisory_lock(${LOCK_ID}) AS it`, [lock]);
    if (Number(taken?.it) !== 1) return undefined;
    let speaking: NodeJS.Timeout | undefined;
    try {
      await ask(`SET idle_session_timeout TO ${HOLDER_GONE_MS}`);
      speaking = setInterval(() => void ask('SELECT 1').catch(() => undefined), HOLDER_SPEAKS_MS);
      return await work(ask);
    } finally {
      clearInterval(speaking);
      await ask('SET idle_session_timeout TO 0')
        .then(() => ask(`SELECT pg_advisory_unlock(${LOCK_ID})`, [lock]))
        // The lock ends with the connection.
        .catch(() => this.#drop(client));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#connecting?.catch(() => undefined);
    if (client === undefined) return;
    client.ref();
    await inTime(client.end()).catch(() => undefined);
  }

  async #askOn(client: Client, text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const asking = client.query<Row>(text, values === undefined ? undefined : [...values]);
    try {
      return (await inTime(asking)).rows;
    } catch (error) {
      const gone = new ServerGone(error);
      if (isConnectionLost(gone)) this.#drop(client);
      throw gone;
    }
  }

  #client(): Promise<LastingConnection> {
    if (this.#isClosed) return Promise.reject(new ServerGone(undefined));
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  async #connect(): Promise<LastingConnection> {
    try {
      const client = (await inTime(connectClient(this.#place), CONNECT_MS)) as LastingConnection;
      client.on('error', () => this.#drop(client));
      // A question keeps the process, an idle connection does not.
      client.unref();
      await inTime(client.query(SETTINGS));
      return client;
    } catch (error) {
      this.#connecting = undefined;
      throw new ServerGone(error);
    }
  }

  #drop(client: Client): void {
    this.#connecting
      ?.then((current) => {
        if (current === client) this.#connecting = undefined;
      })
      .catch(() => undefined);
    client.end().catch(() => undefined);
  }
}

const LOCK_ID = "hashtextextended('payfile ' || current_schema() || ' ' || $1, 0)";

function isConnectionLost({ sqlState }: ServerGone): boolean {
  return sqlState === undefined || /^(08|57P|58)/.test(sqlState);
}

async function inTime<Value>(answer: Promise<Value>, ms = ANSWER_MS): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
