/** How the money of each currency stands: one whole bar per currency, divided by what became of it. */

import type { ControlTotals, CurrencyTotal } from '../../../../domain/reporting/control-totals.ts';
import type { StatusWord } from '../../../../domain/reporting/status-words.ts';
import { GROUP_WORDS, type Group } from '../../../../domain/reporting/status-words.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { type Html, html, NOTHING } from './html.ts';
import { drawing, figure, tenth, WIDTH } from './svg-bars.ts';
import { type Cell, type Column, stackedTable } from './table.ts';

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

export const SHARE_COLUMNS: readonly Column[] = [
  { name: 'Currency' },
  ...PARTS.map(({ name }) => ({ name, kind: 'count' as const })),
];

const STEP = 30;
const LEFT = 40;
const SYMBOL_NEEDS = 14;

export function statusChart({ currencies }: ControlTotals): Html {
  if (currencies.length === 0) return NOTHING;
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
  return figure(
    title,
    [drawing(picture, currencies.length * STEP, drawn), html`<ul class="legend">${legend}</ul>\n`],
    statusTable(currencies),
  );
}

function statusTable(currencies: readonly CurrencyTotal[]): Html {
  const rows = currencies.map((total): readonly Cell[] => [
    { shown: total.currency, isHead: true },
    ...PARTS.map(({ groups }) => ({
      shown: countText(groups.reduce((sum, group) => sum + total.groups[group].count, 0)),
    })),
  ]);
  const caption = 'Payments by status and currency';
  return stackedTable('shares', { caption, columns: SHARE_COLUMNS, groups: [rows] });
}

/** In thousandths of what was requested; counted where all amounts are nothing. */
function shareOf(total: CurrencyTotal, { groups }: Part): number {
  const { requested } = total;
  const minor = groups.reduce((sum, group) => sum + total.groups[group].minor, 0n);
  if (requested.minor > 0n) return Number((minor * 100_000n) / requested.minor) / 100;
  const count = groups.reduce((sum, group) => sum + total.groups[group].count, 0);
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
