/**
 * Folding: two ways to write the same name become the same text. For finding and comparing, never for paying.
 *
 * `Côte d’Ivoire`, `COTE D'IVOIRE` and `cote-d-ivoire` all fold to `cotedivoire`.
 */
import anyAscii from 'any-ascii';

const PLAIN = /^[\x20-\x7e]*$/;
const NOT_A_LETTER_OR_DIGIT = /[^a-z0-9]+/g;

/** Letters a–z and digits only. */
export function foldText(text: string): string {
  return spelled(text).replace(NOT_A_LETTER_OR_DIGIT, '');
}

/** The same, as the words it was written in. */
export function foldWords(text: string): readonly string[] {
  return spelled(text)
    .split(NOT_A_LETTER_OR_DIGIT)
    .filter((word) => word !== '');
}

/** Whether every word that was typed begins a word of the name. */
export function isCalled(name: string, words: readonly string[]): boolean {
  const parts = foldWords(name);
  return words.every((word) => parts.some((part) => part.startsWith(word)));
}

function spelled(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  // Signs go first, or `n°` would become `ndeg`; accents fall off before the other alphabets are spelled out.
  const letters = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[\p{S}\p{Cf}]+/gu, ' ');
  return anyAscii(letters).toLowerCase();
}
