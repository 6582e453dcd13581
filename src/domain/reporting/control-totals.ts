/**
 * Control totals: proof that no row was lost between the ledger and a report. Lines are counted as they are
 * written and compared with what the ledger itself counts; where they differ, a sentence says where.
 *
 * Units:   `minor` counts minor units of the currency beside it.
 * Rule:    rows in = lines out; per currency, requested = the sum of the nine groups and of what is not accounted for.
 *          The groups count the amounts that the service shows. The difference from the amounts asked is not accounted for.
 */
import { type AlarmCounts, NO_ALARMS, type StatusCounts } from '../batches/batch.ts';
import type { CurrencyCode } from '../money/currency.ts';
import { formatDecimal, formatMoney } from '../money/money.ts';
import { type Payout, STATUSES, type Status } from '../payouts/payout.ts';
import { rowsText } from '../text/printable.ts';
import type { Timestamp } from '../timestamp.ts';
import {
  CurrencyCounter,
  type CurrencyTotal,
  groupedTotals,
  type LedgerTotal,
  type Sum,
  unequalSum,
} from './currency-totals.ts';
import { addAlarms } from './marks.ts';
import { bookedBack, costsOf } from './payment-costs.ts';
import type { ReportLine } from './report-line.ts';
import { GROUP_OF, GROUPS, type Group, STATUS_WORDS } from './status-words.ts';

/** What was or may have been taken from the account that pays, per source currency. */
export interface CostTotal {
  readonly currency: CurrencyCode;
  /** In which the payees were paid. */
  readonly paid: CurrencyCode;
  readonly group: 'settled' | 'on_its_way' | 'in_doubt' | 'returned';
  readonly count: number;
  readonly feeMinor: bigint;
  readonly debitMinor: bigint;
  /** What came back of the debits. */
  readonly backMinor: bigint;
  /** Of these, sent in the days of the report; outside a report over days, all. */
  readonly daysCount: number;
  readonly daysMinor: bigint;
}

/** Payments of rows that were paid again since: no line shows them, and what did not come back stays taken. */
export interface EarlierTotal {
  readonly currency: CurrencyCode;
  readonly paid: CurrencyCode;
  readonly count: number;
  readonly feeMinor: bigint;
  readonly debitMinor: bigint;
  readonly keptMinor: bigint;
}

export interface ControlTotals extends AlarmCounts {
  readonly rowsIn: number;
  readonly linesOut: number;
  readonly counts: StatusCounts;
  /** Invalid rows whose amount or currency cannot be read for certain: counted as rows, not as money. */
  readonly amountUnreadable: number;
  /** By currency code. */
  readonly currencies: readonly CurrencyTotal[];
  /** What the lines say, per status and currency; the order of STATUSES within a currency. Amounts as the service shows them. */
  readonly byStatus: readonly LedgerTotal[];
  /** The same with the amounts that were asked for, as the ledger counts them. */
  readonly asked: readonly LedgerTotal[];
  /** What the ledger says. */
  readonly ledger: readonly LedgerTotal[];
  readonly costs: readonly CostTotal[];
  readonly earlier: readonly EarlierTotal[];
  /** When the first and the last payment of the lines was sent. */
  readonly sent?: { readonly first: Timestamp; readonly last: Timestamp } | undefined;
  readonly ties: boolean;
  /** They were read while the batch moved, so they could not be compared; `ties` is false, and nothing is wrong with it. */
  readonly isMoving?: boolean | undefined;
  /** One sentence per difference; empty when they tie. */
  readonly parts: readonly string[];
}

type About = 'currency' | 'paid' | 'group';
type CostTally = { -readonly [Key in Exclude<keyof CostTotal, About>]: CostTotal[Key] };

/** Counts line after line in flat memory. */
export class LineCounter {
  #lines = 0;
  readonly #alarms = { ...NO_ALARMS };
  #sent: ControlTotals['sent'];
  #lastPosition = Number.NEGATIVE_INFINITY;
  readonly #disorder: string[] = [];
  readonly #counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  readonly #currencies = new CurrencyCounter();
  readonly #unreadable = new Map<Status, number>();
  readonly #costs = new Map<string, CostTally & Pick<CostTotal, About>>();
  readonly #earlier = new Map<string, { -readonly [Key in keyof EarlierTotal]: EarlierTotal[Key] }>();

