/**
 * Pieces of forms and tables that many pages use: a field with its label and what is wrong with it, a list of facts, a table
 * that scrolls by itself.
 */
import { Html, html, NOTHING, type Piece } from '../../views/html.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  /** Small, beside the label. */
  readonly hint?: string | undefined;
  readonly value?: string | undefined;
  readonly isRequired?: boolean;
  /** `text` where nothing is said. A `choice` is ticked to say yes; `choices` make a list of it. */
  readonly type?: 'text' | 'long' | 'file' | 'date' | 'choice';
  readonly choices?: Choices;
  /** Of a file: the endings that are offered. */
  readonly accept?: string;
  /** What is wrong with what was typed. */
  readonly wrong?: string | undefined;
  /** Makes its id another than that of the same field in another form. */
  readonly within?: string;
}

export function field(of: Field): Html {
  const { name, label, hint, wrong, within = '' } = of;
  const id = `${within}${name}`;
  if (of.type === 'choice')
    return html`<label class="choice"><input type="checkbox" name="${name}" value="yes"${of.isRequired === true ? html` required` : NOTHING}>${label}</label>\n`;
  return html`<label for="${id}">${label}${hint === undefined ? NOTHING : html` <span class="under">${hint}</span>`}</label>
${control(of, id)}${wrong === undefined ? NOTHING : html`\n<p class="wrong" id="${id}-wrong">${wrong}</p>`}
`;
}

function control(
  { name, type = 'text', value = '', choices, accept, isRequired, wrong }: Field,
  id: string,
): Html {
  const required = isRequired === true ? html` required` : NOTHING;
  const invalid = wrong === undefined ? NOTHING : html` aria-invalid="true" aria-describedby="${id}-wrong"`;
  const named = html`id="${id}" name="${name}"${required}${invalid}`;
  if (choices !== undefined) return html`<select ${named}>${options(choices, value)}</select>`;
  if (type === 'long') return html`<textarea ${named} rows="3">${value}</textarea>`;
  if (type === 'file')
    return html`<input type="file" ${named}${accept === undefined ? NOTHING : html` accept="${accept}"`}>`;
  return html`<input type="${type}" ${named} value="${value}" autocomplete="off">`;
}

type Choices = readonly (readonly [value: string, text: string])[];

/** Of a list. */
export const options = (choices: Choices, chosen: string): Html =>
  html`${choices.map(([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : NOTHING}>${text}</option>\n`)}`;

interface FormShown {
  readonly action: string;
  readonly method?: 'get' | 'post';
  readonly fields: Piece;
  /** undefined: its button stands in the bar of the page. */
  readonly button?: string | undefined;
  readonly look?: 'main' | 'grave' | 'plain';
  readonly id?: string;
  /** It may bring a file. */
  readonly hasFile?: boolean;
  /** Nothing is typed that somebody would miss. */
  readonly isShort?: boolean;
  readonly className?: string;
}

/** A form of the console: every one is sent to its own address, and a person is asked before what they typed is left. */
export function form(of: FormShown): Html {
  const { action, method = 'post', fields, button, look = 'plain', id, hasFile, isShort, className } = of;
  const attributes = [
    hasFile === true ? html` enctype="multipart/form-data"` : NOTHING,
    id === undefined ? NOTHING : html` id="${id}"`,
    className === undefined ? NOTHING : html` class="${className}"`,
    method === 'get' || isShort === true ? NOTHING : html` data-keep`,
  ];
  const send =
    button === undefined
      ? NOTHING
      : html`<p><button${look === 'plain' ? NOTHING : html` class="${look}"`}>${button}</button></p>`;
  return html`<form method="${method}" action="${action}"${attributes}>
${fields}${send}
</form>
`;
}

/** Why nothing was done: a screen reader says it, and the keyboard goes on from here. One a page. */
export function refusal(why: Piece): Html {
  return html`<div class="alarm" id="wrong" role="alert" tabindex="-1" autofocus>${why}</div>
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
