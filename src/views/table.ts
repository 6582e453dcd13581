/**
 * Tables of a page: captions, header cells with scope, numbers to the right, no column without a value. A stacked table
 * becomes a list of cards on a phone; its cells carry their roles, because some browsers drop the table roles when CSS
 * changes its layout. In both the first column names the row.
 */
import { countText } from '../domain/text/printable.ts';
import { amountText, badge, Html, html, instantText, moneyText, NOTHING, type Piece } from './html.ts';
import { columnsInUse, isNumber, type Column as SharedColumn } from './table-columns.ts';

export interface Column<Line> {
  readonly header: string;
  /** Numbers stand to the right; an id is never broken. */
  readonly kind?: 'count' | 'money' | 'id';
  readonly shown: (line: Line) => Piece;
}

/** A table of the workbook, on a page. On a small screen it scrolls, also by the keyboard. `label`: names it for a screen reader. */
export function sharedTable<Line>(
  { label, caption }: { readonly label: string; readonly caption: string },
  given: readonly SharedColumn<Line>[],
  lines: readonly Line[],
): Html {
  const inUse = columnsInUse(given, lines);
  const columns = shownColumns(inUse);
  const heads = columns.map(({ header, kind }) => html`<th scope="col"${side(kind)}>${header}</th>`);
  const rows = lines.map((line) => {
    const cells = columns.map(({ header, kind, shown }, at) =>
      at === 0
        ? html`<th scope="row"${side(kind)} data-name="${header}">${shown(line)}</th>`
        : html`<td${side(kind)} data-name="${header}">${shown(line)}</td>`,
    );
    const isSum = inUse[0]?.isBold?.(line) === true;
    return html`<tr${isSum ? html` class="sum"` : NOTHING}>${cells}</tr>\n`;
  });
  return html`<div class="wide" role="region" aria-label="${label}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>
`;
}

/** The columns of a table of the workbook, as a page shows them. */
export function shownColumns<Line>(columns: readonly SharedColumn<Line>[]): readonly Column<Line>[] {
  return columns.map((column) => ({
    header: column.header,
    ...(isNumber(column.style) ? { kind: 'money' } : column.style === 'time' ? { kind: 'id' } : {}),
    shown: (line) => pieceOf(column, line),
  }));
}

function pieceOf<Line>(column: SharedColumn<Line>, line: Line): Piece {
  switch (column.style) {
    case 'time':
    case 'day': {
      const at = column.value(line);
      return at === undefined ? '' : instantText(at);
    }
    case 'count': {
      const count = column.value(line);
      return count === undefined ? '' : countText(count);
    }
    case 'status':
      return badge(column.value(line));
    case 'money': {
      const money = column.value(line);
      return typeof money === 'object' ? (money.minor === 0n ? '–' : amountText(money)) : money;
    }
    case 'coined': {
      const money = column.value(line);
      return typeof money === 'object' ? moneyText(money) : money;
    }
    default:
      return column.value(line);
  }
}

/** A row of a stacked table that waits until it is known which columns are shown. */
export interface WaitingRow {
  readonly id: string | undefined;
  readonly cells: readonly string[];
}

/**
 * Cards on a phone, where an empty cell is left out. `kind` is its class; with a column's number it is how the style names
 * the cells of a column, whichever columns are shown.
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
      const { text } = html`${column.shown(line)}`;
      if (text !== '') this.#filled.add(at);
      return text;
    });
    return { id, cells };
  }

  /** When all rows are made. `sums`: by the heading of their column, in a row of their own below. */
  *pieces(
    caption: Piece,
    rows: Iterable<WaitingRow>,
    sums?: Readonly<Record<string, Piece>>,
  ): Generator<string> {
    const shown = this.#columns.flatMap((column, at) => (this.#filled.has(at) ? [{ column, at }] : []));
    const heads = shown.map(
      ({ column: { kind, header }, at }) =>
        html`<th scope="col" role="columnheader"${side(kind, at)}>${header}</th>`,
    );
    yield html`<table class="stack ${this.#kind}" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
`.text;
    for (const { id, cells } of rows) {
      const named = id === undefined ? NOTHING : html` id="${id}"`;
      const pieces = shown.map(({ column, at }, nth) =>
        cell(nth, side(column.kind, at), new Html(cells[at] ?? '')),
      );
      yield html`<tr role="row"${named}>${pieces}</tr>\n`.text;
    }
    if (sums !== undefined) {
      const pieces = shown.map(({ column, at }, nth) =>
        cell(nth, side(column.kind, at), sums[column.header]),
      );
      yield html`<tr role="row" class="sum">${pieces}</tr>\n`.text;
    }
    yield '</tbody></table>\n';
  }
}

function cell(nth: number, kind: Html, piece: Piece): Html {
  return nth === 0
    ? html`<th scope="row" role="rowheader"${kind}>${piece}</th>`
    : html`<td role="cell"${kind}>${piece}</td>`;
}

export function stackedTable<Line>(
  kind: string,
  caption: Piece,
  columns: readonly Column<Line>[],
  lines: readonly Line[],
): Html {
  const table = new StackedTable(kind, columns);
  const rows = lines.map((line) => table.row(line));
  return new Html([...table.pieces(caption, rows)].join(''));
}

/** `at`: the number of a stacked table's column. */
function side(kind: Column<unknown>['kind'], at?: number): Html {
  const names = [
    ...(at === undefined ? [] : [`c${at + 1}`]),
    ...(kind === undefined ? [] : kind === 'id' ? ['id'] : ['num', kind]),
  ];
  return names.length === 0 ? NOTHING : html` class="${names.join(' ')}"`;
}

/** What a card writes before each value, for the style sheet: `.rows .c2::before{content:"Name"}`. */
export function cardNames(kind: string, columns: readonly Pick<Column<unknown>, 'header'>[]): string {
  return columns.map(({ header }, at) => `.${kind} .c${at + 1}::before{content:"${header}"}`).join('\n');
}
