/**
 * Escapes text from outside (a cell, the service, a person) for a line on a terminal, in a report or in a message: one
 * line, without control characters.
 */

/**
 * Characters that have an effect on a terminal, a page or a spreadsheet instead of being shown, or are shown as nothing, as
 * parts of a character class. Each function says which of these parts it uses; none has a list of its own.
 */

/** C0 without tab and line feed, DEL and C1. */
const CONTROLS = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f';
const TAB_AND_LINE_FEED = '\\u0009\\u000a';
/** Line separators, and marks that turn the direction of all that follows. */
const TURNS = '\\u2028-\\u202e\\u2066-\\u2069';
/** Marks that change the direction only of their neighbours; names in Arabic and Hebrew may have them. */
const SIDE_MARKS = '\\u061c\\u200e\\u200f';
/**
 * Zero-width and filling characters, soft hyphens, joiners, variation selectors and tags, empty Braille, text above other
 * text, and characters that each font draws as it likes or none does.
 */
const UNSEEN = '\\p{DI}\\u2800\\ufff9-\\ufffc\\p{Co}\\p{NChar}';
/** Of characters: written to a file or a stream, each becomes a `�`. */
const HALVES = '\\p{Cs}';

const PLAIN = /^[ -~]*$/;
const EACH_OBEYED = new RegExp(`[${TAB_AND_LINE_FEED}${CONTROLS}${TURNS}${UNSEEN}${HALVES}]`, 'gv');
const SPACES = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** Line breaks and tabs become one space, every other control and what cannot be seen a visible `�`. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(SPACES, ' ')
    .replace(EACH_OBEYED, (mark, at: number, whole: string) => (isOfItsWord(mark, whole, at) ? mark : '�'));
}

/** Whether a text is one line, and all of it can be seen. */
export function isSeenWhole(text: string): boolean {
  return PLAIN.test(text) || text.search(EACH_OBEYED) === -1;
}

/** Letters of scripts whose words need joiners. */
const JOINING =
  /[[\p{L}\p{M}]--[\p{DI}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]]/v;
const PICTURE = /[\p{Emoji}--[\x00-\x7f]]|\ufe0f/v;
const PICTURE_MARKS = ['\u200d', '\ufe0e', '\ufe0f'];

/** A joiner beside a letter of a script that needs it, and what makes one picture of several: a reader sees its effect. */
function isOfItsWord(mark: string, whole: string, at: number): boolean {
  if ((mark === '\u200c' || mark === '\u200d') && isBesideJoining(whole, at)) return true;
  return PICTURE_MARKS.includes(mark) && PICTURE.test(characterBefore(whole, at));
}

function isBesideJoining(whole: string, at: number): boolean {
  const behind = String.fromCodePoint(whole.codePointAt(at + 1) ?? 0);
  return JOINING.test(characterBefore(whole, at)) || JOINING.test(behind);
}

/** Empty at the beginning. */
function characterBefore(whole: string, at: number): string {
  return Array.from(whole.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
}

/**
 * Text of a cell that may have several lines, made fit for a file that people also look at in a terminal: every
 * control character except line break and tab, and what cannot be seen, is shown by its name, such as `\u001b`.
 *
 * Marks that turn the direction of what follows are shown too. Joiners and marks of direction stay in words of scripts
 * that need them, such as names in Arabic, Hebrew, Persian and Indic scripts. Text that is already printable comes back
 * as it is.
 */

const LINE_ENDS = /\r\n/g;
const PLAIN_LINES = /^[\t\n -~]*$/;
const EACH_OF_CELL = new RegExp(`[${CONTROLS}${TURNS}${UNSEEN}]`, 'gv');
const SIDE_MARK = new RegExp(`[${SIDE_MARKS}]`);

export function visibleText(text: string): string {
  if (PLAIN_LINES.test(text)) return text;
  return text.replace(LINE_ENDS, '\n').replace(EACH_OF_CELL, (mark, at: number, whole: string) => {
    const isNeeded = isOfItsWord(mark, whole, at) || (SIDE_MARK.test(mark) && isBesideJoining(whole, at));
    return isNeeded ? mark : nameOf(mark);
  });
}

/** Every character by its name that is obeyed or cannot be seen, so that a person can see what is wrong. */
export function namedText(text: string): string {
  return text.replace(EACH_OBEYED, nameOf).replace(/\ufffd/g, nameOf);
}

/** `\u001b`, `\u{e0041}`. */
function nameOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
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
const PLAIN_JSON = /^[\t\n -%'-;=?-~]*$/;
const EACH_OF_JSON = new RegExp(`[<>\\&${CONTROLS}${TURNS}${UNSEEN}]`, 'gv');

export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return PLAIN_JSON.test(text)
    ? text
    : text.replace(EACH_OF_JSON, (character) => character.split('').map(nameOf).join(''));
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

const RANGES_MAX = 6;

/** `rows 6–19, 22`; so many ranges that they fit a line or two. `more`: rows that are not named anyway. */
export function rowNumbers(rows: readonly number[], more = 0): string {
  const ranges: { from: number; to: number }[] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last !== undefined && row === last.to + 1) last.to = row;
    else ranges.push({ from: row, to: row });
  }
  const shown = ranges.slice(0, RANGES_MAX);
  const left = rows.length + more - shown.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const texts = shown.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`));
  const others = left > 0 ? ` and ${countText(left)} more` : '';
  return `${rows.length === 1 ? 'row' : 'rows'} ${texts.join(', ')}${others}`;
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** `first`, `second`, … `6th`; from 1. */
export function ordinalText(place: number): string {
  return ORDINALS[place - 1] ?? `${countText(place)}th`;
}
