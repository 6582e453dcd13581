/**
 * How long the service may give no answer at all. Slow work is never cut off: each answer starts the time again. When it
 * is over, open questions are given up and later ones are unavailable at once, so that each stage ends as in an outage.
 * A transfer that is on the wire is still waited for.
 */
import type { Asked, PaymentService } from '../ports/payment-service.ts';
import type { Ports } from './ports.ts';

/** Where no deadline was given. */
const SILENCE_MS = 15 * 60_000;
/** A deadline of 0 means not to wait for final statuses; the service still gets this long to answer. */
const SILENCE_MS_MIN = 10_000;
/** Longer than between two tries: after such a pause, in which a person may have been asked, the wait starts again. */
const PAUSE_MS = 60_000;

export function withSilenceLimit(ports: Ports, deadlineMs = SILENCE_MS): Ports {
  const service = ports.paymentService;
  const wait = createWait(ports.clock, Math.max(SILENCE_MS_MIN, deadlineMs));

  /** One joined signal for each signal that is passed in, not one for each question: they would pile up. */
  const joined = new WeakMap<AbortSignal, AbortSignal>();
  function orGivenUp(signal: AbortSignal | undefined): AbortSignal {
    if (signal === undefined) return wait.givenUp;
    const both = joined.get(signal) ?? AbortSignal.any([signal, wait.givenUp]);
    joined.set(signal, both);
    return both;
  }

  async function askInTime<Answer>(
    ask: (signal: AbortSignal) => Promise<Asked<Answer>>,
    signal: AbortSignal | undefined,
  ): Promise<Asked<Answer>> {
    const ended = wait.ended();
    if (ended !== undefined) return { kind: 'unavailable', reason: ended };
    wait.begin();
    try {
      const asked = await ask(orGivenUp(signal));
      if (asked.kind !== 'unavailable') wait.answered();
      return asked;
    } catch (error) {
      const reason = wait.ended();
      if (reason === undefined || signal?.aborted === true) throw error;
      return { kind: 'unavailable', reason };
    } finally {
      wait.end();
    }
  }

  const paymentService: PaymentService = {
    countries: (signal) => askInTime((both) => service.countries(both), signal),
    institutions: (id, signal) => askInTime((both) => service.institutions(id, both), signal),
    accountName: (question, signal) => askInTime((both) => service.accountName(question, both), signal),
    estimate: (question, signal) => askInTime((both) => service.estimate(question, both), signal),
    rate: (from, to, signal) => askInTime((both) => service.rate(from, to, both), signal),
    transaction: (id, signal) => askInTime((both) => service.transaction(id, both), signal),
    profile: (signal) => askInTime((both) => service.profile(both), signal),
    prepareSend: (signal) => service.prepareSend(signal),
    async send(order, prepared) {
      const outcome = await service.send(order, prepared);
      if (outcome.kind !== 'not_sent' && outcome.kind !== 'in_doubt') wait.answered();
      return outcome;
    },
    close: () => service.close(),
  };
  return { ...ports, paymentService, silence: { ended: wait.ended } };
}

/** Runs while a question is open, from its beginning or from the last answer on. */
function createWait(clock: Ports['clock'], timeoutMs: number) {
  const givenUp = new AbortController();
  let ended: string | undefined;
  let open = 0;
  let sinceMs = Number.NEGATIVE_INFINITY;
  let idleMs = Number.NEGATIVE_INFINITY;
  let idle = new AbortController();

  async function watch(signal: AbortSignal): Promise<void> {
    for (;;) {
      const leftMs = sinceMs + timeoutMs - clock.monotonicMs();
      if (leftMs <= 0) break;
      await clock.sleep(leftMs, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    ended = `it gave no usable answer for ${Math.round(timeoutMs / 1_000)} s`;
    givenUp.abort(new Error(ended));
  }
  return {
    givenUp: givenUp.signal,
    ended: () => ended,
    begin(): void {
      open += 1;
      if (open > 1) return;
      const now = clock.monotonicMs();
      if (now - idleMs > PAUSE_MS) sinceMs = now;
      idle = new AbortController();
      void watch(idle.signal);
    },
    end(): void {
      open -= 1;
      if (open > 0) return;
      idleMs = clock.monotonicMs();
      idle.abort();
    },
    answered(): void {
      sinceMs = clock.monotonicMs();
    },
  };
}
