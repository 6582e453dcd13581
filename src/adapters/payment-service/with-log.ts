/**
 * Writes one log line for each request that moves no money: what was asked, what came back, how long it took.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { ExchangeOnce } from './read-client.ts';

export function withLog(exchangeOnce: ExchangeOnce, log: Log, clock: Clock): ExchangeOnce {
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
