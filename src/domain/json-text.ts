/**
 * JSON that does nothing to whoever shows it: characters that a terminal, a page or a script would obey are written
 * as `\u` escapes. A reader of JSON gets exactly what stood there.
 */
import { ANNOTATIONS, CONTROLS, SIDE_MARKS, TURNS } from './obeyed-signs.ts';
import { nameOf } from './visible-text.ts';

/** Also what ends a script. Tabs and line feeds of a text are escaped by JSON itself; the others lay the JSON out. */
const OBEYED = new RegExp(`[<>&${CONTROLS}${TURNS}${SIDE_MARKS}\\ufeff${ANNOTATIONS}]`);
const ALL_OBEYED = new RegExp(OBEYED, 'g');

export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return OBEYED.test(text) ? text.replace(ALL_OBEYED, nameOf) : text;
}
