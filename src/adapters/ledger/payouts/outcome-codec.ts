/** The stored shapes of what the service did with a transfer: what an attempt came to, and what a look-up showed. */
import { z } from 'zod';
import type { Timestamp } from '../../../domain/timestamp.ts';

const text = z.string();
const at = z.int() as unknown as z.ZodType<Timestamp>;
export const minor = z.string().regex(/^\d+$/).transform(BigInt);

export const evidence = z.strictObject({
  attempt: z.int(),
  phase: z.enum(['login', 'connect', 'journal', 'ready', 'write', 'wait', 'answer', 'unknown']),
  startedAt: at,
  endedAt: at,
  bytesWritten: z.int(),
  httpStatus: z.exactOptional(z.int()),
  code: z.exactOptional(text),
  message: z.exactOptional(text),
  fragment: z.exactOptional(text),
  errorCode: z.exactOptional(text),
  localPort: z.exactOptional(z.int()),
});
export const doubtReason = z.enum([
  'no_answer',
  'answer_incomplete',
  'answer_unreadable',
  'answer_contradictory',
  'answer_inconclusive',
  'turned_away',
  'id_seen_before',
  'crash',
]);

export const shown = z.exactOptional(
  z.strictObject({
    amount: z.exactOptional(text),
    institution: z.exactOptional(text),
    destination: z.exactOptional(text),
    receiver: z.exactOptional(text),
    back: z.exactOptional(z.array(minor)),
    earlier: z.exactOptional(z.array(text)),
  }),
);
