/**
 * Currencies and how many decimals each has.
 *
 * Our own table: Intl disagrees with ISO 4217 for many currencies (it would print IDR and HUF without the
 * decimals that they have).
 * Source:  ISO 4217 list one; codes with other than two decimals are listed, all others have two.
 */
import type { Branded } from './branded.ts';

export type CurrencyCode = Branded<string, 'CurrencyCode'>;

const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const WITH_THREE = 'BHD IQD JOD KWD LYD OMR TND';
const WITH_FOUR = 'CLF UYW';
const WITH_TWO =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY ' +
  'COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS ' +
  'INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR ' +
  'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD ' +
  'SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG';

const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...WITH_TWO.split(' ').map((code) => [code, 2] as const),
  ...WITHOUT_DECIMALS.split(' ').map((code) => [code, 0] as const),
  ...WITH_THREE.split(' ').map((code) => [code, 3] as const),
  ...WITH_FOUR.split(' ').map((code) => [code, 4] as const),
]);

/** `ghs` → GHS; undefined when ISO 4217 has no such currency. */
export function parseCurrency(text: string): CurrencyCode | undefined {
  const code = text.trim().toUpperCase();
  return DECIMALS.has(code) ? (code as CurrencyCode) : undefined;
}

/** How many decimals ISO 4217 gives the currency. */
export function decimalsOf(currency: CurrencyCode): number {
  return DECIMALS.get(currency) ?? 2;
}
