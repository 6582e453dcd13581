/**
 * Rows that cannot be paid as written, cell by cell: what stands there, what is expected, and an input in its place. The
 * file itself stays as it was brought; corrections are kept beside it, each with who made it and when.
 */
import { hash } from 'node:crypto';
import { columnLetters } from '../../domain/rows/column-names.ts';
import type { Field, RowIssue } from '../../domain/rows/row.ts';
import { counted, countText, rowsText } from '../../domain/text/printable.ts';
import type { CheckedRows } from '../../operations/check.ts';
import { type Html, html, instant, NOTHING, type Piece } from '../../views/html.ts';
import { hidden, wideTable } from '../page/fields.ts';
import { type Answer, page, type Visit } from '../server/route.ts';
import { kindText, underWay } from './found.ts';
import { cellKey, type Edit, type Found, type KeptFile } from './kept-files.ts';
import { lookAt, pathOf, withFile } from './looking.ts';

/** Of one cell. */
export const TEXT_MAX = 500;
const ROWS_SHOWN = 50;
const CELLS_SHOWN = 400;
const EDITS_SHOWN = 100;

export type WrongRow = CheckedRows['wrongRows'][number];
export type FoundRows = Extract<Found, { kind: 'rows' }>;

export async function rowsPage(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { query }) => {
    const looked = await lookAt(file, visit);
    if (looked.kind !== 'rows')
      return looked.kind === 'under_way' ? underWay(file, visit) : refused(file, looked.why);
    const kind = query.get('kind') ?? '';
    const after = Number(query.get('after')) || 0;
    const title = `Rows to mend: ${file.name}`;
    return page(
      title,
      html`${summary(file, looked)}${wrongRows(file, looked, { kind, after })}${emptyForm(file, looked)}${editList(file)}${ways(file)}`,
    );
  });
}

/** A correction that is of another cell now stops the whole file: it can be undone here. */
function refused(file: KeptFile, why: string): Answer {
  return page(
    `Rows to mend: ${file.name}`,
    html`<p class="alarm">${why}</p>\n${emptyForm(file)}${editList(file)}${ways(file)}`,
  );
}

function summary(file: KeptFile, { checked, edits }: FoundRows): Html {
  const open =
    file.edits.filter((edit) => !edits.includes(edit)).length +
    edits.filter((edit) => !file.edits.includes(edit)).length;
  const again =
    open === 0
      ? NOTHING
      : html`<div class="doubtful"><p>${counted(open, 'change')} not checked yet: a large file is checked when you ask for it.</p><button class="main" form="mend" name="check" value="yes">Check the file again</button></div>\n`;
  if (checked.invalid === 0)
    return html`${again}<p class="said">Every row can be paid as it is written now.</p>\n`;
  return html`${again}<p>${rowsText(checked.invalid)} of ${countText(checked.rows)} cannot be paid as written. Whole account numbers are shown here, so that they can be corrected.</p>\n`;
}

interface Choice {
  readonly kind: string;
  readonly after: number;
}

function wrongRows(file: KeptFile, { checked }: FoundRows, { kind, after }: Choice): Html {
  const all = checked.wrongRows.filter(
    ({ issues }) => kind === '' || issues.some((issue) => issue.kind === kind),
  );
  if (all.length === 0) return NOTHING;
  const rest = all.filter(({ row }) => row > after);
  const shown = onOnePage(rest);
  const alike = alikeOf(checked.wrongRows);
  const forms = shown.map((row) => rowCells(file, row, { checked, alike }));
  const last = shown.at(-1)?.row ?? 0;
  const more = rest.length - shown.length;
  const only =
    kind === ''
      ? NOTHING
      : html`<p>Only: ${kindText(kind)}. <a href="${pathOf(file)}/rows">All rows to mend</a></p>\n`;
  const next =
    more > 0
      ? html`<p><a class="button" href="${pathOf(file)}/rows?kind=${encodeURIComponent(kind)}&amp;after=${last}">The next of ${countText(more)} more</a></p>\n`
      : NOTHING;
  const beyond =
    checked.moreWrongRows > 0
      ? html`<p class="note">${rowsText(checked.moreWrongRows)} more are shown when these are mended.</p>\n`
      : NOTHING;
  return html`${only}<form id="mend" class="mend" method="post" action="${pathOf(file)}/rows" data-keep>
<p>${SAVE} It saves all that is typed on this page, and checks the file again.</p>
${hidden('shown', shown.map((row) => shownIn(file, row)).join(' '))}${hidden('kind', kind)}${hidden('after', String(after))}
${forms}<p>${SAVE}</p>
</form>
${next}${beyond}`;
}

