/**
 * The service's addresses: checked once, then joined with path segments.
 *
 * Errors:  ServiceAddressRefused for an address that would send money or passwords where they must not go.
 */

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
