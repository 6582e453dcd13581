/**
 * The way of most moves on a server: all that wait at one moment go there in one statement, which checks lease, memory of
 * payments and version, writes journal and chain, and is durable when it answers. Several processes do so side by side,
 * each on a chain of its own. Whatever is not plain (a payment that looks like a repeat, a replacement, an id that another
 * payout has) is left to the rules that work alone: `undefined` says so.
 *
 * Errors:  LedgerError when the server gave no answer: what became of the moves is not known, so nothing may follow them.
 */
import type { LastLook } from '../../../domain/payouts/payout.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Move, Recorded } from '../../../ports/ledger/moves.ts';
import { encodeLook } from '../payouts/look-codec.ts';
import { changeOf, dueCheck } from '../payouts/moves.ts';
import { encodeEvent } from '../payouts/payout-codec.ts';
import type { Head } from '../proof/event-chain.ts';
import { FORMAT } from '../storage/migrations.ts';
import type { FastMoves, FastMovesNeeds } from '../stored-ledger-options.ts';
import { rolledBack } from '../trust/known-head.ts';
import { OTHER_FORMAT } from './commit-moves.ts';
import { ANSWER_MS, type Client, connectClient, type ServerPlace } from './pg-client.ts';

/** As many entries as a block of journal numbers has. */
const TOGETHER_MAX = 500;
/** For a writer that works alone to end. */
const LOCK_MS = 10_000;
/** Kinds that are decided alone: about what another process may do at the same moment. */
const ALONE: readonly string[] = ['approve', 'recover', 'begin_attempt'];

interface ServerMovesParts extends FastMovesNeeds {
  readonly place: ServerPlace;
  readonly path: string;
  readonly answerMs?: number | undefined;
}

/** `refused`: together with all that went along. */
type Done = boolean | 'refused';

interface Waiting {
  readonly wire: Readonly<Record<string, unknown>>;
  readonly answer: (isDone: Done) => void;
  readonly fail: (error: unknown) => void;
}

export class ServerMoves implements FastMoves {
  readonly #parts: ServerMovesParts;
  #client: Promise<Client> | undefined;
  #shard: string | undefined;
  /** What the server had of us when it last answered. */
  #last: Head | undefined;
  #queue: Waiting[] = [];
  #working: Promise<void> | undefined;

  constructor(parts: ServerMovesParts) {
    this.#parts = parts;
  }

  /** undefined: not plain; nothing was written. */
  async record(move: Move): Promise<Recorded | undefined> {
    const { event, after, unchangedSince } = move;
    if (ALONE.includes(event.kind) || unchangedSince !== undefined) return undefined;
    const isDone = await this.#send(this.#wireOf(move));
    return isDone === true ? { kind: 'recorded', payout: after } : undefined;
  }

  async schedule(id: number, dueAt: number, look: LastLook): Promise<true | undefined> {
    const stored = encodeLook(look);
    const wire = { kind: 'schedule', id, due: dueAt, look: stored, due_check: dueCheck(id, dueAt, stored) };
    return (await this.#send(wire)) === 'refused' ? undefined : true;
  }

  /** What waits is written first. */
  async close(): Promise<void> {
    await this.#working;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  #wireOf(move: Move) {
    const { id, values, due, look, where, names } = changeOf(move);
    const [, version, batch] = where;
    const [status, attempts, state, tag, transfer, memory, lives, incident, quoted, other] = values;
    return {
      ...{ kind: move.event.kind, id, version, batch, at: move.event.at, body: encodeEvent(move.event) },
      ...{ status, attempts, state, tag, transfer, memory, lives, incident, quoted, other },
      ...{ has_due: due !== 'as_it_was', due: due === 'as_it_was' ? null : (due ?? null) },
      look,
      due_check: due === 'as_it_was' ? 0 : dueCheck(id, due, look),
      names,
    };
  }

  #send(wire: Waiting['wire']): Promise<Done> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ wire, answer: resolve, fail: reject });
      this.#working ??= this.#work();
    });
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0) {
      // What others hand over in the same moment goes along.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      const group = this.#queue.splice(0, TOGETHER_MAX);
      await this.#commit(group).catch((error: unknown) => {
        for (const { fail } of group) fail(error);
      });
    }
    // In the same step as the look at the queue, so that nothing is left in it.
    this.#working = undefined;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const done = await this.#ask(group);
    for (const [index, { answer }] of group.entries()) answer(done?.has(index) ?? 'refused');
  }

  /** Which of them are written; undefined: the server refused all of them, and says so. */
  async #ask(group: readonly Waiting[]): Promise<ReadonlySet<number> | undefined> {
    const { path, committed, answerMs = ANSWER_MS } = this.#parts;
    try {
      this.#client ??= this.#connect();
      const client = await this.#client;
      const values = [this.#shard, JSON.stringify(group.map(({ wire }) => wire)), FORMAT];
      const text = 'SELECT done, seq, head FROM commit_moves($1::bigint, $2::json, $3::bigint)';
      const query = { name: 'commit_moves', text, values, query_timeout: answerMs };
      const { rows } = await client.query(query);
      const { done, seq, head } = rows[0] as { done: string; seq: bigint | null; head: string | null };
      if (seq !== null && head !== null) {
        this.#last = { commits: Number(seq), hash: head };
        committed(this.#last);
      }
      return new Set(JSON.parse(done) as number[]);
    } catch (error) {
      if (error instanceof Error && 'code' in error && /^(22|23|40|55)/.test(String(error.code)))
        return undefined;
      // The server may be there all the same, and would keep a connection for each try.
      void this.#client?.then((client) => client.end()).catch(() => undefined);
      this.#client = undefined;
      if (error instanceof LedgerError) throw error;
      throw isOtherFormat(error) ? otherFormat(path, error) : unanswered(path, error);
    }
  }

  async #connect(): Promise<Client> {
    const client = await connectClient(this.#parts.place);
    client.on('error', () => undefined);
    // Whoever waits here keeps nobody from work. To give up would send the moves the way that locks all others out.
    // The server plans before it knows how many rows there will be; each question here has an index.
    await client.query(`SET lock_timeout TO ${LOCK_MS}; SET enable_seqscan TO off`);
    await this.#requireLast(client);
    // Each process extends a chain and sums of its own, so that none waits for another's.
    const { rows } = await client.query(
      "SELECT set_config('payfile.shard', nextval('shards')::text, false) AS shard",
    );
    this.#shard = String((rows[0] as { shard: unknown }).shard);
    return client;
  }

  /** Behind the same address there may be another server by now, which took over without our last commits. */
  async #requireLast(client: Client): Promise<void> {
    if (this.#last === undefined) return;
    const { commits, hash } = this.#last;
    const { rows } = await client.query('SELECT 1 FROM commits WHERE seq = $1 AND head = $2', [
      commits,
      hash,
    ]);
    if (rows.length > 0) return;
    await client.end();
    throw rolledBack(this.#parts.path, `its commit ${commits}, which this process wrote, is not there`);
  }
}

function isOtherFormat(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === OTHER_FORMAT;
}

export function otherFormat(path: string, cause?: unknown): LedgerError {
  const text =
    `The ledger ${path} was brought to another format while this process was at work. Nothing of this was written. ` +
    'Start it again with the newest payfile on every machine.';
  return new LedgerError('ledger_unsupported', text, { cause });
}

function unanswered(path: string, cause: unknown): LedgerError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const text =
    `The server of the ledger ${path} gave no answer (${said}). What it wrote last is not known here. When it is there ` +
    'again, run the same command again: it looks up what became of the payments.';
  return new LedgerError('ledger_unwritable', text, { cause });
}
