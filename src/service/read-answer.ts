/**
 * What the answer to a question means. Pure.
 *
 * Unlike a transfer, a question may be asked again, so nothing here is in doubt. The result is an answer, a refusal, a
 * suspicion that the token is refused, or no usable answer, with whether asking again can help.
 */

import { exactJsonText, parseExactJson } from '../contract/exact-json.ts';
import {
  CountryWire,
  Envelope,
  EstimateWire,
  InstitutionWire,
  isFailureWord,
  isSuccessWord,
  isZeroCode,
  RateWire,
  ResolvedNameWire,
  SessionWire,
  TransactionWire,
} from '../contract/wire.ts';
import { parseCurrency } from '../domain/money/currency.ts';
import { asTransferId } from '../domain/payouts/instruction.ts';
import { asCountryId, asInstitutionId, type Country, type Institution } from '../domain/rows/directory.ts';
import type { Estimate, Transaction } from '../ports/payment-service.ts';
import type { Reply } from './read-client.ts';

export type ReadAnswer<Value> =
  | { readonly kind: 'answered'; readonly answer: Value; readonly fetched: string | undefined }
  | Declined
  /** It may be about the token or a true no; only the profile can tell. */
  | { readonly kind: 'token_suspect'; readonly ifTokenIsGood: Declined | Unusable }
  | Unusable;

export interface Declined {
  readonly kind: 'declined';
  readonly code: string;
  /** As the service wrote it: to be cleaned before it goes anywhere. */
  readonly message: string;
}

export interface Unusable {
  readonly kind: 'unusable';
  readonly reason: string;
  readonly again: 'never' | 'soon' | 'rate_limited';
}

/** `read` turns `data` into the answer, or gives undefined when its shape is not the documented one. */
export function readAnswer<Value>(
  reply: Reply,
  read: (data: unknown) => Value | undefined,
): ReadAnswer<Value> {
  if (reply.kind === 'no_answer') return { kind: 'unusable', reason: reply.reason, again: 'soon' };
  const { httpStatus } = reply;
  if (httpStatus === 429) return { kind: 'unusable', reason: 'HTTP 429', again: 'rate_limited' };
  const envelope = parseEnvelope(reply.body);
  if (envelope === undefined) return withoutEnvelope(httpStatus);
  const is2xx = httpStatus >= 200 && httpStatus <= 299;
  const { code } = envelope;
  if (isFailureWord(envelope.status) && !isZeroCode(code) && (is2xx || isPlain4xx(httpStatus))) {
    const declined: Declined = { kind: 'declined', code, message: envelope.message ?? '' };
    const isSuspect = httpStatus === 401 || /^0*1$/.test(code);
    return isSuspect ? { kind: 'token_suspect', ifTokenIsGood: declined } : declined;
  }
  if (httpStatus === 401) return withoutEnvelope(httpStatus);
  const answer =
    is2xx && isSuccessWord(envelope.status) && isZeroCode(code) ? read(envelope.data) : undefined;
  if (answer === undefined) return unusable(httpStatus);
  const fetched = typeof envelope.fetched === 'string' ? envelope.fetched : undefined;
  return { kind: 'answered', answer, fetched };
}

function withoutEnvelope(httpStatus: number): ReadAnswer<never> {
  if (httpStatus !== 401) return unusable(httpStatus);
  return { kind: 'token_suspect', ifTokenIsGood: { kind: 'unusable', reason: 'HTTP 401', again: 'never' } };
}

function unusable(httpStatus: number): Unusable {
  const is2xx = httpStatus >= 200 && httpStatus <= 299;
  const reason = is2xx ? `unreadable answer (HTTP ${httpStatus})` : `HTTP ${httpStatus}`;
  // A redirect or a page that is not there will be the same in a second.
  const isPassing = is2xx || httpStatus >= 500 || httpStatus === 408 || httpStatus === 425;
  return { kind: 'unusable', reason, again: isPassing ? 'soon' : 'never' };
}

function isPlain4xx(httpStatus: number): boolean {
  return httpStatus >= 400 && httpStatus <= 499 && httpStatus !== 408 && httpStatus !== 425;
}

/**
 * The `data` of each endpoint, read into our own shapes; undefined when it is not the documented shape.
 *
 * A list element that cannot be read is left out and reported through `onUnreadable`; a list without one
 * readable element is no answer.
 * Source:  service interface sections 2.6 to 2.11.
 */

export function readCountry(element: unknown): Country | undefined {
  const { data } = CountryWire.safeParse(element);
  if (data === undefined) return undefined;
  const callingCode = (data.phone ?? '').replace(/\D/g, '');
  return { id: asCountryId(data.id), name: data.name, iso: data.iso.toUpperCase(), callingCode };
}

export function readInstitution(element: unknown): Institution | undefined {
  const { data } = InstitutionWire.safeParse(element);
  const currency = parseCurrency(data?.Currency ?? '');
  if (data === undefined || currency === undefined) return undefined;
  return { id: asInstitutionId(data.id), name: data.name, currency, charges: plainDecimal(data.Charges) };
}

