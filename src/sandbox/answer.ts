/**
 * Answers of the sandbox: the envelope around every payload, as each endpoint of the service writes it.
 *
 * Source:  service interface 2.1: the letter case of `status` differs between endpoints, `code` is an integer
 *          or an integer as string, `fetched` stands on the transfer, estimate and rate answers.
 */
import { formatStamp } from '../contract/wire-date.ts';
import type { ScenarioSettings } from './scenarios.ts';

export type Reply =
  | Answer
  /** The connection ends without an answer. */
  | { readonly kind: 'destroyed'; readonly summary: string }
  /** The head and half of the answer's body, then the connection ends. */
  | { readonly kind: 'cut'; readonly answer: Answer; readonly summary: string };

export interface Answer {
  readonly kind: 'answer';
  readonly httpStatus: number;
  readonly contentType: string;
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;
  /** For the log. */
  readonly summary: string;
}

interface Style {
  readonly success: 'success' | 'Success';
  readonly code: 'number' | 'string';
  readonly fetched: boolean;
}

// The interface shows both letter cases and both forms of code, but not which endpoint has which: ours to
// choose.
const STYLES = {
  login: { success: 'success', code: 'number', fetched: false },
  transfer: { success: 'Success', code: 'number', fetched: true },
  transaction: { success: 'Success', code: 'string', fetched: false },
  estimate: { success: 'success', code: 'string', fetched: true },
  rate: { success: 'success', code: 'number', fetched: true },
  institutions: { success: 'Success', code: 'string', fetched: false },
  countries: { success: 'Success', code: 'number', fetched: false },
  name: { success: 'success', code: 'string', fetched: false },
  profile: { success: 'success', code: 'number', fetched: false },
} as const satisfies Readonly<Record<string, Style>>;
export type Endpoint = keyof typeof STYLES;

interface EnvelopeOptions {
  readonly now: () => number;
  readonly zoneOffsetMinutes: number;
  readonly scenario: () => ScenarioSettings;
}

export function envelopeWriter(options: EnvelopeOptions) {
  const write = (
    endpoint: Endpoint,
    fields: { status: string; data: unknown; message: string; code: number },
  ) => {
    const style: Style = STYLES[endpoint];
    const { codes } = options.scenario();
    const asString = codes === 'strings' || (codes === 'by_endpoint' && style.code === 'string');
    return JSON.stringify({
      status: fields.status,
      data: fields.data,
      message: fields.message,
      code: asString ? String(fields.code) : fields.code,
      ...(style.fetched ? { fetched: formatStamp(options.now(), options.zoneOffsetMinutes) } : {}),
    });
  };
  return {
    success: (endpoint: Endpoint, data: unknown, message: string): Answer =>
      answer(200, write(endpoint, { status: STYLES[endpoint].success, data, message, code: 0 }), 'code 0'),
    failure(endpoint: Endpoint, refusal: Refusal): Answer {
      const code = options.scenario().everyRefusalIsCode1 ? 1 : refusal.code;
      const body = write(endpoint, { status: 'failed', data: {}, message: refusal.message, code });
      const retryAfterSeconds = refusal.retryAfterSeconds;
      return { ...answer(refusal.httpStatus, body, `code ${code}: ${refusal.message}`), retryAfterSeconds };
    },
  };
}

/** What a gateway in front of the service says when the service does not answer it. */
export function gatewayAnswer(httpStatus: 502 | 503): Answer {
  const title = httpStatus === 502 ? '502 Bad Gateway' : '503 Service Unavailable';
  const body = `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return { ...answer(httpStatus, body, 'no envelope'), contentType: 'text/html' };
}

/** A number of the answer with exactly these digits; a double would round it. */
export function exactNumber(decimal: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(decimal);
}

function answer(httpStatus: number, body: string, summary: string): Answer {
  return {
    kind: 'answer',
    httpStatus,
    contentType: 'application/json; charset=utf-8',
    body,
    retryAfterSeconds: undefined,
    summary,
  };
}

/**
 * Everything the sandbox refuses, in one table: the code and message of the envelope, and the HTTP status.
 *
 * Why:     the interface shows code 1 for a failed login and says nothing of other codes and of HTTP
 *          statuses, so both are ours to choose: 200 for most, and some 4xx, for a client copes with both.
 */

export interface Refusal {
  readonly code: number;
  readonly httpStatus: number;
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
}

export const REFUSALS = {
  userUnknown: refusal(1, 200, 'User does not exist'),
  passwordWrong: refusal(1, 200, 'Wrong password'),
  credentialsMissing: refusal(1, 401, 'Authentication required: id, token and expiry headers'),
  sessionUnknown: refusal(1, 401, 'Invalid session'),
  sessionExpired: refusal(1, 401, 'Session expired'),
  refusedByCode1: refusal(1, 200, 'Transfer not allowed'),

  bodyNotJson: refusal(10, 400, 'The body is not valid JSON'),
  bodyNotObject: refusal(10, 400, 'The body must be a JSON object'),
  contentType: refusal(11, 415, 'Content-Type must be application/json'),
  bodyTooLarge: refusal(12, 413, 'The body is too large'),
  pathUnknown: refusal(13, 404, 'No such endpoint'),
  methodWrong: refusal(14, 405, 'Method not allowed'),

  sourceUnknown: refusal(20, 200, 'Unknown source country'),
  destinationUnknown: refusal(21, 200, 'Unknown destination country'),
  countryUnknown: refusal(22, 404, 'Unknown country'),
  institutionUnknown: refusal(23, 200, 'Unknown financial institution'),
  institutionElsewhere: refusal(24, 200, 'The financial institution is not in the destination country'),
  nothingPaidThere: refusal(25, 200, 'Transfers to this destination are not available'),

  amountInvalid: refusal(30, 422, 'Amount must be a number above zero'),
  amountTooPrecise: refusal(31, 422, 'Amount has more decimals than the destination currency'),
  accountMissing: refusal(32, 422, 'AccountNo is required'),
  accountInvalid: refusal(33, 200, 'Invalid account number'),
  accountNotFound: refusal(34, 200, 'Account name not found'),
  nameMissing: refusal(35, 422, 'Name is required when the account is not validated'),
  fieldNotText: refusal(36, 422, 'Source, Destination, Fi, AccountNo, Name, Phone and Note must be strings'),
  noteTooLong: refusal(37, 422, 'Note is longer than 255 characters'),

  noPaymentInstrument: refusal(40, 200, 'No payment instrument is configured; add one on your dashboard'),
  balanceEmpty: refusal(41, 200, 'Insufficient funds on the payment instrument'),

  accountClosed: refusal(50, 200, 'The account is closed'),
  refusedByInstitution: refusal(51, 422, 'The receiving institution declined the transfer'),

  transferUnknown: refusal(60, 404, 'Transaction not found'),
  lookupUnavailable: refusal(70, 503, 'Account validation is temporarily unavailable'),
  rateLimited: { ...refusal(71, 429, 'Too many requests'), retryAfterSeconds: 1 },
  bookFull: refusal(72, 200, "The sandbox's book is full: start one with a new book"),
} as const satisfies Record<string, Refusal>;

function refusal(code: number, httpStatus: number, message: string): Refusal {
  return { code, httpStatus, message, retryAfterSeconds: undefined };
}
