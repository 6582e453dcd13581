/**
 * Proposes what somebody may have meant. For messages only: nothing is ever chosen by likeness.
 */
import { foldText, foldWords } from './fold.ts';

const MOST = 3;
const LEAST_LIKE = 0.45;
/** A poor proposal next to a good one only confuses. */
const BEHIND_THE_BEST = 0.18;
const LONGEST = 60;

/** At most three items, most alike first. `leastLike`: how alike, from 0 to 1. */
export function closest<Item>(
  written: string,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  leastLike = LEAST_LIKE,
): readonly Item[] {
  const wanted = nameForms(written);
  const near = items
    .map((item) => ({ item, name: nameOf(item), likeness: likeness(wanted, nameForms(nameOf(item))) }))
    .filter((candidate) => candidate.likeness >= leastLike)
    .sort((left, right) => right.likeness - left.likeness || (left.name < right.name ? -1 : 1));
  const least = (near[0]?.likeness ?? 0) - BEHIND_THE_BEST;
  return near
    .filter((candidate) => candidate.likeness >= least)
    .slice(0, MOST)
    .map((candidate) => candidate.item);
}

/** Empty where there is nothing to propose. */
export function didYouMean(proposals: readonly string[]): string {
  return proposals.length === 0 ? '' : ` Did you mean ${proposals.join(' or ')}?`;
}

interface NameForms {
  readonly folded: string;
  readonly words: readonly string[];
  /** Initials, with and without its small words: `Banco de Fomento Angola` → `bdfa` and `bfa`. */
  readonly initials: readonly string[];
}

function nameForms(name: string): NameForms {
  const words = foldWords(name.slice(0, LONGEST));
  const great = words.filter((word) => !SMALL_WORDS.has(word));
  return {
    folded: foldText(name.slice(0, LONGEST)),
    words,
    initials: [initialsOf(words), initialsOf(great)],
  };
}

const SMALL_WORDS = new Set('a and da das de des do dos du e et for la le les of the'.split(' '));

function initialsOf(words: readonly string[]): string {
  return words.map((word) => word[0]).join('');
}

function likeness(wanted: NameForms, name: NameForms): number {
  if (wanted.folded === '' || name.folded === '') return 0;
  const longer = Math.max(wanted.folded.length, name.folded.length);
  const spelling = 1 - editDistance(wanted.folded, name.folded) / longer;
  const isInitials = name.initials.some((each) => each.length >= 3 && wanted.folded.startsWith(each));
  const isBeginning = name.folded.length >= 4 && wanted.folded.startsWith(name.folded);
  // `CBAO` for `CBAO Groupe Attijariwafa Bank`: the rest of a long name is often left away.
  const isFirstWord = wanted.folded.length >= 3 && wanted.folded === name.words[0];
  const part = isFirstWord ? 0.9 : isInitials || isBeginning ? 0.8 : 0;
  return Math.max(spelling, sharedWords(wanted.words, name.words), part);
}

/** Share of letters in words that both have; a word may be shortened (`equity` in `equity bank kenya`). */
function sharedWords(wanted: readonly string[], name: readonly string[]): number {
  const isShared = (word: string) =>
    name.some((other) => other === word || (word.length >= 4 && other.startsWith(word)));
  const letters = (words: readonly string[]) => words.reduce((sum, word) => sum + word.length, 0);
  const shared = letters(wanted.filter(isShared));
  return (0.9 * (2 * shared)) / (letters(wanted) + letters(name)) + (shared === letters(wanted) ? 0.1 : 0);
}

/** Letters to insert, delete, replace or swap with their neighbour. */
export function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (isSwap && row > 1 && column > 1) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/**
 * Text that is not what it looks like: letters of another alphabet, letters for digits, dates and garbled accents
 * that spreadsheets and wrong encodings leave behind. It is reported, never corrected.
 */

const OF_OTHER_ALPHABETS = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;

/** Cyrillic and Greek letters, many of which look Latin. */
export function hasOtherAlphabet(text: string): boolean {
  return OF_OTHER_ALPHABETS.test(text);
}

/** Letters that look Latin among Latin letters and digits. A word all in another alphabet is just that. */
export function mixesAlphabets(text: string): boolean {
  if (!OF_OTHER_ALPHABETS.test(text)) return false;
  return (text.match(WORDS) ?? []).some(
    (word) => OF_OTHER_ALPHABETS.test(word) && /[\p{Script=Latin}0-9]/u.test(word),
  );
}

