/**
 * What changed since the last batch, for whoever agrees: the sums as a table, and under a heading each kind of change.
 */
import { type BatchChanges, changesTold } from '../../domain/batches/batch-changes.ts';
import { formatAmount } from '../../domain/money/money.ts';
import { countText } from '../../domain/text/printable.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { wideTable } from '../page/fields.ts';

export function whatChanged(changes: BatchChanges | undefined): Html {
  if (changes === undefined) return NOTHING;
  const { since, totals, groups } = changesTold(changes);
  const table = wideTable({
    label: 'Sums of the last batch and of this one',
    heads: [
      'Currency',
      ...['Last time', 'Now', 'Rows last time', 'Rows now'].map((each) => ({ count: each })),
    ],
    rows: totals.map(({ currency, before, now, rowsBefore, rows }) => [
      currency,
      formatAmount(before),
      formatAmount(now),
      countText(rowsBefore),
      countText(rows),
    ]),
  });
  const lists = groups.map(({ title, isAlarming, texts, left }) => {
    const lines = texts.map((text) => html`<li>${text.charAt(0).toUpperCase()}${text.slice(1)}</li>\n`);
    const more = left === 0 ? NOTHING : html`<li>… and ${countText(left)} more</li>\n`;
    return html`<h3${isAlarming ? html` class="doubt"` : NOTHING}>${title}</h3>\n<ul>${lines}${more}</ul>\n`;
  });
  return html`<h2>What changed</h2>
<p>${since}</p>
${totals.length === 0 ? NOTHING : table}${lists}`;
}
