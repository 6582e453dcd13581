/**
 * Who is let in, decided from a request's headers alone.
 *
 * Why:     any web page may make the browser call this machine. A name that a stranger's DNS points here has another Host;
 *          a form or a script of another origin says so in Sec-Fetch-Site, or in Origin where a browser is old. Another
 *          port of this machine is another origin, too (`same-site`).
 */

/** The console's own name and port, as a browser has to write it: passkeys work on localhost only. */
export function ownHost(port: number): string {
  return `localhost:${port}`;
}

export type Refusal = 'other_host' | 'other_origin';

interface Asked {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
}

/** undefined: let in. */
export function refusalOf({ method, header }: Asked, port: number): Refusal | undefined {
  if (header('host') !== ownHost(port)) return 'other_host';
  if (method === 'GET' || method === 'HEAD') return undefined;
  const site = header('sec-fetch-site');
  const isOwn = site === undefined ? header('origin') === `http://${ownHost(port)}` : site === 'same-origin';
  return isOwn ? undefined : 'other_origin';
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
