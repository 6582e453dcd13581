/**
 * The narration that goes on the wire: the tag in front, the user's note behind it, cut to what fits.
 */
import type { Tag } from './instruction.ts';
import type { Policy } from './policy.ts';

export function narrationOf(
  tag: Tag,
  note: string | undefined,
  policy: Pick<Policy, 'noteMax' | 'noteTag'>,
): string {
  const whole = policy.noteTag
    ? [tag, note].filter((part) => part !== undefined && part !== '').join(' ')
    : (note ?? '');
  // By code points, so that no letter is cut in half.
  return Array.from(whole).slice(0, policy.noteMax).join('').trimEnd();
}
