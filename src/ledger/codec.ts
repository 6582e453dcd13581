/**
 * States and events of payouts ↔ stored JSON (codec-json.ts). With codec-batches.ts the only place that knows the stored
 * shapes. Accounts are not part of them.
 */
import { z } from 'zod';
import type { CurrencyCode } from '../domain/money/currency.ts';
import { NAME_RESULTS } from '../domain/names/name-check.ts';
import type { Concern } from '../domain/payouts/concern.ts';
import type { BatchId, PayoutId, Tag, TransferId } from '../domain/payouts/instruction.ts';
import {
  type LastLook,
  LOOK_CONCERNS,
  type PayoutState,
  REST_FOUND,
  STATUSES,
  type Status,
} from '../domain/payouts/payout.ts';
import type { EventKind, PayoutEvent } from '../domain/payouts/payout-event.ts';
import { FIELDS } from '../domain/rows/row.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import { decode, decodeEntry, encode, encodeAs, encodeEntry, type Stored } from './codec-json.ts';
import type { Row } from './sql.ts';

// A brand is earned where the value first came in; what the ledger holds had it when it was written.
export const text = z.string();
export const at = z.int() as unknown as z.ZodType<Timestamp>;
const tag = text as unknown as z.ZodType<Tag>;
export const transferId = text as unknown as z.ZodType<TransferId>;
export const currency = text as unknown as z.ZodType<CurrencyCode>;
export const payoutId = text as unknown as z.ZodType<PayoutId>;
export const batchId = text as unknown as z.ZodType<BatchId>;
export const orNot = <T>(shape: z.ZodType<T>) => shape.nullable().transform((value) => value ?? undefined);
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
export const minor = z.string().regex(/^\d+$/).transform(BigInt);
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
const evidence = z.strictObject({
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
const doubtReason = z.enum([
  'no_answer',
  'answer_incomplete',
  'answer_unreadable',
  'answer_contradictory',
  'answer_inconclusive',
  'turned_away',
  'id_seen_before',
  'crash',
]);

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
const shown = z.exactOptional(
  z.strictObject({
    amount: z.exactOptional(text),
    institution: z.exactOptional(text),
    destination: z.exactOptional(text),
    receiver: z.exactOptional(text),
    back: z.exactOptional(z.array(minor)),
    earlier: z.exactOptional(z.array(text)),
  }),
);
const unclear = z.exactOptional(text);
const rest = z.exactOptional(z.strictObject({ is: z.enum(REST_FOUND), minor }));
const accepted = { by: text, reason: text, saw: texts, at, rest };
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
const polled = { serviceStatus: text, discrepancies: texts, shown, otherId, at };
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

/** The usual state of a new row, kept short: a million of them are written while a file is staged. */
export const PLANNED = '{"v":1,"releases":[]}';

/** Of a state that nobody read or made by a move: it is read again before it is written. */
export function encodeState(value: PayoutState): string {
  if (isPlanned(value)) return PLANNED;
  const { status, ...rest } = value;
  return encodeAs(state, rest, { status });
}

const isPlanned = (value: PayoutState) => value.status === 'planned' && value.releases.length === 0;

/**
 * Of a state that was read from the ledger, or that the machine made of one: what is new in it came with an event, and each
 * event is read again before it is written. What was read stays as it was: a state never changes.
 */
export function stateText(value: PayoutState): string {
  return readTexts.get(value) ?? written(value);
}
const readTexts = new WeakMap<PayoutState, string>();

function written(value: PayoutState): string {
  if (isPlanned(value)) return PLANNED;
  const { status: _status, ...rest } = value;
  return encode(rest);
}

/** With its keys in the order of this codec, whatever order they are stored in. */
export function inOrder(status: Status, stored: string): string {
  return written(decodeState(status, stored));
}

export function decodeState(status: Status, stored: string): PayoutState {
  if (status === 'planned' && stored === PLANNED) return { status, releases: [] };
  const value = decode(state, stored, { status });
  readTexts.set(value, stored);
  return value;
}

const look: z.ZodType<LastLook> = z.strictObject({
  at,
  times: z.int(),
  nothing: z.exactOptional(text),
  missingSince: z.exactOptional(at),
  concern: z.exactOptional(z.enum(LOOK_CONCERNS)),
});

/** It stands beside the state, and not in the journal. */
export const encodeLook = (value: LastLook): string => encodeAs(look, value);
export const decodeLook = (stored: string): LastLook => decode(look, stored);

/** Kind and instant have columns of their own; the body is the rest. */
export function encodeEvent(value: PayoutEvent): Stored {
  const { kind, at, ...rest } = value;
  return encodeEntry(event, kind, rest, { kind, at });
}

/** Whatever shape it has, and as one text: an outcome that cannot be stored can still be told. */
export function eventText(value: PayoutEvent): string {
  const { kind: _kind, at: _at, ...rest } = value;
  return encode(rest);
}

/** Of `eventText`. */
export const eventOfText = (kind: EventKind, at: number, stored: string): PayoutEvent =>
  decode(event, stored, { kind, at });

/** Columns of the journal that an entry is read from. */
export const ENTRY_COLUMNS = 'kind, at, body, personal, seal';

export function decodeEvent(row: Row): PayoutEvent {
  return decodeEntry(event, row, { kind: row['kind'], at: Number(row['at']) });
}
