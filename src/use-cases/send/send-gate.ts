/**
 * The gate before every transfer. It holds the breaker, counts transfers in flight, and stops sending. During an outage
 * it probes the service with a harmless request.
 */
import {
  afterOthers,
  afterProbe,
  afterSend,
  type Breaker,
  type BreakerLimits,
  type BreakerPast,
  type BreakerSeen,
  failedProbes,
  inFlightMax,
  isLastChance,
  isNextEarly,
  newBreaker,
  type SendResult,
} from '../../domain/payouts/circuit-breaker.ts';
import type { TransferId } from '../../domain/payouts/instruction.ts';
import type { InstitutionId } from '../../domain/rows/directory.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Ports } from '../ports.ts';

export type Stop =
  | { readonly kind: 'paused'; readonly reason: string }
  | { readonly kind: 'outage'; readonly reason: string }
  /** The wait after a 429 is longer than this run may last. */
  | { readonly kind: 'limited'; readonly until: Timestamp }
  /** Not all canary rows settled. The rest waits for a person. */
  | { readonly kind: 'canary'; readonly reason: string; readonly row: number | undefined }
  /** The next row would exceed the maximum debit. */
  | { readonly kind: 'over_debit'; readonly reason: string }
  | { readonly kind: 'interrupted' }
  /** This process lost the lease. `reason` is a sentence. */
  | { readonly kind: 'lease_lost'; readonly reason: string };

interface GateOptions {
  readonly limits: BreakerLimits;
  readonly past: BreakerPast;
  readonly concurrency: number;
  /** Longest wait for a 429 without progress; undefined: as long as the service asks. */
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the sending ends, so that longer-lived signals drop their listeners. */
  readonly closeSignal: AbortSignal;
}

/**
 * A run stops instead of waiting longer than this. The journal keeps the end of the wait. All batches of the ledger
 * wait, because all use one service.
 */
const LIMIT_WAIT_MAX_MS = 5 * 60_000;
const PROBE_FIRST_MS = 500;
const PROBE_MAX_MS = 15_000;

const IDS_MAX = 10_000;

export class SendGate {
  readonly #ports: Ports;
  readonly #options: GateOptions;
  readonly #stopping = new AbortController();
  /** The last transfer ids, to detect a service that repeats an id. */
  readonly #ids = new Set<TransferId>();
  #breaker: Breaker;
  /** The first stop reason. */
  #reason: Stop | undefined;
  #isPastDeadline = false;
  /** Transfers in flight, and how many of them already gave their place to the next. */
  #open = 0;
  #freed = 0;
  /** Since when transfers fail before they are sent; undefined if the last one was sent. */
  #failingSinceMs: number | undefined;
  #limit = { untilMs: Number.NEGATIVE_INFINITY, waitedMs: 0, count: 0 };
  /** Wakes the caller that waits in `enter`. */
  #wakeWaiter = (): void => undefined;

