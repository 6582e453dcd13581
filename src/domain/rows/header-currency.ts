/** The currency that the header of a column names: `Amount KES`, `Net Pay (UGX)`, `Montant FCFA`, `Amount ₦`. */

import { type CurrencyCode, parseCurrency } from '../money/currency.ts';
import { currenciesNamed } from '../money/currency-words.ts';
import { splitCamel } from '../text/header-words.ts';

/** undefined: none, or words for more than one. */
export function currencyOfHeader(header: string): CurrencyCode | undefined {
  return currencyWord(header)?.currency;
}

/** The same, with the header as it reads without it. */
export function withoutCurrency(header: string): string | undefined {
  const found = currencyWord(header);
  return found === undefined
    ? undefined
    : header
        .replace(found.word, ' ')
        .replace(/[\s()[\]:/–—-]+/g, ' ')
        .trim();
}

interface CurrencyWord {
  readonly currency: CurrencyCode;
  readonly word: string;
}

const WORD = /(?:\p{L}{0,3}\p{Sc}+|\p{Sc}+\p{L}{0,3})|[^\s()[\]{}:;,./_–—\p{Sc}-]+/gu;
const IN_BRACKETS = /(?<=[([{]\s*)[^()[\]{}]{1,24}?(?=\s*[)\]}])/gu;

/** The words of a header that stand for a currency: `KES`, `F CFA`, `$`. Some of them stand for several currencies. */
export function currencyWordsOf(header: string): readonly string[] {
  const bracketed = (header.match(IN_BRACKETS) ?? []).filter((word) => currenciesNamed(word) !== undefined);
  const words = splitCamel(header).match(WORD) ?? [];
  return [...bracketed, ...words.filter((word) => isCurrencyWord(word, header))].filter(
    (word) => currenciesNamed(word) !== undefined,
  );
}

function currencyWord(header: string): CurrencyWord | undefined {
  const found = currencyWordsOf(header).flatMap((word) => {
    const [currency] = currenciesNamed(word) ?? [];
    return currency === undefined ? [] : [{ word, currency }];
  });
  const [first] = found;
  return found.every(({ currency }) => currency === first?.currency) ? first : undefined;
}

/** Codes that are words as well: `All` is a word, and `ALL` the currency of Albania. */
const CODES_AND_WORDS = new Set('ALL TOP TRY CUP PEN MOP DOP BAM RON GEL MAD COP SOS LAK ANG'.split(' '));
/** Shorter names of currencies, such as `F`, `K` and `Le`, stand for many things: they count in brackets. */
const SHORTEST_NAME = 3;

function isCurrencyWord(word: string, header: string): boolean {
  if (/\p{Sc}/u.test(word)) return true;
  const code = parseCurrency(word);
  if (code === undefined) return word.length >= SHORTEST_NAME && /^\p{L}+$/u.test(word);
  const isCapital = word === word.toUpperCase() && header !== header.toUpperCase();
  return isCapital || !CODES_AND_WORDS.has(code);
}
