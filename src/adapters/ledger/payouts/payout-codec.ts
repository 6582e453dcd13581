/**
 * Stored JSON ↔ domain: states, events and the facts of a batch. The only file that knows the stored shapes.
 *
 * Every text begins with its version. What may be undefined is stored as null, so that a decoded value has
 * exactly the keys that the domain gives it. A bigint is stored as its digits; accounts are not part of it.
 * Errors:  a text that does not fit throws StoredShapeError; the caller knows which payout it was. What could not be read
 *          again is not encoded: NotStorable.
 */

import { z } from 'zod';
import type { Batch, BatchFile, Corrected, FileReading } from '../../../domain/batches/batch.ts';
import { APPROVAL_WAYS } from '../../../domain/batches/batch.ts';
import type { StyleRead } from '../../../domain/money/amount-style.ts';
import type { CurrencyCode } from '../../../domain/money/currency.ts';
import { NAME_RESULTS } from '../../../domain/names/name-check.ts';
import type { Concern } from '../../../domain/payouts/concern.ts';
import type { BatchId, Digest, PayoutId, Tag, TransferId } from '../../../domain/payouts/instruction.ts';
import { type PayoutState, STATUSES, type Status } from '../../../domain/payouts/payout.ts';
import type { EventKind, PayoutEvent, Writer } from '../../../domain/payouts/payout-event.ts';
import { FIELDS } from '../../../domain/rows/row.ts';
import type { Timestamp } from '../../../domain/timestamp.ts';
import { doubtReason, evidence, minor, shown } from './outcome-codec.ts';

export class StoredShapeError extends Error {
  override readonly name = 'StoredShapeError';
  readonly code = 'stored_shape';
}

/** The value has a part of another type than its declaration says. Nothing was written. */
export class NotStorable extends TypeError {
  override readonly name = 'NotStorable';
  readonly code = 'not_storable';
}

const VERSION = 1;

// A brand is earned where the value first came in; what the ledger holds had it when it was written.
const text = z.string();
const at = z.int() as unknown as z.ZodType<Timestamp>;
const tag = text as unknown as z.ZodType<Tag>;
const transferId = text as unknown as z.ZodType<TransferId>;
const digest = text as unknown as z.ZodType<Digest>;
const currency = text as unknown as z.ZodType<CurrencyCode>;
const payoutId = text as unknown as z.ZodType<PayoutId>;
const batchId = text as unknown as z.ZodType<BatchId>;
const orNot = <T>(shape: z.ZodType<T>) => shape.nullable().transform((value) => value ?? undefined);
const texts = z.array(text);

const issue = z.strictObject({
  kind: text,
  field: z.enum(FIELDS),
  column: orNot(text),
  columnLetter: orNot(text),
  seen: text,
  expected: text,
  suggestion: orNot(text),
});
const pointer = z.strictObject({
  payoutId,
  batchId,
  batchName: text,
  rowNumber: z.int(),
  status: z.enum(STATUSES),
  at,
});
const is = <S extends string>(word: S) => z.literal(word);
const concern: z.ZodType<Concern> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: is('fee'), minor, feeMinor: minor, currency }),
  z.strictObject({ kind: is('name'), institutionId: text, account: text, written: text, holder: text }),
  z.strictObject({ kind: is('other_account'), from: text, to: text }),
  z.strictObject({ kind: is('repeat'), of: payoutId, isUnknown: z.boolean() }),
  z.strictObject({ kind: is('over_limit'), limit: minor, minor, currency }),
  z.strictObject({ kind: is('no_quote') }),
  z.strictObject({ kind: z.enum(['zero_lost', 'hidden_row']), account: text }),
  z.strictObject({ kind: is('institution'), institutionId: text, name: text, currency: text }),
  z.strictObject({ kind: is('same_row'), of: payoutId }),
  z.strictObject({ kind: is('maybe_paid'), evidence: text }),
]);
const holdReason = z.strictObject({ concern, text, pointer: z.exactOptional(pointer) });
const release = z.strictObject({
  saw: z.array(concern),
  left: z.exactOptional(z.array(concern)),
  by: text,
  reason: text,
  at,
});
const quote = z.strictObject({
  rate: text,
  fee: text,
  speedSeconds: z.number(),
  sourceCurrency: orNot(currency),
  quotedAt: at,
});
const pricing = z.strictObject({
  sourceName: text,
  countryName: text,
  institutionName: text,
  nameCheckedAt: at,
  nameCheck: z.strictObject({ result: z.enum(NAME_RESULTS), resolved: orNot(text), reason: text }),
  quote: orNot(quote),
  wireName: text,
  notes: texts,
});
const releases = z.array(release);
const agreed = {
  pricing,
  quoteAtSend: z.exactOptional(quote),
  releases,
  tag,
  approvedAt: at,
  approvedBy: text,
};
const otherId = z.exactOptional(transferId);
const unclear = z.exactOptional(text);
const accepted = { by: text, reason: text, saw: texts, at };
const way = {
  ...agreed,
  transferId,
  otherId,
  sentAt: at,
  serviceStatus: orNot(text),
  discrepancies: texts,
  shown,
  acceptedDifference: z.exactOptional(z.strictObject(accepted)),
};
const isOther = z.exactOptional(z.literal(true));
const open = { releases, isOther };
const withdrawal = { by: text, reason: text, at, leftOut: z.exactOptional(z.literal(true)) };
const failedAfterFinished = z.exactOptional(z.literal('failed_after_finished'));
const suspicion = z.strictObject({ word: text, firstAt: at, unproven: z.exactOptional(texts) });

