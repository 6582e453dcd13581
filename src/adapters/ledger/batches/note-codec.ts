/**
 * The stored form of notes and of facts about people.
 */
import { z } from 'zod';
import type { CurrencyCode } from '../../../domain/money/currency.ts';
import type { BatchId, Digest, PayoutId, TransferId } from '../../../domain/payouts/instruction.ts';
import { STATUSES } from '../../../domain/payouts/payout.ts';
import { EVENT_KINDS } from '../../../domain/payouts/payout-event.ts';
import type { ApprovalProof } from '../../../domain/people/passkey.ts';
import type { InstitutionId } from '../../../domain/rows/directory.ts';
import { FIELDS } from '../../../domain/rows/row.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import type { KeptApproval } from '../../../ports/ledger/batches.ts';
import type { NoteKind, Notes } from '../../../ports/ledger/notes.ts';
import type { PeopleFact, PeopleFactKind, PeopleFacts } from '../../../ports/ledger/people.ts';
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
    attempt: z
      .int()
      .nullable()
      .transform((attempt) => attempt ?? undefined),
    event: z.enum(EVENT_KINDS),
    body: z.unknown(),
  }),
  reissue_evidence: z.object({ payout, by: text, evidence: text, against: text.optional() }),
  four_eyes: z.object({ by: text }),
  approval_passkey: z.object({ by: text }),
  plan_seen: z.object({ digest: branded<Digest>() }),
  rate_limited: z.object({ until: z.number().transform(timestampOf) }),
  attempt_closed: z.object({ payout, attempt: z.int() }),
  baseline: z.object({
    corridor: text,
    minor: text,
    rate: text,
    fee: text,
    sourceCurrency: z.exactOptional(branded<CurrencyCode>()),
    from: z.enum(['first_plan', 'later_plan', 'approval']),
  }),
  terms_moved: z.object({ currency: text, what: text, was: text, now: text }),
  institution_set_aside: z.object({ institution: branded<InstitutionId>() }),
  canary: z.object({ rows: z.int(), since: z.exactOptional(z.int()), by: z.exactOptional(text) }),
  first_transfer_found: z.object({ payout }),
  unknown_word_told: z.object({ word: text }),
  account_shown: z.object({
    by: text,
    where: text,
    payout: z.exactOptional(payout),
    row: z.exactOptional(z.int()),
  }),
  cell_corrected: z.object({
    file: text,
    row: z.int(),
    column: text,
    field: z.exactOptional(z.enum(FIELDS)),
    was: text,
    text,
    by: text,
    at: z.number().transform(timestampOf),
  }),
  banks_said: z.object({
    by: text,
    mapping: text,
    savedAt: z.number().transform(timestampOf),
    values: z.array(z.object({ country: text, written: text, institutionName: text })),
  }),
  shaped: z.object({ by: text, passkey: z.exactOptional(text), mapping: z.exactOptional(text) }),
  sending_begun: z.object({ by: text, command: text, rows: z.int() }),
  sending_recovered: z.object({ by: text, command: text, rows: z.int() }),
  repeats_released: z.object({ of: branded<BatchId>(), by: text }),
};

export function encodeNote<Kind extends NoteKind>(kind: Kind, body: Notes[Kind]): string {
  const stored = encodeBody(body);
  return readable(stored, () => decodeNote(kind, stored));
}

export function decodeNote<Kind extends NoteKind>(kind: Kind, stored: string): Notes[Kind] {
  return decode(SHAPES[kind], stored, {});
}

const PEOPLE: { readonly [Kind in PeopleFactKind]: z.ZodType<PeopleFacts[Kind]> } = {
  ticket_made: z.object({
    ticketHash: text,
    person: text,
    by: text,
    until: z.number().transform(timestampOf),
    isFromTerminal: z.boolean(),
  }),
  passkey_registered: z.object({
    ticketHash: text,
    person: text,
    credentialId: text,
    publicKey: text,
    allowedWith: z.exactOptional(text),
  }),
  passkey_removed: z.object({ credentialId: text, person: text, by: text }),
};

export function encodePeopleFact<Kind extends PeopleFactKind>(kind: Kind, body: PeopleFacts[Kind]): string {
  const stored = encodeBody(body);
  return readable(stored, () => decodePeopleFact(kind, stored));
}

export function decodePeopleFact(kind: PeopleFactKind, stored: string): PeopleFact {
  return { kind, body: decode<PeopleFacts[PeopleFactKind]>(PEOPLE[kind], stored, {}) } as PeopleFact;
}

const texts = z.array(text);
const proof: z.ZodType<ApprovalProof> = z.object({
  nonce: text,
  credentialId: text,
  authenticatorData: text,
  clientDataJson: text,
  signature: text,
  figures: z.object({ rows: z.int(), beneficiariesGet: texts, wePay: texts }),
});

/** What stands beside the approval in the event of an approval. */
export function decodeApproval(stored: string): Omit<KeptApproval, 'seq' | 'at' | 'batchId'> {
  const { set, passkey } = decode(APPROVED, stored, {});
  return { ...set.approval, proof: passkey };
}

const APPROVED = z.object({
  set: z.object({ approval: z.object({ digest: branded<Digest>(), by: text, count: z.int() }) }),
  passkey: proof.optional(),
});
