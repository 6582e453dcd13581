/**
 * Pages for what cannot be done: who may not come in, and what the door refused, with what to do.
 */

import { saidBy } from '../../domain/text/message.ts';
import { html, NOTHING } from '../../views/html.ts';
import type { Refusal } from '../server/guards.ts';
import { type Page, type PageStatus, page } from '../server/route.ts';
import { refusal } from './fields.ts';
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
  other_origin: [403, 'Not from here', 'This was not sent by a page of the console. Nothing was done.'],
  other_method: [
    405,
    'Not in this way',
    'A page is looked at with GET and a form is sent with POST. Nothing was done.',
  ],
  no_such_page: [404, 'No such page', 'There is nothing at this address.'],
  not_entered: [
    401,
    'Come in first',
    'You have not come in yet, or you were away for 15 minutes. With a passkey you come in here. Whoever started the console may press Enter in the window in which it runs: it opens a new link.',
  ],
  other_role: [403, 'Not yours to do', 'This is a task for somebody with another role. Nothing was done.'],
  ticket_unknown: [
    403,
    'This link is over',
    'A link lets one person in, once, within a minute. With a passkey you come in here. Whoever started the console may press Enter in the window in which it runs: it opens a new one.',
  ],
  nothing_signed: [
    422,
    'Nothing was signed',
    'The browser sent no passkey. Nothing was done. Passkeys need a browser that runs the scripts of this page.',
  ],
  ledger_unusable: [
    503,
    'This cannot be done now',
    'The ledger cannot be used just now. The window in which the console runs says why.',
  ],
  ticket_used: [
    403,
    'This link was used before',
    'Somebody has come in with it. If that was not you, end the console with Ctrl-C and look at who uses this machine.',
  ],
};

export function refusedPage(why: Refused): Page {
  const [status, title, text] = REFUSED[why];
  const door =
    why === 'not_entered' || why === 'ticket_unknown'
      ? html`<p><a class="button" href="/enter">Come in with a passkey</a></p>\n`
      : NOTHING;
  return page(title, html`${refusal(text)}${door}`, { status });
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
