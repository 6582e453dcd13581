/**
 * Escapes text from outside (a cell, the service, a person) for a line on a terminal, in a report or in a message: one
 * line, without control characters.
 */

/**
 * Characters that have an effect on a terminal, a page or a spreadsheet instead of being shown, as parts of a character
 * class. Each escaping function says which of these parts it uses; none has a list of its own.
 */

/** C0 without tab and line feed, DEL and C1. */
const CONTROLS = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f';
const TAB_AND_LINE_FEED = '\\u0009\\u000a';
/** Line separators, and marks that turn the direction of all that follows. */
const TURNS = '\\u2028-\\u202e\\u2066-\\u2069';
/** Marks that change the direction only of their neighbours; names in Arabic and Hebrew may have them. */
const SIDE_MARKS = '\\u061c\\u200e\\u200f';
/** Text above other text, which hides the text below it. */
const ANNOTATIONS = '\\ufff9-\\ufffb';

const OBEYED = new RegExp(`[${TAB_AND_LINE_FEED}${CONTROLS}${TURNS}${SIDE_MARKS}${ANNOTATIONS}]`);
const SPACES = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const OTHERS = new RegExp(OBEYED, 'g');

/** Line breaks and tabs become one space, every other control a visible `�`. */
export function printable(text: string): string {
  return OBEYED.test(text) ? text.replace(SPACES, ' ').replace(OTHERS, '�') : text;
}

/**
 * Text of a cell that may have several lines, made fit for a file that people also look at in a terminal: every
 * control character except line break and tab is shown by its name, such as `\u001b`.
 *
 * Marks that turn the direction of what follows are shown too; those that only join or part letters stay, because
 * names in Arabic, Hebrew, Persian and Indic scripts need them. Text that is already printable comes back as it is.
 */

const LINE_ENDS = /\r\n/g;
const CONTROLS_OF_CELL = new RegExp(`[${CONTROLS}${TURNS}${ANNOTATIONS}]`);
const EACH_CONTROL_OF_CELL = new RegExp(CONTROLS_OF_CELL, 'g');

export function visibleText(text: string): string {
  if (!CONTROLS_OF_CELL.test(text)) return text;
  return text.replace(LINE_ENDS, '\n').replace(EACH_CONTROL_OF_CELL, nameOf);
}

/** `\u001b`. */
export function nameOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Text cut to a length that has to be kept; what was cut ends in `…`.
 *
 * Units:   code points, so that no letter is cut in two. How wide a terminal draws them is not looked at.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // No more than this can be needed, however long the text is.
  const letters = Array.from(text.slice(0, most * 2));
  if (text.length <= most * 2 && letters.length <= most) return text;
  const kept = letters.slice(0, Math.max(0, most - 1)).join('');
  return `${kept.trimEnd()}…`;
}

/**
 * JSON that is safe to show: characters with an effect on a terminal, a page or a script are written as `\u` escapes. A
 * reader of the JSON gets exactly the original text.
 */

/** Includes what ends a script. JSON itself escapes tabs and line feeds inside a text; those outside lay the JSON out. */
const CONTROLS_OF_JSON = new RegExp(`[<>&${CONTROLS}${TURNS}${SIDE_MARKS}\\ufeff${ANNOTATIONS}]`);
const EACH_CONTROL_OF_JSON = new RegExp(CONTROLS_OF_JSON, 'g');

export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return CONTROLS_OF_JSON.test(text) ? text.replace(EACH_CONTROL_OF_JSON, nameOf) : text;
}

/**
 * Numbers with their noun: `1 row`, `1,250 rows`. The only place that makes plurals.
 */

/** `1,250`. */
export function countText(count: number): string {
  return count.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Where the plural is not the word and an s, it is given; so are two words that must agree. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

export function rowsText(count: number): string {
  return counted(count, 'row');
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** `first`, `second`, … `6th`; from 1. */
export function ordinalText(place: number): string {
  return ORDINALS[place - 1] ?? `${countText(place)}th`;
}