/** A blank name is no answer: it would look like a person without a name. */
export function readAccountName(data: unknown): string | undefined {
  const name = ResolvedNameWire.safeParse(data).data?.name.trim();
  return name === '' ? undefined : name;
}

export function readEstimate(data: unknown): Estimate | undefined {
  const wire = EstimateWire.safeParse(data).data;
  const rate = positive(plainDecimal(wire?.rate));
  const fee = plainDecimal(wire?.fees);
  const speedSeconds = Number(wire?.speed);
  if (rate === undefined || fee === undefined || fee.startsWith('-')) return undefined;
  return Number.isSafeInteger(speedSeconds) && speedSeconds >= 0 ? { rate, fee, speedSeconds } : undefined;
}

export function readRate(data: unknown): string | undefined {
  return positive(plainDecimal(RateWire.safeParse(data).data?.rate));
}

export function readTransaction(data: unknown): Transaction | undefined {
  const wire = TransactionWire.safeParse(data).data;
  if (wire === undefined) return undefined;
  return {
    id: asTransferId(wire.id),
    status: wire.Status,
    amount: plainDecimal(wire.amount) ?? wire.amount,
    receiver: wire.receiver,
    institution: wire.Bank,
    destination: wire.destination,
    date: wire.Date,
  };
}

export function readProfile(data: unknown): string | undefined {
  return exactJsonText(data ?? null);
}

/** Reads each element of a list; see the header for what happens to those that cannot be read. */
export function readList<Value>(
  read: (element: unknown) => Value | undefined,
  onUnreadable: (count: number) => void,
): (data: unknown) => readonly Value[] | undefined {
  return (data) => {
    if (!Array.isArray(data)) return undefined;
    const values = data.map(read).filter((value) => value !== undefined);
    if (values.length < data.length) onUnreadable(data.length - values.length);
    return values.length === 0 && data.length > 0 ? undefined : values;
  };
}

function positive(decimal: string | undefined): string | undefined {
  return decimal !== undefined && !decimal.startsWith('-') && /[1-9]/.test(decimal) ? decimal : undefined;
}

/**
 * Decimal text without an exponent: a JSON number may come as 1.5e-7, and everyone above reads digits.
 */

const DECIMAL = /^(-?)0*(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;

/** `1.5e-3` → `0.0015`, exactly; undefined stays undefined. */
export function plainDecimal(text: string | undefined): string | undefined {
  const match = DECIMAL.exec(text ?? '');
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const wholeText = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const fractionText = padded.slice(at);
  return sign + (fractionText === '' ? wholeText : `${wholeText}.${fractionText}`);
}

/**
 * What the answer to a login means: a session, a plain no, or nothing usable.
 *
 * A plain no is never asked again: services lock accounts after a few wrong passwords.
 * Source:  service interface 2.2, 7.1.
 */

type LoginAnswer =
  | { readonly kind: 'session'; readonly session: SessionWire }
  /** `message` as the service wrote it: to be cleaned before it goes anywhere. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

export function readLoginAnswer(reply: Reply): LoginAnswer {
  if (reply.kind === 'no_answer') return { kind: 'unavailable', reason: `login: ${reply.reason}` };
  const { httpStatus } = reply;
  const unusable = { kind: 'unavailable', reason: `login: unusable answer (HTTP ${httpStatus})` } as const;
  const envelope = parseEnvelope(reply.body);
  if (envelope === undefined) {
    return httpStatus === 401 ? { kind: 'refused', code: 'http_401', message: '' } : unusable;
  }
  const is2xx = httpStatus >= 200 && httpStatus <= 299;
  if (is2xx && isSuccessWord(envelope.status) && isZeroCode(envelope.code)) {
    const session = SessionWire.safeParse(envelope.data);
    const isUsable = session.success && Object.values(session.data).every(isHeaderText);
    return isUsable ? { kind: 'session', session: session.data } : unusable;
  }
  const isPlainNo = isFailureWord(envelope.status) && !isZeroCode(envelope.code);
  if (isPlainNo && (is2xx || isLoginRefusal(httpStatus))) {
    return { kind: 'refused', code: envelope.code, message: envelope.message ?? '' };
  }
  return unusable;
}

/** The envelope of an answer, or undefined when it has none. */
function parseEnvelope(body: string | undefined): Envelope | undefined {
  if (body === undefined) return undefined;
  try {
    return Envelope.safeParse(parseExactJson(body)).data;
  } catch {
    return undefined;
  }
}

function isLoginRefusal(httpStatus: number): boolean {
  return httpStatus >= 400 && httpStatus <= 499 && ![408, 425, 429].includes(httpStatus);
}

/** What Node accepts in a header, without the characters that it would encode differently than they came. */
function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e]{1,4096}$/.test(text);
}
