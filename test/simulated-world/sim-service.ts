/**
 * The real client of the payment service, put together from its own parts, over a simulated wire: session, token
 * check, pace, retries, classification of answers and evidence are those that a user runs.
 */
import net from 'node:net';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Log } from '../../src/ports/log.ts';
import type { NotSent, PaymentService, Prepared } from '../../src/ports/payment-service.ts';
import { createOwnAccess } from '../../src/service/access.ts';
import { askService } from '../../src/service/ask-service.ts';
import { ReadyConnection } from '../../src/service/one-use-connections.ts';
import type { ExchangeOnce } from '../../src/service/read-client.ts';
import { type Ask, createReadEndpoints } from '../../src/service/read-endpoints.ts';
import { PreparedSend, sendTransfer } from '../../src/service/send-transfer.ts';
import { Session } from '../../src/service/session.ts';
import { createTokenCheck } from '../../src/service/token-check.ts';
import { createPace, withRateLimit } from '../../src/service/with-rate-limit.ts';
import { RETRY_SCHEDULE, withRetry } from '../../src/service/with-retry.ts';
import type { Questions } from './answers.ts';
import { type Actor, sleep } from './scheduler.ts';
import { simWire, tagIn, type WireWorld } from './wire.ts';

export interface ServiceWorld extends WireWorld {
  readonly questions: Questions;
  readonly clock: Clock;
  readonly log: Log;
  readonly postTimeoutMs: number;
  readonly lateAnswerMs: number;
}

const BASE = 'https://pay.example';
const SCHEDULE = { ...RETRY_SCHEDULE, totalMsMax: 60_000 };

export function simService(process: Actor, world: ServiceWorld): PaymentService {
  const { clock, log, postTimeoutMs, lateAnswerMs } = world;
  const access = createOwnAccess(clock);
  const pace = createPace(access.pace(undefined), clock);
  const exchange = withRateLimit(simExchange(process, world), pace);
  const settings = {
    loginUrl: `${BASE}/login`,
    id: 'shop',
    password: new Sensitive('a password'),
    postTimeoutMs,
  };
  const session = new Session(settings, { exchange, clock, log, shared: access.session });
  const checkToken = createTokenCheck(`${BASE}/profile`, exchange, clock);
  const ask: Ask = (question, signal) => {
    const url = `${BASE}/${question.segments.map(encodeURIComponent).join('/')}`;
    const tryOnce = () => askService({ ...question, url }, { session, exchange, checkToken }, signal);
    return withRetry(tryOnce, { schedule: SCHEDULE, clock, signal });
  };
  const closing = new AbortController();
  const sendWorld = {
    ...{ clock, log, pace, session, checkToken, postTimeoutMs, lateAnswerMs },
    ...{ host: 'pay.example', path: '/transfer', answersRefused: [], closing: closing.signal },
    post: simWire(process, world),
  };
  return {
    ...createReadEndpoints(ask, log),
    async prepareSend(signal): Promise<Prepared | NotSent> {
      await pace.turn(signal);
      const held = await session.token(signal);
      if (held.kind === 'unavailable') return { kind: 'not_sent', phase: 'login', reason: held.reason };
      await sleep(process, world.scheduler, world.random.below(100), signal);
      if (world.faults.strikes('connect_fails'))
        return { kind: 'not_sent', phase: 'connect', reason: 'ECONNREFUSED' };
      return new PreparedSend(held.token, new ReadyConnection(new net.Socket()), clock);
    },
    async send(order, prepared) {
      if (!(prepared instanceof PreparedSend)) throw new TypeError('Prepared by someone else');
      await world.scheduler.park(process, 'takes the connection');
      if (world.faults.strikes('dies_before_write', world.watch.payoutOf(tagIn(order.note))))
        prepared.discard();
      return sendTransfer(order, prepared, sendWorld);
    },
    close: async () => {
      closing.abort();
      session.close();
    },
  };
}

/** A question goes, is answered, and the answer comes back; each when its turn comes. */
function simExchange(process: Actor, world: ServiceWorld): ExchangeOnce {
  const { scheduler, random, questions } = world;
  return async (exchange, signal) => {
    signal?.throwIfAborted();
    await sleep(process, scheduler, random.chance(0.1) ? random.below(5_000) : random.below(80), signal);
    return questions.answer(exchange, process.name);
  };
}
