/**
 * Time in HTTP headers: `Date` and `Retry-After`.
 *
 * Units:   instants are milliseconds since 1970 UTC; delays are milliseconds.
 * Errors:  none; what is not well-formed reads as undefined.
 * Source:  RFC 9110, sections 5.6.7 and 10.2.3.
 */
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ExchangeOnce } from './read-client.ts';

const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Longest wait that is believed: a service that names a year is asked again after a day. */
const RETRY_AFTER_MS_MAX = 24 * 3_600_000;

/** `Sun, 06 Nov 1994 08:49:37 GMT` → instant. The obsolete forms are not read. */
export function parseHttpDate(text: string | undefined): number | undefined {
  const at = IMF_FIXDATE.test(text?.trim() ?? '') ? Date.parse(text ?? '') : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Seconds or a date → how long to wait, capped; undefined when absent, negative, in the past or garbage. A date is
 * read by the clock that wrote it, where the answer shows that.
 */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, RETRY_AFTER_MS_MAX);
  const at = parseHttpDate(value);
  if (at === undefined || at < nowMs) return undefined;
  return Math.min(at - nowMs, RETRY_AFTER_MS_MAX);
}

/**
 * Warns, once, when the service's clock and ours are far apart: then stamps and lifetimes are read wrongly on one
 * of the two sides. Nothing stops for it, because no payment depends on what time it is.
 */

const SKEW_MS_MAX = 5 * 60_000;

export function withClockCheck(exchangeOnce: ExchangeOnce, log: Log, clock: Clock): ExchangeOnce {
  let isWarned = false;
  return async (exchange, signal) => {
    const reply = await exchangeOnce(exchange, signal);
    const theirs = reply.kind === 'answer' ? parseHttpDate(reply.date) : undefined;
    if (isWarned || theirs === undefined) return reply;
    const skewMs = clock.now() - theirs;
    if (Math.abs(skewMs) <= SKEW_MS_MAX) return reply;
    isWarned = true;
    const minutes = Math.round(Math.abs(skewMs) / 60_000);
    const reason = `ours is ${minutes} minutes ${skewMs > 0 ? 'ahead of' : 'behind'} the service's`;
    log.write('warn', 'clocks_differ', { reason });
    return reply;
  };
}
