/**
 * Answers of the sandbox: the envelope around every payload, as each endpoint of the service writes it.
 *
 * Source:  service interface 2.1: the letter case of `status` differs between endpoints, `code` is an integer
 *          or an integer as string, `fetched` stands on the transfer, estimate and rate answers.
 */
import { formatStamp } from '../contract/wire-date.ts';
import type { Refusal } from './refusals.ts';
import type { ScenarioSettings } from './scenarios.ts';

export type Endpoint =
  | 'login'
  | 'transfer'
  | 'transaction'
  | 'estimate'
  | 'rate'
  | 'institutions'
  | 'countries'
  | 'name'
  | 'profile';

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

export interface EnvelopeWriter {
  success(endpoint: Endpoint, data: unknown, message: string): Answer;
  failure(endpoint: Endpoint, refusal: Refusal): Answer;
}

interface Style {
  readonly success: 'success' | 'Success';
  readonly code: 'number' | 'string';
  readonly fetched: boolean;
}

// The interface shows both letter cases and both forms of code, but not which endpoint has which: ours to
// choose.
const STYLES: Readonly<Record<Endpoint, Style>> = {
  login: { success: 'success', code: 'number', fetched: false },
  transfer: { success: 'Success', code: 'number', fetched: true },
  transaction: { success: 'Success', code: 'string', fetched: false },
  estimate: { success: 'success', code: 'string', fetched: true },
  rate: { success: 'success', code: 'number', fetched: true },
  institutions: { success: 'Success', code: 'string', fetched: false },
  countries: { success: 'Success', code: 'number', fetched: false },
  name: { success: 'success', code: 'string', fetched: false },
  profile: { success: 'success', code: 'number', fetched: false },
};

export interface EnvelopeOptions {
  readonly now: () => number;
  readonly zoneOffsetMinutes: number;
  readonly scenario: () => ScenarioSettings;
}

export function envelopeWriter(options: EnvelopeOptions): EnvelopeWriter {
  const write = (
    endpoint: Endpoint,
    fields: { status: string; data: unknown; message: string; code: number },
  ) => {
    const style = STYLES[endpoint];
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
    success: (endpoint, data, message) =>
      answer(200, write(endpoint, { status: STYLES[endpoint].success, data, message, code: 0 }), 'code 0'),
    failure: (endpoint, refusal) => {
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

/** A number of the answer with exactly these digits; a double would round what it cannot hold. */
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
