/**
 * A payment beside its lines, in the currency of the lines: what the statement shows, what payfile booked, and what
 * explains the difference. No difference is passed over: a fee line explains it, or a figure between the quote and the rate
 * when it was sent. Nothing else does.
 *
 * Units:   `difference` is lines plus charges less what is booked, in minor units.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { percentOf, roundedMoney } from '../money/decimal.ts';
import { formatMoney, type Money } from '../money/money.ts';
import type { BankFigures } from '../reporting/payment-costs.ts';
import { isDoubt, type StatementEntry } from './entry.ts';
import { type Figure, figureOf } from './figures.ts';
import type { Finding } from './findings.ts';
import type { StatementLine } from './line.ts';
import { type LineRoles, type MatchedLine, NO_ROLES } from './matched-line.ts';

export interface RowComparison {
  readonly entry: StatementEntry;
  readonly currency: CurrencyCode;
  /** Payments less what came back. */
  readonly lines: bigint;
  readonly charges: bigint;
  readonly booked: bigint;
  readonly difference: bigint;
  /** Why it is no difference to look at; undefined: nothing explains it. */
  readonly explanation: string | undefined;
  /** The line is the payment without its fee. */
  readonly isFeeApart: boolean;
  /** It has no line, and needs none in this statement. */
  readonly isLater?: boolean;
}

/** undefined for a payment that is not booked and has no line. `currency`: where no line of it says which. */
export function compareRow(
  entry: StatementEntry,
  roles: LineRoles,
  currency: CurrencyCode = entry.amount.currency,
): RowComparison | undefined {
  const { paying, back, charges } = roles;
  const [first] = [...paying, ...back, ...charges];
  const inCurrency =
    first === undefined ? currency : (first.part?.money.currency ?? currencyOf(entry, first.line));
  const figure = paying[0] && shownFigure(entry, paying[0]);
  const booked = bookedIn(entry, inCurrency, figure);
  const sum = (some: readonly MatchedLine[]) =>
    some.reduce((total, each) => total + minorOf(each, inCurrency), 0n);
  // A transfer that failed in one line with its payment moved nothing.
  const cameIn = back.filter(({ line }) => line.direction === 'in');
  const facts = { lines: sum(paying) - sum(cameIn), charges: sum(charges) };
  if (first === undefined && booked === 0n) return undefined;
  const difference = facts.lines + facts.charges - booked;
  const compared = { entry, currency: inCurrency, ...facts, booked, difference };
  const isFeeApart = figure === 'principal' || figure === 'amount';
  return { ...compared, isFeeApart, explanation: explain(compared, roles, figure) };
}

/**
 * What the lines show that the payment took, with its fee, where they explain the difference to what is booked. A fee line
 * stands for the fee, or is one more. undefined: what is booked stands, also by an earlier statement.
 */
export function bankFigures(compared: RowComparison): Omit<BankFigures, 'at'> | undefined {
  const { entry, currency, lines, charges, explanation, isFeeApart } = compared;
  const { status, debit, booked } = entry;
  const isPaid = lines > 0n && (status === 'settled' || status === 'accepted');
  if (!isPaid || explanation === undefined || debit?.currency !== currency || booked === undefined)
    return undefined;
  const unseen = isFeeApart && charges === 0n ? booked.fee : 0n;
  const feeMinor = unseen + charges + (isFeeApart ? 0n : booked.agreedFee);
  const minor = lines + charges + unseen;
  const isKnown = minor === booked.whole && feeMinor === booked.fee;
  return isKnown ? undefined : { whole: { minor, currency }, feeMinor };
}

function shownFigure(entry: StatementEntry, { line, part }: MatchedLine): Figure | undefined {
  return part?.figure ?? figureOf(entry, line);
}

function explain(
  { entry, charges, difference }: Pick<RowComparison, 'entry' | 'charges' | 'difference'>,
  { paying, back }: LineRoles,
  figure: Figure | undefined,
): string | undefined {
  const [only, second] = paying;
  if (only === undefined || second !== undefined || back.length > 0)
    return difference === 0n ? '' : undefined;
  if (entry.status !== 'settled' && entry.status !== 'accepted') return undefined;
  if (figure === 'amount') return charges === 0n ? '' : 'the charges';
  if (figure === 'debit') {
    if (difference === 0n) return '';
    return difference === charges ? 'the charges' : 'the rate moved between the quote and the sending';
  }
  if (figure !== 'principal') return undefined;
  return charges > 0n ? (difference === 0n ? '' : 'the fee in a line of its own') : undefined;
}

/** The currency that the line is in; if it names none, the one in which it is nearer to the payment. */
function currencyOf({ amount, debit }: StatementEntry, line: StatementLine): CurrencyCode {
  if (line.currency !== undefined) return line.currency;
  const [text = ''] = line.amounts;
  const awayFrom = (money: Money) => Math.abs(percentOf(text, money) - 100);
  return debit !== undefined && awayFrom(debit) < awayFrom(amount) ? debit.currency : amount.currency;
}

