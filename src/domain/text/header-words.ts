/**
 * The words of a header, and whether lists of words (data/*-words.json) stand in it.
 *
 * Case, accents and punctuation do not count. `accountNumber` and `account_number` are two words.
 */
import { foldWords } from './fold.ts';

const CAMEL = /(?<=\p{Ll}|\d)(?=\p{Lu}\p{Ll})|(?<=\p{Ll})(?=\p{Lu}{2})/gu;
/** A letter and a number that are written as one word: `Amount2`. */
const COUNTED = /(?<=\p{L}{3})(?=\d+$)/u;

/** `amountUSD` → `amount USD`. */
export const splitCamel = (header: string): string => header.replace(CAMEL, ' ');

/** `Net Pay (KES)` → ` net pay kes `: with a space at each end, so that a whole word can be searched in it. */
export function spacedWords(header: string): string {
  return ` ${foldWords(splitCamel(header).replace(COUNTED, ' ')).join(' ')} `;
}

export interface WordList {
  /** Whether one of the words or phrases stands in the header, as whole words. */
  isIn(spaced: string): boolean;
  /** Whether the header is one of them and nothing else. */
  isAll(spaced: string): boolean;
}

export function wordList(list: readonly string[]): WordList {
  // Folded when it is first asked: most commands read no file.
  let folded: readonly string[] | undefined;
  const all = () => (folded ??= list.map(spacedWords));
  return {
    isIn: (spaced) => all().some((words) => spaced.includes(words)),
    isAll: (spaced) => all().includes(spaced),
  };
}