  add(line: ReportLine): void {
    this.#lines += 1;
    this.#counts[line.status] += 1;
    if (line.incident) this.#alarms.incidents += 1;
    addAlarms(this.#alarms, line);
    this.#addSentAt(line);
    if (line.position <= this.#lastPosition && this.#disorder.length < 10) {
      this.#disorder.push(`Row ${line.row} was given twice or out of the file's order.`);
    }
    this.#lastPosition = line.position;
    if (line.amount === undefined) {
      this.#unreadable.set(line.status, (this.#unreadable.get(line.status) ?? 0) + 1);
    } else {
      this.#currencies.add(line.status, line.amount, line.moved);
    }
    this.#addCosts(line);
  }

  addEarlier(payout: Payout): void {
    const { instruction, state } = payout;
    const group = GROUP_OF[state.status];
    const { fee, debit } = costsOf(instruction?.amount, 'pricing' in state ? state.pricing : undefined);
    if (debit === undefined || instruction === undefined || !isCost(group)) return;
    const { currency } = debit;
    const paid = instruction.amount.currency;
    const key = `${currency} ${paid}`;
    const none = { currency, paid, count: 0, feeMinor: 0n, debitMinor: 0n, keptMinor: 0n };
    const sum = this.#earlier.get(key) ?? none;
    const [feeMinor, debitMinor] = [fee?.minor ?? 0n, debit.minor];
    sum.count += 1;
    sum.feeMinor += feeMinor;
    sum.debitMinor += debitMinor;
    sum.keptMinor += costsKept({ debitMinor, backMinor: bookedBack(payout) });
    this.#earlier.set(key, sum);
  }

  get lines(): number {
    return this.#lines;
  }

  /** Compares with what the ledger counts by itself. */
  result(ledger: readonly LedgerTotal[]): ControlTotals {
    const rowsIn = ledger.reduce((sum, total) => sum + total.count, 0);
    const unreadable = this.#unreadableTotals();
    const currencies = this.#currencies.totals();
    const asked = [...this.#currencies.asked(), ...unreadable];
    const parts = [
      ...(rowsIn === this.#lines
        ? []
        : [`The ledger has ${rowsText(rowsIn)}, the report ${rowsText(this.#lines)}.`]),
      ...this.#disorder,
      ...currencies.flatMap(unequalSum),
      ...differences(ledger, asked),
    ];
    return {
      rowsIn,
      linesOut: this.#lines,
      counts: { ...this.#counts },
      ...this.#alarms,
      amountUnreadable: [...this.#unreadable.values()].reduce((sum, count) => sum + count, 0),
      currencies,
      byStatus: [...this.#currencies.shown(), ...unreadable],
      asked,
      ledger,
      costs: [...this.#costs].sort(byKey).map(([, cost]) => ({ ...cost })),
      earlier: [...this.#earlier].sort(byKey).map(([, sum]) => ({ ...sum })),
      sent: this.#sent,
      ties: parts.length === 0,
      parts,
    };
  }

  #addSentAt({ sentAt }: ReportLine): void {
    if (sentAt === undefined) return;
    const { first = sentAt, last = sentAt } = this.#sent ?? {};
    this.#sent = { first: sentAt < first ? sentAt : first, last: sentAt > last ? sentAt : last };
  }

  #addCosts(line: ReportLine): void {
    const group = GROUP_OF[line.status];
    if (line.debit === undefined || line.amount === undefined || !isCost(group)) return;
    const { currency } = line.debit;
    const paid = line.amount.currency;
    const key = `${currency} ${paid} ${GROUPS.indexOf(group)}`;
    const none = { count: 0, feeMinor: 0n, debitMinor: 0n, backMinor: 0n, daysCount: 0, daysMinor: 0n };
    const cost = this.#costs.get(key) ?? { currency, paid, group, ...none };
    cost.count += 1;
    cost.feeMinor += line.fee?.minor ?? 0n;
    cost.debitMinor += line.debit.minor;
    cost.backMinor += line.backMinor;
    this.#costs.set(key, cost);
    if (line.isOfDays === false) return;
    cost.daysCount += 1;
    cost.daysMinor += line.debit.minor;
  }

  #unreadableTotals(): readonly LedgerTotal[] {
    return STATUSES.flatMap((status) => {
      const count = this.#unreadable.get(status);
      return count === undefined ? [] : [{ status, currency: undefined, count, minor: 0n }];
    });
  }
}

const WHEN_AT_REST =
  'If a command was working on the batch at that time, make the report again when it has ended.';

/** Adds these differences between ledger and report. */
export function withParts(totals: ControlTotals, parts: readonly string[]): ControlTotals {
  if (parts.length === 0) return totals;
  return { ...totals, ties: false, parts: [...totals.parts, ...parts, WHEN_AT_REST] };
}

/** What stays paid. The service keeps the fee of a payment that came back. */
export function costsKept({ debitMinor, backMinor }: Pick<CostTotal, 'debitMinor' | 'backMinor'>): bigint {
  return debitMinor - backMinor;
}

/** What stays taken from the account that pays, as quoted. */
export interface TakenTotal {
  readonly currency: CurrencyCode;
  readonly minor: bigint;
  readonly feeMinor: bigint;
  /** Of it, what payments took whose rows were paid again since. */
  readonly earlierMinor: bigint;
}

/** By currency. */
export function staysTaken({
  costs,
  earlier,
}: Pick<ControlTotals, 'costs' | 'earlier'>): readonly TakenTotal[] {
  const found = [...costs, ...earlier].map(({ currency }) => currency);
  return [...new Set(found)].sort().map((currency) => {
    const mine = costs.filter((cost) => cost.currency === currency);
    const before = earlier.filter((sum) => sum.currency === currency);
    const earlierMinor = before.reduce((sum, { keptMinor }) => sum + keptMinor, 0n);
    return {
      currency,
      minor: mine.reduce((sum, cost) => sum + costsKept(cost), earlierMinor),
      feeMinor: [...mine, ...before].reduce((sum, cost) => sum + cost.feeMinor, 0n),
      earlierMinor,
    };
  });
}

/** For programs. Rows without a currency have no amount. */
export function totalsJson(totals: ControlTotals) {
  return totals.byStatus.map(({ status, currency, count, minor }) => ({
    currency: currency ?? null,
    status,
    count,
    amount: currency === undefined ? null : formatDecimal({ minor, currency }),
    minorUnits: currency === undefined ? null : minor.toString(),
  }));
}

/** The same as decimals, for programs; `ofEarlier`: by payments of rows that were paid again since. */
export function takenJson(totals: ControlTotals) {
  return staysTaken(totals).map(({ currency, minor, feeMinor, earlierMinor }) => {
    const text = (each: bigint) => formatDecimal({ minor: each, currency });
    return { currency, amount: text(minor), fees: text(feeMinor), ofEarlier: text(earlierMinor) };
  });
}

/** Rows that are in no sum of money; undefined where every amount can be read. */
export function unreadableText({ amountUnreadable: count }: ControlTotals): string | undefined {
  if (count === 0) return undefined;
  return `${rowsText(count)} invalid with an amount that cannot be read for certain: counted as rows, in no sum of money.`;
}

function isCost(group: Group): group is CostTotal['group'] {
  return ['settled', 'on_its_way', 'in_doubt', 'returned'].includes(group);
}

/** Invalid rows are compared by number alone: the ledger keeps no money of theirs. */
function differences(ledger: readonly LedgerTotal[], lines: readonly LedgerTotal[]): readonly string[] {
  const wanted = sumsByKey(ledger);
  const written = sumsByKey(lines);
  return [...new Set([...wanted.keys(), ...written.keys()])].sort().flatMap((key) => {
    const left = wanted.get(key);
    const right = written.get(key);
    if (left?.count === right?.count && left?.minor === right?.minor) return [];
    const { status, currency } = left ?? right ?? { status: 'invalid' as const, currency: undefined };
    const texts = [left, right].map((sum) => sumText(sum ?? { count: 0, minor: 0n }, currency));
    const what = `${STATUS_WORDS[status].word}${currency === undefined ? '' : ` in ${currency}`}`;
    return [`${what}: the ledger has ${texts[0]}, the report ${texts[1]}.`];
  });
}

function sumsByKey(totals: readonly LedgerTotal[]): ReadonlyMap<string, LedgerTotal> {
  const sums = new Map<string, LedgerTotal>();
  for (const total of totals) {
    if (total.count === 0) continue;
    const { status } = total;
    const [currency, minor] = status === 'invalid' ? [undefined, 0n] : [total.currency, total.minor];
    const key = `${currency ?? ''} ${status}`;
    const sum = sums.get(key);
    const count = total.count + (sum?.count ?? 0);
    sums.set(key, { status, currency, count, minor: minor + (sum?.minor ?? 0n) });
  }
  return sums;
}

function sumText(sum: Sum, currency: CurrencyCode | undefined): string {
  const rows = rowsText(sum.count);
  return currency === undefined ? rows : `${rows}, ${formatMoney({ minor: sum.minor, currency })}`;
}

function byKey(left: readonly [string, unknown], right: readonly [string, unknown]): number {
  return left[0] < right[0] ? -1 : 1;
}

/** One group in one currency, counted twice. */
export interface GroupCheck {
  readonly group: Group;
  readonly currency: CurrencyCode;
  readonly ledger: Sum;
  readonly report: Sum;
}

/** By currency. Invalid rows are left out: the ledger keeps no money of theirs, so only their number is compared. */
export function groupChecks({ ledger, asked }: ControlTotals): readonly GroupCheck[] {
  const found = [...ledger, ...asked].flatMap(({ currency }) => (currency === undefined ? [] : [currency]));
  return [...new Set(found)].sort().flatMap((currency) =>
    GROUPS.filter((group) => group !== 'invalid')
      .map((group) => ({
        group,
        currency,
        ledger: groupedTotals(ledger, currency, group),
        report: groupedTotals(asked, currency, group),
      }))
      .filter((check) => check.ledger.count > 0 || check.report.count > 0),
  );
}

/** By how much the report has more than the ledger. */
export function sumDifference(ledger: Sum, report: Sum): Sum {
  return { count: report.count - ledger.count, minor: report.minor - ledger.minor };
}

/** The answer of a check: `ties`, `differs by 2 rows`, `differs by GHS -0.01`. Numbers of payments come first. */
export function verdictOf({ count, minor }: Sum, currency: CurrencyCode, counted = 'payments'): string {
  if (count !== 0) return `differs by ${count} ${counted}`;
  return minor === 0n ? 'ties' : `differs by ${formatMoney({ minor, currency })}`;
}
