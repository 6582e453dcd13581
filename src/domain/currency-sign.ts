/**
 * Which currencies a sign or a word beside an amount may mean.
 *
 * Source:  ISO 4217 codes, and the signs in use where the service pays and where its money comes from.
 */
import { type CurrencyCode, parseCurrency } from './currency.ts';

const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP EGP SSP GIP',
  '₦': 'NGN',
  '₵': 'GHS',
  'GH₵': 'GHS',
  GHC: 'GHS',
  'GH¢': 'GHS',
  $: 'USD CAD AUD NZD NAD LRD ZWG',
  US$: 'USD',
  KSH: 'KES',
  KSHS: 'KES',
  USH: 'UGX',
  TSH: 'TZS',
  SH: 'KES UGX TZS SOS',
  R: 'ZAR',
  FCFA: 'XOF XAF',
  CFA: 'XOF XAF',
  F: 'XOF XAF GNF RWF BIF DJF KMF CDF',
  FRW: 'RWF',
  RF: 'RWF',
  FBU: 'BIF',
  FG: 'GNF',
  FC: 'CDF',
  BR: 'ETB',
  ZK: 'ZMW',
  K: 'ZMW MWK',
  MK: 'MWK',
  MT: 'MZN',
  KZ: 'AOA',
  DH: 'MAD AED',
  DT: 'TND',
  DA: 'DZD',
  LE: 'SLE EGP',
  P: 'BWP',
  '¥': 'JPY CNY',
  '₹': 'INR',
};

/** undefined: the words name no currency that we know, so nothing can be said. */
export function currenciesNamed(words: string): readonly CurrencyCode[] | undefined {
  const word = words.replace(/[\s.()+-]+/g, '').toUpperCase();
  const codes = SIGNS[word]?.split(' ') ?? [word];
  const known = codes.flatMap((code) => parseCurrency(code) ?? []);
  return known.length === 0 ? undefined : known;
}
