/**
 * Tables: captions, header cells with scope, numbers to the right. A stacked table becomes a list of cards on a
 * phone; its cells carry their roles, because some browsers forget what a table is when it is laid out otherwise.
 */
import { type Html, html, NOTHING, type Piece } from './html.ts';

export interface Column {
  readonly name: string;
  /** Stands to the right. */
  readonly kind?: 'count' | 'money';
}

export interface Cell {
  readonly shown: Piece;
  /** Names the row. */
  readonly isHead?: boolean;
  readonly tone?: 'ties' | 'differs';
}

/** Whether two sides agree; `found` says by how much they do not. */
export function tying(isTying: boolean, found = 'differs'): Cell {
  return isTying ? { shown: '✔ ties', tone: 'ties' } : { shown: `✖ ${found}`, tone: 'differs' };
}

export interface Table {
  readonly caption: string;
  readonly columns: readonly Column[];
  /** One group of rows per inner list. */
  readonly groups: readonly (readonly (readonly Cell[])[])[];
}

export function plainTable({ caption, columns, groups }: Table): Html {
  const heads = columns.map((column) => html`<th scope="col"${side(column)}>${column.name}</th>`);
  const bodies = groups.map(
    (rows) => html`<tbody>${rows.map((cells) => plainRow(cells, columns))}</tbody>\n`,
  );
  return html`<table><caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
${bodies}</table>
`;
}

function plainRow(cells: readonly Cell[], columns: readonly Column[]): Html {
  const written = cells.map(({ shown, isHead, tone }, at) => {
    const kind = tone === undefined ? side(columns[at]) : html` class="${tone}"`;
    return isHead === true ? html`<th scope="row"${kind}>${shown}</th>` : html`<td${kind}>${shown}</td>`;
  });
  return html`<tr>${written}</tr>\n`;
}

/** As plainTable, but cards on a phone. */
export function stackedTable(kind: string, { caption, columns, groups }: Table): Html {
  const rows = groups.flat().map((cells) =>
    stackedRow(
      undefined,
      cells.map(({ shown }) => shown),
      columns,
    ),
  );
  return html`${stackedHead(kind, caption, columns)}${rows}${STACKED_END}`;
}

/** Everything of a stacked table above its rows. `kind` is its class, by which the style names its cells. */
export function stackedHead(kind: string, caption: Piece, columns: readonly Column[]): Html {
  const heads = columns.map(
    (column) => html`<th scope="col" role="columnheader"${side(column)}>${column.name}</th>`,
  );
  return html`<table class="stack ${kind}" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
`;
}

export const STACKED_END = html`</tbody></table>
`;

/** The first cell names the row. An empty cell is left out of a card. */
export function stackedRow(
  id: string | undefined,
  cells: readonly Piece[],
  columns: readonly Column[],
): Html {
  const named = id === undefined ? NOTHING : html` id="${id}"`;
  const written = cells.map((shown, at) => {
    const kind = side(columns[at]);
    return at === 0
      ? html`<th scope="row" role="rowheader"${kind}>${shown}</th>`
      : html`<td role="cell"${kind}>${shown}</td>`;
  });
  return html`<tr role="row"${named}>${written}</tr>\n`;
}

function side(column: Column | undefined): Html {
  return column?.kind === undefined ? NOTHING : html` class="num ${column.kind}"`;
}

/** What a card writes before each value, for the style sheet: `.rows td:nth-child(2)::before{content:"Name"}`. */
export function cardNames(kind: string, columns: readonly Column[]): string {
  return columns
    .map(({ name }, at) => `.${kind} tr>:nth-child(${at + 1})::before{content:"${name}"}`)
    .join('\n');
}

/** The share of the width that each column takes, in percent: a browser need not measure every row for it. */
export function cardWidths(kind: string, widths: readonly number[]): string {
  return widths.map((width, at) => `.${kind} thead th:nth-child(${at + 1}){width:${width}%}`).join('\n');
}
