/**
 * Who is let in, decided from a request's headers alone.
 *
 * Why:     any web page may make the browser call this machine. A name that a stranger's DNS points here has another Host;
 *          a form or a script of another origin says so in Sec-Fetch-Site, or in Origin where a browser is old. Another
 *          port of this machine is another origin, too (`same-site`). Links from elsewhere lead to the door alone.
 */

/** The console's own name and port, as a browser has to write it: passkeys work on localhost only. */
export function ownHost(port: number): string {
  return `localhost:${port}`;
}

export type Refusal = 'other_host' | 'other_method' | 'other_origin';

interface Asked {
  readonly method: string;
  /** As it was asked for, with the path of a session. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
}

/** undefined: let in. */
export function refusalOf({ method, path, header }: Asked, port: number): Refusal | undefined {
  if (header('host') !== ownHost(port)) return 'other_host';
  const site = header('sec-fetch-site');
  if (method === 'GET') {
    const isElsewhere = site === 'same-site' || site === 'cross-site';
    return isElsewhere && !(DOORS.test(path) && isLinkFollowed(header)) ? 'other_origin' : undefined;
  }
  // HEAD would use a ticket up, and make a file that nobody reads.
  if (method !== 'POST') return 'other_method';
  const isOwn = site === undefined ? header('origin') === `http://${ownHost(port)}` : site === 'same-origin';
  return isOwn ? undefined : 'other_origin';
}

/** Where links from other places may lead: nobody is anybody there yet. */
const DOORS = /^\/$|^\/enter(\/|$)|^\/passkeys\//;

/** A person goes there, and no picture, script or frame of another page asks for it. */
function isLinkFollowed(header: Asked['header']): boolean {
  return header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
}

/** On every answer. Nothing of a page may come from elsewhere, run inline, be framed, or be kept by the browser. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
