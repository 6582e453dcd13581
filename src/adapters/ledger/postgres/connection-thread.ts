/**
 * The thread behind a connection: it speaks with the server while the one that asked stands still
 * (postgres/connection.ts).
 */
import { type MessagePort, workerData } from 'node:worker_threads';
import { sendLines } from './copy-rows.ts';
import { type Client, connectClient, type ServerPlace } from './pg-client.ts';

export interface ThreadData {
  readonly port: MessagePort;
  /** Two numbers: how many answers there were, and 1 when the server broke off. */
  readonly answered: SharedArrayBuffer;
  readonly place: ServerPlace;
}

export interface Question {
  readonly text: string;
  /** undefined: several statements without values, or a COPY. */
  readonly values: readonly unknown[] | undefined;
  /** Keeps the statement prepared under this name. */
  readonly name: string | undefined;
  /** A statement that is refused ends itself alone, and not the transaction around it. */
  readonly isGuarded: boolean;
  /** What the COPY of `text` takes. */
  readonly lines?: string;
}

export type ThreadAnswer =
  | { readonly names: readonly string[]; readonly rows: unknown[][]; readonly changes: number }
  | { readonly error: ServerError };

export interface ServerError {
  readonly message: string;
  /** SQLSTATE; undefined: the connection is gone, or was never there. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;
}

interface Refused extends ServerError {
  readonly severity: string;
}

const { port, answered, place } = workerData as ThreadData;
const count = new Int32Array(answered);
const connecting: Promise<Client> = connectClient(place);
const lost = () => Atomics.store(count, 1, 1);
// An error between two questions is told with the next one.
connecting.then((client) => client.on('error', lost).on('end', lost)).catch(lost);

port.on('message', (question: Question) => {
  void answerTo(question).then((answer) => {
    port.postMessage(answer);
    Atomics.add(count, 0, 1);
    Atomics.notify(count, 0);
  });
});

async function answerTo(question: Question): Promise<ThreadAnswer> {
  try {
    return await ask(await connecting, question);
  } catch (error) {
    const { message = String(error), severity, code, constraint } = error as Partial<Refused>;
    // Only the server's own errors have a severity: another one's code, such as ECONNRESET, is of the connection.
    return { error: { message, code: severity === undefined ? undefined : code, constraint } };
  }
}

const NOTHING: ThreadAnswer = { names: [], rows: [], changes: 0 };

async function ask(
  client: Client,
  { text, values, name, isGuarded, lines }: Question,
): Promise<ThreadAnswer> {
  if (lines !== undefined) {
    await sendLines(client, text, lines);
    return NOTHING;
  }
  if (values === undefined) {
    const { command } = await client.query(text);
    // The server says so and calls it no error: one of its statements had failed.
    if (text === 'COMMIT' && command !== 'COMMIT') throw new Error('the commit came to nothing');
    return NOTHING;
  }
  const query = {
    text,
    values: [...values],
    rowMode: 'array' as const,
    ...(name === undefined ? {} : { name }),
  };
  if (!isGuarded) return answerOf(await client.query(query));
  const [, result] = await guarded(client, () => client.query(query));
  return answerOf(result);
}

type Result = Awaited<ReturnType<typeof runArrays>>;
const runArrays = (client: Client) => client.query<unknown[]>({ text: '', rowMode: 'array' });

async function guarded(client: Client, work: () => Promise<Result>): Promise<readonly [unknown, Result]> {
  const both = [client.query('SAVEPOINT guarded'), work()] as const;
  try {
    const done = await Promise.all(both);
    await client.query('RELEASE guarded');
    return done;
  } catch (error) {
    await client.query('ROLLBACK TO guarded; RELEASE guarded');
    throw error;
  }
}

function answerOf({ fields, rows, rowCount }: Result): ThreadAnswer {
  return { names: fields.map((field) => field.name), rows, changes: rowCount ?? 0 };
}
