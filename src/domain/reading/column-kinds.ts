/**
 * What the header and the cells of a column say that it holds, beyond the names that payfile takes by itself: for questions,
 * never for paying. Which headers are meant is in data/column-words.json.
 */
import lists from '../../data/column-words.json' with { type: 'json' };
import type { Field } from '../rows/row.ts';
import { spacedWords, type WordList, wordList } from '../text/header-words.ts';
import { amountSense } from './amount-sense.ts';
import type { SeenColumn } from './look.ts';

interface Words {
  readonly is: WordList;
  readonly isNot: WordList;
}

const wordsOf = ({
  is,
  isNot,
}: {
  readonly is: readonly string[];
  readonly isNot: readonly string[];
}): Words => ({
  ...{ is: wordList(is), isNot: wordList(isNot) },
});

const WORDS: ReadonlyMap<Field, Words> = new Map([
  ['account', wordsOf(lists.account)],
  ['country', wordsOf(lists.country)],
  ['institution', wordsOf(lists.institution)],
  ['name', wordsOf(lists.name)],
]);
const OWN = wordList(lists.own);
const OLD = wordList(lists.old);

/** The header is about this field, and not about an old one or about something else of it, such as its code or its type. */
export function isCalled(field: Field, header: string): boolean {
  const words = spacedWords(header);
  const known = WORDS.get(field);
  if (known === undefined || known.isNot.isIn(words) || OLD.isIn(words)) return false;
  return known.is.isIn(words);
}

/** Ours, and not the beneficiary's: “Debit account”. */
export const isOwn = (header: string): boolean => OWN.isIn(spacedWords(header));

const TO_PAY: ReadonlySet<string> = new Set(['clear', 'plain', 'gross']);

/** The best guesses come first where a person has to choose among all columns. */
export function isLikely(field: Field, { header }: SeenColumn): boolean {
  if (field === 'amount') return TO_PAY.has(amountSense(header));
  return isCalled(field, header) && !isOwn(header);
}