/** The first button of the form, which Enter presses. */
const SAVE = html`<button class="main">Save these corrections</button>`;

/** What the buttons outside of the form belong to, where no row is to be mended. */
function emptyForm(file: KeptFile, looked?: FoundRows): Html {
  if (looked !== undefined && looked.checked.wrongRows.length > 0) return NOTHING;
  return html`<form id="mend" method="post" action="${pathOf(file)}/rows"></form>\n`;
}

/** No more cells than a form may have fields. */
function onOnePage(rows: readonly WrongRow[]): readonly WrongRow[] {
  let cells = 0;
  return rows.slice(0, ROWS_SHOWN).filter((row) => {
    cells += columnsOf(row).length;
    return cells <= CELLS_SHOWN;
  });
}

/** The columns that the file has, that something is wrong in, and that can be corrected here. */
export function columnsOf({ issues }: Pick<WrongRow, 'issues'>): readonly number[] {
  return [...new Set(issues.map(cellToMend))].filter((column) => column !== undefined);
}

/** Which payment a row pays again is written by payfile. */
function cellToMend(issue: RowIssue): number | undefined {
  return issue.field === 'replaces' ? undefined : columnOf(issue);
}

/** Which texts the page shows in a row: what is not changed in it is not typed, whatever was saved meanwhile. */
function shownIn(file: KeptFile, row: WrongRow): string {
  return columnsOf(row)
    .map((column) => `${row.row}-${column}-${markOf(textNow(file, row, column))}`)
    .join(' ');
}

/** As a browser gives a line back: without its ends of lines. */
export function markOf(text: string): string {
  return hash('sha256', text.replaceAll(/[\r\n]/g, ''), 'hex').slice(0, 12);
}

function textNow({ edits }: KeptFile, { row, cells }: WrongRow, column: number): string {
  return edits.find((edit) => edit.row === row && edit.column === column)?.text ?? cells[column] ?? '';
}

/** How many rows have the same wrong value in the same column, in the same way. */
function alikeOf(rows: readonly WrongRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const issue of row.issues) {
      const key = alikeKey(row, issue);
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}

/** undefined: the file has no such column. An account is one person's: it is never mended for several. */
export function alikeKey({ cells }: Pick<WrongRow, 'cells'>, issue: RowIssue): string | undefined {
  const column = columnOf(issue);
  if (column === undefined || issue.field === 'account' || issue.field === 'reference') return undefined;
  return JSON.stringify([issue.kind, column, cells[column] ?? '']);
}

