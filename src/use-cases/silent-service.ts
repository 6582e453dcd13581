/**
 * How long the service may give no answer at all, to questions and transfers. Slow work is never cut off: each answer
 * starts the time again. After a transfer without an answer only the answer to a transfer does, because a service that
 * answers questions alone is no use. When the time is over, open questions are given up and later ones are unavailable at
 * once, so that each stage ends as in an outage. A transfer that is on the wire is still waited for.
 */
import { lateAnswerMs } from '../domain/policy.ts';
import { counted } from '../domain/text/printable.ts';
import { plusMs, secondOf } from '../domain/timestamp.ts';
import type { Asked, PaymentService } from '../ports/payment-service.ts';
import type { LookUps, Ports } from './ports.ts';

/** Where no deadline was given. */
const SILENCE_MS = 15 * 60_000;
/** A deadline of 0 means not to wait for final statuses; the service still gets this long to answer. */
const SILENCE_MS_MIN = 10_000;
/** Longer than between two tries: after such a pause, in which a person may have been asked, the wait starts again. */
const PAUSE_MS = 60_000;

export function silenceMs(deadlineMs = SILENCE_MS): number {
  return Math.max(SILENCE_MS_MIN, deadlineMs);
}

export function silenceReason(ms: number): string {
  return `it gave no usable answer for ${Math.round(ms / 1_000)} s`;
}

/** Why nothing new begins, and how long what is on the wire is waited for: its timeout, and late answers. */
export function waitsForWire(
  reason: string,
  rows: number,
  { clock, policy: { postTimeoutMs } }: Pick<Ports, 'clock' | 'policy'>,
): string {
  const until = secondOf(plusMs(clock.now(), postTimeoutMs + lateAnswerMs(postTimeoutMs)));
  const wire = `${counted(rows, 'row on the wire is', 'rows on the wire are')} waited for`;
  return `the service is silent: ${reason}. No new transfer begins; ${wire}, until ${until} UTC at the latest`;
}

export function withSilenceLimit(ports: Ports, deadlineMs?: number): Ports {
  const service = ports.paymentService;
  const wait = createWait(ports.clock, silenceMs(deadlineMs));

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
    try {
      const asked = await wait.while(() => ask(orGivenUp(signal)));
      if (asked.kind !== 'unavailable') wait.questionAnswered();
      return asked;
    } catch (error) {
      const reason = wait.ended();
      if (reason === undefined || signal?.aborted === true) throw error;
      return { kind: 'unavailable', reason };
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
    prepareSend: (signal) => wait.while(() => service.prepareSend(signal)),
    send: (order, prepared) =>
      wait.while(async () => {
        const outcome = await service.send(order, prepared);
        if (outcome.kind === 'in_doubt') wait.transferLost();
        else if (outcome.kind !== 'not_sent') wait.transferAnswered();
        return outcome;
      }),
    close: () => service.close(),
  };
  const lookUntil = (endMs: number) => {
    wait.transferAnswered();
    return lookUpsUntil(endMs, ports.clock);
  };
  return { ...ports, paymentService, silence: { ended: wait.ended, over: wait.givenUp, lookUntil } };
}

function lookUpsUntil(endMs: number, clock: Ports['clock']): LookUps {
  const [late, ended] = [new AbortController(), new AbortController()];
  const leftMs = Math.max(0, endMs - clock.monotonicMs());
  void clock.sleep(leftMs, ended.signal).then(
    () => late.abort(new Error('The deadline came')),
    () => undefined,
  );
  return { signal: late.signal, end: () => ended.abort() };
}

/** Runs while something is open, from its beginning or from the last answer on. */
function createWait(clock: Ports['clock'], timeoutMs: number) {
  const givenUp = new AbortController();
  let ended: string | undefined;
  let open = 0;
  let sinceMs = Number.NEGATIVE_INFINITY;
  let idleMs = Number.NEGATIVE_INFINITY;
  let idle = new AbortController();
  /** Whether the last answer came after all that was open began, and whether a transfer got none. */
  let [isAnswered, isTransferLost] = [true, false];

  const isTime = () => clock.monotonicMs() >= sinceMs + timeoutMs;
  async function watch(signal: AbortSignal): Promise<void> {
    while (!isTime()) {
      await clock.sleep(sinceMs + timeoutMs - clock.monotonicMs(), signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    ended ??= silenceReason(timeoutMs);
    givenUp.abort(new Error(ended));
  }
  function begin(): void {
    open += 1;
    if (open > 1) return;
    const now = clock.monotonicMs();
    if (isAnswered || now - idleMs > PAUSE_MS) sinceMs = now;
    isAnswered = false;
    idle = new AbortController();
    void watch(idle.signal);
  }
  function answered(): void {
    isAnswered = true;
    sinceMs = clock.monotonicMs();
  }
  return {
    givenUp: givenUp.signal,
    ended: () => ended,
    async while<Result>(work: () => Promise<Result>): Promise<Result> {
      begin();
      try {
        return await work();
      } finally {
        open -= 1;
        if (open === 0) {
          idleMs = clock.monotonicMs();
          idle.abort();
        }
      }
    },
    questionAnswered(): void {
      if (!isTransferLost) answered();
    },
    transferAnswered(): void {
      isTransferLost = false;
      answered();
    },
    transferLost(): void {
      isTransferLost = true;
    },
  };
}
