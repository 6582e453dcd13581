/**
 * A reconciliation as a workbook, a page or JSON, to be filed. The file appears whole or not at all, and replaces no other
 * file unless that was said.
 *
 * Errors:  ReportUnwritable.
 */

import { formatAmount } from '../../domain/money/money.ts';
import {
  cellText,
  type ReconciliationFile,
  type ReconciliationTable,
  reconciliationFormat,
  type TableCell,
} from '../../domain/statement/reconciliation-tables.ts';
import { said } from '../../domain/text/message.ts';
import { jsonText } from '../../domain/text/printable.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { OutputGuard, ReconciliationTarget } from '../../ports/outputs.ts';
import { documentHead, html, NOTHING } from '../../views/html.ts';
import { openReportFile, type ReportFile } from './report-file.ts';

export async function writeReconciliation(
  { path, isReplaced }: ReconciliationTarget,
  content: ReconciliationFile,
  guard: OutputGuard,
): Promise<void> {
  const format = reconciliationFormat(path);
  const written = { what: 'reconciliation', advice: said`Name another file.` };
  const mayWrite = (place: string) => guard.check(place, 'reconciliation', isReplaced);
  const file = await openReportFile(path, { written, mayWrite });
  try {
    if (format === 'xlsx') await writeWorkbook(file, content);
    else await file.write(format === 'html' ? pageOf(content) : jsonOf(content));
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

async function writeWorkbook(file: ReportFile, { title, madeAt, facts, notes, tables }: ReconciliationFile) {
  const { newWorkbook } = await import('./xlsx/xlsx-workbook.ts');
  const { cell, moneyCell, textCell } = await import('./xlsx/cells.ts');
  const cellOf = (value: TableCell) => {
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'number') return cell('row', value);
    return typeof value === 'string' ? textCell(value) : moneyCell(value);
  };
  const workbook = newWorkbook(file, { title, createdAt: madeAt });
  const frozen = { rows: 0, columns: 0 };
  const summary = workbook.addSheet({ name: 'Statement', widths: [30, 90], frozen });
  summary.addRow([cell('heading', title)]);
  for (const [name, text] of facts) summary.addRow([cell('bold', name), textCell(text)]);
  for (const note of notes) summary.addRow([undefined, cell('words', note)]);
  summary.close();
  for (const { name, heads, rows } of tables.map(withoutEmptyColumns)) {
    const widths = heads.map((head, at) => widthOf([head], rows, at));
    const sheet = workbook.addSheet({ name, widths, frozen: { rows: 1, columns: 0 }, repeatedRow: 1 });
    sheet.addRow(heads.map((head) => cell('header', head)));
    for (const row of rows) {
      sheet.addRow(row.map(cellOf));
      await sheet.drained();
    }
    sheet.close();
  }
  await workbook.finish(['Statement', ...tables.map(({ name }) => name)]);
}

const WIDTHS = { least: 8, most: 60 } as const;

/** As wide as its longest text, in characters, so that a printed sheet is no smaller than it has to be. */
function widthOf(heads: readonly TableCell[], rows: readonly (readonly TableCell[])[], at: number): number {
  const all = [...heads, ...rows.map((row) => row[at])];
  const longest = all.reduce<number>((most, cell) => Math.max(most, cellText(cell).length), WIDTHS.least);
  // Headers are bold, and so a little wider.
  return Math.min(longest, WIDTHS.most) + 3;
}

const STYLE = `
body{margin:1.5rem;color:#111;background:#fff;font:14px/1.45 system-ui,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse;font-size:12px}
th,td{border:1px solid #c9cdd3;padding:.2rem .45rem;text-align:left;vertical-align:top}
th{background:#eef0f3;white-space:nowrap}td.tag{white-space:nowrap}th.num{text-align:right}td.num{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
pre{background:#eef0f3;padding:.5rem .7rem;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
@page{size:A4 landscape;margin:12mm}
@media print{body{margin:0;font-size:11px}h1{font-size:16px}h2{font-size:13px;margin-top:1rem;break-after:avoid}pre{font-size:9.5px}table{font-size:9.5px}th,td{padding:.1rem .25rem}td{overflow-wrap:anywhere}th{white-space:normal}thead{display:table-header-group}tr{break-inside:avoid}}
`;

const WORD_MAX = 12;

/** Of a column: the title of numbers stands above them. */
const isNumber = (rows: ReconciliationTable['rows'], at: number) =>
  rows.some((row) => typeof row[at] === 'object' || typeof row[at] === 'number');

/** A column without a value is left out, in every table that has rows. */
function withoutEmptyColumns({ name, heads, rows }: ReconciliationTable): ReconciliationTable {
  const isUsed = heads.map((_, at) => rows.length === 0 || rows.some((row) => (row[at] ?? '') !== ''));
  const used = <Cell>(cells: readonly Cell[]) => cells.filter((_, at) => isUsed[at]);
  return { name, heads: used(heads), rows: rows.map(used) };
}

/** `more`: stands between the facts and the tables. */
export function pageOf(
  { title, environment, facts, notes, tables }: ReconciliationFile,
  { generator = 'payfile reconciliation', more = NOTHING } = {},
): string {
  const cells = (row: readonly TableCell[]) =>
    row.map((each) => {
      if (typeof each === 'object') return html`<td class="num">${formatAmount(each)}</td>`;
      if (typeof each === 'number') return html`<td class="num">${each}</td>`;
      // A long text wraps; a tag or a status does not.
      return (each ?? '').length <= WORD_MAX ? html`<td class="tag">${each}</td>` : html`<td>${each}</td>`;
    });
  const section = ({ name, heads, rows }: ReconciliationTable) =>
    html`<h2>${name}</h2>
${
  rows.length === 0
    ? html`<p>None.</p>\n`
    : html`<table><thead><tr>${heads.map((head, at) => html`<th scope="col"${isNumber(rows, at) ? html` class="num"` : NOTHING}>${head}</th>`)}</tr></thead><tbody>
${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table>\n`
}`;
  return html`${documentHead(title, STYLE, generator)}<h1>${title}</h1>
<p>${environment === 'live' ? 'Live payments' : 'Sandbox: no money moved'}</p>
<dl>${facts.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>\n`)}</dl>
${more}${tables.map(withoutEmptyColumns).map(section)}${notes.length === 0 ? NOTHING : html`<h2>Notes</h2>\n`}
${notes.map((note) => html`<p>${note}</p>\n`)}</body>
</html>
`.text;
}

function jsonOf({ title, environment, madeAt, facts, notes, tables }: ReconciliationFile): string {
  const named = ({ heads, rows }: ReconciliationTable) =>
    rows.map((row) => Object.fromEntries(heads.map((head, at) => [keyOf(head), jsonCell(row[at])])));
  const content = {
    ...{ schemaVersion: 1, title, environment, madeAt: formatTimestamp(madeAt) },
    facts: Object.fromEntries(facts.map(([name, text]) => [keyOf(name), text])),
    notes,
    ...Object.fromEntries(tables.map((table) => [keyOf(table.name), named(table)])),
  };
  return `${jsonText(content, 1)}\n`;
}

/** `Matched to` → `matchedTo`. */
function keyOf(name: string): string {
  const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return (
    first.toLowerCase() + others.map((word) => word[0]?.toUpperCase() + word.slice(1).toLowerCase()).join('')
  );
}

function jsonCell(cell: TableCell): string | number | null {
  if (cell === undefined || cell === '') return null;
  return typeof cell === 'number' ? cell : cellText(cell);
}
