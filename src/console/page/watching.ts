/**
 * One page for all who watch the same work. Many browsers may ask within the same second; then the ledger is read once, and
 * the page is drawn once. Only a page that asks again by itself is given what another has just been given: whoever opens a
 * page sees what is so now.
 *
 * Security: `key` names everything that the page is made from, the rights of whoever asks among it. Nothing of a session
 *           is in a page, and one that is made for a person says so in `isOnlyFor`.
 */
import type { Page } from '../server/page.ts';

/** Less than any page waits before it asks again: none is given what it has. */
const SHARED_MS = 900;
const KEPT_MAX = 50;

export interface Watcher {
  /** The person's id. */
  readonly id: string;
  readonly isAgain: boolean;
}

/** Errors: those of `make`, for all who ask within the same second. */
export type Watching = (key: string, watcher: Watcher, make: () => Promise<Page>) => Promise<Page>;

interface Kept {
  readonly page: Promise<Page>;
  /** Milliseconds since 1970; undefined: it is being made. */
  madeAt: number | undefined;
}

export function createWatching(now: () => number): Watching {
  const kept = new Map<string, Kept>();
  const isOver = ({ madeAt }: Kept) => madeAt !== undefined && now() - madeAt >= SHARED_MS;
  const made = async (key: string, make: () => Promise<Page>) => {
    kept.delete(key);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    const mine: Kept = { page: make(), madeAt: undefined };
    kept.set(key, mine);
    try {
      return await mine.page;
    } finally {
      mine.madeAt = now();
    }
  };
  return async (key, { id, isAgain }, make) => {
    for (const [each, page] of kept) if (isOver(page)) kept.delete(each);
    const found = isAgain ? kept.get(key) : undefined;
    // In the same step in which it was looked for: nobody else begins one meanwhile.
    if (found === undefined) return made(key, make);
    const page = await found.page;
    return (page.isOnlyFor ?? id) === id ? page : made(key, make);
  };
}
