/**
 * Splits a name into the words that identify a person or a company and those that do not, such as titles.
 *
 * “Exmo. Sr. João da Silva Jr” is the words joao, silva, junior with the small word da; “Accra Foods Limited” is
 * accra, foods with the form ltd. Both names are read together, because “N Diaye” is one word beside “Ndiaye” and
 * “Sá” is a company form only where both names are companies.
 */

import { foldWords } from '../text/fold.ts';
import { likenessOf } from './spelling.ts';
import {
  COMPANY_SMALL_WORDS,
  companyFormOf,
  GENERATIONS,
  PHRASES,
  SMALL_WORDS,
  SMALL_WORDS_IN_FRONT,
  TITLES,
  TITLES_IN_FRONT,
  TRADES,
} from './titles.ts';

export interface NameRead {
  /** Folded, in the order written; one letter is an initial. Empty only when nothing can be compared. */
  readonly words: readonly string[];
  readonly smallWords: readonly string[];
  readonly titles: readonly string[];
  readonly forms: ReadonlySet<string>;
  /** It has a company form or names a trade. */
  readonly isCompany: boolean;
  readonly hasTrade: boolean;
  /** All letters and digits as written, without space. */
  readonly letters: string;
  /** Where in the letters a word ends. */
  readonly ends: ReadonlySet<number>;
  /** The last word as written, also where it was joined with the word before. */
  readonly lastWritten: string | undefined;
  /** In characters as written, single spaces. */
  readonly length: number;
}

/** And the raised letters of “Eng.º”. */
const APOSTROPHES = /['’‘ʼʻ`´ºª°]/g;

export function readNames(one: string, other: string): readonly [NameRead, NameRead] {
  const [first, second] = [joinPhrases(plainWords(one)), joinPhrases(plainWords(other))];
  const looks = [first, second].map((words) => endsInForm(words) || words.some(isTrade));
  const areCompanies = looks.every((look) => look);
  const isOne = [first, second].some(
    (words) => words.some(isTrade) || words.some((word) => companyFormOf(word, areCompanies)),
  );
  return [
    readName(one, joinWords(first, second), { areCompanies, isOne }),
    readName(other, joinWords(second, first), { areCompanies, isOne }),
  ];
}

/** Letter for letter the same, however the words are parted: “Jean-Pierre” and “Jeanpierre”, not “Ama Nsiah” and “Aman Siah”. */
export function isSameText(left: NameRead, right: NameRead): boolean {
  if (left.letters !== right.letters) return false;
  const [one, other] = [left.ends, right.ends];
  const isWithin = (some: ReadonlySet<number>, all: ReadonlySet<number>) =>
    [...some].every((end) => all.has(end));
  return isWithin(one, other) || isWithin(other, one);
}

function plainWords(name: string): readonly string[] {
  return foldWords(name.replace(APOSTROPHES, ''));
}

interface Kinds {
  readonly areCompanies: boolean;
  /** At least one of the two is a company. */
  readonly isOne: boolean;
}

function readName(text: string, all: readonly string[], { areCompanies, isOne }: Kinds): NameRead {
  const forms = new Set(all.flatMap((word) => companyFormOf(word, areCompanies) ?? []));
  const hasTrade = all.some(isTrade);
  const isCompany = forms.size > 0 || hasTrade;
  const titles: string[] = [];
  const smallWords: string[] = [];
  const words: string[] = [];
  all.forEach((word, at) => {
    // “Sr” in front is a title, behind a name it is senior.
    const generation = words.length > 0 && !isCompany ? GENERATIONS.get(word) : undefined;
    if (generation !== undefined) words.push(generation);
    else if (companyFormOf(word, areCompanies) !== undefined) return;
    else if (isOne && COMPANY_SMALL_WORDS.has(word)) return;
    else if (!isCompany && isTitle(word, words.length === 0 && at < all.length - 2)) titles.push(word);
    else if (!isOne && isSmallWord(word, at, all.length)) smallWords.push(word);
    else words.push(word);
  });
  const written = plainWords(text);
  return {
    words: words.length > 0 ? words : all,
    smallWords,
    titles,
    forms,
    isCompany,
    hasTrade,
    letters: written.join(''),
    ends: endsOf(written),
    lastWritten: written.at(-1),
    length: text.replace(/\s+/g, ' ').trim().length,
  };
}

function endsOf(words: readonly string[]): ReadonlySet<number> {
  let length = 0;
  return new Set(
    words.map((word) => {
      length += word.length;
      return length;
    }),
  );
}

/** Not at the end, and in front only where no first name is like it: “Ben” and “Al” are first names too. */
function isSmallWord(word: string, at: number, length: number): boolean {
  return at < length - 1 && (at === 0 ? SMALL_WORDS_IN_FRONT : SMALL_WORDS).has(word);
}

function isTitle(word: string, isInFront: boolean): boolean {
  return TITLES.has(word) || word === 'sr' || (isInFront && TITLES_IN_FRONT.has(word));
}

function isTrade(word: string): boolean {
  return TRADES.has(word);
}

function endsInForm(words: readonly string[]): boolean {
  return (
    words.length > 1 && [words.at(-1), words[0]].some((word) => companyFormOf(word ?? '', true) !== undefined)
  );
}

/** Longest phrases first in the table, so that “W/ro” is no initial and “S.A.R.L.” is one word. */
function joinPhrases(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = PHRASES.find(
      ([written, read]) =>
        written.every((word, nth) => words[at + nth] === word) &&
        // “S. A. Mensah” is a person; the letters of a company form stand at an end.
        (written[0]?.length !== 1 ||
          companyFormOf(read, true) === undefined ||
          isAtEnd(words, at, written.length)),
    );
    joined.push(phrase?.[1] ?? words[at] ?? '');
    at += phrase?.[0].length ?? 1;
  }
  return joined;
}

function isAtEnd(words: readonly string[], at: number, length: number): boolean {
  return at + length === words.length || (at === 0 && length > 2);
}

/** Neighbours that are one word in the other name become one here: Abdul Rahman, De Souza, N Diaye, G/Michael. */
function joinWords(words: readonly string[], others: readonly string[]): readonly string[] {
  const there = new Set(others);
  const long = others.filter((word) => word.length > 5);
  const joined: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word = '', next] = [words[at], words[at + 1]];
    const whole = next === undefined ? undefined : wholeOf(word, next, { there, long });
    joined.push(whole ?? word);
    if (whole !== undefined) at += 1;
  }
  return joined;
}

interface OtherWords {
  readonly there: ReadonlySet<string>;
  readonly long: readonly string[];
}

function wholeOf(word: string, next: string, { there, long }: OtherWords): string | undefined {
  if (there.has(word) && there.has(next)) return undefined;
  const whole = word + next;
  if (there.has(whole)) return whole;
  if (there.has(next)) return undefined;
  if (word.length === 1 && next.length >= 4) {
    const shortened = `${word}/${next}`;
    return long.some((other) => likenessOf(shortened, other) === 'short') ? shortened : undefined;
  }
  return /^ab[du]/.test(word) && long.some((other) => likenessOf(whole, other) === 'known')
    ? whole
    : undefined;
}
