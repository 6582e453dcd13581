/**
 * The page around every page: where one is (live or sandbox), who one is, where one can go.
 */
import { type Deed, mayDo, type Person } from '../../domain/people/person.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import type { Desk } from '../desk.ts';
import { ASSETS } from '../server/assets.ts';
import type { Page } from '../server/route.ts';
import type { Said } from '../server/sessions.ts';
import { wayList } from './way.ts';

interface Around {
  readonly desk: Pick<Desk, 'environment'>;
  /** undefined: nobody entered. */
  readonly person: Person | undefined;
  readonly said: Said | undefined;
  /** Of the page itself, without the session. */
  readonly path: string;
  /** Of the address that the page is shown at. */
  readonly query: URLSearchParams;
  /** The page asks again by itself. */
  readonly isAgain: boolean;
}

/** Stands in the address of a page that reloaded itself: nobody pressed anything. */
export const RELOADED = 'reloaded';

interface Place {
  readonly path: string;
  readonly name: string;
  readonly deed: Deed;
  /** The pages that belong to it besides. */
  readonly within?: RegExp;
}

const PLACES: readonly Place[] = [
  { path: '/', name: 'Batches', deed: 'look', within: /^\/batches\// },
  { path: '/new', name: 'New batch', deed: 'bring', within: /^\/(uploads\/|lists$)/ },
  { path: '/reports', name: 'Reports', deed: 'look' },
  { path: '/people', name: 'People', deed: 'look', within: /^\/people\// },
  { path: '/health', name: 'Health', deed: 'look' },
];

const HTMX = '{"includeIndicatorCSS":false,"history":false}';

export function wholePage(
  { title, body, way, bar, reloadSeconds, changing, changedAtEnd, leadsTo }: Page,
  { desk, person, said, path, query, isAgain }: Around,
): Html {
  const isLive = desk.environment === 'live';
  const where = isLive ? 'LIVE' : 'SANDBOX – no real money';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="htmx-config" content="${HTMX}">
<title>${title} · payfile${isLive ? '' : ' (sandbox)'}</title>
<link rel="stylesheet" href="${ASSETS.style.path}">
<link rel="icon" href="${ASSETS.icon.path}">
<script src="${ASSETS.htmx.path}" defer></script>
<script src="${ASSETS.script.path}" defer></script>
${reload(reloadSeconds, query)}${leadsTo === undefined ? NOTHING : html`<meta http-equiv="refresh" content="0; url=${leadsTo}">\n`}</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
${bar === undefined ? NOTHING : html`<a class="skip" href="#bar">Skip to the actions</a>\n`}<header class="stripe ${desk.environment}"><p><strong>payfile</strong> <span class="place ${desk.environment}">${where}</span></p>${nav(person, path)}</header>
<main id="main" tabindex="-1">
${said === undefined ? NOTHING : html`<p class="${said.isDone ? 'said' : 'said doubtful'}" role="status" tabindex="-1" autofocus>${said.text}</p>\n`}${person === undefined ? NOTHING : above(path)}${way === undefined ? NOTHING : wayList(way)}<h1>${title}</h1>
${body}${bar}</main>
${isAgain && reloadSeconds === undefined ? asksOnceMore(query, changedAtEnd) : asksAgain(reloadSeconds, query, changing)}<footer><p class="note">Times are in <span data-zone>UTC</span>.</p></footer>
</body>
</html>
`;
}

/** Only where no script runs: with script the page asks for what changes. */
function reload(seconds: number | undefined, query: URLSearchParams): Html {
  if (seconds === undefined) return NOTHING;
  const again = new URLSearchParams([...query, [RELOADED, '']]);
  return html`<noscript><meta http-equiv="refresh" content="${seconds}; url=?${again.toString()}"></noscript>\n`;
}

/** All that changes is asked for at once: figures beside a moving bar would be wrong. */
function asksAgain(
  seconds: number | undefined,
  query: URLSearchParams,
  changing: readonly string[] = ['main'],
): Html {
  if (seconds === undefined) return html`<div id="again" hidden></div>\n`;
  return asking([...query, [RELOADED, '']], `every ${seconds}s`, changing);
}

/** When work has ended: what would have taken away what a person types. */
function asksOnceMore(query: URLSearchParams, changedAtEnd: readonly string[] = []): Html {
  return asking([...query, [RELOADED, 'end']], 'load', changedAtEnd);
}

function asking(query: readonly [string, string][], trigger: string, changing: readonly string[]): Html {
  const parts = changing.map((id) => `#${id}`).join();
  return html`<div id="again" hidden hx-get="?${new URLSearchParams([...query]).toString()}" hx-trigger="${trigger}" hx-select="#again" hx-swap="outerHTML" hx-select-oob="${parts}" hx-status:4xx="swap:none" hx-status:5xx="swap:none"></div>\n`;
}

/** The page above each page: by its own address, or a part of it. */
const ABOVE: readonly (readonly [below: RegExp, name: string, path?: string])[] = [
  [/^(\/batches\/[^/]+\/rows\/[^/]+)\/./, 'The row'],
  [/^(\/batches\/[^/]+)\/./, 'The batch'],
  [/^\/batches\/./, 'Batches', '/'],
  [/^(\/uploads\/[^/]+)\/./, 'The file'],
  [/^\/(?:uploads\/.|lists$)/, 'New batch', '/new'],
  [/^\/people\/./, 'People', '/people'],
];

function above(here: string): Html {
  for (const [below, name, path] of ABOVE) {
    const found = below.exec(here);
    if (found !== null) return html`<p class="back"><a href="${path ?? found[1]}">${name}</a></p>\n`;
  }
  return NOTHING;
}

function nav(person: Person | undefined, here: string): Html {
  if (person === undefined) return NOTHING;
  const links = PLACES.filter(({ deed }) => mayDo(person, deed)).map(
    ({ path, name, within }) =>
      html`<li><a href="${path}"${path === here || within?.test(here) ? html` aria-current="true"` : NOTHING}>${name}</a></li>`,
  );
  return html`<nav aria-label="Pages"><ul>${links}</ul></nav>
<form class="leave" method="post" action="/leave"><span>${person.name}</span> <button>Sign out</button></form>`;
}
