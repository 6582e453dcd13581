/**
 * Text that came from outside (a cell, the service, a person) made fit to stand in a terminal line, a report
 * or a message: one line, and nothing in it that a terminal would obey.
 */

/** Controls, line separators, and marks that change the direction of what follows. */
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const SPACES = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const OTHERS = new RegExp(OBEYED, 'g');

/** Line breaks and tabs become one space, every other control a visible `�`. */
export function printable(text: string): string {
  return OBEYED.test(text) ? text.replace(SPACES, ' ').replace(OTHERS, '�') : text;
}
