/**
 * The name check: the account holder's name as the service knows it against the name in the file, with the reason in
 * words.
 *
 * Which mistake is worse: calling two people one pays a stranger; calling one person two costs a release by a person. So
 * `match` needs every name to agree. An extra name, an initial instead of a first name, or another spelling is a
 * `close_match`. One shared family name is never a match.
 * Source:  the four outcomes of payee verification schemes, plus `not_found`; tuned on the table of name pairs.
 */

import { printable } from '../text/printable.ts';
import { judgeCompanies } from './compare-companies.ts';
import { judgePeople } from './compare-people.ts';
import type { Comparison } from './name-reason.ts';
import { readNames } from './name-words.ts';
import { fitsHidden, isCutOff, whyNotWholeName } from './partial-name.ts';

export type NameResult = 'match' | 'close_match' | 'no_match' | 'not_found' | 'unavailable';

export const NAME_RESULTS = [
  'match',
  'close_match',
  'no_match',
  'not_found',
  'unavailable',
] as const satisfies readonly NameResult[];

export interface NameCheck {
  readonly result: NameResult;
  /** The account holder's name as the service gave it. */
  readonly resolved: string | undefined;
  /** Why, in words: "family name first; middle name “Njeri” only in the account". */
  readonly reason: string;
}

/** Characters; no name is longer, and whoever sends more must not cost more. */
const LONGEST = 300;
const MOST_WORDS = 24;

/** What a written and a resolved name have in common. Both non-empty; `iso` is the account's country, where known. */
export function compareNames(written: string, resolved: string, iso?: string): Comparison {
  if (written.length > LONGEST || resolved.length > LONGEST)
    return no(`longer than any name, ${LONGEST} characters at the most`);
  const [left, right] = readNames(written, resolved);
  if (left.letters === '' || right.letters === '') return no('no letters to compare');
  if (Math.max(left.words.length, right.words.length) > MOST_WORDS) return no('more words than any name');
  const hidden = [resolved, written].filter((name) => whyNotWholeName(name) === 'part');
  const [only] = hidden;
  if (hidden.length > 1) return no('both names show only some letters');
  if (only !== undefined) {
    return fitsHidden(only === resolved ? left.words : right.words, only)
      ? { result: 'close_match', reason: 'the service shows only some letters, and they fit' }
      : no('the service shows only some letters, and they do not fit');
  }
  const judged =
    left.isCompany || right.isCompany ? judgeCompanies(left, right) : judgePeople(left, right, iso);
  if (judged.result === 'match' && isCutOff(left, right)) {
    const length = Math.min(left.length, right.length);
    return { result: 'close_match', reason: `one of the names may be cut off after ${length} characters` };
  }
  if (judged.result === 'no_match' && alphabetOf(written) !== alphabetOf(resolved))
    return no('written in two alphabets; compare them by eye');
  return judged;
}

function no(reason: string): Comparison {
  return { result: 'no_match', reason };
}

function alphabetOf(name: string): 'latin' | 'other' {
  return /(?!\p{Script=Latin})\p{L}/u.test(name) ? 'other' : 'latin';
}

/**
 * A name check as one sentence for whoever decides: the word, why, and both names side by side.
 */

/** Characters of a name in a sentence; the whole name stands in its own column. */
const SHOWN_MAX = 80;

export const NAME_WORDS: Readonly<Record<NameTold, string>> = {
  match: 'match',
  no_name: 'no name in the file',
  close_match: 'close match',
  no_match: 'no match',
  not_found: 'not found',
  unavailable: 'not checked',
};

/** What is told of a check: a row without a name in the file has the account's, which says nothing about itself. */
export type NameTold = NameResult | 'no_name';

export function nameTold({ result }: NameCheck, written: string | undefined): NameTold {
  return result === 'match' && written === undefined ? 'no_name' : result;
}

/** `close match: middle name “Serwaa” only in the account`. */
export function nameResultText(check: NameCheck, written: string | undefined): string {
  const told = nameTold(check, written);
  const why = told === 'no_name' ? 'the name of the account’s holder is used' : check.reason;
  return `${NAME_WORDS[told]}: ${why}`;
}

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
  return name.length <= SHOWN_MAX ? printable(name) : `${printable(name.slice(0, SHOWN_MAX))}…`;
}
