/** The charts, filled line by line in flat memory, each with the table of its numbers. */
import type { ControlTotals } from '../../../../domain/reporting/control-totals.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { CorridorFees } from './fee-chart.ts';
import { type Html, html } from './html.ts';
import { PaidOverTime } from './paid-chart.ts';
import { SettleTimes } from './settle-time-chart.ts';
import { statusChart } from './status-chart.ts';
import { section } from './words.ts';

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
    const body =
      drawn.length === 0 ? html`<p>Nothing to draw yet.</p>\n` : html`<div class="charts">\n${drawn}</div>\n`;
    return section('charts', 'Charts', body);
  }
}
