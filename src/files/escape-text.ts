/**
 * Escapes text that a spreadsheet would take for a formula with a `'` in front, and removes it again.
 *
 * A spreadsheet program may split our file at another character than the comma: at its own list separator, or at what
 * a person chose. Quotes do not protect text then, so inside of a cell a formula is as harmful behind every such
 * character, and behind a line break, as at the beginning. A `'` that was there before is doubled, so that taking one
 * away in each of these places gives back exactly what was written.
 * Plain numbers and E.164 phone numbers are left alone: they are not formulas, and people calculate with them.
 */
import { escapeMarkup } from '../domain/text/escape-markup.ts';
import { cutText, printable } from '../domain/text/printable.ts';

/** Blanks that a spreadsheet skips before it looks for a formula: special spaces and invisible marks. */
const SPACES = String.raw`\u00a0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff`;
const BREAKS = String.raw`\t\n\u000b\f\u0085\u2028\u2029`;
const SIGN = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20\u2212]`;
const NUMBER = String.raw`[+-]?\d+(?:[.,]\d+)*`;
/**
 * A flag of a command, or the `--` behind which none stands: people paste them. As a formula they are names that no
 * workbook has, or nothing; of one letter only those that a command has, for `-r` and `-c` are a row and a column.
 */
const FLAG = '-(?:-|-[a-z][a-z-]*|[os])(?:[ ;,.)]|$)';
const FORMULA_LIKE = new RegExp(`^(?:[\\t\\r]|[ \\r${SPACES}${BREAKS}"]*${SIGN})`);
const PLAIN_NUMBER = new RegExp(`^${NUMBER}$`);

/**
 * Where a program may split, with this mark behind it, before what it would take for a formula. A space splits too,
 * where somebody chose it. Between two of the same, a lone sign and a number are no formulas. No two places of a
 * kind look at the same blanks, so that a long cell costs no more than its length.
 */
const placesOf = (mark: string) => {
  const sign = (blanks: string) => `(?=[${blanks}${SPACES}"']*${SIGN})`;
  const noFormula = (split: string) => `(?!(?:${SIGN}|${NUMBER})${split})`;
  const places = [
    `([${BREAKS}])${mark}${sign(' ')}`,
    `(\\r)${mark}(?!\\n)${sign(' ')}`,
    `( )${mark}${sign('')}${noFormula(' ')}(?!${FLAG})`,
    `([,;|:^~])${mark}${sign(` \\r${BREAKS}`)}${noFormula('\\4')}`,
  ];
  return new RegExp(places.join('|'), 'g');
};
const PLACES = placesOf('');
const MARKED_PLACES = placesOf("'");

export function escapeFormulas(text: string): string {
  if (!mayNeedEscape(text)) return text;
  const inside = text.replace(PLACES, "$&'");
  const isMarked = text.startsWith("'") || (FORMULA_LIKE.test(text) && !PLAIN_NUMBER.test(text));
  return isMarked ? `'${inside}` : inside;
}

/**
 * The first cell of a line, which begins the line for every program. Split elsewhere, a plain number goes on with the
 * next cell: `-5` and `2+A1` become `-5,2+A1`.
 */
export function escapeFirstCell(text: string): string {
  return /^[+-]/.test(text) && PLAIN_NUMBER.test(text) ? `'${text}` : escapeFormulas(text);
}

/** What stood there before `escapeFormulas`. */
export function unescapeFormulas(text: string): string {
  const inside = text.startsWith("'") ? text.slice(1) : text;
  return inside.includes("'") ? inside.replace(MARKED_PLACES, '$1$2$3$4') : inside;
}

/** A sign behind anything but a letter or a digit. */
const INNER_SIGN = new RegExp(`[^A-Za-z0-9]${SIGN}`);

/** A quick test, because the long expressions are slow and nearly no cell needs them. */
function mayNeedEscape(text: string): boolean {
  if (text === '') return false;
  const first = text.charCodeAt(0);
  const isPlainStart = (first > 0x40 && first < 0x7f) || (first >= 0x30 && first < 0x3d);
  return !isPlainStart || INNER_SIGN.test(text);
}

/** Begins with a letter or digit, has no sign but behind one, and nothing that is shown by name. */
const HARMLESS = /^(?:[0-9A-Za-z](?:[0-9A-Za-z _.;:()/]|(?<=[0-9A-Za-z])[-+=@])*)?$/;

/** True only of what neither `visibleText` nor `escapeFormulas` would change. */
export function isHarmless(text: string): boolean {
  return text === '' || HARMLESS.test(text);
}

/**
 * Text for XML: without characters that XML forbids, cut to the length of a schema, never in the middle of a letter.
 */

export function escaped(text: string): string {
  return escapeMarkup(oneLine(text));
}

/** One line of characters that XML can carry. */
export function oneLine(text: string): string {
  return printable(text).trim();
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
