/**
 * A client of the sandbox that hides nothing: raw answers, raw headers, one connection per request.
 */
import { Agent, request } from 'node:http';
import { countryByIso, institutionIdOf } from '../../src/sandbox/directory.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  /** The parsed body, or undefined when it is not JSON. */
  readonly json: Envelope;
}

export interface Envelope {
  readonly status?: string;
  readonly data?: unknown;
  readonly message?: string;
  readonly code?: unknown;
  readonly fetched?: string;
}

export interface SessionHeaders {
  readonly id: string;
  readonly token: string;
  readonly expiry: string;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly agent?: Agent;
}

export function call(url: string, options: CallOptions = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, agent } = options;
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = request(
      url,
      { method, headers: { ...length, ...headers }, agent: agent ?? new Agent({ keepAlive: false }) },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status = 0, headers: received } = incoming;
          resolve({ status, headers: received, text, json: parsed(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };

export function login(sandbox: Sandbox, credentials: unknown = sandbox.credentials): Promise<RawAnswer> {
  const body = JSON.stringify(credentials);
  return call(`${sandbox.authUrl}/login`, { method: 'POST', headers: JSON_TYPE, body });
}

export async function sessionOf(sandbox: Sandbox): Promise<SessionHeaders> {
  const { data } = (await login(sandbox)).json;
  return data as SessionHeaders;
}

export function get(sandbox: Sandbox, path: string, session: SessionHeaders): Promise<RawAnswer> {
  return call(`${sandbox.baseUrl}${path}`, { headers: { ...session } });
}

export function profile(sandbox: Sandbox, session: SessionHeaders): Promise<RawAnswer> {
  return call(`${sandbox.baseUrl}/profile`, { headers: { ...session, ...JSON_TYPE }, body: '{}' });
}

/** Sends a body as it is: text, or something to be written as JSON. */
export function pay(sandbox: Sandbox, session: SessionHeaders, body: unknown): Promise<RawAnswer> {
  return call(`${sandbox.baseUrl}/transfer`, {
    method: 'POST',
    headers: { ...session, ...JSON_TYPE },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export const idOf = (iso: string): string => countryByIso(iso)?.id ?? '';

/** A payment of 150.50 cedis into a wallet in Ghana, unless told otherwise. */
export function aTransfer(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    Source: idOf('GB'),
    Destination: idOf('GH'),
    Amount: 150.5,
    Fi: institutionIdOf('GH', 'MTN Mobile Money') ?? '',
    Note: 'PF-7K2M9QXD May salary',
    AccountNo: '0244123456',
    Name: 'Ama Serwaa Boateng',
    Phone: '+233244123456',
    ...changes,
  };
}

export function transferIdOf(answer: RawAnswer): string {
  const { id } = answer.json.data as { id?: string };
  return id ?? '';
}

function parsed(text: string): Envelope {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
