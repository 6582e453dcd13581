/**
 * A name check as one sentence for whoever decides: the word, why, and both names side by side.
 */
import type { NameCheck, NameResult } from './name-check.ts';
import { printable } from './printable.ts';

/** Characters of a name in a sentence; the whole name stands in its own column. */
const LONGEST = 80;

export const NAME_WORDS: Readonly<Record<NameResult, string>> = {
  match: 'match',
  close_match: 'close match',
  no_match: 'no match',
  not_found: 'not found',
  unavailable: 'not checked',
};

/** `Name: close match — middle name “Serwaa” only in the account; the file says “…”, the account belongs to “…”` */
export function nameCheckText(check: NameCheck, written: string | undefined): string {
  const sides = [
    ...(written === undefined ? [] : [`the file says “${clipped(written)}”`]),
    ...(check.resolved === undefined ? [] : [`the account belongs to “${clipped(check.resolved)}”`]),
  ].join(', ');
  const shown = check.resolved === undefined || sides === '' ? '' : `; ${sides}`;
  return `Name: ${NAME_WORDS[check.result]} — ${check.reason}${shown}`;
}

export function clipped(name: string): string {
  return name.length <= LONGEST ? printable(name) : `${printable(name.slice(0, LONGEST))}…`;
}
