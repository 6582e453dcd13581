/** A page as data: what it says, and how it changes while somebody looks at it. */
import type { Html } from '../../views/html.ts';
import type { Way } from '../page/way.ts';

export interface Page {
  readonly kind: 'page';
  readonly title: string;
  readonly body: Html;
  readonly status?: PageStatus;
  /** Where it stands between the file and its payments. */
  readonly way?: Way;
  /** What can be done now, by `actionBar`: it stays in sight. */
  readonly bar?: Html;
  /** Asked for again after so many seconds. */
  readonly reloadSeconds?: number | undefined;
  /** The parts, by their ids, that change then; all of it where none is named. */
  readonly changing?: readonly string[];
  /** Those that change once, when it is not asked for again any more. */
  readonly changedAtEnd?: readonly string[];
  /** The person for whom alone it may be shown, of those with the same rights. */
  readonly isOnlyFor?: string | undefined;
  /** The browser goes on to this page by itself. */
  readonly leadsTo?: string;
}

export type PageStatus = 200 | 400 | 401 | 403 | 404 | 405 | 409 | 413 | 421 | 422 | 429 | 500 | 503;

export function page(title: string, body: Html, more: Partial<Omit<Page, 'kind'>> = {}): Page {
  return { kind: 'page', title, body, ...more };
}
