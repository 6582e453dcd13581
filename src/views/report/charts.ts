/**
 * The charts, filled line by line in flat memory, each with the table of its numbers: how the money of each currency
 * stands, how long payments took to settle, what share of the debit the fees take, and what was paid over time. A
 * chart that would be one bar, or one step, compares nothing and is left out.
 */

import type { CurrencyCode } from '../../domain/money/currency.ts';
import type { ControlTotals } from '../../domain/reporting/control-totals.ts';
import { addSums, type CurrencyTotal, type Sum } from '../../domain/reporting/currency-totals.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import {
  BOOKED_GROUPS,
  GROUP_OF,
  GROUP_WORDS,
  type Group,
  type StatusWord,
} from '../../domain/reporting/status-words.ts';
import { countText } from '../../domain/text/printable.ts';
import { type Html, html, moneyText, NOTHING, paymentsText, section } from '../html.ts';
import { type Column, plainTable, stackedTable } from '../table.ts';
import { PaidOverTime } from './paid-chart.ts';
import { bars, drawing, figure, tenth, WIDTH } from './svg-bars.ts';

export class Charts {
  readonly #paid = new PaidOverTime();
  readonly #times = new SettleTimes();
  readonly #fees = new CorridorFees();

  add(line: ReportLine): void {
    this.#paid.add(line);
    this.#times.add(line);
    this.#fees.add(line);
  }

