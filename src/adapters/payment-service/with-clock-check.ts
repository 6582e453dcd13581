/**
 * Warns, once, when the service's clock and ours are far apart: then stamps and lifetimes are read wrongly on one
 * of the two sides. Nothing stops for it, because no payment depends on what time it is.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { parseHttpDate } from './http-date.ts';
import type { ExchangeOnce } from './read-client.ts';

const SKEW_MS_MAX = 5 * 60_000;

export function withClockCheck(exchangeOnce: ExchangeOnce, log: Log, clock: Clock): ExchangeOnce {
  let isTold = false;
  return async (exchange, signal) => {
    const reply = await exchangeOnce(exchange, signal);
    const theirs = reply.kind === 'answer' ? parseHttpDate(reply.date) : undefined;
    if (isTold || theirs === undefined) return reply;
    const skewMs = clock.now() - theirs;
    if (Math.abs(skewMs) <= SKEW_MS_MAX) return reply;
    isTold = true;
    const minutes = Math.round(Math.abs(skewMs) / 60_000);
    const reason = `ours is ${minutes} minutes ${skewMs > 0 ? 'ahead of' : 'behind'} the service's`;
    log.write('warn', 'clocks_differ', { reason });
    return reply;
  };
}
