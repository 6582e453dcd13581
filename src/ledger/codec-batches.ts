/**
 * What is stored of batches ↔ JSON (codec-json.ts): their facts, notes and approvals; and of people, what the ledger's own
 * chain has.
 */
import { z } from 'zod';
import {
  APPROVAL_WAYS,
  type Batch,
  type BatchFile,
  type Corrected,
  type FileReading,
} from '../domain/batches/batch.ts';
import type { StyleRead } from '../domain/money/amount-style.ts';
import type { BatchId, Digest } from '../domain/payouts/instruction.ts';
import { STATUSES } from '../domain/payouts/payout.ts';
import { EVENT_KINDS } from '../domain/payouts/payout-machine.ts';
import type { ApprovalProof } from '../domain/people/passkey.ts';
import { answerShape, saidShape } from '../domain/reading/answer-shape.ts';
import { ADVICE_FORMATS } from '../domain/reporting/advice.ts';
import type { InstitutionId } from '../domain/rows/directory.ts';
import { REASONS_TO_LEAVE_OUT } from '../domain/rows/lines-left-out.ts';
import { FIELDS } from '../domain/rows/row.ts';
import type { KeptApproval } from '../ports/ledger/batches.ts';
import type { NoteKind, Notes } from '../ports/ledger/notes.ts';
import type { PeopleFact, PeopleFactKind, PeopleFacts } from '../ports/ledger/people.ts';
import { at, batchId, currency, minor, orNot, payoutId, text, transferId } from './codec.ts';
import { decode, decodeEntry, encodeAs, encodeEntry, type Stored } from './codec-json.ts';
import { NOTE } from './schema.ts';
import type { Row } from './sql.ts';

/** A batch as it is stored. What people see of it is a `Batch` (batches.ts). */
export interface BatchFacts extends Omit<Batch, 'id' | 'isImporting' | 'halfRead'> {
  readonly state: 'importing' | 'open' | 'merged' | 'dropped';
  /** Grows with every revision begun; positions of the file lie in this range. */
  readonly range: number;
  /** The import that a revision under way takes its rows from. */
  readonly merging: BatchId | undefined;
}

const texts = z.array(text);
const digest = text as unknown as z.ZodType<Digest>;

const amountStyle: z.ZodType<StyleRead> = z.strictObject({
  decimal: orNot(z.enum(['point', 'comma'])),
  basis: z.enum(['declared', 'proven', 'mixed', 'unproven', 'any_style', 'numbers']),
  example: orNot(z.strictObject({ row: z.int(), text, read: text })),
});
const reading: z.ZodType<FileReading> = z.strictObject({
  sheet: orNot(text),
  headerRow: orNot(z.int()),
  delimiter: orNot(text),
  encoding: orNot(text),
  source: orNot(text),
  answers: z.array(answerShape),
});
const corrected: z.ZodType<Corrected> = z.strictObject({
  receivedSha256: text,
  cells: z.int(),
  by: texts,
  firstAt: at,
  lastAt: at,
});
const file: z.ZodType<BatchFile> = z.strictObject({
  name: text,
  sha256: text,
  corrected: orNot(corrected).optional(),
  format: z.enum(['csv', 'xlsx']),
  sheet: orNot(text),
  headers: texts,
  columns: z.array(z.tuple([z.enum(FIELDS), z.int()])).transform((pairs) => new Map(pairs)),
  folder: orNot(text).optional(),
  reading: orNot(reading).optional(),
  // A file that is still being read has none yet.
  amountStyle: orNot(amountStyle).optional(),
});
const sums = z.exactOptional(z.array(z.strictObject({ minor, currency })));
const how = z.enum(APPROVAL_WAYS);
const approval = z.strictObject({ digest, by: text, at, how, count: z.int(), sums, debits: sums });
const facts: z.ZodType<BatchFacts> = z.strictObject({
  state: z.enum(['importing', 'open', 'merged', 'dropped']),
  name: text,
  digest: orNot(digest),
  mergedInto: orNot(batchId),
  isBound: z.boolean(),
  revision: z.int(),
  file,
  maker: text,
  createdAt: at,
  pause: orNot(z.strictObject({ reason: text, by: text, at })),
  resumedAt: orNot(at),
  approval: orNot(approval),
  range: z.int(),
  merging: orNot(batchId),
});

export const encodeFacts = (value: BatchFacts): string =>
  encodeAs(facts, { ...value, file: { ...value.file, columns: [...value.file.columns] } });
export const decodeFacts = (stored: string): BatchFacts => decode(facts, stored);

