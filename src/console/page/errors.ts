/**
 * Pages for what cannot be done: who may not come in, and what was refused, with what to do.
 */

import { saidBy } from '../../domain/text/message.ts';
import { html, NOTHING } from '../../views/html.ts';
import type { Refusal } from '../server/guards.ts';
import { type Page, type PageStatus, page } from '../server/page.ts';
import { refusal } from './fields.ts';
import { linkButton } from './way.ts';
import { wordsOnPage } from './words.ts';

type Refused =
  | Refusal
  | 'no_such_page'
  | 'not_entered'
  | 'other_role'
  | 'ticket_unknown'
  | 'ticket_used'
  | 'ledger_unusable'
  | 'nothing_signed';

const REFUSED: Readonly<Record<Refused, readonly [PageStatus, string, string]>> = {
  other_host: [421, 'Wrong address', 'This console answers at localhost only.'],
  other_origin: [403, 'Not from here', 'No page of the console sent this. Nothing was done.'],
  other_method: [405, 'Not in this way', 'Use GET for a page and POST for a form. Nothing was done.'],
  no_such_page: [404, 'No such page', 'There is nothing at this address.'],
  not_entered: [
    401,
    'Sign in first',
    'You are not signed in, or you did nothing for two hours. For a new link, press Enter in the window where the console runs.',
  ],
  other_role: [
    403,
    'You may not do this',
    'This is a task for a person with another role. Nothing was done.',
  ],
  ticket_unknown: [
    403,
    'This link has expired',
    'A link signs one person in, once, within a minute. For a new link, press Enter in the window where the console runs.',
  ],
  nothing_signed: [
    422,
    'Nothing was signed',
    'The browser sent no passkey. Nothing was done. Passkeys need a browser that runs the scripts of this page.',
  ],
  ledger_unusable: [
    503,
    'This cannot be done now',
    'payfile cannot use the ledger now. The window where the console runs says why.',
  ],
  ticket_used: [
    403,
    'This link was used before',
    'Somebody signed in with it. If that was not you, stop the console with Ctrl-C and find out who uses this machine.',
  ],
};

/** `hasPasskeys`: somebody can sign in with one. */
export function refusedPage(why: Refused, hasPasskeys = false): Page {
  const [status, title, text] = REFUSED[why];
  const isSignIn = hasPasskeys && (why === 'not_entered' || why === 'ticket_unknown');
  const button = isSignIn
    ? html`<p>${linkButton('/enter', 'Sign in with a passkey', 'main')}</p>\n`
    : NOTHING;
  return page(title, html`${refusal(text)}${button}`, { status });
}

const STATUS_OF: Readonly<Record<string, PageStatus>> = {
  batch_not_found: 404,
  row_not_found: 404,
  batch_busy: 409,
  ledger_busy: 409,
  form_refused: 400,
  upload_too_large: 413,
  too_many_at_once: 429,
  not_allowed: 403,
  service_unavailable: 503,
  credentials_refused: 503,
};

/** Documented errors say what to do; anything else is a mistake of ours, and its text may hold what no page may show. */
export function errorPage(error: unknown): Page {
  const code = codeOf(error);
  const text = refusal(problemText(error));
  if (code === undefined) return page('This is a bug of payfile', text, { status: 500 });
  const title = code === 'batch_busy' ? 'Somebody works on this batch' : 'This cannot be done';
  return page(title, text, { status: STATUS_OF[code] ?? 422 });
}

export function problemText(error: unknown): string {
  if (error instanceof Error && codeOf(error) !== undefined)
    return wordsOnPage('onPage' in error && typeof error.onPage === 'string' ? error.onPage : saidBy(error));
  return 'Something went wrong that should not: a bug of payfile. Look at how the batch stands before you do anything again.';
}

/** Of a documented error; the system's own are ours to have met. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code === undefined || /^E[A-Z]+$|^ERR_/.test(code) ? undefined : code;
}
