/**
 * Pieces of forms and tables that many pages use: a field with its label and what is wrong with it, a list of facts, a table
 * that scrolls by itself.
 */
import { Html, html, NOTHING, type Piece } from '../../views/html.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  /** Small, below the label. */
  readonly hint?: string;
  readonly value?: string;
  readonly isRequired?: boolean;
  readonly isLong?: boolean;
  readonly isDay?: boolean;
  /** What is wrong with what was typed. */
  readonly wrong?: string | undefined;
  /** Makes its id another than that of the same field in another form. */
  readonly within?: string;
}

export function field({
  name,
  label,
  hint,
  value = '',
  isRequired,
  isLong,
  isDay,
  wrong,
  within = '',
}: Field): Html {
  const id = `${within}${name}`;
  const required = isRequired === true ? html` required` : NOTHING;
  const invalid = wrong === undefined ? NOTHING : html` aria-invalid="true" aria-describedby="${id}-wrong"`;
  const control =
    isLong === true
      ? html`<textarea id="${id}" name="${name}" rows="3"${required}${invalid}>${value}</textarea>`
      : html`<input type="${isDay === true ? 'date' : 'text'}" id="${id}" name="${name}" value="${value}" autocomplete="off"${required}${invalid}>`;
  return html`<label for="${id}">${label}${hint === undefined ? NOTHING : html` <span class="under">${hint}</span>`}</label>
${control}${wrong === undefined ? NOTHING : html`\n<p class="wrong" id="${id}-wrong">${wrong}</p>`}
`;
}

/** Why nothing was done: a screen reader says it, and the keyboard goes on from here. One a page. */
export function refusal(why: Piece): Html {
  return html`<div class="alarm" id="wrong" role="alert" tabindex="-1" autofocus>${why}</div>
`;
}

export function fileField(name: string, label: string, accept?: string): Html {
  const kinds = accept === undefined ? NOTHING : html` accept="${accept}"`;
  return html`<label for="${name}">${label}</label>
<input type="file" id="${name}" name="${name}"${kinds}>
`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** Without those that have nothing to say. */
export function factList(facts: readonly (readonly [title: string, told: Piece])[]): Html {
  const shown = facts.filter(([, told]) => html`${told}`.text !== '');
  if (shown.length === 0) return NOTHING;
  return html`<dl>${shown.map(([title, told]) => html`<dt>${title}</dt><dd>${told}</dd>\n`)}</dl>
`;
}

interface WideTable {
  /** For whoever cannot see it. */
  readonly label: string;
  /** What stands above it; undefined where a title says it already. */
  readonly caption?: string;
  readonly heads: readonly (string | Html | { readonly count: string })[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly Piece[])[];
  /** Sums, below a line. */
  readonly foot?: readonly (readonly Piece[])[];
}

/** On a phone each row is a card. Else it scrolls sideways by itself, also by the keyboard, so that the page never does. */
export function wideTable({ label, caption, heads, rows, foot = [] }: WideTable): Html {
  const isCount = heads.map((head) => typeof head === 'object' && 'count' in head);
  const side = (at: number) => (isCount[at] === true ? html` class="num"` : NOTHING);
  // What the card writes before the cell; a title that is more than text is not repeated.
  const names = heads.map((head) =>
    head instanceof Html ? '' : typeof head === 'string' ? head : head.count,
  );
  const named = (at: number) => (names[at] ? html` data-name="${names[at]}"` : NOTHING);
  const line = (cells: readonly Piece[]) =>
    html`<tr>${cells.map((cell, at) =>
      at === 0
        ? html`<th scope="row"${side(at)}${named(at)}>${cell}</th>`
        : html`<td${side(at)}${named(at)}>${cell}</td>`,
    )}</tr>\n`;
  const titles = heads.map(
    (head, at) =>
      html`<th scope="col"${side(at)}>${typeof head === 'object' && 'count' in head ? head.count : head}</th>`,
  );
  return html`<div class="wide" role="region" aria-label="Table: ${label}" tabindex="0"><table>${caption === undefined ? NOTHING : html`<caption>${caption}</caption>`}
<thead><tr>${titles}</tr></thead>
<tbody>${rows.map(line)}</tbody>
${foot.length === 0 ? NOTHING : html`<tfoot>${foot.map(line)}</tfoot>\n`}</table></div>
`;
}
