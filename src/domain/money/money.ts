/**
 * Money: an amount in one currency, counted in that currency's smallest unit.
 *
 * Units:   `minor` is a whole number of minor units. NGN 150.00 is 15000n; XOF 150 is 150n.
 * Source:  ISO 4217 for the number of decimals (currency.ts).
 */
import { type CurrencyCode, decimalsOf } from './currency.ts';

/** An exact amount: `minor` counts the smallest units of the currency, such as 125000n for GHS 1,250.00. */
export interface Money {
  readonly minor: bigint;
  readonly currency: CurrencyCode;
}

/** Minor units that a double counts one by one: what reads a JSON number, or a number of a spreadsheet, gets no other amount. */
export const COUNTED_MINOR_MOST = 2n ** 53n;

/** Amounts added up, each currency by itself, in flat memory. */
export class MoneySums {
  readonly #minors = new Map<CurrencyCode, bigint>();

  constructor(amounts: Iterable<Money> = []) {
    for (const amount of amounts) this.add(amount);
  }

  add({ minor, currency }: Money): void {
    this.#minors.set(currency, this.of(currency) + minor);
  }

  of(currency: CurrencyCode): bigint {
    return this.#minors.get(currency) ?? 0n;
  }

  /** By currency code. */
  all(): Money[] {
    return [...this.#minors]
      .map(([currency, minor]) => ({ minor, currency }))
      .sort((one, other) => (one.currency < other.currency ? -1 : 1));
  }
}

/** Whether an amount is proven not to be above a bound. A bound of another shape, from plain JavaScript, bounds at nothing. */
export function isAtMost({ minor, currency }: Money, max: Money | undefined): boolean {
  return max?.currency === currency && typeof max.minor === 'bigint' && minor <= max.minor;
}

/**
 * Writes the exact amount without separators: `1500.10`, `1500`. The service gets it so.
 *
 * @example
 * console.log(formatDecimal({ minor: 150010n, currency: 'GHS' as CurrencyCode })); // 1500.10
 */
export function formatDecimal(money: Money): string {
  const decimals = decimalsOf(money.currency);
  const sign = money.minor < 0n ? '-' : '';
  const digits = (money.minor < 0n ? -money.minor : money.minor).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/**
 * Writes an amount for people: `KES 4,120,000.00`.
 *
 * @example
 * console.log(formatMoney({ minor: 412000000n, currency: 'KES' as CurrencyCode })); // KES 4,120,000.00
 */
export function formatMoney(money: Money): string {
  return `${money.currency} ${formatAmount(money)}`;
}

/** For people, where the currency stands elsewhere: `4,120,000.00`. */
export function formatAmount(money: Money): string {
  const [whole = '', fraction] = formatDecimal(money).split('.');
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`;
}

const PLAIN_DECIMAL = /^(\d{1,15})(?:\.(\d+))?$/;

/**
 * Reads a plain decimal. Undefined: it is none, or has more decimals than the currency.
 * More zeros at its end are accepted: `10.00` is XOF 10.
 *
 * @example
 * const currency = parseCurrency('GHS');
 * const ceiling = currency && parseDecimal('1500.10', currency);
 * console.log(ceiling?.minor); // 150010n
 */
export function parseDecimal(text: string, currency: CurrencyCode): Money | undefined {
  const match = PLAIN_DECIMAL.exec(text);
  if (!match) return undefined;
  const decimals = decimalsOf(currency);
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return undefined;
  return { minor: BigInt((match[1] ?? '0') + fraction.padEnd(decimals, '0')), currency };
}

/**
 * The same for an amount that a person typed. With three digits after its point it may be meant as thousands
 * (`27.500`), so it is taken only in a currency of three decimals.
 */
export function parseTyped(text: string, currency: CurrencyCode): Money | undefined {
  return /\.\d{3}$/.test(text) && decimalsOf(currency) !== 3 ? undefined : parseDecimal(text, currency);
}

/** Of the answers for programs. */
export function moneyJson(money: Money) {
  return { currency: money.currency, amount: formatDecimal(money), minorUnits: money.minor.toString() };
}
