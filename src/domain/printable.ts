/**
 * Text that came from outside (a cell, the service, a person) made fit to stand in a terminal line, a report
 * or a message: one line, and nothing in it that a terminal would obey.
 */
import { ANNOTATIONS, CONTROLS, SIDE_MARKS, TAB_AND_LINE_FEED, TURNS } from './obeyed-signs.ts';

const OBEYED = new RegExp(`[${TAB_AND_LINE_FEED}${CONTROLS}${TURNS}${SIDE_MARKS}${ANNOTATIONS}]`);
const SPACES = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const OTHERS = new RegExp(OBEYED, 'g');

/** Line breaks and tabs become one space, every other control a visible `�`. */
export function printable(text: string): string {
  return OBEYED.test(text) ? text.replace(SPACES, ' ').replace(OTHERS, '�') : text;
}
