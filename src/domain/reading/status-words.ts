/**
 * Words of a status column that payfile does not know: `H`, `DNP`, `On leave`. Nobody but the owner of the file can say
 * whether they stop a payment.
 */
import lists from '../../data/stop-words.json' with { type: 'json' };
import { isWithoutHeader } from '../rows/no-header.ts';
import { foldWords } from '../text/fold.ts';
import { spacedWords, wordList } from '../text/header-words.ts';
import type { SeenColumn } from './look.ts';

const STATUS = wordList(lists.statusHeader);
const REMARKS = wordList(lists.remarksHeader);
const OTHER_TOPICS = wordList(lists.otherTopics);
const SAYS_NOT_YET = wordList(lists.paidWords);
const fold = (word: string): string => foldWords(word).join(' ');
const HARMLESS = new Set([lists.go, lists.doubtful, lists.harmless].flatMap((words) => words.map(fold)));
/** A column of more different words is a text of its own in each row. */
const MOST_WORDS = 6;

/**
 * The most frequent ones first; none where all rows say the same. Beside a table and in remarks, words that differ in every
 * row are no marks. `rows`: all that may be payments.
 */
export function unknownStatusWords(
  { header, words = new Map(), filled }: Pick<SeenColumn, 'header' | 'words' | 'filled'>,
  rows: number,
): readonly (readonly [word: string, rows: number])[] {
  const spaced = spacedWords(header);
  const isStatus = STATUS.isIn(spaced) && !OTHER_TOPICS.isIn(spaced);
  if (!isStatus && !REMARKS.isAll(spaced) && !isWithoutHeader(header)) return [];
  const differing = words.size + (filled < rows ? 1 : 0);
  if (words.size > MOST_WORDS || differing < 2 || (!isStatus && differing === rows)) return [];
  return [...words]
    .filter(
      ([word]) => /\p{L}/u.test(word) && !HARMLESS.has(fold(word)) && !SAYS_NOT_YET.isIn(spacedWords(word)),
    )
    .sort(([, one], [, other]) => other - one);
}
