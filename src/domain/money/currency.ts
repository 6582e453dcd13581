/**
 * Currencies and how many decimals each has.
 *
 * Our own table: Intl disagrees with ISO 4217 for many currencies (it would print IDR and HUF without the
 * decimals that they have).
 * Source:  ISO 4217 list one; codes with other than two decimals are listed, all others have two.
 */
import type { Branded } from '../branded.ts';

/** An ISO 4217 code in capitals, such as `GHS`. `parseCurrency` makes one. */
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

/**
 * Reads the code of a currency, in capitals or not. Undefined: ISO 4217 has no such currency.
 *
 * @example
 * const currency = parseCurrency('ghs');
 * console.log(currency); // GHS
 */
export function parseCurrency(text: string): CurrencyCode | undefined {
  const code = text.trim().toUpperCase();
  return DECIMALS.has(code) ? (code as CurrencyCode) : undefined;
}

/** How many decimals ISO 4217 gives the currency. */
export function decimalsOf(currency: CurrencyCode): number {
  return DECIMALS.get(currency) ?? 2;
}

/**
 * The currency that a country pays in: the source currency of a quote, which the service does not show.
 *
 * Source:  ISO 3166-1 and ISO 4217 list one; where a country has two, the one that wages are paid in.
 */

const COUNTRIES_OF: Readonly<Record<string, string>> = {
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  XPF: 'NC PF WF',
  AUD: 'AU CC CX HM KI NF NR TV',
  NZD: 'CK NU NZ PN TK',
  GBP: 'GB GG GS IM JE',
  DKK: 'DK FO GL',
  NOK: 'BV NO SJ',
  CHF: 'CH LI',
  ILS: 'IL PS',
  MAD: 'EH MA',
  XCG: 'CW SX',
};

const OTHERS =
  'AED:AE AFN:AF ALL:AL AMD:AM AOA:AO ARS:AR AWG:AW AZN:AZ BAM:BA BBD:BB BDT:BD BHD:BH BIF:BI BMD:BM BND:BN BOB:BO ' +
  'BRL:BR BSD:BS BTN:BT BWP:BW BYN:BY BZD:BZ CAD:CA CDF:CD CLP:CL CNY:CN COP:CO CRC:CR CUP:CU CVE:CV CZK:CZ DJF:DJ ' +
  'DOP:DO DZD:DZ EGP:EG ERN:ER ETB:ET FJD:FJ FKP:FK GEL:GE GHS:GH GIP:GI GMD:GM GNF:GN GTQ:GT GYD:GY HKD:HK HNL:HN ' +
  'HTG:HT HUF:HU IDR:ID INR:IN IQD:IQ IRR:IR ISK:IS JMD:JM JOD:JO JPY:JP KES:KE KGS:KG KHR:KH KMF:KM KPW:KP KRW:KR ' +
  'KWD:KW KYD:KY KZT:KZ LAK:LA LBP:LB LKR:LK LRD:LR LSL:LS LYD:LY MDL:MD MGA:MG MKD:MK MMK:MM MNT:MN MOP:MO MRU:MR ' +
  'MUR:MU MVR:MV MWK:MW MXN:MX MYR:MY MZN:MZ NAD:NA NGN:NG NIO:NI NPR:NP OMR:OM PAB:PA PEN:PE PGK:PG PHP:PH PKR:PK ' +
  'PLN:PL PYG:PY QAR:QA RON:RO RSD:RS RUB:RU RWF:RW SAR:SA SBD:SB SCR:SC SDG:SD SEK:SE SGD:SG SHP:SH SLE:SL SOS:SO ' +
  'SRD:SR SSP:SS STN:ST SYP:SY SZL:SZ THB:TH TJS:TJ TMT:TM TND:TN TOP:TO TRY:TR TTD:TT TWD:TW TZS:TZ UAH:UA UGX:UG ' +
  'UYU:UY UZS:UZ VES:VE VND:VN VUV:VU WST:WS YER:YE ZAR:ZA ZMW:ZM ZWG:ZW';

const CURRENCY_OF: ReadonlyMap<string, CurrencyCode> = new Map([...lines()]);

/** `GB` → GBP; undefined for a code that ISO 3166-1 does not have. */
export function currencyOfCountry(iso: string): CurrencyCode | undefined {
  return CURRENCY_OF.get(iso.toUpperCase());
}

function* lines(): Generator<readonly [string, CurrencyCode]> {
  const pairs = [
    ...Object.entries(COUNTRIES_OF),
    ...OTHERS.split(' ').map((pair) => [pair.slice(0, 3), pair.slice(4)] as const),
  ];
  for (const [code, countries] of pairs) {
    const currency = parseCurrency(code);
    if (currency === undefined) throw new TypeError(`Not a currency of ISO 4217: ${code}`);
    for (const iso of countries.split(' ')) yield [iso, currency];
  }
}
