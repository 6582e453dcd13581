/**
 * Whether two different words may be spellings of one name. This never proves a match; it asks a person to look.
 *
 * Which mistake is worse: brother and sister (Aminu, Amina), twins (Hassan, Hussein) or two families (Okoro, Okorie)
 * taken for a typing error. So an ending that changes with the sex is not a spelling, and the table decides first.
 */

import names from '../../data/name-spellings.json' with { type: 'json' };
import words from '../../data/short-forms.json' with { type: 'json' };

/** `known`: the table says so; `alike`: it sounds the same or one letter differs; `short`: “Seun” for “Oluwaseun”. */
export type Likeness = 'known' | 'alike' | 'short';

export function likenessOf(one: string, other: string): Likeness | undefined {
  const known = isOneKnownName(one, other);
  if (known !== undefined) return known ? 'known' : undefined;
  if (plainFront(one) === plainFront(other)) return 'known';
  if (isShortFormOf(one, other) || isShortenedCompound(one, other)) return 'short';
  if (/\d/.test(one + other) || differsInSex(one, other)) return undefined;
  return soundsAlike(one, other) || isOneLetterOff(one, other) ? 'alike' : undefined;
}

/** El-Rufai and Rufai; Jepkosgei and Chepkosgei. */
function plainFront(word: string): string {
  return word.length > 5 ? word.replace(/^[ae]l/, '').replace(/^jep/, 'chep') : word;
}

/** `g/michael` for Gebremichael, as it is written in Ethiopia. */
function isShortenedCompound(one: string, other: string): boolean {
  const [short, long] = one.includes('/') ? [one, other] : [other, one];
  const [first = '', rest] = short.split('/');
  return rest !== undefined && long.startsWith(first) && long.endsWith(rest) && long.length > rest.length + 2;
}

/** Paulo and Paula, Hassan and Hassana, Michel and Michelle, Okoro and Okorie. */
function differsInSex(one: string, other: string): boolean {
  const [left, right] = [splitEnding(one), splitEnding(other)];
  return left.stem === right.stem && left.ending !== right.ending;
}

function splitEnding(word: string): { readonly stem: string; readonly ending: string } {
  const ending = /[aeiou]*$/.exec(word)?.[0] ?? '';
  return { stem: word.slice(0, word.length - ending.length).replace(/(.)\1$/, '$1'), ending };
}

const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/tch|sh|ch/g, 'x'],
  [/c(?=[eiy])/g, 's'],
  [/ck|kh|q|c/g, 'k'],
  [/ph/g, 'f'],
  [/([dgt])h/g, '$1'],
  [/dj/g, 'j'],
  [/ou|oo|w/g, 'u'],
  [/ee|y/g, 'i'],
  [/z/g, 's'],
  [/(.)\1+/g, '$1'],
  [/h$/, ''],
];

function soundsAlike(one: string, other: string): boolean {
  const sound = soundOf(one);
  return sound.length >= 4 && sound === soundOf(other);
}

function soundOf(word: string): string {
  return SOUNDS.reduce((text, [written, sound]) => text.replace(written, sound), word);
}

/** One letter added, missing, different or swapped, in a name of five letters or more. */
function isOneLetterOff(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < 5 || long.length - short.length > 1 || short[0] !== long[0]) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const isSwap =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  if (short.length === long.length) return isSwap || short.slice(at + 1) === long.slice(at + 1);
  return short.slice(at) === long.slice(at + 1);
}

/**
 * Short forms: what people call somebody, and how businesses shorten their words (data/short-forms.json). A short form
 * is worth a person's look; it never makes a match.
 */

/** Whether one of two folded words is a short form of the other. */
function isShortFormOf(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (SHORT.some((group) => group.has(short) && group.has(long))) return true;
  if (short.length < 4) return false;
  return (
    LEFT_OUT_IN_FRONT.some((part) => part + short === long) ||
    LEFT_OUT_BEHIND.some((part) => short + part === long)
  );
}

/** A line is a whole name and what people call its bearer, or a business word and its short forms. */
const SHORT = words.shortForms.map((line) => new Set(line.split(' ')));
/** “Oluwa” in front of “Seun”, “chukwu” behind “Ifeanyi”: a part that is left out in daily life. */
const { leftOutInFront: LEFT_OUT_IN_FRONT, leftOutBehind: LEFT_OUT_BEHIND } = words;

/**
 * Spellings of one name, and names that only look like one. The names are in data/name-spellings.json: a line is one
 * name in its spellings, and a spelling that is missing is added there.
 *
 * Two words in different lines are two names, however alike they look. A spelling never makes a match; it asks a person
 * to look.
 * Source: day names of the Akan, Ewe and Baule; transliterations of Arabic, Amharic and Somali names into English,
 *         French, Portuguese, Hausa and Swahili.
 */

const SPELLINGS = lineOfWord(Object.values(names).flat());
const ETHIOPIAN = lineOfWord(names.ethiopianMen);
const FATHERS = lineOfWord([...names.akanMen, ...names.arabicMen, ...names.ethiopianMen, ...names.kenyanMen]);

/** Whether the table knows two words as one name or as two; undefined when it does not know both. */
function isOneKnownName(one: string, other: string): boolean | undefined {
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