/** The letter that stands where a digit is meant: `O244123456`; undefined when the text has other letters too. */
export function letterForDigit(
  text: string,
): { readonly letter: string; readonly digit: string } | undefined {
  if (!/^[\d\s.,+\-OoIl|]+$/.test(text) || !/\d/.test(text)) return undefined;
  const letter = /[OoIl|]/.exec(text)?.[0];
  return letter === undefined ? undefined : { letter, digit: /o/i.test(letter) ? '0' : '1' };
}

export const OTHER_DIGITS = /[^\P{Nd}0-9]/u;
const ARABIC_MARKS = /[\u066b\u066c]/;

export const WRITE_LATIN =
  'Write it with ordinary digits, best in the whole file at once: find each of the other digits and marks, and replace it.';

/**
 * `٣٬٤٠٠` → `3'400` and `१२५` → `125`, in marks that amounts are read with. undefined where no other digit or mark stands, and
 * where the text has two readings: digits of two scripts, or an Arabic decimal mark before three digits, which a file
 * with decimal commas would take for a thousands mark.
 */
export function inLatinDigits(text: string): string | undefined {
  if (!OTHER_DIGITS.test(text) && !ARABIC_MARKS.test(text)) return undefined;
  const zeros = new Set<number>();
  const latin = text.replace(/\p{Nd}/gu, (digit) => {
    const zero = zeroOf(digit.codePointAt(0) ?? 0);
    zeros.add(zero);
    return String((digit.codePointAt(0) ?? 0) - zero);
  });
  if (zeros.size !== 1 || /\u066b\d{3}(?!\d)/.test(latin)) return undefined;
  return latin.replaceAll('\u066b', '.').replaceAll('\u066c', "'");
}

/** Unicode has the digits of each script in a row, from 0 to 9, and scripts may follow on each other. */
function zeroOf(digit: number): number {
  let first = digit;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return digit - ((digit - first) % 10);
}

const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0?[1-9]|1[0-2])';
const YEAR = '(?:19|20)\\d{2}';
const MONTH_WORD =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|' +
  'nov(?:ember)?|dec(?:ember)?|janv(?:ier)?|févr(?:ier)?|mars|avr(?:il)?|mai|juin|juil(?:let)?|août|octobre|déc(?:embre)?|' +
  'fev(?:ereiro)?|abr(?:il)?|maio|ago(?:sto)?|set(?:embro)?|out(?:ubro)?|dez(?:embro)?)\\.?';
const DATE = new RegExp(
  [
    `^(?:${DAY}[/.]${MONTH}|${MONTH}[/.]${DAY})[/.](?:${YEAR}|\\d{2})$`,
    `^(?:${DAY}-${MONTH}|${MONTH}-${DAY})-${YEAR}$`,
    `^${YEAR}-${MONTH}-${DAY}(?:[ T][\\d:.]+Z?)?$`,
    `^${DAY}[- ]${MONTH_WORD}(?:[- ](?:${YEAR}|\\d{2}))?$`,
    `^${MONTH_WORD}[- ](?:${YEAR}|\\d{2})$`,
  ].join('|'),
  'i',
);

/** A date as spreadsheets write one, into which they turn texts such as 5-12 and 1/2/26. */
export function isDateLike(text: string): boolean {
  return text.length >= 5 && text.length <= 30 && DATE.test(text);
}

// What the bytes 0x80 to 0x9F are in Windows-1252; five of them are nothing.
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const LONGEST_GARBLED = 300;
// A first byte of UTF-8 and one that may follow it; sound accents stand before a letter or a space.
const MAY_BE_GARBLED = new RegExp(`[\u00c2-\u00f4][\u0080-\u00bf${HIGH}]`);
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** `KouamÃ©` → `Kouamé`: UTF-8 text that was once read as Windows-1252; undefined for every other text. */
export function ungarbled(text: string): string | undefined {
  if (text.length > LONGEST_GARBLED || !MAY_BE_GARBLED.test(text)) return undefined;
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.charCodeAt(0);
    const high = HIGH.indexOf(character);
    if (high !== -1) bytes.push(0x80 + high);
    else if (code <= 0xff && character.length === 1) bytes.push(code);
    else return undefined;
  }
  try {
    return UTF8.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
