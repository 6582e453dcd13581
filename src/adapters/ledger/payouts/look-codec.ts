/**
 * The stored text of a payout's last look. Like the schedule, it is not part of the journal. Both have one checksum, which
 * `verify` compares.
 */
import { z } from 'zod';
import { type LastLook, LOOK_CONCERNS } from '../../../domain/payouts/payout.ts';
import type { Timestamp } from '../../../domain/timestamp.ts';
import { decode, encodeBody, readable } from './payout-codec.ts';

const at = z.int() as unknown as z.ZodType<Timestamp>;
const look: z.ZodType<LastLook> = z.strictObject({
  at,
  times: z.int(),
  nothing: z.exactOptional(z.string()),
  missingSince: z.exactOptional(at),
  concern: z.exactOptional(z.enum(LOOK_CONCERNS)),
});

export function encodeLook(value: LastLook): string {
  const stored = encodeBody(value);
  return readable(stored, () => decodeLook(stored));
}

export function decodeLook(stored: string): LastLook {
  return decode(look, stored, {});
}
