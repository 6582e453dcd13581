/**
 * Text that a spreadsheet would take for a formula, made harmless with one leading `'`, and back again.
 *
 * A `'` that was there before is doubled, so that taking one away always gives back exactly what was written.
 * Plain numbers and E.164 phone numbers are left alone: they are no formulas, and people reckon with them.
 */

/** Spaces of all kinds, and marks that print nothing; a spreadsheet skips them before it looks for a formula. */
const BLANK = '[ \\u00a0\\u1680\\u2000-\\u200d\\u202f\\u205f\\u2060\\u3000\\ufeff]*';
const TRIGGER = '[=+\\-@\\t\\r\\uff1d\\uff0b\\uff0d\\uff20\\u2212]';
const FORMULA_LIKE = new RegExp(`(?:^|[\\n\\r])${BLANK}${TRIGGER}`);
const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)*$/;

export function harmless(text: string): string {
  if (!mayNeedCare(text)) return text;
  if (text.startsWith("'")) return `'${text}`;
  return FORMULA_LIKE.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

/** What stood there before `harmless`. */
export function asWritten(text: string): string {
  return text.startsWith("'") ? text.slice(1) : text;
}

/** A quick look at the first character and for line breaks spares nearly every cell the expressions. */
function mayNeedCare(text: string): boolean {
  if (text === '') return false;
  const first = text.charCodeAt(0);
  const isPlainStart = (first > 0x40 && first < 0x7f) || (first >= 0x30 && first < 0x3d);
  return !isPlainStart || text.includes('\n') || text.includes('\r');
}
