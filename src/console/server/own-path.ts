/**
 * The path under which all pages of one session lie: `/s-` and 128 bits that nobody guesses.
 *
 * Why:     cookies do not know ports. A cookie for every path would go to each program of this machine that a page leads
 *          to, and each such program could put one of its own before ours. The session's cookie is for its own path
 *          alone: it goes nowhere else, and nobody who does not know the path can set another.
 */
import { randomBytes } from 'node:crypto';

export function newOwnPath(): string {
  return `/s-${randomBytes(16).toString('base64url')}`;
}

/** What anybody may open lies outside of every session. */
const OUTSIDE = '/(?:assets|enter|left|passkeys)(?![\\w-])';
const IS_OUTSIDE = new RegExp(`^${OUTSIDE}`);
const WITHIN = /^(\/s-[\w-]{22})(\/.*)$/s;

/** The address as the table of routes knows it, and the session's path before it; empty where there is none. */
export function partedPath(path: string): { readonly own: string; readonly path: string } {
  const [, own = '', rest = ''] = WITHIN.exec(path) ?? [];
  return own === '' || IS_OUTSIDE.test(rest) ? { own: '', path } : { own, path: rest };
}

export function pathWithin(own: string, path: string): string {
  return IS_OUTSIDE.test(path) ? path : own + path;
}

/** `/>` ends a tag, and `//` leads to another machine. */
const ADDRESSES = new RegExp(
  `( (?:href|(?:form)?action|src)="| content="0; url=)(?=/(?![/>]))(?!${OUTSIDE})`,
  'g',
);

/**
 * Our markup with its addresses in this session. Pages write addresses as the table of routes does. What text brings is
 * never changed: it has no `"` of its own in our markup, since views/html.ts writes every one as `&quot;`.
 */
export function markupWithin(own: string, markup: string): string {
  return own === '' ? markup : markup.replaceAll(ADDRESSES, `$1${own}`);
}
