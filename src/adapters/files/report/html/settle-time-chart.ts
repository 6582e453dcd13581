/** How long payments took from being sent to being settled: a few fixed spans, the same from month to month. */

import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { type Html, html, NOTHING } from './html.ts';
import { bars, figure } from './svg-bars.ts';
import { type Column, plainTable } from './table.ts';
import { paymentsText } from './words.ts';

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

export class SettleTimes {
  readonly #counts = SPANS.map(() => 0);

  add({ sentAt, settledAt }: ReportLine): void {
    if (sentAt === undefined || settledAt === undefined) return;
    const seconds = (settledAt - sentAt) / 1000;
    const at = SPANS.findIndex(([below]) => seconds < below);
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  chart(): Html {
    const all = this.#counts.reduce((sum, count) => sum + count, 0);
    if (all === 0) return NOTHING;
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
    const rows = spans.map(({ name, count }) => [{ shown: name, isHead: true }, { shown: countText(count) }]);
    const columns: readonly Column[] = [
      { name: 'From sent to settled' },
      { name: 'Payments', kind: 'count' },
    ];
    const table = plainTable({ caption: 'Settled payments by the time they took', columns, groups: [rows] });
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
