/** TLS on loopback with the certificates of the tests. */
import { readFileSync } from 'node:fs';
import type net from 'node:net';
import tls from 'node:tls';

export interface TlsFault {
  /** The name of a pair under test/fixtures/tls. */
  readonly certificate: 'test-only' | 'other-host' | 'expired';
  readonly alpn?: readonly string[];
  /** TLS 1.3 with a client certificate demanded: the refusal comes after the client's handshake is done. */
  readonly demandsClientCertificate?: boolean;
}

export const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');

export function tlsServer(fault: TlsFault, serve: (socket: net.Socket) => void): net.Server {
  const { certificate, alpn, demandsClientCertificate } = fault;
  const options: tls.TlsOptions = {
    key: fixture(`${certificate}.key.pem`),
    cert: fixture(`${certificate}.cert.pem`),
    ...(alpn === undefined ? {} : { ALPNProtocols: [...alpn] }),
    ...(demandsClientCertificate === true
      ? { requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' as const }
      : {}),
  };
  const server = tls.createServer(options, serve);
  server.on('tlsClientError', () => undefined);
  return server;
}
