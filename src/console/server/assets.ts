/**
 * The files that pages need beside themselves: the style, the icon, htmx from its package, and the console's own script. Each has
 * its hash in its address, so that a newer payfile never meets an older file in a browser, and none is ever asked for anew.
 *
 * Why:     only these are sent compressed. A page holds what nobody else may know (the session's own path, accounts) beside
 *          text that anybody may write into a file, and the length of a compressed page tells how much of both is alike.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { CONSOLE_STYLE } from '../page/style.ts';
import type { Answer } from './route.ts';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

const SCRIPT = 'text/javascript; charset=utf-8';

function asset(name: string, type: string, body: string): Asset {
  const [stem = '', end = ''] = name.split('.');
  const path = `/assets/${stem}-${hash('sha256', body, 'hex').slice(0, 12)}.${end}`;
  return { path, type, body, gzipped: gzipSync(body, { level: 9 }) };
}

function ofPackage(name: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(name), 'utf8');
}

/** What a tab shows. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0b57a4"/><path d="M4 8.5l2.7 2.7L12 5.2" fill="none" stroke="#fff" stroke-width="2"/></svg>`;

export const ASSETS = {
  icon: asset('icon.svg', 'image/svg+xml', ICON),
  style: asset('console.css', 'text/css; charset=utf-8', CONSOLE_STYLE),
  htmx: asset('htmx.js', SCRIPT, ofPackage('htmx.org/dist/htmx.min.js')),
  script: asset('console.js', SCRIPT, readFileSync(new URL('../script/console.js', import.meta.url), 'utf8')),
};

/** undefined: there is no such file. */
export function assetNamed(name: string): Answer | undefined {
  const found = Object.values(ASSETS).find(({ path }) => path === `/assets/${name}`);
  return found && { kind: 'asset', ...found };
}
