/**
 * Text of a cell that may have several lines, made fit for a file that people also look at in a terminal: every
 * control character but the line break and the tab is shown by its name, such as `\u001b`, and obeyed by nothing.
 *
 * Marks that turn the direction of what follows are shown too; those that only join or part letters stay, because
 * names in Arabic, Hebrew, Persian and Indic scripts need them. Text that is already printable comes back as it is.
 */
import { ANNOTATIONS, CONTROLS, TURNS } from './obeyed-signs.ts';

const LINE_ENDS = /\r\n/g;
const OBEYED = new RegExp(`[${CONTROLS}${TURNS}${ANNOTATIONS}]`);
const ALL_OBEYED = new RegExp(OBEYED, 'g');

export function visibleText(text: string): string {
  if (!OBEYED.test(text)) return text;
  return text.replace(LINE_ENDS, '\n').replace(ALL_OBEYED, nameOf);
}

/** `\u001b`. */
export function nameOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
