/**
 * Text on its way into XML: made fit to stand in it, cut to what a schema allows, never in the middle of a letter.
 */
import { cutText } from '../../domain/cut-text.ts';
import { printable } from '../../domain/printable.ts';
import { inMarkup } from './markup.ts';

/** No XML may contain these, however they are written. */
const FORBIDDEN = /[\ufffe\uffff]/g;

export function escaped(text: string): string {
  return inMarkup(oneLine(text));
}

/** One line of characters that XML can carry. */
export function oneLine(text: string): string {
  return printable(text).toWellFormed().replace(FORBIDDEN, '�').trim();
}

/** By code points, as a schema counts; what was cut ends in `…`. */
export function cut(text: string, most: number): string {
  return cutText(oneLine(text), most);
}

/** The text in lines of at most so many characters, broken between words; at most so many lines. */
export function linesOf(text: string, limits: { readonly length: number; readonly lines: number }): string[] {
  const lines: string[] = [];
  let rest = Array.from(oneLine(text));
  while (rest.length > 0 && lines.length < limits.lines) {
    if (rest.length <= limits.length || lines.length === limits.lines - 1) {
      lines.push(cut(rest.join(''), limits.length));
      break;
    }
    const space = rest.slice(0, limits.length + 1).lastIndexOf(' ');
    const end = space > 0 ? space : limits.length;
    lines.push(rest.slice(0, end).join('').trimEnd());
    rest = Array.from(rest.slice(end).join('').trimStart());
  }
  return lines;
}
