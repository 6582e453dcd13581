/**
 * Which amounts of a line may be a payment's, and which are its charges.
 *
 * A line is a payment's only by an exact amount: the one that was asked for, or the debit by the quote, by the rate when
 * it was sent, or between the two. The fee may stand in a line of its own. An amount that is only near keeps a row in
 * doubt, and proves nothing.
 */
import { type CurrencyCode, decimalsOf } from '../money/currency.ts';
import { isWithinPercent, percentOf, roundedMoney } from '../money/decimal.ts';
import { formatDecimal, type Money } from '../money/money.ts';
import { withoutTrailingZeros } from './amount-cell.ts';
import { ACCOUNT_END, isAccountOf, type StatementEntry } from './entry.ts';
import { outOfCapitals, type StatementLine } from './line.ts';

export function plainAmount(money: Money): string {
  return withoutTrailingZeros(formatDecimal(money));
}

/** `debit`: with the fee. `principal`: the fee is not in it. */
export type Figure = 'amount' | 'debit' | 'principal';

/** Which figure of the payment the line shows exactly; undefined: none. The currency has to agree where it is written. */
export function figureOf(entry: StatementEntry, line: StatementLine): Figure | undefined {
  const { amount, debit, principal, quoted } = entry;
  if (moneyIn(line, amount.currency).some(({ minor }) => minor === amount.minor)) return 'amount';
  if (debit === undefined) return undefined;
  const shown = moneyIn(line, debit.currency);
  const isBetween = (one: Money | undefined, other = one) =>
    one !== undefined &&
    other !== undefined &&
    shown.some(({ minor }) => (minor - one.minor) * (minor - other.minor) <= 0n);
  if (isBetween(debit, quoted?.debit)) return 'debit';
  return isBetween(principal, quoted?.principal) ? 'principal' : undefined;
}

export function amountFits(entry: StatementEntry, line: StatementLine): boolean {
  return figureOf(entry, line) !== undefined;
}

/** What the line shows, if it may be in the currency and has no more decimals than it. */
export function moneyIn(line: StatementLine, currency: CurrencyCode): readonly Money[] {
  if (line.currency !== undefined && line.currency !== currency) return [];
  return (decimalsOf(currency) === 3 ? allReadings(line) : line.amounts).flatMap((text) => {
    const money = roundedMoney(text, currency);
    return money !== undefined && plainAmount(money) === text ? [money] : [];
  });
}

const HALF_PERCENT = 50;
const FEE_WORD =
  /(?<![\p{L}\d])(fees?|charges?|chrgs?|chg|comm|commissions?|levy|vat|tax|duty|cot|frais|agios?|taxes?|tva|comiss(?:ão|ao|ões|oes)|taxas?|imposto|encargos?|iva|geb(?:ü|ue)hr(?:en)?|entgelte?|provision)(?![\p{L}\d])/iu;
const TAG_HEAD = /(?<![0-9A-Z])PF[-\s]?[0-9A-Z]/i;

/**
 * Whether the line is a charge for the payment: at most `feePercentMax` of it, or at most half if the bank's words speak of
 * a fee. Words behind a tag are the payment's own note. The share counts in whichever currency the line may be.
 */
export function isCharge(entry: StatementEntry, line: StatementLine, feePercentMax: number): boolean {
  const { amount, debit } = entry;
  const { currency } = line;
  const readings = allReadings(line);
  if (readings.length === 0 || (currency === undefined && debit === undefined)) return false;
  if (amountFits(entry, line)) return false;
  const mayBe = [amount, debit].filter(
    (money) => money !== undefined && (currency === undefined || currency === money.currency),
  );
  const isNamed = speaksOfFee(line);
  const percentMax = isNamed ? Math.max(HALF_PERCENT, feePercentMax) : feePercentMax;
  return (
    mayBe.length > 0 &&
    mayBe.every((money) => money && readings.every((text) => percentOf(text, money) <= percentMax))
  );
}

/** Words behind a tag are the payment's own note. */
export function speaksOfFee({ narration }: StatementLine): boolean {
  return narration.some((text) => FEE_WORD.test(text.slice(0, tagAt(text))));
}

function tagAt(text: string): number {
  return TAG_HEAD.exec(text)?.index ?? text.length;
}

