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
  if (whole.length <= policy.noteMax) return whole.trimEnd();
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
 * `PF-` and 8 characters of Crockford base 32 (40 bits). They are the number of the payout, mixed with the ledger's id by a
 * permutation (a Feistel network of four rounds): no two payouts of a ledger share a tag.
 *
 * A ledger that was set back goes on with longer numbers, made from the time. They share the upper half of the tags. Two of
 * them are equal only if that ledger is set back again 63 days later, to the very row.
 */

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const HALF_BITS = 20;
const HALF = 2 ** HALF_BITS;
const ROUNDS = 4;
/** Numbers from here on come from the time. */
const LONG = 2 ** 39;

export function tagOf(ledgerId: string, payoutId: PayoutId): Tag {
  const number = Number(payoutId);
  if (!/^(?:0|[1-9]\d*)$/.test(payoutId) || !Number.isSafeInteger(number))
    throw new RangeError(`“${payoutId}” is no number of a payout, so it has no tag`);
  const keys = keysOf(ledgerId);
  const short = number < LONG ? number : LONG + (number % LONG);
  let [left, right] = [Math.floor(short / HALF), short % HALF];
  for (let round = 0; round < ROUNDS; round += 1)
    [left, right] = [right, left ^ (mixed(right ^ keys.readUInt32LE(4 * round)) % HALF)];
  let bits = left * HALF + right;
  let text = '';
  for (let index = 0; index < 8; index += 1) {
    text = CROCKFORD.charAt(bits % 32) + text;
    bits = Math.floor(bits / 32);
  }
  return asTag(`PF-${text}`);
}

let lastKeys: { readonly ledgerId: string; readonly keys: Buffer } | undefined;

/** Of one ledger after the other: a process has one, and a hash for each row costs more than the rest. */
function keysOf(ledgerId: string): Buffer {
  if (lastKeys?.ledgerId !== ledgerId)
    lastKeys = { ledgerId, keys: hash('sha256', `tag\n${ledgerId}`, 'buffer') };
  return lastKeys.keys;
}

/** 32 bits mixed (the last steps of murmur3). */
function mixed(bits: number): number {
  let state = bits;
  state ^= state >>> 16;
  state = Math.imul(state, 0x85ebca6b);
  state ^= state >>> 13;
  state = Math.imul(state, 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
