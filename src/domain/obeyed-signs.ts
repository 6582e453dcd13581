/**
 * Characters that a terminal, a page or a spreadsheet obeys instead of showing them, as parts of a character class.
 * Each way of making text harmless says which of them it takes; none keeps a list of its own.
 */

/** C0 without tab and line feed, DEL and C1. */
export const CONTROLS = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f';
export const TAB_AND_LINE_FEED = '\\u0009\\u000a';
/** Line separators, and marks that turn the direction of all that follows. */
export const TURNS = '\\u2028-\\u202e\\u2066-\\u2069';
/** Marks that turn the direction of what stands beside them only; names in Arabic and Hebrew may have them. */
export const SIDE_MARKS = '\\u061c\\u200e\\u200f';
/** Text above other text, which hides what it stands above. */
export const ANNOTATIONS = '\\ufff9-\\ufffb';
