/**
 * Tables: captions, header cells with scope, numbers to the right, no column without a value. A stacked table becomes a list of cards on a
 * phone; its cells carry their roles, because some browsers drop the table roles when CSS changes its layout.
 * In both the first column names the row.
 */
import { countText } from '../domain/text/printable.ts';
import { badge, Html, html, instant, moneyText, NOTHING, type Piece } from './html.ts';
import { isNumber, type Column as SharedColumn } from './table-columns.ts';

export interface Column<Line> {
  readonly header: string;
  /** Stands to the right. */
  readonly kind?: 'count' | 'money';
  /** Share of a stacked table's width, in percent: with it a browser need not measure every row. */
  readonly width?: number;
  readonly shown: (line: Line) => Piece | Tie;
  /** Something is shown, but a column of nothing else is left out: a count of 0. */
  readonly isEmpty?: (line: Line) => boolean;
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

/** A column in which nothing stands is left out. */
export function plainTable<Line>({ caption, columns, groups }: Table<Line>): Html {
  const lines = groups.flat();
  const filled = columns.filter((column) => lines.some((line) => !isNothing(column.shown(line))));
  const heads = filled.map((column) => html`<th scope="col"${side(column)}>${column.header}</th>`);
  const bodies = groups.map((group) => html`<tbody>${group.map((line) => plainRow(line, filled))}</tbody>\n`);
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

/** A row of a stacked table that waits until it is known which columns are shown. */
export interface WaitingRow {
  readonly id: string | undefined;
  readonly cells: readonly string[];
}

/**
 * As plainTable, but cards on a phone, where an empty cell is left out. `kind` is its class; with a column's number it is
 * how the style names the cells of a column, whichever columns are shown.
 */
export class StackedTable<Line> {
  readonly #kind: string;
  readonly #columns: readonly Column<Line>[];
  readonly #filled = new Set<number>();

  constructor(kind: string, columns: readonly Column<Line>[]) {
    this.#kind = kind;
    this.#columns = columns;
  }

  row(line: Line, id?: string): WaitingRow {
    const cells = this.#columns.map((column, at) => {
      const shown = column.shown(line);
      const { text } = html`${isTie(shown) ? shown.text : shown}`;
      if (text !== '' && column.isEmpty?.(line) !== true) this.#filled.add(at);
      return text;
    });
    return { id, cells };
  }

  /** When all rows are made. */
  *pieces(caption: Piece, rows: Iterable<WaitingRow>): Generator<string> {
    const shown = this.#columns.flatMap((column, at) => (this.#filled.has(at) ? [{ column, at }] : []));
    const heads = shown.map(
      ({ column, at }) => html`<th scope="col" role="columnheader"${side(column, at)}>${column.header}</th>`,
    );
    yield html`<table class="stack ${this.#kind}" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
`.text;
    for (const { id, cells } of rows) {
      const named = id === undefined ? NOTHING : html` id="${id}"`;
      const pieces = shown.map(({ column, at }, nth) => {
        const piece = new Html(cells[at] ?? '');
        return nth === 0
          ? html`<th scope="row" role="rowheader"${side(column, at)}>${piece}</th>`
          : html`<td role="cell"${side(column, at)}>${piece}</td>`;
      });
      yield html`<tr role="row"${named}>${pieces}</tr>\n`.text;
    }
    yield '</tbody></table>\n';
  }
}

export function stackedTable<Line>(kind: string, { caption, columns, groups }: Table<Line>): Html {
  const table = new StackedTable(kind, columns);
  const rows = groups.flat().map((line) => table.row(line));
  return new Html([...table.pieces(caption, rows)].join(''));
}

function isNothing(shown: Piece | Tie): boolean {
  return !isTie(shown) && html`${shown}`.text === '';
}

function isTie(shown: Piece | Tie): shown is Tie {
  return typeof shown === 'object' && 'tone' in shown;
}

/** `at`: the number of a stacked table's column. */
function side({ kind }: Pick<Heading, 'kind'>, at?: number): Html {
  const names = [...(at === undefined ? [] : [`c${at + 1}`]), ...(kind === undefined ? [] : ['num', kind])];
  return names.length === 0 ? NOTHING : html` class="${names.join(' ')}"`;
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
    case 'status':
      return badge(column.value(line));
    case 'money': {
      const money = column.value(line);
      return typeof money === 'string' ? money : moneyText(money);
    }
    default:
      return column.value(line);
  }
}

type Heading = Pick<Column<unknown>, 'header' | 'kind' | 'width'>;

/** What a card writes before each value, for the style sheet: `.rows .c2::before{content:"Name"}`. */
export function cardNames(kind: string, columns: readonly Heading[]): string {
  return columns.map(({ header }, at) => `.${kind} .c${at + 1}::before{content:"${header}"}`).join('\n');
}

export function cardWidths(kind: string, columns: readonly Heading[]): string {
  return columns.map(({ width = 0 }, at) => `.${kind} thead .c${at + 1}{width:${width}%}`).join('\n');
}
