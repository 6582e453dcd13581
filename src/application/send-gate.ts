/**
 * The gate before every send: holds the breaker, counts what is in flight, waits out an outage by asking a
 * harmless question, and says when sending has to stop.
 */
import {
  afterProbe,
  afterSend,
  type Breaker,
  type BreakerLimits,
  type BreakerPast,
  inFlightMax,
  isLastChance,
  newBreaker,
  probesInVain,
  type SendResult,
} from '../domain/breaker.ts';
import type { InstitutionId } from '../domain/country.ts';
import type { World } from './world.ts';

export type Stop =
  | { readonly kind: 'paused'; readonly reason: string }
  | { readonly kind: 'outage'; readonly reason: string }
  /** The first rows did not all settle, and why: the rest waits for a person. */
  | { readonly kind: 'canary'; readonly reason: string; readonly row: number | undefined }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'lease_lost' };

export interface SendGate {
  /** Waits until a send may start and takes a place for it; false when nothing more may start. */
  enter(): Promise<boolean>;
  /** Gives the place back, with what the send came to; undefined when nothing was asked of the service. */
  leave(result: SendResult | undefined): void;
  isSetAside(institutionId: InstitutionId): boolean;
  /** One more refusal sets it aside: one row of it at a time. */
  isLastChance(institutionId: InstitutionId): boolean;
  setAside(): readonly InstitutionId[];
  stop(reason: Stop): void;
  stopped(): Stop | undefined;
  doubts(): number;
}

export interface GateOptions {
  readonly limits: BreakerLimits;
  readonly past: BreakerPast;
  readonly signal?: AbortSignal | undefined;
}

const PROBE_FIRST_MS = 500;
const PROBE_MAX_MS = 15_000;

export function openSendGate(world: World, options: GateOptions): SendGate {
  let breaker: Breaker = newBreaker(options.past, options.limits);
  let inFlight = 0;
  /** When sends began to fail before they left; undefined when the last one got through. */
  let failingSinceMs: number | undefined;
  let stop: Stop | undefined;
  let wake = () => {};

  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const stopped = (): Stop | undefined => {
    // A pause is told even when something else stopped the sending first: the next run must not go on.
    if (breaker.gate === 'paused') return { kind: 'paused', reason: breaker.reason ?? 'paused' };
    if (stop === undefined && options.signal?.aborted === true) stop = { kind: 'interrupted' };
    return stop;
  };
  options.signal?.addEventListener('abort', () => wake(), { once: true });

  async function probe(): Promise<void> {
    const reason = breaker.reason ?? 'the service does not answer';
    const sinceMs = failingSinceMs ?? world.clock.monotonicMs();
    const { signal } = options;
    const isBack = await serviceAnswers(world, { reason, signal, sinceMs, inVain: probesInVain(breaker) });
    if (isBack) breaker = afterProbe(breaker);
    else if (signal?.aborted !== true) stop ??= { kind: 'outage', reason };
  }

  return {
    async enter() {
      while (stopped() === undefined) {
        if (breaker.gate === 'probe' && inFlight === 0) await probe();
        else if (breaker.gate === 'open_way' && inFlight < inFlightMax(breaker, options.limits.concurrency)) {
          inFlight += 1;
          return true;
        } else await changed();
      }
      return false;
    },
    leave(result) {
      inFlight -= 1;
      if (result !== undefined) breaker = afterSend(breaker, result, options.limits);
      if (result?.kind === 'not_sent') failingSinceMs ??= world.clock.monotonicMs();
      else if (result !== undefined) failingSinceMs = undefined;
      wake();
    },
    isSetAside: (institutionId) => breaker.setAside.has(institutionId),
    isLastChance: (institutionId) => isLastChance(breaker, institutionId),
    setAside: () => [...breaker.setAside],
    stop(reason) {
      stop ??= reason;
      wake();
    },
    stopped,
    doubts: () => breaker.doubts,
  };
}

interface Outage {
  readonly reason: string;
  readonly signal: AbortSignal | undefined;
  readonly sinceMs: number;
  /** Probes that were answered while sends failed all the same; each makes the next wait longer. */
  readonly inVain: number;
}

/** Asks the profile, less and less often, until it answers or the outage lasts too long. */
async function serviceAnswers(world: World, outage: Outage): Promise<boolean> {
  const { reason, signal, sinceMs, inVain } = outage;
  const { clock, policy } = world;
  world.tell({ kind: 'waiting', reason, delayMs: undefined });
  const until = sinceMs + policy.outageWaitMs;
  const wait = (delayMs: number) =>
    clock.sleep(delayMs * (0.75 + clock.random() / 2), signal).catch(() => undefined);
  if (inVain > 0) {
    if (clock.monotonicMs() >= until) return false;
    await wait(Math.min(PROBE_FIRST_MS * 2 ** Math.min(inVain - 1, 10), PROBE_MAX_MS));
  }
  for (let delayMs = PROBE_FIRST_MS; ; delayMs = Math.min(delayMs * 2, PROBE_MAX_MS)) {
    if (signal?.aborted === true) return false;
    const answer = await world.paymentService.profile(signal).catch((error: unknown) => {
      if (signal?.aborted === true) return undefined;
      throw error;
    });
    if (answer !== undefined && answer.kind !== 'unavailable') return true;
    if (world.patience?.ended() !== undefined || clock.monotonicMs() + delayMs >= until) return false;
    await wait(delayMs);
  }
}
