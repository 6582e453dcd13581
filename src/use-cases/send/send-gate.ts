/**
 * The gate before every send: keeps the breaker, counts what is in flight, waits during an outage by asking a harmless
 * question, and says when sending has to stop.
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
  /** After a 429, the next transfer may start only when this run is over. */
  | { readonly kind: 'limited'; readonly until: Timestamp }
  /** The first rows did not all settle, and why: the rest waits for a person. */
  | { readonly kind: 'canary'; readonly reason: string; readonly row: number | undefined }
  /** The next row would cost more than whoever sends allows. */
  | { readonly kind: 'over_debit'; readonly reason: string }
  | { readonly kind: 'interrupted' }
  /** In words why nothing more may be begun in the batch. */
  | { readonly kind: 'lease_lost'; readonly reason: string };

interface GateOptions {
  readonly limits: BreakerLimits;
  readonly past: BreakerPast;
  readonly concurrency: number;
  /** Longest time that a 429 may take, without any progress; undefined: as long as the service asks. */
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the sending is over: a signal that outlives it keeps nothing of it then. */
  readonly over: AbortSignal;
}

/**
 * A run that would wait longer than this stops. The wait stands in the journal and binds every batch of the ledger,
 * because they all go to one service: the next run waits too.
 */
const LIMIT_WAIT_MAX_MS = 5 * 60_000;
const PROBE_FIRST_MS = 500;
const PROBE_MAX_MS = 15_000;

const IDS_MAX = 10_000;

export class SendGate {
  readonly #ports: Ports;
  readonly #options: GateOptions;
  readonly #ended = new AbortController();
  /** The last transfer ids: a service that repeats itself gives one id again and again. */
  readonly #ids = new Set<TransferId>();
  #breaker: Breaker;
  /** The first of several reasons. */
  #reason: Stop | undefined;
  #isOver = false;
  /** Sends that have begun, and those of them whose places the next ones may take. */
  #open = 0;
  #freed = 0;
  /** When sends began to fail before they left; undefined: the last one got through. */
  #failingSinceMs: number | undefined;
  #limit = { untilMs: Number.NEGATIVE_INFINITY, waitedMs: 0, count: 0 };
  /** Wakes who waits for a change. */
  #ring = (): void => undefined;

