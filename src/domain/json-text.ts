/**
 * JSON that does nothing to whoever shows it: characters that a terminal, a page or a script would obey are written
 * as `\u` escapes. A reader of JSON gets exactly what stood there.
 */
import { nameOf } from './visible-text.ts';

/** Beyond what JSON itself escapes: C1 controls, direction marks, line separators, and what ends a script. */
const OBEYED = /[<>&\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/;
const ALL_OBEYED = new RegExp(OBEYED, 'g');

export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return OBEYED.test(text) ? text.replace(ALL_OBEYED, nameOf) : text;
}
