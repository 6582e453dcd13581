/**
 * Words around a name that are not the name: titles, company forms, trades, small words, junior and senior. The words
 * are in data/name-words.json, all folded (letters a–z without accents); a word that is missing is added there.
 *
 * Source: usage in the countries served, in English, French, Portuguese, Arabic, Amharic, Swahili and Nigerian titles.
 */
import words from '../../data/name-words.json' with { type: 'json' };

/** Several words that are read as one, the longest first where one begins another. */
export const PHRASES: readonly (readonly [written: readonly string[], read: string])[] = Object.entries(
  words.phrases,
).map(([written, read]) => [written.split(' '), read]);

/** Never part of a name. */
export const TITLES: ReadonlySet<string> = new Set(words.titles);
/** Titles in front of two names at least; elsewhere family names. */
export const TITLES_IN_FRONT: ReadonlySet<string> = new Set(words.titlesInFront);

/** Husband and wife, brother and sister may share the names behind these. */
export const TITLES_OF_MEN: ReadonlySet<string> = new Set(words.titlesOfMen);
export const TITLES_OF_WOMEN: ReadonlySet<string> = new Set(words.titlesOfWomen);

/** A title before a name, elsewhere perhaps a name: if it is missing on one side, at most a close match. */
export const TITLES_OR_NAMES: ReadonlySet<string> = new Set(words.titlesOrNames);

/** Different spellings of one company form, by spelling. */
const FORM_OF = firstWordOf(words.companyForms);
/** Forms that are also people's names (Maria Sá). */
const FORMS_THAT_ARE_NAMES: ReadonlySet<string> = new Set(words.formsThatAreNames);

/** The company form that a word stands for. An ambiguous word is one only where the reader is sure of a company. */
export function companyFormOf(word: string, isCompany: boolean): string | undefined {
  if (FORMS_THAT_ARE_NAMES.has(word)) return isCompany ? word : undefined;
  return FORM_OF.get(word);
}

/** What a business does or calls itself. It shows that a name is not a person's, but does not identify the business. */
export const TRADES: ReadonlySet<string> = new Set(words.trades);

/** A country or town in a company's name identifies a sister company; if it is missing, a person has to look. */
export const PLACES: ReadonlySet<string> = new Set(words.places);

/** Between the names. Without “dos” it is not another person, but not the same name either. */
export const SMALL_WORDS_IN_FRONT: ReadonlySet<string> = new Set(words.smallWordsInFront);
export const SMALL_WORDS: ReadonlySet<string> = new Set([...words.smallWordsInFront, ...words.smallWords]);
export const COMPANY_SMALL_WORDS: ReadonlySet<string> = new Set(words.smallWordsOfCompanies);

/** Father and son share the rest. */
export const GENERATIONS = firstWordOf(words.generations);

/** Names that so many brothers and sisters share that with an initial they identify nobody. */
export const SHARED_FIRST_NAMES: ReadonlySet<string> = new Set(words.sharedFirstNames);

/** First names that are joined in either order: José Maria is a man, Maria José a woman. */
export const FIRST_NAMES: ReadonlySet<string> = new Set(words.firstNames);

/** Each word of a line → the line's first word. */
function firstWordOf(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const [first = '', ...others] = line.split(' ');
      return [first, ...others].map((word) => [word, first] as const);
    }),
  );
}
