/**
 * Text that is not what it looks like: letters of another alphabet, letters for digits, dates and garbled accents
 * that spreadsheets and wrong encodings leave behind. Seen and said; never mended.
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
