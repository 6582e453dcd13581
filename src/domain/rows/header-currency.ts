/** The currency that the header of a column names: `Amount KES`, `Net Pay (UGX)`, `Montant FCFA`, `Amount ₦`. */

import type { CurrencyCode } from '../money/currency.ts';
import { currenciesNamed } from '../money/currency-words.ts';

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

function currencyWord(header: string): CurrencyWord | undefined {
  const words = header.match(/\p{Sc}+|[^\s()[\]:/–—\p{Sc}-]+(?:\p{Sc})?/gu) ?? [];
  const found = words.flatMap((word) => {
    const [currency] = isCurrencyWord(word) ? (currenciesNamed(word) ?? []) : [];
    return currency === undefined ? [] : [{ word, currency }];
  });
  const [first] = found;
  return found.every(({ currency }) => currency === first?.currency) ? first : undefined;
}

/** Capitals or a sign: `All` is a word, and `ALL` the currency of Albania; `F` and `K` stand for many things. */
function isCurrencyWord(word: string): boolean {
  return (
    /\p{Sc}/u.test(word) ||
    /^[A-Z]{3}$/.test(word) ||
    /^(?:FCFA|CFA|KSHS?|USHS?|TSHS?|NAIRA|CEDIS?|RAND|KWACHA)$/i.test(word)
  );
}
