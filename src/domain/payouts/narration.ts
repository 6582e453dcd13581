/**
 * The narration that goes on the wire: the tag in front, the user's note behind it, cut to what fits.
 */

import { hash } from 'node:crypto';
import type { Policy } from '../policy.ts';
import { asTag, type PayoutId, type Tag } from './instruction.ts';

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

const TAG_LENGTH = 11;

/** Whether payments carry a whole tag in their narration. */
export function isTagged({ noteMax, noteTag }: Pick<Policy, 'noteMax' | 'noteTag'>): boolean {
  return noteTag && noteMax >= TAG_LENGTH;
}

/**
 * The tag: the short mark of an instruction in front of the narration, our substitute for an idempotency key.
 *
 * `PF-` and 8 characters of Crockford base 32 (40 bits) derived from ledger id and payout id. `salt` grows
 * only when another payout of the ledger already has the tag.
 */

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function tagOf(ledgerId: string, payoutId: PayoutId, salt = 0): Tag {
  const bytes = hash('sha256', `tag\n${ledgerId}\n${payoutId}\n${salt}`, 'buffer');
  let bits = bytes.readUIntBE(0, 5);
  let text = '';
  for (let index = 0; index < 8; index += 1) {
    text = CROCKFORD.charAt(bits % 32) + text;
    bits = Math.floor(bits / 32);
  }
  return asTag(`PF-${text}`);
}