  section(totals: ControlTotals): Html {
    const charts = [statusChart(totals), this.#times.chart(), this.#fees.chart(), this.#paid.chart(totals)];
    const drawn = charts.filter(({ text }) => text !== '');
    if (drawn.length === 0) return NOTHING;
    return section('charts', 'Charts', html`<div class="charts">\n${drawn}</div>\n`);
  }
}

/** What is drawn as one part of a bar. Everything that was not sent is one part; the table tells them apart. */
interface Part {
  readonly name: string;
  readonly symbol: StatusWord['symbol'];
  readonly tone: StatusWord['tone'];
  readonly groups: readonly Group[];
}

const PARTS: readonly Part[] = [
  { ...named('settled'), tone: 'good', groups: ['settled'] },
  { ...named('on_its_way'), tone: 'moving', groups: ['on_its_way'] },
  { ...named('in_doubt'), tone: 'doubt', groups: ['in_doubt'] },
  { ...named('failed'), tone: 'bad', groups: ['failed'] },
  { ...named('returned'), tone: 'returned', groups: ['returned'] },
  { name: 'Not sent', symbol: '–', tone: 'quiet', groups: ['held', 'canceled', 'invalid', 'not_yet_sent'] },
];

function named(group: Group): Pick<Part, 'name' | 'symbol'> {
  const { word, symbol } = GROUP_WORDS[group];
  return { name: word, symbol };
}

export const SHARE_COLUMNS: readonly Column<CurrencyTotal>[] = [
  { header: 'Currency', shown: ({ currency }) => currency },
  ...PARTS.map(
    (part): Column<CurrencyTotal> => ({
      header: part.name,
      kind: 'count',
      shown: (total) => countText(sumOf(total, part).count),
      isEmpty: (total) => sumOf(total, part).count === 0,
    }),
  ),
];

function sumOf({ groups }: CurrencyTotal, part: Part): Sum {
  return part.groups.map((group) => groups[group]).reduce(addSums);
}

const STEP = 30;
const LEFT = 40;
const SYMBOL_NEEDS = 14;

export function statusChart({ currencies }: Pick<ControlTotals, 'currencies'>): Html {
  if (currencies.every((total) => shares(total).length < 2)) return NOTHING;
  const title = 'Status by currency';
  const description = currencies.map((total) => `${total.currency}: ${shares(total).map(spoken).join(', ')}`);
  const drawn = currencies.map(currencyBar);
  const picture = {
    id: 'chart-status',
    title,
    description: `Share of the amount. ${description.join('. ')}.`,
  };
  const legend = PARTS.filter((part) => currencies.some((total) => shareOf(total, part) > 0)).map(
    ({ name, symbol, tone }) => html`<li class="${tone}"><span>${symbol}</span> ${name}</li>`,
  );
  const caption = 'Payments by status and currency';
  const table = stackedTable('shares', { caption, columns: SHARE_COLUMNS, groups: [currencies] });
  const shown = [
    drawing(picture, currencies.length * STEP, drawn),
    html`<ul class="legend">${legend}</ul>\n`,
  ];
  return figure(title, shown, table);
}

/** In thousandths of what was requested; counted where all amounts are nothing. */
function shareOf(total: CurrencyTotal, part: Part): number {
  const { requested } = total;
  const { count, minor } = sumOf(total, part);
  // More may have gone out than was asked.
  const shown = PARTS.reduce((sum, each) => sum + sumOf(total, each).minor, 0n);
  const whole = shown > requested.minor ? shown : requested.minor;
  if (whole > 0n) return Number((minor * 100_000n) / whole) / 100;
  return requested.count === 0 ? 0 : (count / requested.count) * 1000;
}

function shares(total: CurrencyTotal): readonly (readonly [Part, number])[] {
  return PARTS.map((part) => [part, shareOf(total, part)] as const).filter(([, share]) => share > 0);
}

function spoken([{ name }, share]: readonly [Part, number]): string {
  return `${name} ${share >= 10 ? Math.round(share / 10) : '< 1'} %`;
}

function currencyBar(total: CurrencyTotal, at: number): Html {
  const top = at * STEP;
  const room = WIDTH - LEFT;
  let from = LEFT;
  const parts = shares(total).map(([{ symbol, tone }, share]) => {
    const width = Math.max((share / 1000) * room - 1, 1);
    const start = from;
    from += (share / 1000) * room;
    const mark =
      width < SYMBOL_NEEDS
        ? NOTHING
        : html`<text class="on" x="${tenth(start + width / 2)}" y="${top + 18}" text-anchor="middle">${symbol}</text>`;
    return html`<rect class="${tone}" x="${tenth(start)}" y="${top + 3}" width="${tenth(width)}" height="22"/>${mark}`;
  });
  return html`<text x="0" y="${top + 18}">${total.currency}</text>${parts}\n`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Below so many seconds. */
const SPANS: readonly (readonly [number, string])[] = [
  [10, 'under 10 s'],
  [30, '10 s to 30 s'],
  [MINUTE, '30 s to 1 min'],
  [5 * MINUTE, '1 to 5 min'],
  [15 * MINUTE, '5 to 15 min'],
  [HOUR, '15 min to 1 h'],
  [4 * HOUR, '1 to 4 h'],
  [DAY, '4 h to 1 day'],
  [3 * DAY, '1 to 3 days'],
  [Number.POSITIVE_INFINITY, 'over 3 days'],
];

const TIME_COLUMNS: readonly Column<{ readonly name: string; readonly count: number }>[] = [
  { header: 'From sent to settled', shown: ({ name }) => name },
  { header: 'Payments', kind: 'count', shown: ({ count }) => countText(count) },
];

class SettleTimes {
  readonly #counts = SPANS.map(() => 0);

  add({ sentAt, settledAt }: ReportLine): void {
    if (sentAt === undefined || settledAt === undefined) return;
    const seconds = (settledAt - sentAt) / 1000;
    const at = SPANS.findIndex(([below]) => seconds < below);
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  chart(): Html {
    const all = this.#counts.reduce((sum, count) => sum + count, 0);
    if (this.#counts.filter((count) => count > 0).length < 2) return NOTHING;
    const first = this.#counts.findIndex((count) => count > 0);
    const last = this.#counts.findLastIndex((count) => count > 0);
    const spans = SPANS.slice(first, last + 1).map(([, name], at) => ({
      name,
      count: this.#counts[first + at] ?? 0,
    }));
    const half = this.#within(all / 2);
    const most = this.#within(all * 0.9);
    const said = `Median time to settle ${paymentsText(all)}: ${half}. Nine of ten: ${most}, or sooner.`;
    const picture = { id: 'chart-times', title: 'Settlement time', description: said };
    const drawn = bars(
      picture,
      spans.map(({ name, count }) => ({ name, value: count, shown: countText(count) })),
    );
    const caption = 'Settled payments by the time they took';
    const table = plainTable({ caption, columns: TIME_COLUMNS, groups: [spans] });
    return figure('Settlement time', [drawn, html`<p class="note">${said}</p>\n`], table);
  }

  /** The span in which the so-many-th payment settled. */
  #within(wanted: number): string {
    let sum = 0;
    const at = this.#counts.findIndex((count) => {
      sum += count;
      return sum >= wanted;
    });
    return SPANS[at]?.[1] ?? '';
  }
}

const SHOWN_MAX = 40;

interface Corridor {
  readonly name: string;
  readonly currency: CurrencyCode;
  count: number;
  feeMinor: bigint;
  debitMinor: bigint;
}

export const FEE_COLUMNS: readonly Column<Corridor>[] = [
  { header: 'Corridor', width: 24, shown: ({ name }) => name },
  { header: 'Payments', width: 19, kind: 'count', shown: ({ count }) => countText(count) },
  {
    header: 'Fees',
    width: 19,
    kind: 'money',
    shown: ({ feeMinor: minor, currency }) => moneyText({ minor, currency }),
  },
  {
    header: 'Debit',
    width: 22,
    kind: 'money',
    shown: ({ debitMinor: minor, currency }) => moneyText({ minor, currency }),
  },
  { header: 'Fees in %', width: 16, kind: 'count', shown: percentText },
];

class CorridorFees {
  readonly #corridors = new Map<string, Corridor>();

