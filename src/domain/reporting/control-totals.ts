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
import { type Payout, pricingIn, STATUSES, type Status } from '../payouts/payout.ts';
import { rowsText } from '../text/printable.ts';
import type { Timestamp } from '../timestamp.ts';
import {
  addSums,
  CurrencyCounter,
  type CurrencyTotal,
  groupedTotals,
  type LedgerTotal,
  type Sum,
  unequalSum,
} from './currency-totals.ts';
import type { AccountMovement } from './journal-accounts.ts';
import { addAlarms } from './marks.ts';
import { bookedBack, costsOf } from './payment-costs.ts';
import type { ReportLine } from './report-line.ts';
import { BOOKED_GROUPS, GROUP_OF, GROUPS, type Group, STATUS_WORDS } from './status-words.ts';
import { type Mutable, Tallies } from './tallies.ts';

/** What was or may have been taken from the account that pays, per source currency. */
export interface CostTotal {
  readonly currency: CurrencyCode;
  /** In which the payees were paid. */
  readonly paid: CurrencyCode;
  readonly group: (typeof BOOKED_GROUPS)[number];
  readonly count: number;
  readonly feeMinor: bigint;
  readonly debitMinor: bigint;
  /** What came back of the debits. */
  readonly backMinor: bigint;
  /** Of the debits, those sent in the days of the report; outside a report over days, all. */
  readonly daysMinor: bigint;
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
  /** Of payments of rows that were paid again since: no line shows them, and what did not come back stays taken. */
  readonly earlier: readonly CostTotal[];
  /** When the first and the last payment of the lines was sent. */
  readonly sent?: { readonly first: Timestamp; readonly last: Timestamp } | undefined;
  readonly ties: boolean;
  /** They were read while the batch moved, so they could not be compared; `ties` is false, and nothing is wrong with it. */
  readonly isMoving?: boolean | undefined;
  /** In a report over days: what was booked in them. The sums of its lines say nothing of that. */
  readonly accounts?: readonly AccountMovement[] | undefined;
  /** One sentence per difference; empty when they tie. */
  readonly parts: readonly string[];
}

type CostSums = Tallies<Mutable<CostTotal>>;
type Costly = Pick<ReportLine, 'status' | 'amount' | 'fee' | 'debit' | 'backMinor' | 'isOfDays'>;

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
  readonly #costs: CostSums = new Tallies();
  readonly #earlier: CostSums = new Tallies();

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
    addCosts(this.#costs, line);
  }

  addEarlier(payout: Payout): void {
    const { instruction, state } = payout;
    const costs = costsOf(instruction?.amount, pricingIn(state));
    const about = { status: state.status, amount: instruction?.amount, backMinor: bookedBack(payout) };
    addCosts(this.#earlier, { ...about, ...costs, isOfDays: false });
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
      costs: this.#costs.all(),
      earlier: this.#earlier.all(),
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

  #unreadableTotals(): readonly LedgerTotal[] {
    return STATUSES.flatMap((status) => {
      const count = this.#unreadable.get(status);
      return count === undefined ? [] : [{ status, currency: undefined, count, minor: 0n }];
    });
  }
}

function addCosts(sums: CostSums, { status, amount, fee, debit, backMinor, isOfDays }: Costly): void {
  const group = GROUP_OF[status];
  if (debit === undefined || amount === undefined || !isCost(group)) return;
  const [{ currency }, { currency: paid }] = [debit, amount];
  const none = { count: 0, feeMinor: 0n, debitMinor: 0n, backMinor: 0n, daysMinor: 0n };
  const key = `${currency} ${paid} ${BOOKED_GROUPS.indexOf(group)}`;
  const cost = sums.of(key, () => ({ currency, paid, group, ...none }));
  cost.count += 1;
  cost.feeMinor += fee?.minor ?? 0n;
  cost.debitMinor += debit.minor;
  cost.backMinor += backMinor;
  if (isOfDays !== false) cost.daysMinor += debit.minor;
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

/** What stays taken from the account that pays, as quoted; of it, what payments took whose rows were paid again since. */
export interface TakenTotal {
  readonly currency: CurrencyCode;
  readonly minor: bigint;
  readonly feeMinor: bigint;
  readonly earlierMinor: bigint;
}

/** By currency. */
export function staysTaken({
  costs,
  earlier,
}: Pick<ControlTotals, 'costs' | 'earlier'>): readonly TakenTotal[] {
  const sums = new Tallies<Mutable<TakenTotal>>();
  for (const cost of [...costs, ...earlier]) {
    const { currency } = cost;
    const sum = sums.of(currency, () => ({ currency, minor: 0n, feeMinor: 0n, earlierMinor: 0n }));
    sum.minor += costsKept(cost);
    sum.feeMinor += cost.feeMinor;
    if (earlier.includes(cost)) sum.earlierMinor += costsKept(cost);
  }
  return sums.all();
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
  return (BOOKED_GROUPS as readonly Group[]).includes(group);
}

interface Compared extends Pick<LedgerTotal, 'status' | 'currency'> {
  ledger: Sum;
  report: Sum;
}

/** Invalid rows are compared by number alone: the ledger keeps no money of theirs. */
function differences(ledger: readonly LedgerTotal[], report: readonly LedgerTotal[]): readonly string[] {
  const tallies = new Tallies<Compared>();
  const none: Sum = { count: 0, minor: 0n };
  for (const [side, totals] of Object.entries({ ledger, report }) as ['ledger' | 'report', typeof ledger][])
    for (const { status, count, ...money } of totals) {
      const [currency, minor] = status === 'invalid' ? [undefined, 0n] : [money.currency, money.minor];
      const key = `${currency ?? ''} ${status}`;
      const sums = tallies.of(key, () => ({ status, currency, ledger: none, report: none }));
      sums[side] = addSums(sums[side], { count, minor });
    }
  return tallies.all().flatMap(({ status, currency, ...sums }) => {
    const gap = sumDifference(sums.ledger, sums.report);
    if (gap.count === 0 && gap.minor === 0n) return [];
    const [held, written] = [sums.ledger, sums.report].map((sum) => sumText(sum, currency));
    const what = `${STATUS_WORDS[status].word}${currency === undefined ? '' : ` in ${currency}`}`;
    return [`${what}: the ledger has ${held}, the report ${written}.`];
  });
}

function sumText(sum: Sum, currency: CurrencyCode | undefined): string {
  const rows = rowsText(sum.count);
  return currency === undefined ? rows : `${rows}, ${formatMoney({ minor: sum.minor, currency })}`;
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
