/**
 * Connections for transfers, each used for exactly one, opened ahead so that the handshake costs no time.
 *
 * How many are opened ahead follows what was taken lately, up to a limit: a single transfer opens a single
 * connection. One that was idle for two seconds is thrown away: servers close idle connections, and a
 * request written into a closing one is in doubt.
 */
import type { Clock } from '../../ports/clock.ts';
import { ConnectFailed, type Destination, openConnection, type ReadyConnection } from './ready-connection.ts';

export interface OneUseSettings {
  readonly destination: Destination;
  /** Most connections that wait, opened or being opened, for a transfer to come. */
  readonly openAhead: number;
}

interface Idle {
  readonly connection: ReadyConnection;
  readonly sinceMs: number;
}

interface Waiter {
  readonly resolve: (connection: ReadyConnection) => void;
  readonly reject: (error: unknown) => void;
}

const IDLE_MS_MAX = 2_000;

export class OneUseConnections {
  readonly #settings: OneUseSettings;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  /** In the order in which they were opened. */
  readonly #idle = new Set<Idle>();
  readonly #waiters = new Set<Waiter>();
  readonly #takenAtMs: number[] = [];
  #opening = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(settings: OneUseSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** A connection nobody else will get. Rejects with ConnectFailed or the signal's reason. */
  async take(signal?: AbortSignal): Promise<ReadyConnection> {
    signal?.throwIfAborted();
    if (this.#closing.signal.aborted) throw new ConnectFailed('closed');
    this.#noteTaken();
    const taken = this.#takeIdle() ?? this.#waitForOne(signal);
    this.#openMore();
    return taken;
  }

  close(): void {
    this.#closing.abort(new ConnectFailed('closed'));
    for (const { connection } of this.#idle) connection.discard();
    this.#idle.clear();
    clearInterval(this.#sweep);
  }

  #noteTaken(): void {
    const now = this.#clock.monotonicMs();
    const times = this.#takenAtMs;
    times.push(now);
    while ((times[0] ?? now) < now - IDLE_MS_MAX || times.length > this.#settings.openAhead + 1)
      times.shift();
  }

  #takeIdle(): ReadyConnection | undefined {
    for (const entry of this.#idle) {
      this.#idle.delete(entry);
      const isFresh = this.#clock.monotonicMs() - entry.sinceMs <= IDLE_MS_MAX;
      if (isFresh && entry.connection.isUsable()) return entry.connection;
      entry.connection.discard();
    }
    return undefined;
  }

  #waitForOne(signal: AbortSignal | undefined): Promise<ReadyConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadyConnection>();
    const waiter = { resolve, reject };
    const leave = () => {
      this.#waiters.delete(waiter);
      reject(signal?.reason);
    };
    this.#waiters.add(waiter);
    signal?.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** One being opened for each who waits, and as many ahead as the last two seconds had use for. */
  #openMore(): void {
    const ahead = Math.min(this.#settings.openAhead, this.#takenAtMs.length - 1);
    const wanted = this.#waiters.size + Math.max(0, ahead - this.#idle.size);
    while (this.#opening < wanted) void this.#openOne();
  }

  async #openOne(): Promise<void> {
    this.#opening += 1;
    try {
      const connection = await openConnection(this.#settings.destination, this.#closing.signal);
      this.#opening -= 1;
      this.#give(connection);
    } catch (error) {
      this.#opening -= 1;
      // One failure ends one wait; each of the others has a connection of its own being opened.
      this.#nextWaiter()?.reject(error);
    }
  }

  #give(connection: ReadyConnection): void {
    const waiter = this.#nextWaiter();
    if (!connection.isUsable() || this.#closing.signal.aborted) {
      connection.discard();
      waiter?.reject(new ConnectFailed('closed_before_use'));
    } else if (waiter === undefined) {
      this.#keep(connection);
    } else {
      waiter.resolve(connection);
    }
  }

  #nextWaiter(): Waiter | undefined {
    const [first] = this.#waiters;
    if (first !== undefined) this.#waiters.delete(first);
    return first;
  }

  #keep(connection: ReadyConnection): void {
    const entry = { connection, sinceMs: this.#clock.monotonicMs() };
    this.#idle.add(entry);
    connection.onEnd(() => {
      if (this.#idle.delete(entry)) connection.discard();
    });
    this.#sweep ??= setInterval(() => this.#throwAwayOld(), IDLE_MS_MAX / 8).unref();
  }

  #throwAwayOld(): void {
    for (const entry of this.#idle) {
      if (this.#clock.monotonicMs() - entry.sinceMs <= IDLE_MS_MAX) break;
      this.#idle.delete(entry);
      entry.connection.discard();
    }
    if (this.#idle.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}