/** Fees and the rate of the day move a debit; up to this, it may still be this payment. */
const FAR_PERCENT = 10;

export function allReadings({ amounts, otherAmounts }: StatementLine): readonly string[] {
  return otherAmounts.length === 0 ? amounts : [...amounts, ...otherAmounts];
}

/**
 * Why the amount may be this payment's, however it is read: enough to leave a row in doubt, never to rule on it.
 * undefined when it cannot be.
 */
export function mayBeAmount(entry: StatementEntry, line: StatementLine): string | undefined {
  const { amount, debit } = entry;
  const { currency } = line;
  const readings = allReadings(line);
  if (readings.length === 0) return 'shows no amount that can be read';
  if (currency !== undefined && currency !== amount.currency && currency !== debit?.currency)
    return `is in ${currency}, which cannot be compared with ${amount.currency}`;
  const fit = figureOf(entry, { ...line, amounts: readings });
  if (fit === 'amount' || fit === 'debit') return 'shows the same amount';
  const isDebit = debit !== undefined && (currency === undefined || currency === debit.currency);
  if (!isDebit) return undefined;
  if (readings.some((text) => isNear(text, debit, FAR_PERCENT))) return 'shows an amount near its debit';
  return readings.some((text) => isNearWithoutFee(text, entry))
    ? 'shows an amount near its debit without the fee'
    : undefined;
}

/** From the principal to the debit, and as far as the rate of the day moves them: a bank may book a part of the fee. */
function isNearWithoutFee(text: string, { principal, debit }: StatementEntry): boolean {
  if (principal === undefined || debit === undefined) return false;
  return percentOf(text, principal) >= 100 - FAR_PERCENT && percentOf(text, debit) <= 100 + FAR_PERCENT;
}

/** A row in doubt with its amounts as plain numbers, for a first look. */
export interface RoughDoubt {
  readonly entry: StatementEntry;
  readonly amount: number;
  readonly principal: number;
  readonly debit: number;
}

/** A quick look before the exact one: most lines have an amount that is far from the doubt's. */
export function isFarFrom(
  { entry, amount, principal, debit }: RoughDoubt,
  { currency }: StatementLine,
  readings: readonly number[],
): boolean {
  if (readings.length === 0) return false;
  const isDebit = currency === undefined || currency === entry.debit?.currency;
  if (!isDebit && currency !== entry.amount.currency) return false;
  for (const reading of readings) {
    if (reading === amount) return false;
    const isAbove = reading * 100 >= principal * (100 - FAR_PERCENT - 1);
    if (isDebit && isAbove && reading * 100 <= debit * (100 + FAR_PERCENT + 1)) return false;
  }
  return true;
}

/**
 * Whether account and amount both speak against the row. An account that is not shown, and an amount that a fee or the
 * rate of the day may have moved, speak against nothing.
 */
export function isContrary(entry: StatementEntry, line: StatementLine): boolean {
  const { account, currency } = line;
  if (account === undefined || account.text.length < ACCOUNT_END || isAccountOf(entry, account)) return false;
  const { amount } = entry;
  const isNearAmount =
    (currency === undefined || currency === amount.currency) &&
    allReadings(line).some((text) => isNear(text, amount, FAR_PERCENT));
  return !isNearAmount && mayBeAmount(entry, line) === undefined;
}

/** A line with the row's tag and its transfer id belongs to the row, whatever else it shows. */
export function isContraryToTag(entry: StatementEntry, line: StatementLine): boolean {
  const { transferId } = entry;
  if (!isContrary(entry, line)) return false;
  const isIt = (id: string) => id === transferId || outOfCapitals(id) === transferId?.toLowerCase();
  return transferId === undefined || ![...line.ids, ...line.words].some(isIt);
}

/** Whether the line shows the account and the amount of the payment that it names. */
export function isShownWhole(entry: StatementEntry, line: StatementLine): boolean {
  const { account } = line;
  if (account === undefined || account.text.length < ACCOUNT_END) return false;
  return isAccountOf(entry, account) && amountFits(entry, line);
}

function isNear(text: string, money: Money, percent: number): boolean {
  return isWithinPercent(text, formatDecimal(money), percent);
}
