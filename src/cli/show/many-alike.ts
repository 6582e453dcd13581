/**
 * Long lists of sentences that say the same about many rows: the first of each kind, and how many more there are.
 */
import { countText } from '../../domain/text/printable.ts';

/** As many as fit on one screen. */
export const MOST_OF_A_KIND = 20;

/** Two sentences are of one kind when only numbers and quoted words differ. */
function kindOf(sentence: string): string {
  return sentence.replace(/“[^”]*”/g, '“”').replace(/\d+/g, '0');
}

/** In their order, each kind with `… and 850 more like this (--all shows them)` behind its last one. */
export function firstOfEachKind(sentences: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences) counts.set(kindOf(sentence), (counts.get(kindOf(sentence)) ?? 0) + 1);
  const shown = new Map<string, number>();
  return sentences.flatMap((sentence) => {
    const kind = kindOf(sentence);
    const before = shown.get(kind) ?? 0;
    shown.set(kind, before + 1);
    if (before >= MOST_OF_A_KIND) return [];
    const more = (counts.get(kind) ?? 0) - MOST_OF_A_KIND;
    const isLast = before === MOST_OF_A_KIND - 1 && more > 0;
    return isLast ? [sentence, `… and ${countText(more)} more like this (--all shows them)`] : [sentence];
  });
}