  constructor(ports: Ports, options: GateOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#breaker = newBreaker(options.past, options.limits);
    options.signal?.addEventListener('abort', () => this.#wakeWaiter(), { signal: options.closeSignal });
  }

  /** Aborts when sending stops, so that waiting transfers end. */
  get stopSignal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Waits until a transfer may start, and takes a place. False if no more may start. */
  async enter(): Promise<boolean> {
    const { concurrency } = this.#options;
    while (this.stopped() === undefined) {
      const { gate } = this.#breaker;
      if (this.#limitLeftMs() > 0) await this.waitOutLimit();
      else if (gate === 'probe' && this.#open === 0) await this.#probe();
      else if (gate === 'open_way' && this.#open - this.#freed < inFlightMax(this.#breaker, concurrency)) {
        this.#open += 1;
        return true;
      } else
        await new Promise<void>((resolve) => {
          this.#wakeWaiter = resolve;
        });
    }
    return false;
  }

  /**
   * Frees the place early: the service accepted, and only the record is missing. False while transfers must run one by
   * one. Also false for a repeated id, which the ledger will refuse.
   */
  freePlace(transferId: TransferId): boolean {
    if (this.#ids.has(transferId)) return false;
    if (this.#ids.size >= IDS_MAX) this.#ids.clear();
    this.#ids.add(transferId);
    if (!isNextEarly(this.#breaker, this.#options.concurrency)) return false;
    this.#freed += 1;
    this.#wakeWaiter();
    return true;
  }

  /** Gives the place back. `result`: of the transfer; undefined if there was no request. */
  leave(result: SendResult | undefined, isFree = false): void {
    this.#open -= 1;
    if (isFree) this.#freed -= 1;
    if (result?.kind === 'not_sent') this.#failingSinceMs ??= this.#ports.clock.monotonicMs();
    else if (result !== undefined) this.#failingSinceMs = undefined;
    // The service answered, so the total wait for limits counts from zero again.
    if (result?.kind === 'accepted' || result?.kind === 'refused') this.#limit.waitedMs = 0;
    this.#setBreaker(
      result === undefined ? this.#breaker : afterSend(this.#breaker, result, this.#options.limits),
    );
  }

  isSetAside(institutionId: InstitutionId): boolean {
    return this.#breaker.setAside.has(institutionId);
  }

  /** One more refusal sets the institution aside, so send only one row of it at a time. */
  isLastChance(institutionId: InstitutionId): boolean {
    return isLastChance(this.#breaker, institutionId);
  }

  setAside(): readonly InstitutionId[] {
    return [...this.#breaker.setAside];
  }

  doubts(): number {
    return this.#breaker.doubts;
  }

  /** The service accepted a transfer, so the account works and has funds. */
  isUnderWay(): boolean {
    return this.#breaker.accepted > 0;
  }

  /** Adds results of other processes that send the same batch. */
  learnFromOthers(seen: BreakerSeen): void {
    this.#setBreaker(afterOthers(this.#breaker, seen, this.#options.limits));
  }

  stop(reason: Stop): void {
    this.#reason ??= reason;
    this.#stopping.abort(new Error('Sending has stopped'));
    this.#wakeWaiter();
  }

  /** Stops at the deadline. Waits only for answers of transfers in flight, and sends no more requests. */
  stopAtDeadline(reason: Stop): void {
    this.#isPastDeadline = true;
    this.stop(reason);
  }

  stopped(): Stop | undefined {
    const { gate, reason = 'paused' } = this.#breaker;
    // A pause counts even after another stop, because the next run must not continue.
    if (gate === 'paused') return { kind: 'paused', reason };
    if (this.#options.signal?.aborted === true) this.#reason ??= { kind: 'interrupted' };
    return this.#reason;
  }

  /** The deadline passed before all rows were sent and answered. */
  isPastDeadline(): boolean {
    return this.#isPastDeadline;
  }

  /** After a 429, starts nothing before `until`. Stops sending if that is too long. */
  limitUntil(until: Timestamp): void {
    const { clock } = this.#ports;
    const { patienceMs = Number.POSITIVE_INFINITY } = this.#options;
    this.#limit.untilMs = Math.max(this.#limit.untilMs, clock.monotonicMs() + (until - clock.now()));
    this.#limit.count += 1;
    const left = this.#limitLeftMs();
    if (left > LIMIT_WAIT_MAX_MS || this.#limit.waitedMs + left > patienceMs)
      this.stop({ kind: 'limited', until: plusMs(clock.now(), left) });
  }

  /** Number of limits so far. A new limit starts a new pass, which retries the limited row first. */
  limitCount(): number {
    return this.#limit.count;
  }

  async waitOutLimit(): Promise<void> {
    const { signal } = this.#options;
    for (let left = this.#limitLeftMs(); left > 0 && this.stopped() === undefined; ) {
      this.#ports.tell({
        kind: 'waiting',
        reason: 'the service limits requests (429)',
        delayMs: left,
      });
      this.#limit.waitedMs += left;
      const anyStopSignal =
        signal === undefined ? this.stopSignal : AbortSignal.any([signal, this.stopSignal]);
      await this.#ports.clock.sleep(left, anyStopSignal).catch(() => undefined);
      left = this.#limitLeftMs();
    }
  }

  #limitLeftMs(): number {
    return this.#limit.untilMs - this.#ports.clock.monotonicMs();
  }

  #setBreaker(next: Breaker): void {
    this.#breaker = next;
    this.#wakeWaiter();
  }

  async #probe(): Promise<void> {
    const { reason = 'the service does not answer' } = this.#breaker;
    const { signal } = this.#options;
    const sinceMs = this.#failingSinceMs ?? this.#ports.clock.monotonicMs();
    const outage = { reason, signal, sinceMs, uselessProbes: failedProbes(this.#breaker) };
    if (await serviceAnswers(this.#ports, outage)) this.#breaker = afterProbe(this.#breaker);
    else if (signal?.aborted !== true) this.#reason ??= { kind: 'outage', reason };
  }
}

interface Outage {
  readonly reason: string;
  readonly signal: AbortSignal | undefined;
  readonly sinceMs: number;
  /** Probes that succeeded although transfers still failed. Each makes the next wait longer. */
  readonly uselessProbes: number;
}

/** Requests the profile with growing pauses, until it answers or the outage lasts too long. */
async function serviceAnswers(ports: Ports, outage: Outage): Promise<boolean> {
  const { reason, signal, sinceMs, uselessProbes } = outage;
  const { clock, policy } = ports;
  ports.tell({ kind: 'waiting', reason, delayMs: undefined });
  const until = sinceMs + policy.outageWaitMs;
  const wait = (delayMs: number) =>
    clock.sleep(delayMs * (0.75 + clock.random() / 2), signal).catch(() => undefined);
  if (uselessProbes > 0) {
    if (clock.monotonicMs() >= until) return false;
    await wait(Math.min(PROBE_FIRST_MS * 2 ** Math.min(uselessProbes - 1, 10), PROBE_MAX_MS));
  }
  for (let delayMs = PROBE_FIRST_MS; ; delayMs = Math.min(delayMs * 2, PROBE_MAX_MS)) {
    if (signal?.aborted === true) return false;
    const answer = await ports.paymentService.profile(signal).catch((error: unknown) => {
      if (signal?.aborted === true) return undefined;
      throw error;
    });
    if (answer !== undefined && answer.kind !== 'unavailable') return true;
    if (ports.silence?.ended() !== undefined || clock.monotonicMs() + delayMs >= until) return false;
    await wait(delayMs);
  }
}
