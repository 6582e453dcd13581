/** The header of a column that an answer adds: the name of its field, unless the file has a column of that name. */
import { isSameHeader } from '../rows/column-names.ts';
import type { Field } from '../rows/row.ts';

export function addedHeader(headers: readonly string[], field: Field): string {
  const isTaken = headers.some((header) => isSameHeader(header, field));
  return isTaken ? `${field} (said)` : field;
}
