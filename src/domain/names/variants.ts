/**
 * Spellings of one name, and names that only look like one. The names are in data/name-spellings.json: a line is one
 * name in its spellings, and a spelling that is missing is added there.
 *
 * Two words in different lines are two names, however alike they look. A spelling never makes a match; it asks a person
 * to look.
 * Source: day names of the Akan, Ewe and Baule; transliterations of Arabic, Amharic and Somali names into English,
 *         French, Portuguese, Hausa and Swahili.
 */
import names from '../../data/name-spellings.json' with { type: 'json' };

const SPELLINGS = lineOfWord(Object.values(names).flat());
const ETHIOPIAN = lineOfWord(names.ethiopianMen);
const FATHERS = lineOfWord([...names.akanMen, ...names.arabicMen, ...names.ethiopianMen, ...names.kenyanMen]);

/** Whether the table knows two words as one name or as two; undefined when it does not know both. */
export function knownAsOneName(one: string, other: string): boolean | undefined {
  const [left, right] = [SPELLINGS.get(one), SPELLINGS.get(other)];
  return left === undefined || right === undefined ? undefined : left === right;
}

/** A man's name that his children carry after their own. */
export function isFathersName(word: string): boolean {
  return FATHERS.has(word);
}

export function isEthiopian(word: string): boolean {
  return ETHIOPIAN.has(word);
}

function lineOfWord(lines: readonly string[]): ReadonlyMap<string, number> {
  return new Map(lines.flatMap((line, at) => line.split(' ').map((word) => [word, at] as const)));
}