const state: z.ZodType<PayoutState> = z.discriminatedUnion('status', [
  z.strictObject({ status: is('invalid'), issues: z.array(issue) }),
  z.strictObject({ status: is('planned'), ...open }),
  z.strictObject({ status: is('held'), reasons: z.array(holdReason), pricing: orNot(pricing), ...open }),
  z.strictObject({ status: is('quoted'), pricing, ...open }),
  z.strictObject({ status: is('approved'), ...agreed }),
  z.strictObject({ status: is('sending'), attempt: z.int(), startedAt: at, bodyDigest: text, ...agreed }),
  z.strictObject({ status: is('in_doubt'), reason: doubtReason, evidence, at, ...agreed }),
  z.strictObject({ status: is('accepted'), suspicion: orNot(suspicion), ...way }),
  z.strictObject({
    status: is('settled'),
    settledAt: at,
    incident: z.boolean(),
    suspicion: z.exactOptional(suspicion),
    ...way,
  }),
  z.strictObject({
    status: is('failed'),
    basis: z.enum(['refused', 'service_status', 'ruled']),
    reason: text,
    at,
    transferId: orNot(transferId),
    otherId,
    serviceStatus: orNot(text),
    sentAt: orNot(at),
    shown,
    unclear,
    ...agreed,
  }),
  z.strictObject({ status: is('returned'), returnedAt: at, basis: failedAfterFinished, unclear, ...way }),
  z.strictObject({ status: is('canceled'), ...withdrawal, isShownAsPaid: z.exactOptional(z.literal(true)) }),
]);

const writer = { host: text, pid: z.int(), started: text.nullable() };
const sender = z.strictObject({ ...writer, patienceMs: z.int() });
const ruling = z.strictObject({ by: text, evidence: text });
const polled = {
  serviceStatus: text,
  discrepancies: texts,
  shown,
  otherId,
  at,
};
const event: z.ZodType<PayoutEvent> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: is('hold'), reasons: z.array(holdReason), pricing: orNot(pricing), at }),
  z.strictObject({ kind: is('price'), pricing, at }),
  z.strictObject({ kind: is('invalidate'), issues: z.array(issue), at }),
  z.strictObject({ kind: is('release'), release, at }),
  z.strictObject({ kind: is('approve'), tag, leaf: text, by: text, at }),
  z.strictObject({ kind: is('unapprove'), reason: text, isOther, at }),
  z.strictObject({ kind: is('cancel'), ...withdrawal }),
  z.strictObject({
    kind: is('begin_attempt'),
    attempt: z.int(),
    bodyDigest: text,
    sender,
    quote: z.exactOptional(quote),
    at,
  }),
  z.strictObject({ kind: is('not_sent'), phase: text, reason: text, at }),
  z.strictObject({ kind: is('turn_away'), why: text, evidence, until: z.exactOptional(at), at }),
  z.strictObject({ kind: is('refuse'), code: text, message: text, evidence, at }),
  z.strictObject({ kind: is('doubt'), reason: doubtReason, evidence, at }),
  z.strictObject({ kind: is('recover'), since: z.exactOptional(at), at }),
  z.strictObject({ kind: is('accept'), transferId, evidence, at }),
  z.strictObject({ kind: is('rule_paid'), transferId, ruling, at }),
  z.strictObject({ kind: is('rule_not_paid'), ruling, at }),
  z.strictObject({ kind: is('accept_difference'), ...accepted }),
  z.strictObject({ kind: is('progress'), ...polled, serviceStatus: orNot(text), unclear }),
  z.strictObject({ kind: is('suspect'), ...polled, unproven: z.exactOptional(texts) }),
  z.strictObject({ kind: is('settle'), transferId: z.exactOptional(transferId), ...polled }),
  z.strictObject({ kind: is('fail'), ...polled }),
  z.strictObject({ kind: is('return'), basis: failedAfterFinished, ...polled }),
]);

