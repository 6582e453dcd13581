/**
 * What the answer to a login means: a session, a plain no, or nothing usable.
 *
 * A plain no is never asked again: services lock accounts after a few wrong passwords.
 * Source:  service interface 2.2, 7.1.
 */
import { Envelope, isFailureWord, isSuccessWord, isZeroCode } from '../../contract/envelope.ts';
import { parseExactJson } from '../../contract/exact-json.ts';
import { SessionWire } from '../../contract/wire.ts';
import type { Reply } from './read-client.ts';

export type LoginAnswer =
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
  if (isPlainNo && (is2xx || isPlain4xx(httpStatus))) {
    return { kind: 'refused', code: envelope.code, message: envelope.message ?? '' };
  }
  return unusable;
}

/** The envelope of an answer, or undefined when it has none. */
export function parseEnvelope(body: string | undefined): Envelope | undefined {
  if (body === undefined) return undefined;
  try {
    return Envelope.safeParse(parseExactJson(body)).data;
  } catch {
    return undefined;
  }
}

function isPlain4xx(httpStatus: number): boolean {
  return httpStatus >= 400 && httpStatus <= 499 && ![408, 425, 429].includes(httpStatus);
}

/** What Node accepts in a header, without the characters that it would encode differently than they came. */
function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e]{1,4096}$/.test(text);
}
