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
  readonly prefix: string;
  /** The path behind the prefix; its parameters in parentheses. */
  readonly pattern: RegExp;
}

const ROUTES: readonly Route[] = [
  { endpoint: 'login', method: 'POST', prefix: AUTH_PATH, pattern: /^\/login$/ },
  { endpoint: 'transfer', method: 'POST', prefix: BASE_PATH, pattern: /^\/transfer$/ },
  { endpoint: 'transaction', method: 'GET', prefix: BASE_PATH, pattern: /^\/transaction\/([^/]+)$/ },
  { endpoint: 'estimate', method: 'GET', prefix: BASE_PATH, pattern: /^\/rates\/([^/]+)\/([^/]+)\/([^/]+)$/ },
  { endpoint: 'rate', method: 'GET', prefix: BASE_PATH, pattern: /^\/rates\/([^/]+)\/([^/]+)$/ },
  { endpoint: 'institutions', method: 'GET', prefix: BASE_PATH, pattern: /^\/fis\/([^/]+)$/ },
  { endpoint: 'countries', method: 'GET', prefix: BASE_PATH, pattern: /^\/countries$/ },
  { endpoint: 'name', method: 'GET', prefix: BASE_PATH, pattern: /^\/fisit\/([^/]+)\/([^/]+)$/ },
  { endpoint: 'profile', method: 'GET', prefix: BASE_PATH, pattern: /^\/profile$/ },
];

interface RoutedRequest {
  readonly endpoint: Endpoint;
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
  if (endpoint !== 'login' && endpoint !== 'transfer' && endpoint !== 'profile') return look(state, routed);
  const body = jsonBody(request.contentType, request.body);
  if ('refusal' in body) return fail(body.refusal);
  const { token = '', id = '' } = request.session;
  if (endpoint === 'transfer') return postTransfer(state, { body: body.object, token });
  return endpoint === 'profile' ? getProfile(state, id) : postLogin(state, body.object);
}

function look(state: SandboxState, { endpoint, parameters }: RoutedRequest): Reply {
  const [first = '', second = '', third = ''] = parameters;
  switch (endpoint) {
    case 'transaction':
      return getTransaction(state, first);
    case 'estimate':
      return getEstimate(state, { source: first, destination: second, amount: third });
    case 'rate':
      return getRate(state, { source: first, destination: second });
    case 'institutions':
      return getInstitutions(state, first);
    case 'name':
      return getName(state, { fi: first, account: second });
    default:
      return getCountries(state);
  }
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
  for (const { endpoint, method, prefix, pattern } of ROUTES) {
    const match = path.startsWith(prefix) ? pattern.exec(path.slice(prefix.length)) : undefined;
    if (!match) continue;
    const parameters = match.slice(1).map(decoded);
    if (method === request.method && !parameters.includes(undefined)) {
      return { endpoint, parameters: parameters.map((parameter) => parameter ?? '') };
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
