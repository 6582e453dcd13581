/**
 * Notes as they are stored. What other versions of the program added to one is passed over.
 */
import { z } from 'zod';
import type { BatchId, Digest, PayoutId, TransferId } from '../../../domain/payouts/instruction.ts';
import { STATUSES } from '../../../domain/payouts/payout.ts';
import { EVENT_KINDS } from '../../../domain/payouts/payout-event.ts';
import type { InstitutionId } from '../../../domain/rows/directory.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import type { NoteKind, Notes } from '../../../ports/ledger/notes.ts';
import { decode, encodeBody, readable } from '../payouts/payout-codec.ts';

const text = z.string();
const branded = <Brand extends string>() => text.transform((value) => value as Brand);
const payout = branded<PayoutId>();
const status = z.enum(STATUSES);

const SHAPES: { readonly [Kind in NoteKind]: z.ZodType<Notes[Kind]> } = {
  incident: z.object({ payout, row: z.int(), what: text }),
  late_acceptance_not_applied: z.object({
    payout,
    row: z.int(),
    transferId: branded<TransferId>(),
    status,
  }),
  emergency_not_applied: z.object({
    payout,
    status,
    // Notes of older versions do not name it.
    attempt: z
      .int()
      .nullish()
      .transform((attempt) => attempt ?? undefined),
    event: z.enum(EVENT_KINDS),
    body: z.unknown(),
  }),
  reissue_evidence: z.object({ payout, by: text, evidence: text }),
  four_eyes: z.object({ by: text }),
  plan_seen: z.object({ digest: branded<Digest>() }),
  rate_limited: z.object({ until: z.number().transform(timestampOf) }),
  attempt_closed: z.object({ payout, attempt: z.int() }),
  rate_moved: z.object({ currency: text, quoted: text, now: text }),
  rate_at_send: z.object({ sourceId: text, destinationId: text, currency: text, quoted: text, now: text }),
  institution_set_aside: z.object({ institution: branded<InstitutionId>() }),
  canary: z.object({ rows: z.int(), since: z.exactOptional(z.int()), by: z.exactOptional(text) }),
  first_transfer_found: z.object({ payout }),
  repeats_released: z.object({ of: branded<BatchId>(), by: text }),
};

export function encodeNote<Kind extends NoteKind>(kind: Kind, body: Notes[Kind]): string {
  const stored = encodeBody(body);
  return readable(stored, () => decodeNote(kind, stored));
}

export function decodeNote<Kind extends NoteKind>(kind: Kind, stored: string): Notes[Kind] {
  return decode(SHAPES[kind], stored, {});
}
