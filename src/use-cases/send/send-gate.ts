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

export interface SendGate {
  /** Waits until a send may start and takes a place for it; false when nothing more may start. */
  enter(): Promise<boolean>;
  /**
   * Lets the next one in: the service has accepted, and only writing it down is left. False while each is still waited for,
   * and for an id that was given before, which the ledger will refuse.
   */
  free(transferId: TransferId): boolean;
  /** Gives the place back, with what the send came to; undefined when nothing was asked of the service. */
  leave(result: SendResult | undefined, isFree?: boolean): void;
  isSetAside(institutionId: InstitutionId): boolean;
  /** One more refusal sets it aside: one row of it at a time. */
  isLastChance(institutionId: InstitutionId): boolean;
  setAside(): readonly InstitutionId[];
  readonly limit: SendLimit;
  /** Aborts when sending stops: what has not begun must not wait for its turn any more. */
  readonly ended: AbortSignal;
  stop(reason: Stop): void;
  /** Stops, and the service is asked nothing more: what may still be answered is waited for, and nothing else. */
  deadlineCame(reason: Stop): void;
  stopped(): Stop | undefined;
  /** The deadline came before all was sent, or before it was answered. */
  isOver(): boolean;
  doubts(): number;
  /** One got through: the payment instrument works, and there is money. */
  isUnderWay(): boolean;
  /** What others came to, who send rows of the same batch. */
  learn(seen: BreakerSeen): void;
}

/** The time before which nothing starts, after a 429. */
interface SendLimit {
  leftMs(): number;
  /** Stops the sending where it is too long to wait for. */
  set(until: Timestamp): void;
  /** Grows with every `set`: who waits to be sent again comes before the others then. */
  count(): number;
  waitOut(): Promise<void>;
  /** Something got through: the waiting time starts again. */
  progress(): void;
}

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

export function openSendGate(ports: Ports, options: GateOptions): SendGate {
  let breaker = newBreaker(options.past, options.limits);
  const failing = openFailing(ports);
  const bell = openBell(options);
  const [places, isNewId] = [openPlaces(bell), newIds()];
  const end = openEnd(bell);

  const stopped = (): Stop | undefined => {
    // A pause is recorded even when something else stopped the sending first: the next run must not go on.
    if (breaker.gate === 'paused') return { kind: 'paused', reason: breaker.reason ?? 'paused' };
    if (options.signal?.aborted === true) end.reason ??= { kind: 'interrupted' };
    return end.reason;
  };
  const become = (next: Breaker) => {
    breaker = next;
    bell.ring();
  };
  const limit = openLimit(ports, { ...options, ended: end.signal, stopped, end: end.come });

  async function probe(): Promise<void> {
    const { reason = 'the service does not answer' } = breaker;
    const since = { sinceMs: failing.sinceMs(), inVain: failedProbes(breaker) };
    if (await serviceAnswers(ports, { reason, signal: options.signal, ...since }))
      breaker = afterProbe(breaker);
    else if (options.signal?.aborted !== true) end.reason ??= { kind: 'outage', reason };
  }

  return {
    async enter() {
      while (stopped() === undefined) {
        if (limit.leftMs() > 0) await limit.waitOut();
        else if (breaker.gate === 'probe' && places.open() === 0) await probe();
        else if (breaker.gate === 'open_way' && places.taken() < inFlightMax(breaker, options.concurrency))
          return places.take();
        else await bell.rung();
      }
      return false;
    },
    free: (transferId) => isNewId(transferId) && isNextEarly(breaker, options.concurrency) && places.free(),
    leave(result, isFree) {
      places.leave(isFree);
      failing.after(result);
      if (result?.kind === 'accepted' || result?.kind === 'refused') limit.progress();
      become(result === undefined ? breaker : afterSend(breaker, result, options.limits));
    },
    ...breakerWords(() => breaker),
    learn: (seen) => become(afterOthers(breaker, seen, options.limits)),
    limit,
    ended: end.signal,
    stop: end.come,
    deadlineCame(reason) {
      end.isOver = true;
      end.come(reason);
    },
    stopped,
    isOver: () => end.isOver,
  };
}

