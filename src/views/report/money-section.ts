/** What the money came to: by currency, what is to be posted, and two small charts beside it. */
import type { StatusCounts } from '../../domain/batches/batch.ts';
import type { CurrencyCode } from '../../domain/money/currency.ts';
import type { ControlTotals } from '../../domain/reporting/control-totals.ts';
import { unaccountedTexts } from '../../domain/reporting/currency-totals.ts';
import { type GroupTotals, groupLines } from '../../domain/reporting/group-totals.ts';
import type { AccountRole } from '../../domain/reporting/journal-accounts.ts';
import type { BookedSum } from '../../domain/reporting/journal-checks.ts';
import { earlierTexts, moneyMatrix } from '../../domain/reporting/money-matrix.ts';
import { printable } from '../../domain/text/printable.ts';
import { type Html, html, NOTHING, section } from '../html.ts';
import { sharedTable } from '../table.ts';
import { costChart, stateChart } from './charts.ts';
import { groupColumns, MATRIX_COLUMNS, POSTING_COLUMNS, postings } from './money-columns.ts';

const MATRIX = {
  label: 'Money by currency',
  caption: 'Asked for, what became of it, and what it costs as quoted',
};
const POSTED = { label: 'To be posted', caption: 'The sums of the journal; the workbook has its lines' };

interface Beside {
  readonly counts: StatusCounts;
  readonly booked: readonly BookedSum[];
  readonly codeOf: (role: AccountRole, currency: CurrencyCode) => string;
  readonly notes: readonly string[];
}

/** `beside`: not on a page that counts nothing anew. */
export function moneySection(
  totals: Pick<ControlTotals, 'currencies' | 'costs' | 'earlier'>,
  beside?: Beside,
): Html {
  const matrix = moneyMatrix(totals);
  const table =
    totals.currencies.length === 0
      ? html`<p>No amount can be read.</p>\n`
      : sharedTable(MATRIX, MATRIX_COLUMNS, matrix);
  const notes = [...unaccountedTexts(totals), ...earlierTexts(totals), ...(beside?.notes ?? [])].map(
    (text) => html`<p class="note">${text}</p>\n`,
  );
  if (beside === undefined) return section('money', 'Money', [table, notes]);
  const lines = postings(beside.booked, beside.codeOf);
  const posted = lines.length === 0 ? NOTHING : sharedTable(POSTED, POSTING_COLUMNS, lines);
  const small = [posted, costChart(matrix), stateChart(beside.counts)].filter(({ text }) => text !== '');
  const row = small.length === 0 ? NOTHING : html`<div class="beside">\n${small}</div>\n`;
  return section('money', 'Money', [table, notes, row]);
}

/** By a column of the file. */
export function groupSection(grouped: GroupTotals): Html {
  const name = printable(grouped.column);
  const shape = { label: `Money by ${name}`, caption: 'The same payments by this column of the file' };
  return section('groups', shape.label, [
    sharedTable(shape, groupColumns(grouped.column), groupLines(grouped, false)),
  ]);
}
