/**
 * Lines among the rows that say what the rows below them are: a heading such as “NOT TO BE PAID”, and the header of another
 * table, which the header of the first one cannot read.
 */
import { fieldMaybeMeant, fieldOfHeader, isSameHeader, REQUIRED_FIELDS } from '../rows/column-names.ts';
import type { Field } from '../rows/row.ts';

export interface LineBetween {
  /** `table`: it names the columns of the rows below it. `heading`: it is the only text of its line. */
  readonly kind: 'heading' | 'table';
  /** The column of its first text. */
  readonly at: number;
  readonly text: string;
}

/** A row that names so many fields is a header. */
const LEAST_FIELDS = 3;
/** Payments have numbers. */
const LONG_NUMBER = /\d{4}/;

/** undefined: a row like the others, or the header of the table once more, as each printed page has it. */
export function lineBetween(cells: readonly string[], headers: readonly string[]): LineBetween | undefined {
  const at = cells.findIndex((cell) => cell.trim() !== '');
  if (at === -1) return undefined;
  const text = (cells[at] ?? '').trim();
  if (cells.every((cell, other) => other === at || cell.trim() === '' || cell.trim() === text))
    return { kind: 'heading', at, text };
  return isOtherHeader(cells, headers) ? { kind: 'table', at, text } : undefined;
}

const isPaid = (field: Field | undefined) => field !== undefined && REQUIRED_FIELDS.includes(field);

function isOtherHeader(cells: readonly string[], headers: readonly string[]): boolean {
  if (cells.some((cell) => LONG_NUMBER.test(cell))) return false;
  const named = new Set<Field>();
  let isSame = true;
  for (const [at, cell] of cells.entries()) {
    const text = cell.trim();
    if (text === '') continue;
    const field = fieldOfHeader(text) ?? fieldMaybeMeant(text);
    if (field !== undefined) named.add(field);
    const header = headers[at] ?? '';
    if (isPaid(field) || isPaid(fieldOfHeader(header))) isSame &&= isSameHeader(text, header);
  }
  // Without accounts and telephones it sums something up.
  return !isSame && named.size >= LEAST_FIELDS && (named.has('account') || named.has('phone'));
}