/** What a batch is, besides its id and whether it is bound by a payout. */
export interface BatchFacts extends Omit<Batch, 'id' | 'isImporting' | 'halfRead'> {
  readonly state: 'importing' | 'open' | 'merged' | 'dropped';
  /** Grows with every revision begun; positions of the file lie in this range. */
  readonly range: number;
  /** The import that a revision under way takes its rows from. */
  readonly merging: BatchId | undefined;
}

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
  decimal: orNot(z.enum(['point', 'comma'])),
  source: orNot(text),
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
  approval: orNot(
    z.strictObject({
      digest,
      by: text,
      at,
      how: z.enum(APPROVAL_WAYS),
      count: z.int(),
    }),
  ),
  range: z.int(),
  merging: orNot(batchId),
});

/** The usual state of a new row, kept short: a million of them are written while a file is staged. */
export const PLANNED = `{"v":${VERSION},"releases":[]}`;

export function encodeState(value: PayoutState): string {
  const stored = stateText(value);
  return stored === PLANNED ? stored : readable(stored, () => decodeState(value.status, stored));
}

/** Of a state that was read from the ledger. */
export function stateText(value: PayoutState): string {
  if (value.status === 'planned' && value.releases.length === 0) return PLANNED;
  const { status: _status, ...rest } = value;
  return encode(rest);
}

export function decodeState(status: Status, stored: string): PayoutState {
  if (status === 'planned' && stored === PLANNED) return { status, releases: [] };
  return decode(state, stored, { status });
}

/** Kind and instant have columns of their own; the body is the rest. */
export function encodeEvent(value: PayoutEvent): string {
  const stored = eventText(value);
  return readable(stored, () => decodeEvent(value.kind, value.at, stored));
}

/** Whatever shape it has: an outcome that cannot be stored can still be told. */
export function eventText(value: PayoutEvent): string {
  const { kind: _kind, at: _at, ...rest } = value;
  return encode(rest);
}

export function decodeEvent(kind: EventKind, at: number, stored: string): PayoutEvent {
  return decode(event, stored, { kind, at });
}

export function encodeFacts(value: BatchFacts): string {
  const stored = encode({ ...value, file: { ...value.file, columns: [...value.file.columns] } });
  return readable(stored, () => decodeFacts(stored));
}

export function decodeFacts(stored: string): BatchFacts {
  return decode(facts, stored, {});
}

/** Reads the writer of an emergency line. Throws for another shape. */
export function decodeWriter(stored: unknown): Writer {
  return z.object(writer).parse(stored);
}

/** Any other body: a plain object without a fixed shape. */
export function encodeBody(value: object): string {
  return encode(value);
}

export function decodeBody(stored: string): Readonly<Record<string, unknown>> {
  return decode(z.record(z.string(), z.unknown()), stored, {});
}

/** Keys that the domain leaves out instead of holding undefined. */
const LEFT_OUT = new Set([
  'httpStatus',
  'code',
  'message',
  'fragment',
  'errorCode',
  'localPort',
  'pointer',
  'quoteAtSend',
]);

function encode(value: object): string {
  return JSON.stringify({ v: VERSION, ...value }, (key, part: unknown) => {
    if (typeof part === 'bigint') return part.toString();
    return part === undefined && !LEFT_OUT.has(key) ? null : part;
  });
}

/** The text, once it was read again. Errors: NotStorable. */
export function readable(stored: string, read: () => unknown): string {
  try {
    read();
    return stored;
  } catch (cause) {
    throw new NotStorable('A value has another type than the ledger can read again; it was not written', {
      cause,
    });
  }
}

/** Throws StoredShapeError. `columns` are what the row has beside the text. */
export function decode<T>(shape: z.ZodType<T>, stored: string, columns: object): T {
  let parsed: unknown;
  try {
    parsed = JSON.parse(stored);
  } catch (error) {
    throw new StoredShapeError('a stored text is not JSON', { cause: error });
  }
  if (typeof parsed !== 'object' || parsed === null || !('v' in parsed) || parsed.v !== VERSION) {
    throw new StoredShapeError('a stored text has no version that is known here');
  }
  const { v: _version, ...rest } = parsed;
  const result = shape.safeParse({ ...rest, ...columns });
  if (!result.success) throw new StoredShapeError('a stored text has another shape', { cause: result.error });
  return result.data;
}
