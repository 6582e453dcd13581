/**
 * Which request goes to which endpoint, and what is checked before any of them: outage, rate, session, body.
 */
import { ExactJsonError, NumberText, parseExactJson } from '../contract/exact-json.ts';
import { type Endpoint, gatewayAnswer, REFUSALS, type Refusal, type Reply } from './answer.ts';
import {
  getCountries,
  getEstimate,
  getInstitutions,
  getName,
  getProfile,
  getRate,
  getTransaction,
} from './lookups.ts';
import { isInOutage, isOverRate, type SandboxState } from './sandbox-state.ts';
import type { SessionHeaders } from './sessions.ts';
import { postTransfer } from './transfer.ts';

export interface SandboxRequest {
  readonly method: string;
  /** As in the request line. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly session: SessionHeaders;
  /** Undefined when it was larger than the sandbox takes. */
  readonly body: string | undefined;
}

export const BASE_PATH = '/v1';
export const AUTH_PATH = '/auth';

interface Route {
  readonly endpoint: Endpoint;
  readonly method: 'GET' | 'POST';
  /** Its parameters in parentheses. */
  readonly path: RegExp;
  /** Answers a question of these parameters; undefined where more than the path is needed. */
  readonly look?: ((state: SandboxState, ...parameters: string[]) => Reply) | undefined;
}

const ROUTES: readonly Route[] = [
  { endpoint: 'login', method: 'POST', path: at(AUTH_PATH, '/login') },
  { endpoint: 'transfer', method: 'POST', path: at(BASE_PATH, '/transfer') },
  { endpoint: 'profile', method: 'GET', path: at(BASE_PATH, '/profile') },
  { endpoint: 'transaction', method: 'GET', path: at(BASE_PATH, '/transaction/:'), look: getTransaction },
  { endpoint: 'estimate', method: 'GET', path: at(BASE_PATH, '/rates/:/:/:'), look: getEstimate },
  { endpoint: 'rate', method: 'GET', path: at(BASE_PATH, '/rates/:/:'), look: getRate },
  { endpoint: 'institutions', method: 'GET', path: at(BASE_PATH, '/fis/:'), look: getInstitutions },
  { endpoint: 'countries', method: 'GET', path: at(BASE_PATH, '/countries'), look: getCountries },
  { endpoint: 'name', method: 'GET', path: at(BASE_PATH, '/fisit/:/:'), look: getName },
];

function at(base: string, path: string): RegExp {
  return new RegExp(`^${base}${path.replaceAll(':', '([^/]+)')}$`);
}

interface RoutedRequest extends Pick<Route, 'endpoint' | 'look'> {
  readonly parameters: readonly string[];
}

export async function answerRequest(state: SandboxState, request: SandboxRequest): Promise<Reply> {
  const routed = route(request);
  const endpoint = 'refusal' in routed ? 'profile' : routed.endpoint;
  const fail = (refusal: Refusal) => state.envelope.failure(endpoint, refusal);
  if (isInOutage(state)) return gatewayAnswer(503);
  if (endpoint !== 'login') {
    const sessionRefusal = state.sessions.refusalOf(request.session);
    if (sessionRefusal) return fail(sessionRefusal);
    if (isOverRate(state)) return fail(REFUSALS.rateLimited);
  }
  if ('refusal' in routed) return fail(routed.refusal);
  if (request.body === undefined) return fail(REFUSALS.bodyTooLarge);
  if (routed.look !== undefined) return routed.look(state, ...routed.parameters);
  const body = jsonBody(request.contentType, request.body);
  if ('refusal' in body) return fail(body.refusal);
  const { token = '', id = '' } = request.session;
  if (endpoint === 'transfer') return postTransfer(state, { body: body.object, token });
  return endpoint === 'profile' ? getProfile(state, id) : postLogin(state, body.object);
}

function postLogin(state: SandboxState, body: Record<string, unknown>): Reply {
  const { credentials, tokenTtlSeconds } = state.settings;
  if (body.id !== credentials.id) return state.envelope.failure('login', REFUSALS.userUnknown);
  if (body.password !== credentials.password) return state.envelope.failure('login', REFUSALS.passwordWrong);
  if (state.scenario.oneSession) state.sessions.endAll();
  const { token, id, expiry } = state.sessions.open(state.scenario.sessionSeconds ?? tokenTtlSeconds);
  return state.envelope.success('login', { token, id, expiry }, 'Login successful');
}

function route(request: SandboxRequest): RoutedRequest | { refusal: Refusal } {
  const path = request.url.split('?', 1)[0] ?? '';
  let refusal: Refusal = REFUSALS.pathUnknown;
  for (const { endpoint, method, path: pattern, look } of ROUTES) {
    const match = pattern.exec(path);
    if (!match) continue;
    const parameters = match.slice(1).map(decoded);
    if (method === request.method && !parameters.includes(undefined)) {
      return { endpoint, look, parameters: parameters.map((parameter) => parameter ?? '') };
    }
    if (method !== request.method) refusal = REFUSALS.methodWrong;
  }
  return { refusal };
}

function decoded(parameter: string): string | undefined {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return undefined;
  }
}

function jsonBody(
  contentType: string | undefined,
  text: string,
): { object: Record<string, unknown> } | { refusal: Refusal } {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') return { refusal: REFUSALS.contentType };
  try {
    const value = parseExactJson(text);
    return isObject(value) ? { object: value } : { refusal: REFUSALS.bodyNotObject };
  } catch (error) {
    if (error instanceof ExactJsonError) return { refusal: REFUSALS.bodyNotJson };
    throw error;
  }
}

/** A JSON object; a bare number comes as a NumberText, which is not one. */
function isObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object') return false;
  return !Array.isArray(value) && !(value instanceof NumberText);
}