  add({ status, fee, debit, country }: ReportLine): void {
    const group: Group = GROUP_OF[status];
    const isSent = BOOKED_GROUPS.some((booked) => booked === group);
    if (!isSent || fee === undefined || debit === undefined) return;
    const { currency } = debit;
    const name = `${currency} → ${country}`;
    const corridor = this.#corridors.get(name) ?? { name, currency, count: 0, feeMinor: 0n, debitMinor: 0n };
    corridor.count += 1;
    corridor.feeMinor += fee.minor;
    corridor.debitMinor += debit.minor;
    this.#corridors.set(name, corridor);
  }

  chart(): Html {
    const all = [...this.#corridors.values()].sort(highestFeeFirst);
    if (all.length < 2) return NOTHING;
    const shown = all.slice(0, SHOWN_MAX);
    const title = 'Fees by corridor';
    const list = shown.map((each) => ({ name: each.name, value: percentOf(each), shown: percentText(each) }));
    const description = `Share of the debit. ${list.map((each) => `${each.name}: ${each.shown}`).join(', ')}.`;
    const left = all.length - shown.length;
    const more =
      left === 0
        ? NOTHING
        : html`<p class="note">The ${countText(shown.length)} most expensive corridors; ${countText(left)} more are not shown.</p>\n`;
    const caption = 'Fees by corridor, as quoted';
    const table = stackedTable('fees', { caption, columns: FEE_COLUMNS, groups: [shown] });
    return figure(title, [bars({ id: 'chart-fees', title, description }, list), more], table);
  }
}

function highestFeeFirst(one: Corridor, other: Corridor): number {
  return percentOf(other) - percentOf(one) || (one.name < other.name ? -1 : 1);
}

function percentOf({ feeMinor, debitMinor }: Corridor): number {
  return debitMinor === 0n ? 0 : Number((feeMinor * 10_000n) / debitMinor) / 100;
}

function percentText(corridor: Corridor): string {
  return `${percentOf(corridor).toFixed(2)} %`;
}
