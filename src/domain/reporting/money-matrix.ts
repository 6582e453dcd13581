/**
 * The money of a report in one table: per currency what was asked for, what became of it, and what it cost. Also what of
 * the cost is spent, and what is open because a payment has not ended.
 *
 * Rule:    costs are as quoted, because the service shows no account of what it took.
 * Units:   `minor` counts minor units of the currency beside it.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { formatMoney, type Money } from '../money/money.ts';
import { spentAndOpen } from './accounts-over-days.ts';
import { type ControlTotals, type CostTotal, costsKept, staysTaken } from './control-totals.ts';
import { addSums, type CurrencyTotal, type Sum } from './currency-totals.ts';
import { GROUP_WORDS, type Group } from './status-words.ts';

/** What never left is one part here; rows and checks tell it apart. */
const PARTS = [
  ...(['settled', 'on_its_way', 'in_doubt', 'failed', 'returned'] as const).map((group) => ({
    name: GROUP_WORDS[group].word,
    groups: [group] as readonly Group[],
  })),
  { name: 'Not sent', groups: ['held', 'canceled', 'invalid', 'not_yet_sent'] as readonly Group[] },
] as const;

export const MATRIX_PARTS: readonly string[] = PARTS.map(({ name }) => name);

export interface MatrixLine {
  /** A currency, or `Total`. */
  readonly name: string;
  readonly count: number | undefined;
  readonly requested: Money | undefined;
  /** In the order of MATRIX_PARTS; empty for a total and for a further currency that pays. */
  readonly parts: readonly Money[];
  readonly unaccounted: Money | undefined;
  readonly fees: Money | undefined;
  readonly cost: Money | undefined;
  readonly isTotal: boolean;
}

type Counted = Pick<ControlTotals, 'currencies' | 'costs' | 'earlier' | 'accounts'>;

/** Over days without fees and cost: the accounts have them, and add up from month to month. */
export function moneyMatrix(counted: Counted): readonly MatrixLine[] {
  const totals = counted.accounts === undefined ? counted : { ...counted, costs: [], earlier: [] };
  const lines = totals.currencies.flatMap((total) => linesOf(total, totals));
  const count = totals.currencies.reduce((sum, { requested }) => sum + requested.count, 0);
  return [...lines, ...totalLines(totals, count)];
}

function linesOf(total: CurrencyTotal, totals: Counted): readonly MatrixLine[] {
  const { currency, requested, groups, unaccounted } = total;
  const money = ({ minor }: Sum): Money => ({ minor, currency });
  const first = {
    name: currency,
    count: requested.count,
    requested: money(requested),
    parts: PARTS.map((part) => money(part.groups.map((group) => groups[group]).reduce(addSums))),
    unaccounted: unaccounted.count === 0 ? undefined : money(unaccounted),
    isTotal: false,
  };
  const costs = costsIn(totals, currency);
  if (costs.length === 0) return [{ ...first, fees: undefined, cost: undefined }];
  const further = { ...first, count: undefined, requested: undefined, parts: [], unaccounted: undefined };
  return costs.map((cost, at) => ({ ...(at === 0 ? first : further), ...cost }));
}

function totalLines(totals: Counted, count: number): readonly MatrixLine[] {
  const none = { requested: undefined, parts: [], unaccounted: undefined, isTotal: true };
  return costsIn(totals, undefined).map((cost, at) => ({
    ...none,
    ...cost,
    name: 'Total',
    count: at === 0 ? count : undefined,
  }));
}

/** Per currency that pays; of one currency paid, or of all. */
function costsIn({ costs, earlier }: Counted, paid: CurrencyCode | undefined) {
  const all = [...costs, ...earlier]
    .filter((cost) => paid === undefined || cost.paid === paid)
    .map((cost) => ({ ...cost, keptMinor: costsKept(cost) }));
  return [...new Set(all.map(({ currency }) => currency))].sort().map((currency) => {
    const sum = (key: 'feeMinor' | 'keptMinor'): Money => ({
      minor: all.reduce((minor, cost) => (cost.currency === currency ? minor + cost[key] : minor), 0n),
      currency,
    });
    return { fees: sum('feeMinor'), cost: sum('keptMinor') };
  });
}

/** What of the cost belongs to no row that is shown; empty where no row was paid again. */
export function earlierTexts(totals: Pick<ControlTotals, 'costs' | 'earlier'>): readonly string[] {
  return staysTaken(totals)
    .filter(({ earlierMinor }) => earlierMinor !== 0n)
    .map(({ earlierMinor: minor, currency }) => {
      const sum = formatMoney({ minor, currency });
      return `In the cost: ${sum} for earlier payments of rows that were paid again since.`;
    });
}

/** `GBP 7,421.53 spent, GBP 265.64 open`; what is open was taken or may have been, and has not ended. */
export function moneyHeadline(totals: Pick<ControlTotals, 'costs' | 'earlier' | 'accounts'>): string {
  const { costs, earlier, accounts } = totals;
  const isOpen = ({ group }: CostTotal) => group === 'on_its_way' || group === 'in_doubt';
  // A payment that another one replaced has ended, as far as anybody acts on it.
  const now = {
    open: staysTaken({ costs: costs.filter(isOpen), earlier: [] }),
    spent: staysTaken({ costs: [...costs.filter((cost) => !isOpen(cost)), ...earlier], earlier: [] }),
  };
  const shown = accounts === undefined ? now : spentAndOpen(accounts);
  const [open, spent] = [shown.open.map(formatMoney), shown.spent.map(formatMoney)];
  const parts = [
    spent.length === 0 ? 'Nothing spent' : `${spent.join(' and ')} spent`,
    ...(open.length === 0 ? [] : [`${open.join(' and ')} open`]),
  ];
  return parts.join(', ');
}

/** Against what the sums were compared, because “balanced” alone would say too much. */
export function balanceText({ ties, isMoving }: Pick<ControlTotals, 'ties' | 'isMoving'>): string {
  if (isMoving === true) return 'Not compared';
  return ties ? 'Balanced against payfile’s own count' : 'Differs from payfile’s own count';
}
