/**
 * Answers as the service writes them, with the quirks that its interface shows: letter case of `status`, `code`
 * as a number or as text, an empty `data` on failure.
 */
import type { Random } from './random.ts';

export interface AnswerText {
  readonly httpStatus: number;
  readonly body: string;
  readonly retryAfter?: string;
}

export function success(data: unknown, random: Random, fetched?: string): AnswerText {
  const status = random.pick(['Success', 'success', 'SUCCESS']);
  const code = random.pick([0, '0']);
  return { httpStatus: 200, body: JSON.stringify({ status, data, message: 'ok', code, fetched }) };
}

export function failure(code: number | string, message: string, httpStatus = 200): AnswerText {
  return { httpStatus, body: JSON.stringify({ status: 'Failed', data: {}, message, code }) };
}

export function tokenRefused(random: Random): AnswerText {
  return random.pick([
    failure(1, 'session expired', 200),
    failure('1', 'session expired', 401),
    { httpStatus: 401, body: '' },
  ]);
}

export function rateLimited(random: Random): AnswerText {
  const retryAfter = random.chance(0.05) ? '1000000000' : random.pick(['1', '2', '30', '400', 'soon', '-1']);
  const body = random.pick(['', 'Too many requests', JSON.stringify(failure(29, 'slow down').body)]);
  return { httpStatus: 429, body, retryAfter };
}

export function refusal(random: Random): AnswerText {
  const code = random.pick([51, '52', 53]);
  const message = random.pick(['account closed', 'limit reached', 'not allowed', 'wrong institution']);
  return failure(code, message, random.pick([200, 400, 404, 422]));
}

export function serverError(random: Random): AnswerText {
  const httpStatus = random.pick([500, 502, 503, 504, 520]);
  return random.pick([
    { httpStatus, body: '<html>Bad gateway</html>' },
    { httpStatus, body: '' },
    failure(99, 'internal error', httpStatus),
  ]);
}

/** Answers that prove nothing, whatever happened. */
export function oddAnswer(random: Random, id: string): AnswerText {
  const say = (httpStatus: number, envelope: unknown) => ({ httpStatus, body: JSON.stringify(envelope) });
  return random.pick([
    failure(9, 'may exist', 409),
    failure(9, 'too early', 425),
    failure(9, 'misdirected', 421),
    { httpStatus: 403, body: '<html>Forbidden</html>' },
    { httpStatus: 408, body: '' },
    { httpStatus: 307, body: '' },
    { httpStatus: 302, body: '<html>Moved</html>' },
    { httpStatus: 204, body: '' },
    { httpStatus: 200, body: '' },
    { httpStatus: 200, body: '{"status":"Success","data":{"id":"tr-' },
    say(200, { status: 'Success', data: {}, code: 0 }),
    say(200, { status: 'Success', data: { id }, code: 5 }),
    say(200, { status: 'Failed', data: {}, code: 0 }),
    say(400, { status: 'Failed', data: { id }, code: 51 }),
    say(201, { status: 'Pending', data: null, code: 7 }),
    say(200, { status: 'Failed', data: null, code: 51 }),
  ]);
}
