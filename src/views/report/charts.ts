/** Two small charts: what the payments of each currency cost, and how many rows are in each state. One bar compares nothing. */
import type { StatusCounts } from '../../domain/batches/batch.ts';
import type { MatrixLine } from '../../domain/reporting/money-matrix.ts';
import { STATUS_ORDER, STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { countText, cutText } from '../../domain/text/printable.ts';
import { type Html, html, moneyText, NOTHING } from '../html.ts';

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly shown: string;
  readonly tone: string;
}

const WIDTH = 360;
const STEP = 20;
const NAME_WIDTH = 110;
const SHOWN_WIDTH = 100;
const NAME_MAX = 20;
const BARS_MAX = 12;

/** Costs in two currencies have no common length. */
export function costChart(matrix: readonly MatrixLine[]): Html {
  const totals = matrix.filter(({ isTotal }) => isTotal);
  const most = matrix.filter(({ isTotal, cost }) => !isTotal && cost !== undefined && cost.minor > 0n);
  if (totals.length !== 1 || most.length > BARS_MAX) return NOTHING;
  const whole = totals[0]?.cost?.minor || 1n;
  const list = most.map(({ name, cost }) => ({
    ...{ name, tone: 'bar', shown: moneyText(cost) },
    value: Number(((cost?.minor ?? 0n) * 10_000n) / whole),
  }));
  return chart('chart-cost', 'Cost by currency', list);
}

export function stateChart(counts: StatusCounts): Html {
  const list = STATUS_ORDER.filter((status) => counts[status] > 0).map((status) => {
    const { symbol, word, tone } = STATUS_WORDS[status];
    return { name: `${symbol} ${word}`, tone, value: counts[status], shown: countText(counts[status]) };
  });
  return chart('chart-states', 'Rows by state', list);
}

function chart(id: string, title: string, list: readonly Bar[]): Html {
  if (list.length < 2) return NOTHING;
  const room = WIDTH - NAME_WIDTH - SHOWN_WIDTH;
  const most = Math.max(...list.map(({ value }) => value));
  const drawn = list.map(({ name, value, shown, tone }, at) => {
    const y = at * STEP + 14;
    const length = Math.max(Math.round((value / most) * room), 2);
    return html`<text x="0" y="${y}">${cutText(name, NAME_MAX)}</text><rect class="${tone}" x="${NAME_WIDTH}" y="${y - 11}" width="${length}" height="14"/><text x="${NAME_WIDTH + length + 5}" y="${y}">${shown}</text>\n`;
  });
  const said = list.map(({ name, shown }) => `${name}: ${shown}`).join(', ');
  return html`<figure class="chart"><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${list.length * STEP}" role="img" aria-labelledby="${id}-name ${id}-about">
<title id="${id}-name">${title}</title><desc id="${id}-about">${said}.</desc>
${drawn}</svg></figure>
`;
}