/** The fee is not booked with the amount that was asked for: it has a line of its own. */
function bookedIn(
  { status, amount, debit, principal, booked }: StatementEntry,
  currency: CurrencyCode,
  figure: Figure | undefined,
) {
  const isAmount = currency === amount.currency && (figure === 'amount' || currency !== debit?.currency);
  if (status === 'settled' || status === 'accepted') {
    if (isAmount) return amount.minor;
    return currency === debit?.currency ? (booked?.whole ?? debit.minor) : 0n;
  }
  // The service keeps the fee of a payment that came back.
  const isKept = status === 'returned' && !isAmount && currency === debit?.currency;
  return isKept && debit && principal ? debit.minor - principal.minor : 0n;
}

/** A line for several payments counts with what it shows of this one. */
function minorOf({ line, part }: MatchedLine, currency: CurrencyCode): bigint {
  if (part !== undefined) return part.money.currency === currency ? part.money.minor : 0n;
  const [text] = line.amounts;
  const isIn = line.currency === undefined || line.currency === currency;
  return (isIn && text !== undefined ? roundedMoney(text, currency)?.minor : undefined) ?? 0n;
}

/** `GBP 1.02 more than booked (GBP 78.44)`. */
export function differenceText({ currency, difference, booked }: RowComparison): string {
  const size = formatMoney({ minor: difference < 0n ? -difference : difference, currency });
  return `${size} ${difference < 0n ? 'less' : 'more'} than booked (${formatMoney({ minor: booked, currency })})`;
}

export interface CurrencyComparison extends Pick<RowComparison, 'currency' | 'lines' | 'charges' | 'booked'> {
  readonly difference: bigint;
  /** The part of it that nothing explains. */
  readonly open: bigint;
  /** The part of it that needs no line in this statement: it was paid later, or is on its way. */
  readonly later: bigint;
  readonly rows: readonly RowComparison[];
}

/**
 * Every booked payment and every line of one, by the currency of the lines. A payment without a line stands in the currency
 * in which others are shown. A line counts once, with the first of its payments.
 */
export function compareByCurrency(findings: readonly Finding[]): readonly CurrencyComparison[] {
  const counted = new Set<number>();
  const ofRow = ({ entry, roles, whyAbsent }: Finding, currency?: CurrencyCode) => {
    const row = entry && compareRow(entry, onceOf(roles ?? NO_ROLES, counted), currency);
    return row && whyAbsent !== undefined ? { ...row, explanation: whyAbsent, isLater: true } : row;
  };
  const hasLine = ({ roles = NO_ROLES }: Finding) =>
    roles.paying.length + roles.back.length + roles.charges.length > 0;
  const shown = findings.filter(hasLine).map((finding) => ofRow(finding));
  const currencies = new Set(shown.map((row) => row?.currency));
  const missing = findings
    .filter((finding) => !hasLine(finding) && finding.kind !== 'other_currency')
    .map((finding) => ofRow(finding, shownCurrency(finding, currencies)));
  const rows = [...shown, ...missing].filter((row) => row !== undefined);
  const places = new Map(findings.map(({ entry }, at) => [entry?.payoutId, at]));
  const placeOf = ({ entry }: RowComparison) => places.get(entry.payoutId) ?? 0;
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, group]) => {
    const sum = (of: (row: RowComparison) => bigint) => group.reduce((total, row) => total + of(row), 0n);
    return {
      currency,
      lines: sum((row) => row.lines),
      charges: sum((row) => row.charges),
      booked: sum((row) => row.booked),
      difference: sum((row) => row.difference),
      open: sum((row) => (row.explanation === undefined ? row.difference : 0n)),
      later: sum((row) => (row.isLater === true ? row.difference : 0n)),
      rows: group.toSorted((one, other) => placeOf(one) - placeOf(other)),
    };
  });
}

function onceOf({ paying, back, charges }: LineRoles, counted: Set<number>): LineRoles {
  const once = (lines: readonly MatchedLine[]) =>
    lines.filter(({ line, part }) => {
      if (part !== undefined) return true;
      const isNew = !counted.has(line.rowNumber);
      counted.add(line.rowNumber);
      return isNew;
    });
  return { paying: once(paying), back: once(back), charges: once(charges) };
}

function shownCurrency({ entry }: Finding, currencies: ReadonlySet<CurrencyCode | undefined>) {
  const { debit } = entry ?? {};
  return debit !== undefined && currencies.has(debit.currency) ? debit.currency : entry?.amount.currency;
}

/** Whether the lines of a payment that the service made leave a difference that nothing explains. */
export function isDifferent(entry: StatementEntry, roles: LineRoles): boolean {
  return !isDoubt(entry) && compareRow(entry, roles)?.explanation === undefined;
}
