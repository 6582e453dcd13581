/**
 * Cumulative paid over time: one stair per currency, up to what was requested, all over the same stretch of time.
 *
 * Instants are counted in at most twelve steps, whose length grows as needed, so that a million payments take no
 * more memory than twelve; the steps depend on the instants alone, not on their order.
 */

import type { CurrencyCode } from '../../domain/money/currency.ts';
import { formatAmount, formatMoney } from '../../domain/money/money.ts';
import type { ControlTotals } from '../../domain/reporting/control-totals.ts';
import type { Sum } from '../../domain/reporting/currency-totals.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import { countText } from '../../domain/text/printable.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { type Html, html, instantText, NOTHING } from '../html.ts';
import { type Column, plainTable } from '../table.ts';
import { drawing, figure, tenth, WIDTH } from './svg-bars.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Each divides the next, so that steps can be joined. */
const LENGTHS = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  60 * SECOND,
  300 * SECOND,
  900 * SECOND,
  HOUR,
  4 * HOUR,
  12 * HOUR,
  24 * HOUR,
  168 * HOUR,
  2_016 * HOUR,
  24_192 * HOUR,
];
const STEPS_MAX = 12;
const PICTURES_MAX = 12;
const HEIGHT = 84;
/** So wide that the height reached last can be seen. */
const LAST_STEP = 14;

type Steps = Map<number, Map<CurrencyCode, Sum>>;

export class PaidOverTime {
  #length = 0;
  #steps: Steps = new Map();

  add({ settledAt, amount }: ReportLine): void {
    if (settledAt === undefined || amount === undefined) return;
    this.#count(settledAt, amount.currency, { count: 1, minor: amount.minor });
    while (this.#steps.size > STEPS_MAX && this.#length < LENGTHS.length - 1) this.#joinSteps();
  }

  chart({ currencies }: ControlTotals): Html {
    const ends = [...this.#steps.keys()].sort((one, other) => one - other);
    const length = LENGTHS[this.#length] ?? SECOND;
    const [first, last] = [ends[0], ends.at(-1)];
    if (first === undefined || last === undefined || first === last) return NOTHING;
    const span = { from: first - length, to: last };
    const paid = currencies
      .map(({ currency, requested }) => ({ currency, requested, points: this.#pointsOf(currency, ends) }))
      .filter(({ points }) => points.length > 0);
    const pictures = paid.slice(0, PICTURES_MAX).map((each) => stair(each, span));
    const axis = html`<p class="axis"><span>${instantText(timestampOf(span.from))}</span><span>${instantText(timestampOf(span.to))} UTC</span></p>\n`;
    return figure('Cumulative paid over time', [...pictures, axis], paidTable(paid));
  }

  #count(at: number, currency: CurrencyCode, sum: Sum): void {
    const length = LENGTHS[this.#length] ?? SECOND;
    // A step is named by its end.
    const end = Math.ceil(at / length) * length;
    const step = this.#steps.get(end) ?? new Map<CurrencyCode, Sum>();
    const before = step.get(currency) ?? { count: 0, minor: 0n };
    step.set(currency, { count: before.count + sum.count, minor: before.minor + sum.minor });
    this.#steps.set(end, step);
  }

  #joinSteps(): void {
    const narrow = this.#steps;
    this.#steps = new Map();
    this.#length += 1;
    for (const [end, step] of narrow) for (const [currency, sum] of step) this.#count(end, currency, sum);
  }

  #pointsOf(currency: CurrencyCode, ends: readonly number[]): readonly Point[] {
    let [count, minor] = [0, 0n];
    return ends.flatMap((end) => {
      const sum = this.#steps.get(end)?.get(currency);
      if (sum === undefined) return [];
      count += sum.count;
      minor += sum.minor;
      return [{ end, count, minor }];
    });
  }
}

interface Point extends Sum {
  readonly end: number;
}

interface Paid {
  readonly currency: CurrencyCode;
  readonly requested: Sum;
  readonly points: readonly Point[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function stair({ currency, requested, points }: Paid, { from, to }: Span): Html {
  const [top, bottom] = [22, HEIGHT - 4];
  const x = (end: number) => tenth(((end - from) / Math.max(to - from, 1)) * (WIDTH - LAST_STEP));
  const y = (minor: bigint) =>
    tenth(bottom - (Number((minor * 10_000n) / (requested.minor || 1n)) / 10_000) * (bottom - top));
  const path = points.map(({ end, minor }) => `H${x(end)}V${y(minor)}`).join('');
  const last = points.at(-1);
  const paid = formatMoney({ minor: last?.minor ?? 0n, currency });
  const said = `${paid} of ${formatAmount({ minor: requested.minor, currency })}`;
  const picture = {
    id: `chart-paid-${currency.toLowerCase()}`,
    title: `Cumulative paid in ${currency}`,
    description: `${said} paid by ${instantText(timestampOf(last?.end ?? to))} UTC. The dashed line is what was requested.`,
  };
  return drawing(picture, HEIGHT, [
    html`<text x="0" y="12">${said}</text>
<line class="goal" x1="0" x2="${WIDTH}" y1="${top}" y2="${top}"/><line class="base" x1="0" x2="${WIDTH}" y1="${bottom}" y2="${bottom}"/>
<path class="area" d="M0 ${bottom}${path}H${WIDTH}V${bottom}Z"/><path class="stair" d="M0 ${bottom}${path}H${WIDTH}"/>
`,
  ]);
}

const PAID_COLUMNS: readonly Column<Point & Pick<Paid, 'currency'>>[] = [
  { header: 'Currency', shown: ({ currency }) => currency },
  { header: 'Until (UTC)', shown: ({ end }) => instantText(timestampOf(end)) },
  { header: 'Payments so far', kind: 'count', shown: ({ count }) => countText(count) },
  { header: 'Paid so far', kind: 'money', shown: ({ minor, currency }) => formatAmount({ minor, currency }) },
];

function paidTable(paid: readonly Paid[]): Html {
  const groups = paid.map(({ currency, points }) => points.map((point) => ({ ...point, currency })));
  return plainTable({ caption: 'Paid so far, by currency and time', columns: PAID_COLUMNS, groups });
}
