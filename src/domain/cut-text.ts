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
