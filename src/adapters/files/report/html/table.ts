/**
 * Tables: captions, header cells with scope, numbers to the right. A stacked table becomes a list of cards on a
 * phone; its cells carry their roles, because some browsers drop the table roles when CSS changes its layout.
 * In both the first column names the row.
 */
import { countText } from '../../../../domain/text/printable.ts';
import { isNumber, type Column as SharedColumn } from '../table-columns.ts';
import { type Html, html, instant, moneyText, NOTHING, type Piece } from './html.ts';

export interface Column<Line> {
  readonly header: string;
  /** Stands to the right. */
  readonly kind?: 'count' | 'money';
  /** Share of a stacked table's width, in percent: with it a browser need not measure every row. */
  readonly width?: number;
  readonly shown: (line: Line) => Piece | Tie;
}

/** Whether two sides agree. */
export interface Tie {
  readonly tone: 'ties' | 'differs';
  readonly text: string;
}

/** `found` says by how much they differ. */
export function tieCell(isTying: boolean, found = 'differs'): Tie {
  return isTying ? { tone: 'ties', text: '✔ ties' } : { tone: 'differs', text: `✖ ${found}` };
}

export interface Table<Line> {
  readonly caption: string;
  readonly columns: readonly Column<Line>[];
  /** One group of rows per inner list. */
  readonly groups: readonly (readonly Line[])[];
}

export function plainTable<Line>({ caption, columns, groups }: Table<Line>): Html {
  const heads = columns.map((column) => html`<th scope="col"${side(column)}>${column.header}</th>`);
  const bodies = groups.map(
    (lines) => html`<tbody>${lines.map((line) => plainRow(line, columns))}</tbody>\n`,
  );
  return html`<table><caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
${bodies}</table>
`;
}

function plainRow<Line>(line: Line, columns: readonly Column<Line>[]): Html {
  const cells = columns.map((column, at) => {
    const shown = column.shown(line);
    if (isTie(shown)) return html`<td class="${shown.tone}">${shown.text}</td>`;
    const kind = side(column);
    return at === 0 ? html`<th scope="row"${kind}>${shown}</th>` : html`<td${kind}>${shown}</td>`;
  });
  return html`<tr>${cells}</tr>\n`;
}

/** As plainTable, but cards on a phone. `kind` is its class, by which the style names its cells. */
export function stackedTable<Line>(kind: string, { caption, columns, groups }: Table<Line>): Html {
  const rows = groups.flat().map((line) => stackedRow(undefined, line, columns));
  return html`${stackedHead(kind, caption, columns)}${rows}${STACKED_END}`;
}

/** Everything of a stacked table above its rows. */
export function stackedHead(kind: string, caption: Piece, columns: readonly Heading[]): Html {
  const heads = columns.map(
    (column) => html`<th scope="col" role="columnheader"${side(column)}>${column.header}</th>`,
  );
  return html`<table class="stack ${kind}" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
`;
}

export const STACKED_END = html`</tbody></table>
`;

/** An empty cell is left out of a card. */
export function stackedRow<Line>(id: string | undefined, line: Line, columns: readonly Column<Line>[]): Html {
  const named = id === undefined ? NOTHING : html` id="${id}"`;
  const cells = columns.map((column, at) => {
    const shown = column.shown(line);
    const piece = isTie(shown) ? shown.text : shown;
    return at === 0
      ? html`<th scope="row" role="rowheader"${side(column)}>${piece}</th>`
      : html`<td role="cell"${side(column)}>${piece}</td>`;
  });
  return html`<tr role="row"${named}>${cells}</tr>\n`;
}

function isTie(shown: Piece | Tie): shown is Tie {
  return typeof shown === 'object' && 'tone' in shown;
}

function side({ kind }: Pick<Heading, 'kind'>): Html {
  return kind === undefined ? NOTHING : html` class="num ${kind}"`;
}

/** The columns of a table of the workbook, as a page shows them. */
export function shownColumns<Line>(columns: readonly SharedColumn<Line>[]): readonly Column<Line>[] {
  return columns.map((column) => ({
    header: column.header,
    ...(isNumber(column.style) ? { kind: column.style === 'money' ? 'money' : 'count' } : {}),
    shown: (line) => pieceOf(column, line),
  }));
}

function pieceOf<Line>(column: SharedColumn<Line>, line: Line): Piece {
  switch (column.style) {
    case 'time':
    case 'day':
      return instant(column.value(line));
    case 'count':
      return countText(column.value(line) ?? 0);
    case 'money': {
      const money = column.value(line);
      return typeof money === 'string' ? money : moneyText(money);
    }
    default:
      return column.value(line);
  }
}

type Heading = Pick<Column<unknown>, 'header' | 'kind' | 'width'>;

/** What a card writes before each value, for the style sheet: `.rows td:nth-child(2)::before{content:"Name"}`. */
export function cardNames(kind: string, columns: readonly Heading[]): string {
  return columns
    .map(({ header }, at) => `.${kind} tr>:nth-child(${at + 1})::before{content:"${header}"}`)
    .join('\n');
}

export function cardWidths(kind: string, columns: readonly Heading[]): string {
  return columns
    .map(({ width = 0 }, at) => `.${kind} thead th:nth-child(${at + 1}){width:${width}%}`)
    .join('\n');
}
