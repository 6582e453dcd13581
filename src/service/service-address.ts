/**
 * The service's addresses: checked once, then joined with path segments.
 *
 * Errors:  ServiceAddressRefused for an address that would send money or passwords where they must not go.
 */
import dns from 'node:dns';
import net from 'node:net';

export class ServiceAddressRefused extends Error {
  override readonly name = 'ServiceAddressRefused';
  readonly code = 'service_address_refused';
}

/** `https` only, except on loopback; a path prefix may follow the host, nothing else. */
export function parseServiceAddress(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ServiceAddressRefused(
      `${what} is not a web address. Write it like https://service.example/v1.`,
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new ServiceAddressRefused(
      `${what} (${url.host}) must be https: only loopback hosts may do without.`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ServiceAddressRefused(`${what} (${url.host}) must not carry a user, a password, “?” or “#”.`);
  }
  return url;
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * The path under the address, each segment percent-encoded; undefined when a segment cannot stand in a path:
 * `.` and `..` would change which path it is, however they are written.
 */
export function pathUnder(address: URL, segments: readonly string[]): string | undefined {
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return undefined;
  if (!segments.every((segment) => segment.isWellFormed())) return undefined;
  const prefix = address.pathname.replace(/\/+$/, '');
  return `${prefix}/${segments.map(encodeURIComponent).join('/')}`;
}

/**
 * Name resolution that refuses to lead a public host name to this machine or its link: whoever answers there is
 * not the service, and is not to see a password. Private ranges are left alone; companies run gateways in them.
 *
 * Errors:  the lookup fails with code HOST_RESOLVES_TO_THIS_MACHINE; nothing was connected.
 */

const NOT_PUBLIC = new net.BlockList();
NOT_PUBLIC.addSubnet('0.0.0.0', 8);
NOT_PUBLIC.addSubnet('127.0.0.0', 8);
NOT_PUBLIC.addSubnet('169.254.0.0', 16);
NOT_PUBLIC.addAddress('::', 'ipv6');
NOT_PUBLIC.addAddress('::1', 'ipv6');
NOT_PUBLIC.addSubnet('fe80::', 10, 'ipv6');

/** For the `lookup` of node:net and node:tls. Addresses written as such never come here. */
export function guardedLookup(lookup: net.LookupFunction = dns.lookup): net.LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, found, family) => {
      if (error === null && !isLocalName(hostname) && addressesOf(found).some(isThisMachine)) {
        return callback(new HostIsThisMachine(), []);
      }
      callback(error, found, family);
    });
  };
}

class HostIsThisMachine extends Error {
  override readonly name = 'HostIsThisMachine';
  readonly code = 'HOST_RESOLVES_TO_THIS_MACHINE';
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

function addressesOf(found: string | readonly dns.LookupAddress[]): readonly string[] {
  return typeof found === 'string' ? [found] : found.map(({ address }) => address);
}

function isThisMachine(address: string): boolean {
  return NOT_PUBLIC.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * A failure of the network as one short word, such as ECONNREFUSED.
 *
 * The messages of network errors hold addresses and sometimes paths, and a path can hold an account number,
 * so only the code is ever kept.
 */
export function networkReason(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth += 1) {
    if (cause instanceof AggregateError && cause.errors.length > 0 && codeOf(cause) === undefined) {
      cause = cause.errors[0];
      continue;
    }
    const code = codeOf(cause);
    // got wraps the network's own code in its own; the inner one says more.
    if (code !== undefined && !(code.startsWith('ERR_GOT') && cause.cause instanceof Error)) return code;
    cause = cause.cause;
  }
  return 'network_error';
}

function codeOf(error: Error): string | undefined {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
}
