/**
 * Which currencies a code, a sign or a word means, alone in a cell or beside an amount.
 *
 * Source:  ISO 4217 codes, and the signs and words in use where the service pays and where its money comes from.
 */
import { type CurrencyCode, parseCurrency } from './currency.ts';

// The currency that a word means first of all stands above the others that it may mean.
const WORDS: Readonly<Record<string, string>> = {
  EUR: '€ EURO EUROS',
  GBP: '£ POUND POUNDS STERLING',
  USD: '$ US$ USD$ $US DOLLAR DOLLARS USDOLLAR USDOLLARS DOLAR DOLARES',
  NGN: '₦ N =N= # NAIRA NAIRAS',
  GHS: '₵ GH₵ GH¢ GHC CEDI CEDIS GHANACEDI GHANACEDIS',
  KES: 'KSH KSHS SH SHS SHILLING SHILLINGS KENYASHILLING KENYASHILLINGS KENYANSHILLINGS /=',
  UGX: 'USH USHS SH SHS SHILLING SHILLINGS UGANDASHILLING UGANDASHILLINGS UGANDANSHILLINGS /=',
  TZS: 'TSH TSHS SH SHS SHILLING SHILLINGS SHILINGI TANZANIASHILLINGS TANZANIANSHILLINGS /=',
  SOS: 'SH SHS SHILLING SHILLINGS /=',
  XOF: 'FCFA CFA CFAF FRANCCFA FRANCSCFA F FRANC FRANCS',
  XAF: 'FCFA CFA CFAF FRANCCFA FRANCSCFA F FRANC FRANCS',
  GNF: 'FG F FRANC FRANCS FRANCSGUINEENS FRANCGUINEEN',
  RWF: 'FRW FRWS RF F FRANC FRANCS',
  BIF: 'FBU F FRANC FRANCS',
  CDF: 'FC F FRANC FRANCS FRANCSCONGOLAIS FRANCCONGOLAIS',
  DJF: 'F FRANC FRANCS',
  KMF: 'F FRANC FRANCS',
  ZAR: 'R RAND RANDS',
  ZMW: 'ZK K KWACHA',
  MWK: 'MK K KWACHA',
  MZN: 'MT METICAL METICAIS',
  AOA: 'KZ KWANZA KWANZAS',
  ETB: 'BR BIRR',
  EGP: 'LE £ POUND POUNDS',
  SLE: 'LE LEONE LEONES',
  MAD: 'DH DHS DIRHAM DIRHAMS',
  AED: 'DH DHS DIRHAM DIRHAMS',
  TND: 'DT DINAR DINARS',
  DZD: 'DA DINAR DINARS',
  GMD: 'DALASI DALASIS',
  BWP: 'P PULA',
  MGA: 'AR ARIARY',
  CAD: '$',
  AUD: '$',
  NZD: '$',
  NAD: '$ N$',
  LRD: '$ L$',
  ZWG: '$',
  SSP: '£',
  GIP: '£',
  JPY: '¥',
  CNY: '¥',
  INR: '₹',
};

const CURRENCIES_OF: ReadonlyMap<string, readonly CurrencyCode[]> = wordsAsKeys();

function wordsAsKeys(): ReadonlyMap<string, readonly CurrencyCode[]> {
  const found = new Map<string, CurrencyCode[]>();
  for (const [code, words] of Object.entries(WORDS)) {
    const currency = parseCurrency(code);
    if (currency === undefined) throw new TypeError(`Not a currency of ISO 4217: ${code}`);
    for (const word of words.split(' ')) found.set(word, [...(found.get(word) ?? []), currency]);
  }
  return found;
}

/** `/=` and `/-` stand behind shillings: no cents. */
const STROKE = /^\/\s?(?:=|\p{Pd})$/u;

/** The one that is meant first of all stands first. undefined: the words name no currency that we know. */
export function currenciesNamed(words: string): readonly CurrencyCode[] | undefined {
  const bare = words.replace(/[\s.()+-]+/g, '').toUpperCase();
  const known = CURRENCIES_OF.get(
    STROKE.test(words.trim()) ? '/=' : bare.normalize('NFKD').replace(/\p{M}/gu, ''),
  );
  const code = parseCurrency(bare);
  return known ?? (code === undefined ? undefined : [code]);
}

/** `$` and `£` are read as the currency that they mean everywhere: people who pay in NAD may mean US dollars. */
const WORLDWIDE = /^[$£¥]|POUND|DOLL?AR|D[ÓO]LAR/i;

/** Whether the words mean this currency where it is the one that the row is paid in: `FCFA` and XOF, `Naira` and NGN. */
export function isWordFor(words: string, currency: CurrencyCode): boolean {
  const named = currenciesNamed(words) ?? [];
  return WORLDWIDE.test(words.trim()) ? named[0] === currency : named.includes(currency);
}

/** A number, from its first digit to its last, and what stands around it; undefined where no digit stands. */
export interface AmountParts {
  readonly before: string;
  readonly number: string;
  readonly after: string;
}

export function amountParts(text: string): AmountParts | undefined {
  // A point behind letters belongs to them: `KSh.500`.
  const found = /(?:(?<![\p{L}.,])[.,])?\d(?:.*\d)?/u.exec(text);
  if (found === null) return undefined;
  const [number] = found;
  return { number, before: text.slice(0, found.index), after: text.slice(found.index + number.length) };
}

export interface MarkedAmount {
  readonly number: string;
  /** What stands beside the number, such as `KSh` and `/=`. */
  readonly marks: readonly string[];
}

/** Nearly every amount: it needs no further look. */
const NO_MARKS = /^[\d.,]*$/;
const NONE: readonly never[] = [];

/** undefined: nothing stands beside the number, or something that names no currency. */
export function markedAmount(text: string): MarkedAmount | undefined {
  const parts = NO_MARKS.test(text) ? undefined : amountParts(text);
  if (parts === undefined) return undefined;
  const [before, after] = [parts.before.replace(/^\+|\+$/g, '').trim(), parts.after.trim()];
  // One letter is a currency ahead of the number; behind it `K` and `M` may be thousands and millions.
  if (/^\p{L}$/u.test(after) && !/f/i.test(after)) return undefined;
  const marks = [before, after].filter((mark) => mark !== '');
  const isKnown = marks.every(
    (mark) => !/^\p{Pd}|\p{Pd}$|[()]/u.test(mark.replace(STROKE, '')) && currenciesNamed(mark),
  );
  return isKnown && marks.length > 0 ? { number: parts.number, marks } : undefined;
}

/** `KSh 1250.50` → `1250.50` where the amount is in KES, or where no currency is known; else as written. */
export function withoutMarks(text: string, currency: CurrencyCode | undefined): string {
  const marked = markedAmount(text);
  const isOwn = (mark: string) => currency === undefined || isWordFor(mark, currency);
  return marked?.marks.every(isOwn) === true ? marked.number : text;
}

/** The signs and words beside an amount that is read without them; a code such as GHS is none. */
export function signsBeside(text: string, currency: CurrencyCode): readonly string[] {
  if (NO_MARKS.test(text)) return NONE;
  return (markedAmount(text)?.marks ?? []).filter((mark) => mark.toUpperCase() !== currency);
}

/** Rows are seldom paid in these: beside other currencies they are the sender's. */
export const SENDERS_CURRENCIES: ReadonlySet<string> = new Set(['USD', 'EUR', 'GBP']);