/** Of several reasons the first one is kept. */
function openEnd(bell: Pick<ReturnType<typeof openBell>, 'ring'>) {
  const ended = new AbortController();
  const end: End = {
    reason: undefined,
    isOver: false,
    signal: ended.signal,
    come(reason) {
      end.reason ??= reason;
      ended.abort(new Error('Sending has stopped'));
      bell.ring();
    },
  };
  return end;
}

interface End {
  reason: Stop | undefined;
  /** By the deadline. */
  isOver: boolean;
  readonly signal: AbortSignal;
  readonly come: (reason: Stop) => void;
}

function openPlaces(bell: Pick<ReturnType<typeof openBell>, 'ring'>) {
  /** Of those that are open, some have their answer, and their places are the next ones' already. */
  let [open, freed] = [0, 0];
  return {
    open: () => open,
    taken: () => open - freed,
    take() {
      open += 1;
      return true;
    },
    free() {
      freed += 1;
      bell.ring();
      return true;
    },
    leave(isFree = false) {
      open -= 1;
      if (isFree) freed -= 1;
    },
  };
}

/** Among the last ones: a service that repeats itself says the same id again and again. */
function newIds(): (id: TransferId) => boolean {
  const seen = new Set<TransferId>();
  return (id) => {
    if (seen.has(id)) return false;
    if (seen.size >= IDS_MAX) seen.clear();
    seen.add(id);
    return true;
  };
}

const IDS_MAX = 10_000;

/** When sends began to fail before they left; the time now, when the last one got through. */
function openFailing({ clock }: Ports) {
  let sinceMs: number | undefined;
  return {
    sinceMs: () => sinceMs ?? clock.monotonicMs(),
    after(result: SendResult | undefined) {
      if (result?.kind === 'not_sent') sinceMs ??= clock.monotonicMs();
      else if (result !== undefined) sinceMs = undefined;
    },
  };
}

/** Wakes who waits for a change. */
function openBell({ signal, over }: Pick<GateOptions, 'signal' | 'over'>) {
  let ring = () => {};
  signal?.addEventListener('abort', () => ring(), { signal: over });
  const rung = () =>
    new Promise<void>((resolve) => {
      ring = resolve;
    });
  return { ring: () => ring(), rung };
}

function breakerWords(now: () => Breaker) {
  return {
    isSetAside: (institutionId: InstitutionId) => now().setAside.has(institutionId),
    isLastChance: (institutionId: InstitutionId) => isLastChance(now(), institutionId),
    setAside: () => [...now().setAside],
    isUnderWay: () => now().accepted > 0,
    doubts: () => now().doubts,
  };
}

interface LimitOptions extends Pick<GateOptions, 'patienceMs' | 'signal'> {
  readonly ended: AbortSignal;
  readonly stopped: () => Stop | undefined;
  readonly end: (reason: Stop) => void;
}

function openLimit({ clock, tell }: Ports, options: LimitOptions): SendLimit {
  const { signal, ended, stopped, end, patienceMs = Number.POSITIVE_INFINITY } = options;
  let [untilMs, waitedMs, count] = [Number.NEGATIVE_INFINITY, 0, 0];
  const leftMs = () => untilMs - clock.monotonicMs();
  return {
    leftMs,
    count: () => count,
    progress() {
      waitedMs = 0;
    },
    set(until: Timestamp) {
      untilMs = Math.max(untilMs, clock.monotonicMs() + (until - clock.now()));
      count += 1;
      const left = leftMs();
      if (left > LIMIT_WAIT_MAX_MS || waitedMs + left > patienceMs)
        end({ kind: 'limited', until: plusMs(clock.now(), left) });
    },
    async waitOut() {
      for (let left = leftMs(); left > 0 && stopped() === undefined; left = leftMs()) {
        tell({ kind: 'waiting', reason: 'the service takes no more for now (429)', delayMs: left });
        waitedMs += left;
        const ending = signal === undefined ? ended : AbortSignal.any([signal, ended]);
        await clock.sleep(left, ending).catch(() => undefined);
      }
    },
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