  constructor(ports: Ports, options: GateOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#breaker = newBreaker(options.past, options.limits);
    options.signal?.addEventListener('abort', () => this.#ring(), { signal: options.over });
  }

  /** Aborts when sending stops: what has not begun must not wait for its turn any more. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Waits until a send may start and takes a place for it; false when nothing more may start. */
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
          this.#ring = resolve;
        });
    }
    return false;
  }

  /**
   * Lets the next one in: the service has accepted, and only writing it down is left. False while each is still waited for,
   * and for an id that was given before, which the ledger will refuse.
   */
  free(transferId: TransferId): boolean {
    if (this.#ids.has(transferId)) return false;
    if (this.#ids.size >= IDS_MAX) this.#ids.clear();
    this.#ids.add(transferId);
    if (!isNextEarly(this.#breaker, this.#options.concurrency)) return false;
    this.#freed += 1;
    this.#ring();
    return true;
  }

  /** Gives the place back, with what the send came to; undefined when nothing was asked of the service. */
  leave(result: SendResult | undefined, isFree = false): void {
    this.#open -= 1;
    if (isFree) this.#freed -= 1;
    if (result?.kind === 'not_sent') this.#failingSinceMs ??= this.#ports.clock.monotonicMs();
    else if (result !== undefined) this.#failingSinceMs = undefined;
    // Something got through: the waiting time starts again.
    if (result?.kind === 'accepted' || result?.kind === 'refused') this.#limit.waitedMs = 0;
    this.#become(
      result === undefined ? this.#breaker : afterSend(this.#breaker, result, this.#options.limits),
    );
  }

  isSetAside(institutionId: InstitutionId): boolean {
    return this.#breaker.setAside.has(institutionId);
  }

  /** One more refusal sets it aside: one row of it at a time. */
  isLastChance(institutionId: InstitutionId): boolean {
    return isLastChance(this.#breaker, institutionId);
  }

  setAside(): readonly InstitutionId[] {
    return [...this.#breaker.setAside];
  }

  doubts(): number {
    return this.#breaker.doubts;
  }

  /** One got through: the payment instrument works, and there is money. */
  isUnderWay(): boolean {
    return this.#breaker.accepted > 0;
  }

  /** What others came to, who send rows of the same batch. */
  learn(seen: BreakerSeen): void {
    this.#become(afterOthers(this.#breaker, seen, this.#options.limits));
  }

  stop(reason: Stop): void {
    this.#reason ??= reason;
    this.#ended.abort(new Error('Sending has stopped'));
    this.#ring();
  }

  /** Stops, and the service is asked nothing more: what may still be answered is waited for, and nothing else. */
  deadlineCame(reason: Stop): void {
    this.#isOver = true;
    this.stop(reason);
  }

  stopped(): Stop | undefined {
    const { gate, reason = 'paused' } = this.#breaker;
    // A pause is recorded even when something else stopped the sending first: the next run must not go on.
    if (gate === 'paused') return { kind: 'paused', reason };
    if (this.#options.signal?.aborted === true) this.#reason ??= { kind: 'interrupted' };
    return this.#reason;
  }

  /** The deadline came before all was sent, or before it was answered. */
  isOver(): boolean {
    return this.#isOver;
  }

  /** After a 429: nothing starts before that. Stops the sending where it is too long to wait for. */
  limitUntil(until: Timestamp): void {
    const { clock } = this.#ports;
    const { patienceMs = Number.POSITIVE_INFINITY } = this.#options;
    this.#limit.untilMs = Math.max(this.#limit.untilMs, clock.monotonicMs() + (until - clock.now()));
    this.#limit.count += 1;
    const left = this.#limitLeftMs();
    if (left > LIMIT_WAIT_MAX_MS || this.#limit.waitedMs + left > patienceMs)
      this.stop({ kind: 'limited', until: plusMs(clock.now(), left) });
  }

  /** Grows with every limit: who waits to be sent again comes before the others then. */
  limits(): number {
    return this.#limit.count;
  }

  async waitOutLimit(): Promise<void> {
    const { signal } = this.#options;
    for (let left = this.#limitLeftMs(); left > 0 && this.stopped() === undefined; ) {
      this.#ports.tell({
        kind: 'waiting',
        reason: 'the service takes no more for now (429)',
        delayMs: left,
      });
      this.#limit.waitedMs += left;
      const ending = signal === undefined ? this.ended : AbortSignal.any([signal, this.ended]);
      await this.#ports.clock.sleep(left, ending).catch(() => undefined);
      left = this.#limitLeftMs();
    }
  }

  #limitLeftMs(): number {
    return this.#limit.untilMs - this.#ports.clock.monotonicMs();
  }

  #become(next: Breaker): void {
    this.#breaker = next;
    this.#ring();
  }

  async #probe(): Promise<void> {
    const { reason = 'the service does not answer' } = this.#breaker;
    const { signal } = this.#options;
    const sinceMs = this.#failingSinceMs ?? this.#ports.clock.monotonicMs();
    const outage = { reason, signal, sinceMs, inVain: failedProbes(this.#breaker) };
    if (await serviceAnswers(this.#ports, outage)) this.#breaker = afterProbe(this.#breaker);
    else if (signal?.aborted !== true) this.#reason ??= { kind: 'outage', reason };
  }
}

interface Outage {
  readonly reason: string;
  readonly signal: AbortSignal | undefined;
  readonly sinceMs: number;
  /** Probes that were answered while sends failed all the same; each makes the next wait longer. */
  readonly inVain: number;
}

/** Asks the profile, less and less often, until it answers or the outage lasts too long. */
async function serviceAnswers(ports: Ports, outage: Outage): Promise<boolean> {
  const { reason, signal, sinceMs, inVain } = outage;
  const { clock, policy } = ports;
  ports.tell({ kind: 'waiting', reason, delayMs: undefined });
  const until = sinceMs + policy.outageWaitMs;
  const wait = (delayMs: number) =>
    clock.sleep(delayMs * (0.75 + clock.random() / 2), signal).catch(() => undefined);
  if (inVain > 0) {
    if (clock.monotonicMs() >= until) return false;
    await wait(Math.min(PROBE_FIRST_MS * 2 ** Math.min(inVain - 1, 10), PROBE_MAX_MS));
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
