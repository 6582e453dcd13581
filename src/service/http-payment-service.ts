/**
 * The payment service over HTTP: the port, put together from the parts of this folder.
 *
 * Questions go through withRetry ∘ session ∘ withRateLimit ∘ withClockCheck ∘ withLog ∘ got. Transfers go through none of
 * that: prepareSend takes a turn, a token and a connection, and sendTransfer writes once.
 */
import type { LookupFunction } from 'node:net';
import { lateAnswerMs } from '../domain/policy.ts';
import type { Sensitive } from '../domain/text/sensitive.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { NotSent, PaymentService, Prepared } from '../ports/payment-service.ts';
import { createOwnAccess, type ServiceAccess } from './access.ts';
import { askService } from './ask-service.ts';
import { withClockCheck } from './http-date.ts';
import { ConnectFailed, type Destination, OneUseConnections } from './one-use-connections.ts';
import type { RefusedAnswer } from './outcome-of-answer.ts';
import { createReadClient, type ExchangeOnce } from './read-client.ts';
import { type Ask, createReadEndpoints } from './read-endpoints.ts';
import { PreparedSend, type SendParts, sendTransfer } from './send-transfer.ts';
import { parseServiceAddress, pathUnder } from './service-address.ts';
import { Session } from './session.ts';
import { createTokenCheck } from './token-check.ts';
import { createPace, withRateLimit } from './with-rate-limit.ts';
import { RETRY_SCHEDULE, type RetrySchedule, withRetry } from './with-retry.ts';

export interface HttpPaymentServiceSettings {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly id: string;
  readonly password: Sensitive;
  /** For the whole exchange. A long timeout costs nothing; a short one costs a person's time. */
  readonly postTimeoutMs: number;
  /** How long a connection is listened to after that, for an answer that is late; 0: not at all. */
  readonly lateAnswerMs?: number | undefined;
  /** Answers declared to mean "refused, nothing was executed". */
  readonly answersRefused: readonly RefusedAnswer[];
  /** undefined: as fast as the service answers. */
  readonly requestsPerSecond: number | undefined;
  /** Most transfer connections opened ahead; the concurrency is a good value. */
  readonly openAhead: number;
  readonly readTimeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly retry?: RetrySchedule | undefined;
  /** PEM of an authority to trust instead of the system's. */
  readonly certificateAuthority?: string | undefined;
  /** How host names are resolved; undefined: as the system does. @internal */
  readonly lookup?: LookupFunction | undefined;
}

const READ_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Throws ServiceAddressRefused for addresses that must not be used; opens nothing until it is asked. */
export function createHttpPaymentService(
  settings: HttpPaymentServiceSettings,
  parts: { readonly clock: Clock; readonly log: Log; readonly access?: ServiceAccess | undefined },
): PaymentService {
  const { clock, log, access = createOwnAccess(clock) } = parts;
  const base = parseServiceAddress(settings.baseUrl, 'The base address of the service');
  const auth = parseServiceAddress(settings.authUrl, 'The login address of the service');
  const client = createReadClient({
    timeoutMs: settings.readTimeoutMs ?? READ_TIMEOUT_MS,
    connectTimeoutMs: settings.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    concurrency: settings.openAhead,
    certificateAuthority: settings.certificateAuthority,
    lookup: settings.lookup,
  });
  const pace = createPace(access.pace(settings.requestsPerSecond), clock);
  const exchange = withRateLimit(withClockCheck(withLog(client.exchange, log, clock), log, clock), pace);
  const loginUrl = `${auth.origin}${pathUnder(auth, ['login'])}`;
  const session = new Session({ ...settings, loginUrl }, { exchange, clock, log, shared: access.session });
  const checkToken = createTokenCheck(`${base.origin}${pathUnder(base, ['profile'])}`, exchange, clock);
  const connections = new OneUseConnections(
    { destination: destinationOf(base, settings), openAhead: aheadOf(base, settings) },
    clock,
  );
  const ask: Ask = async (question, signal) => {
    const path = pathUnder(base, question.segments);
    if (path === undefined) return { kind: 'unavailable', reason: 'the question cannot stand in an address' };
    const asked = { ...question, url: `${base.origin}${path}` };
    const tryOnce = () => askService(asked, { session, exchange, checkToken }, signal);
    return withRetry(tryOnce, { schedule: settings.retry ?? RETRY_SCHEDULE, clock, signal });
  };
  const path = pathUnder(base, ['transfer']) ?? '/transfer';
  const closing = new AbortController();
  const sendParts = {
    ...settings,
    ...{ clock, log, pace, session, checkToken, path },
    host: base.host,
    // A short timeout also shortens the wait for a late answer.
    lateAnswerMs: settings.lateAnswerMs ?? lateAnswerMs(settings.postTimeoutMs),
    closing: closing.signal,
  };
  return {
    ...createReadEndpoints(ask, log),
    prepareSend: (signal) => prepareSend({ pace, session, connections, clock }, signal),
    send: async (order, prepared) =>
      prepared instanceof PreparedSend ? sendTransfer(order, prepared, sendParts) : notOurs(prepared),
    close: async () => {
      closing.abort();
      session.close();
      connections.close();
      client.close();
      await access.close();
    },
  };
}

/** With TLS a connection takes two round trips to open, and a transfer one: for each that goes out two are being opened. */
function aheadOf({ protocol }: URL, { openAhead }: Pick<HttpPaymentServiceSettings, 'openAhead'>): number {
  return protocol === 'https:' ? 2 * openAhead : openAhead;
}

type PrepareParts = Pick<SendParts, 'pace' | 'session' | 'clock'> & {
  readonly connections: OneUseConnections;
};

async function prepareSend(
  parts: PrepareParts,
  signal: AbortSignal | undefined,
): Promise<Prepared | NotSent> {
  const { pace, session, connections, clock } = parts;
  const none = await pace.turn(signal);
  if (none !== undefined) return { kind: 'not_sent', phase: 'login', reason: none };
  const held = await session.token(signal);
  if (held.kind === 'unavailable') return { kind: 'not_sent', phase: 'login', reason: held.reason };
  try {
    return new PreparedSend(held.token, await connections.take(signal), clock);
  } catch (error) {
    if (!(error instanceof ConnectFailed)) throw error;
    return { kind: 'not_sent', phase: 'connect', reason: error.message };
  }
}

function notOurs(prepared: Prepared): NotSent {
  prepared.discard();
  return { kind: 'not_sent', phase: 'ready', reason: 'the connection was prepared by someone else' };
}

function destinationOf(base: URL, settings: HttpPaymentServiceSettings): Destination {
  const secure = base.protocol === 'https:';
  return {
    hostname: base.hostname,
    port: base.port === '' ? (secure ? 443 : 80) : Number(base.port),
    secure,
    connectTimeoutMs: settings.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    certificateAuthority: settings.certificateAuthority,
    lookup: settings.lookup,
  };
}

/**
 * Writes one log line for each request that moves no money: what was asked, what came back, how long it took.
 */

function withLog(exchangeOnce: ExchangeOnce, log: Log, clock: Clock): ExchangeOnce {
  return async (exchange, signal) => {
    const startedAt = clock.monotonicMs();
    const reply = await exchangeOnce(exchange, signal);
    const durationMs = Math.round(clock.monotonicMs() - startedAt);
    const { endpoint } = exchange;
    if (reply.kind === 'answer') {
      log.write('debug', 'service_answered', { endpoint, httpStatus: reply.httpStatus, durationMs });
    } else {
      log.write('warn', 'service_gave_no_answer', { endpoint, reason: reply.reason, durationMs });
    }
    return reply;
  };
}