const NOTES: { readonly [Kind in NoteKind]: z.ZodType<Notes[Kind]> } = {
  incident: z.object({ payout: payoutId, row: z.int(), what: text }),
  late_acceptance_not_applied: z.object({
    payout: payoutId,
    row: z.int(),
    transferId,
    status: z.enum(STATUSES),
  }),
  emergency_not_applied: z.object({
    payout: payoutId,
    status: z.enum(STATUSES),
    attempt: orNot(z.int()),
    event: z.enum(EVENT_KINDS),
    body: z.unknown(),
  }),
  reissue_evidence: z.object({ payout: payoutId, by: text, evidence: text, against: text.optional() }),
  four_eyes: z.object({ by: text }),
  approval_passkey: z.object({ by: text }),
  plan_seen: z.object({ digest }),
  rate_limited: z.object({ until: at }),
  attempt_closed: z.object({ payout: payoutId, attempt: z.int() }),
  baseline: z.object({
    corridor: text,
    minor: text,
    rate: text,
    fee: text,
    sourceCurrency: z.exactOptional(currency),
    from: z.enum(['first_plan', 'later_plan', 'approval']),
  }),
  terms_moved: z.object({ currency: text, what: text, was: text, now: text }),
  institution_set_aside: z.object({ institution: text as unknown as z.ZodType<InstitutionId> }),
  canary: z.object({ rows: z.int(), since: z.exactOptional(z.int()), by: z.exactOptional(text) }),
  first_transfer_found: z.object({ payout: payoutId }),
  unknown_word_told: z.object({ word: text }),
  account_shown: z.object({
    by: text,
    where: text,
    payout: z.exactOptional(payoutId),
    row: z.exactOptional(z.int()),
  }),
  advice_made: z.object({ by: text, rows: z.int(), format: z.enum(ADVICE_FORMATS), contact: z.boolean() }),
  cell_corrected: z.object({
    file: text,
    row: z.int(),
    column: text,
    field: z.exactOptional(z.enum(FIELDS)),
    was: text,
    text,
    by: text,
    at,
  }),
  answers_said: z.object({ answers: z.array(saidShape), reading: z.exactOptional(text) }),
  shaped: z.object({ by: text, passkey: z.exactOptional(text), how: z.exactOptional(z.literal('reading')) }),
  lines_left_out: z.object({
    rows: z.array(
      z.object({
        row: z.int(),
        why: z.enum(REASONS_TO_LEAVE_OUT),
        ...{ name: z.exactOptional(text), amount: z.exactOptional(text) },
        ...{ says: z.exactOptional(text), by: z.exactOptional(text) },
      }),
    ),
    more: z.int(),
  }),
  sending_begun: z.object({ by: text, command: text, rows: z.int() }),
  sending_recovered: z.object({ by: text, command: text, rows: z.int() }),
  repeats_released: z.object({ of: batchId, by: text }),
  statement_compared: z.object({
    by: text,
    name: text,
    sha256: text,
    lines: z.int(),
    first: z.exactOptional(text),
    last: z.exactOptional(text),
    isComplete: z.boolean(),
    matched: z.int(),
    open: z.int(),
    figures: z.array(z.object({ payout: payoutId, currency, whole: text, fee: text })),
  }),
};

/** Of the entry, with its kind. */
export function encodeNote<Kind extends NoteKind>(word: Kind, body: Notes[Kind]) {
  const kind = `${NOTE}${word}`;
  return { kind, ...encodeEntry(NOTES[word], kind, body) };
}

export const decodeNote = <Kind extends NoteKind>(kind: Kind, row: Row): Notes[Kind] =>
  decodeEntry(NOTES[kind], row);

const PEOPLE: { readonly [Kind in PeopleFactKind]: z.ZodType<PeopleFacts[Kind]> } = {
  ticket_made: z.object({ ticketHash: text, person: text, by: text, until: at, isFromTerminal: z.boolean() }),
  passkey_registered: z.object({
    ticketHash: text,
    person: text,
    credentialId: text,
    publicKey: text,
    allowedWith: z.exactOptional(text),
  }),
  passkey_removed: z.object({ credentialId: text, person: text, by: text }),
};
export const PEOPLE_KINDS = Object.keys(PEOPLE) as readonly PeopleFactKind[];

export const encodePeopleFact = ({ kind, body }: PeopleFact): Stored => encodeEntry(PEOPLE[kind], kind, body);

export function decodePeopleFact(row: Row): PeopleFact {
  const kind = row['kind'] as PeopleFactKind;
  return { kind, body: decodeEntry<PeopleFacts[PeopleFactKind]>(PEOPLE[kind], row) } as PeopleFact;
}

const proof: z.ZodType<ApprovalProof> = z.object({
  nonce: text,
  credentialId: text,
  authenticatorData: text,
  clientDataJson: text,
  signature: text,
  figures: z.object({ rows: z.int(), beneficiariesGet: texts, wePay: texts }),
});
const approved = z.object({
  set: z.object({ approval: z.object({ digest, by: text, count: z.int() }) }),
  passkey: proof.optional(),
});

/** What stands beside the approval in the entry of an approval. */
export function decodeApproval(row: Row): Pick<KeptApproval, 'digest' | 'by' | 'count' | 'proof'> {
  const { set, passkey } = decodeEntry(approved, row);
  return { ...set.approval, proof: passkey };
}
