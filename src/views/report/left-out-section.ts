/** Lines of the file that are no payments: each with what stands in it, and why. Nothing where there is none. */
import type { LinesLeftOut } from '../../domain/rows/lines-left-out.ts';
import { countText } from '../../domain/text/printable.ts';
import { type Html, html, NOTHING, section } from '../html.ts';
import { LEFT_OUT_COLUMNS } from '../left-out-columns.ts';
import { shownColumns, stackedTable } from '../table.ts';

const SHOWN = shownColumns(LEFT_OUT_COLUMNS);

export function leftOutSection({ rows, more }: LinesLeftOut = { rows: [], more: 0 }): Html {
  if (rows.length === 0) return NOTHING;
  const caption = 'They are no payments and stand in no sum.';
  const left = more === 0 ? NOTHING : html`<p class="note">… and ${countText(more)} more.</p>\n`;
  return section('left-out', 'Rows of the file that are left out', [
    stackedTable('left-out', caption, SHOWN, rows),
    left,
  ]);
}
