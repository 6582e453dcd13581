/**
 * One connection that is open and untouched: DNS, TCP and TLS are done, no byte of a request is written.
 *
 * Errors:  openConnection rejects with ConnectFailed; whatever fails in here, nothing was sent.
 */
import net from 'node:net';
import tls from 'node:tls';
import { guardedLookup } from './address-guard.ts';
import { networkReason } from './network-reason.ts';

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

export async function openConnection(
  destination: Destination,
  signal: AbortSignal,
): Promise<ReadyConnection> {
  const socket = destination.secure ? tlsSocket(destination) : tcpSocket(destination);
  const readyEvent = destination.secure ? 'secureConnect' : 'connect';
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) => {
      stop();
      // After this nobody listens; a late error of a destroyed socket must not take the process down.
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
    const onAbort = () => fail('aborted');
    const timer = setTimeout(() => fail('connect_timeout'), destination.connectTimeoutMs);
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off(readyEvent, onReady).off('error', onError).off('close', onClose);
    };
    socket.once(readyEvent, onReady).once('error', onError).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function tcpSocket({ hostname, port, lookup }: Destination): net.Socket {
  return net.connect({ host: hostOf(hostname), port, autoSelectFamily: true, lookup: guardedLookup(lookup) });
}

function tlsSocket(destination: Destination): tls.TLSSocket {
  const { hostname, port, certificateAuthority, lookup } = destination;
  const host = hostOf(hostname);
  const options: tls.ConnectionOptions & net.TcpSocketConnectOpts = {
    host,
    port,
    lookup: guardedLookup(lookup),
    autoSelectFamily: true,
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing here.
    rejectUnauthorized: true,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
  };
  return tls.connect(options);
}

function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
