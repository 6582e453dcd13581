/**
 * Connections for transfers, each used for exactly one, opened ahead so that the handshake costs no time.
 *
 * How many are opened ahead follows what was taken lately, up to a limit: a single transfer opens a single
 * connection. One that was idle for two seconds is thrown away: servers close idle connections, and a
 * request written into a closing one is in doubt.
 */
import net from 'node:net';
import tls from 'node:tls';
import type { Clock } from '../ports/clock.ts';
import { guardedLookup, networkReason } from './service-address.ts';

interface OneUseSettings {
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
  /** Called when it is closed: each gives up a connection that is being opened. */
  readonly #openings = new Set<() => void>();
  /** In the order in which they were opened. */
  readonly #idle = new Set<Idle>();
  readonly #waiters = new Set<Waiter>();
  readonly #takenAtMs: number[] = [];
  #opening = 0;
  #isClosed = false;
  #sweep: NodeJS.Timeout | undefined;

  constructor(settings: OneUseSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** A connection nobody else will get. Rejects with ConnectFailed or the signal's reason. */
  async take(signal?: AbortSignal): Promise<ReadyConnection> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new ConnectFailed('closed');
    this.#noteTaken();
    const taken = this.#takeIdle() ?? this.#waitForOne(signal);
    this.#openMore();
    return taken;
  }

  close(): void {
    this.#isClosed = true;
    for (const giveUp of this.#openings) giveUp();
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
      const connection = await openConnection(this.#settings.destination, this.#openings);
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
    if (!connection.isUsable() || this.#isClosed) {
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

/**
 * One connection that is open and untouched: DNS, TCP and TLS are done, no byte of a request is written.
 *
 * Errors:  openConnection rejects with ConnectFailed; whatever fails in here, nothing was sent.
 */

export interface Destination {
  /** As in an URL; an IPv6 address in brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
  readonly connectTimeoutMs: number;
  readonly certificateAuthority: string | undefined;
  /** How host names are resolved; undefined: as the system does. */
  readonly lookup?: net.LookupFunction | undefined;
}

export class ConnectFailed extends Error {
  override readonly name = 'ConnectFailed';
  readonly code = 'connect_failed';
}

export class ReadyConnection {
  readonly socket: net.Socket;
  readonly localPort: number | undefined;
  #isSpoilt = false;

  constructor(socket: net.Socket) {
    this.socket = socket;
    this.localPort = socket.localPort;
    const spoil = () => {
      this.#isSpoilt = true;
    };
    // Reading is the only way to learn that the other side has closed. A byte before our first one belongs to
    // no answer of ours, so it spoils the connection too.
    socket.on('data', spoil);
    socket.on('end', spoil);
    socket.on('close', spoil);
    socket.on('error', spoil);
  }

  /** Nothing came in, nothing went out, and both directions are open. */
  isUsable(): boolean {
    const { socket } = this;
    return !this.#isSpoilt && !socket.destroyed && socket.writable && socket.bytesWritten === 0;
  }

  /** Calls back once, when the connection ends by itself. */
  onEnd(listener: () => void): void {
    this.socket.once('close', listener);
    this.socket.once('end', listener);
  }

  discard(): void {
    this.socket.destroy();
  }
}

async function openConnection(destination: Destination, openings: Set<() => void>): Promise<ReadyConnection> {
  const socket = destination.secure ? tlsSocket(destination) : tcpSocket(destination);
  const readyEvent = destination.secure ? 'secureConnect' : 'connect';
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) => {
      stop();
      // After this there is no listener; a late error of a destroyed socket must not end the process.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(new ConnectFailed(reason, { cause }));
    };
    const onReady = () => {
      const protocol = socket instanceof tls.TLSSocket ? socket.alpnProtocol : false;
      if (protocol !== false && protocol !== null && protocol !== 'http/1.1')
        return fail('alpn_not_http_1_1');
      stop();
      // With TLS the request is not the first thing written, so Nagle could hold it back for a round trip.
      if (destination.secure) socket.setNoDelay(true);
      resolve(new ReadyConnection(socket));
    };
    const onError = (error: Error) => fail(networkReason(error), error);
    const onClose = () => fail('closed_while_connecting');
    const giveUp = () => fail('aborted');
    const timer = setTimeout(() => fail('connect_timeout'), destination.connectTimeoutMs);
    const stop = () => {
      clearTimeout(timer);
      openings.delete(giveUp);
      socket.off(readyEvent, onReady).off('error', onError).off('close', onClose);
    };
    socket.once(readyEvent, onReady).once('error', onError).once('close', onClose);
    openings.add(giveUp);
  });
}

function tcpSocket({ hostname, port, lookup }: Destination): net.Socket {
  return net.connect({ host: hostOf(hostname), port, autoSelectFamily: true, lookup: guardedLookup(lookup) });
}

function tlsSocket(destination: Destination): tls.TLSSocket {
  const { hostname, port, lookup } = destination;
  const host = hostOf(hostname);
  const options: tls.ConnectionOptions & net.TcpSocketConnectOpts = {
    host,
    port,
    lookup: guardedLookup(lookup),
    autoSelectFamily: true,
    ALPNProtocols: ['http/1.1'],
    secureContext: secureContextOf(destination),
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing here.
    rejectUnauthorized: true,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
  };
  return tls.connect(options);
}

/** Made once: reading the authorities costs a third of a handshake. */
const secureContexts = new WeakMap<Destination, tls.SecureContext>();

function secureContextOf(destination: Destination): tls.SecureContext {
  const { certificateAuthority: ca } = destination;
  const known = secureContexts.get(destination);
  const context =
    known ?? tls.createSecureContext({ minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) });
  secureContexts.set(destination, context);
  return context;
}

function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