export function columnOf({ columnLetter }: RowIssue): number | undefined {
  if (columnLetter === undefined) return undefined;
  let index = 0;
  for (const letter of columnLetter) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

interface Around {
  readonly checked: CheckedRows;
  readonly alike: ReadonlyMap<string, number>;
}

function rowCells(file: KeptFile, row: WrongRow, around: Around): Html {
  const { checked } = around;
  const byColumn = Map.groupBy(row.issues, cellToMend);
  const columns = [...byColumn].flatMap(([column, issues]) =>
    column === undefined ? [] : [{ column, issues }],
  );
  const inputs = columns.map((cell) => cellInput(file, row, { ...cell, around }));
  const without = byColumn.get(undefined) ?? [];
  const others = row.cells.flatMap((text, at) =>
    byColumn.has(at) || text.trim() === ''
      ? []
      : [html`<span class="cell"><span class="quiet">${headerOf(checked, at)}</span> ${text}</span> `],
  );
  return html`<fieldset id="row-${row.row}"><legend>Row ${row.row}</legend>
<p class="others">${others}</p>
${without.map((issue) => html`<p class="wrong">${expectedText(issue)}</p>\n`)}${inputs}</fieldset>
`;
}

function headerOf({ headers }: CheckedRows, at: number): string {
  return headers[at] || columnLetters(at);
}

interface Cell {
  readonly column: number;
  readonly issues: readonly RowIssue[];
  readonly around: Around;
}

function cellInput(file: KeptFile, row: WrongRow, { column, issues, around }: Cell): Html {
  const id = `c-${row.row}-${column}`;
  const draft = file.drafts.get(cellKey({ row: row.row, column }));
  const text = draft?.text ?? textNow(file, row, column);
  const [issue] = issues;
  const key = issue && alikeKey(row, issue);
  const same = key === undefined ? 0 : (around.alike.get(key) ?? 0);
  const all =
    same > 1
      ? html` <button name="alike" value="${row.row}-${column}">Put it in all ${rowsText(same)} with this value</button>`
      : NOTHING;
  const example = issue === undefined ? undefined : EXAMPLES[issue.field];
  const unsaved = draft === undefined ? NOTHING : html`<span class="wrong">${draft.why}</span> `;
  const why = issues.map((each) => html`<span class="wrong">${expectedText(each)}</span> `);
  return html`<label for="${id}">${headerOf(around.checked, column)} <span class="quiet">(${columnLetters(column)}${row.row})</span></label>
<input id="${id}" name="cell-${row.row}-${column}" value="${text}" maxlength="${TEXT_MAX}" autocomplete="off" spellcheck="false" aria-invalid="true" aria-describedby="why-${id}">${all}
<p class="under" id="why-${id}">${unsaved}${why}${example === undefined ? NOTHING : html`For example <code>${example}</code>.`}</p>
`;
}

/** `Expected a country of the service's list. Did you mean Ghana (GH)?` */
function expectedText({ field, seen, expected, suggestion }: RowIssue): string {
  const saw = seen.trim() === '' ? 'Empty' : `“${seen}”`;
  const advice = suggestion === undefined ? '' : ` ${suggestion.replace(/([^.?!])$/, '$1.')}`;
  const where = field === 'replaces' ? NOT_HERE : '';
  return `${saw}; expected ${expected}.${advice}${where}`;
}

const NOT_HERE =
  ' This cell cannot be corrected here. Take the unpaid rows from the reports of their batch again, or correct the file.';

/** Only what is right in every country: what a country asks for is said with what is expected. */
const EXAMPLES: Readonly<Partial<Record<Field, string>>> = {
  account: '0100045678901',
  amount: '1250.00',
  reference: 'PAY-0042',
};

function editList(file: KeptFile): Html {
  const { edits } = file;
  if (edits.length === 0) return NOTHING;
  const lines = edits.toReversed().slice(0, EDITS_SHOWN).map(editLine);
  const left = edits.length - lines.length;
  return html`<h2>What was corrected</h2>
${wideTable({ label: 'What was corrected', heads: EDIT_HEADS, rows: lines })}${left > 0 ? html`<p class="note">… and ${counted(left, 'earlier one')}.</p>\n` : NOTHING}`;
}

const EDIT_HEADS = ['Cell', 'Was', 'Is now', 'By', 'When', html`<span class="under">What to do</span>`];

function editLine({ row, column, was, text, by, at }: Edit): readonly Piece[] {
  const cell = `${columnLetters(column)}${row}`;
  const shown = (said: string) => (said === '' ? html`<span class="quiet">nothing</span>` : said);
  const undo = html`<button form="mend" name="undo" value="${cellKey({ row, column })}" aria-label="Undo the correction of ${cell}">Undo</button>`;
  return [cell, shown(was), shown(text), by, instant(at), undo];
}

function ways(file: KeptFile): Html {
  return html`<p><a class="button" href="${pathOf(file)}/corrected.xlsx">Download all rows, with corrections and what is still wrong marked</a> <a class="button" href="${pathOf(file)}/plan">Plan</a></p>\n`;
}
