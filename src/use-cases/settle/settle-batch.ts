/**
 * Looks up what became of accepted transfers until each is final or the deadline comes. Running out of time is
 * not a failure: what is not final stays accepted and is looked up by the next run. A look-up that is open then is given up.
 *
 * What is final but may still change gets one look when it is due, without waiting: payments that the service called
 * failed or returned and, when asked for, settled ones that may come back; also those that were replaced since.
 */

import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { ENDED_UNPAID, isIn, type Payout, type PayoutIn, type Status } from '../../domain/payouts/payout.ts';
import {
  discrepanciesOf,
  eventOfPoll,
  meaningOf,
  nextPollAt,
  unprovenBy,
} from '../../domain/payouts/service-status.ts';
import { daysMs, hoursMs } from '../../domain/policy.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Asked, Transaction } from '../../ports/payment-service.ts';
import { eachDuePayout } from '../each-due-payout.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { raiseIncident, whyAnotherRow } from './raise-incident.ts';
import { transferIn, whyUnclear, wordIn } from './still-unpaid.ts';

interface SettleOptions {
  readonly deadline: Timestamp;
  /** Until then an open look-up is waited for; undefined: until the deadline. */
  readonly giveUpAt?: Timestamp | undefined;
  /** Settled rows are looked at again for this long, less and less often: some come back. */
  readonly watchReturnsMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SettleResult {
  /** Rows that the service first reported as failed or returned and now as finished: somebody may be paid twice. */
  readonly incidents: readonly number[];
  /** Rows whose status changed, in the order seen; the first thousand. */
  readonly changes: readonly Change[];
  readonly watch: WatchCount;
}

/** Of the rows that are final, may still change and were due for a look: “nothing changed” is said of the others only. */
interface WatchCount {
  readonly due: number;
  /** The service could not be asked, or did not know the transfer; due again in minutes. */
  readonly unanswered: number;
  /** The deadline came, or somebody stopped the run. Still due. */
  readonly notReached: number;
}

export interface Change {
  readonly rowNumber: number;
  readonly from: Status;
  readonly to: Status;
}

const IDLE_MS_FIRST = 250;
const IDLE_MS_MAX = 900;
const CHANGES_MAX = 1_000;

export async function settleBatch(
  batchId: BatchId,
  ports: Ports,
  options: SettleOptions,
): Promise<SettleResult> {
  const { clock, silence } = ports;
  const { signal, deadline, giveUpAt = deadline } = options;
  // Counted on the monotonic clock: a wall clock that is set back must not make a run endless.
  const atMs = (moment: Timestamp) => clock.monotonicMs() + (moment - clock.now());
  const endMs = atMs(deadline);
  // A deadline that has passed already still gives every row that is due one look.
  if (clock.monotonicMs() >= endMs) return settleUntil({ batchId, until: undefined, signal }, ports, options);
  const looking = silence?.lookUntil(atMs(giveUpAt));
  const ending = AbortSignal.any([signal, looking?.signal].filter((each) => each !== undefined));
  try {
    return await settleUntil({ batchId, until: endMs, signal: ending }, ports, options);
  } finally {
    looking?.end();
  }
}

/** `signal`: also where the look-ups are given up. */
async function settleUntil(
  walk: Omit<DueWalk, 'status'>,
  ports: Ports,
  { watchReturnsMs }: SettleOptions,
): Promise<SettleResult> {
  const { clock, ledger, silence } = ports;
  const { batchId, until, signal } = walk;
  const incidents: number[] = [];
  const changes: Change[] = [];
  let [answered, unanswered] = [0, 0];
  let [looks, lookedMs] = [0, clock.monotonicMs()];
  const look = async (payout: Payout, onAnswer?: () => void) => {
    looks += 1;
    lookedMs = clock.monotonicMs();
    const isFinal = payout.state.status !== 'accepted' && isFollowed(payout);
    const found = await lookOnce(payout, { signal, watchReturnsMs, onAnswer }, ports);
    const isCut = found.kind === 'unknown' && signal?.aborted === true;
    if (isFinal && found.kind !== 'unknown') answered += 1;
    // What was cut off is due as before.
    else if (isFinal && !isCut) unanswered += 1;
    if (found.kind === 'incident') incidents.push(payout.rowNumber);
    const [from, to] = [payout.state.status, found.status];
    if (from !== to && changes.length < CHANGES_MAX) changes.push({ rowNumber: payout.rowNumber, from, to });
    return !isCut;
  };
  const isFollowed = (payout: Payout) => isWatched(payout, watchReturnsMs, ports);
  for (const status of ENDED_UNPAID) await walkDue({ ...walk, status }, ports, look);
  let notReached = await walkReplaced(walk, ports, { look, isFollowed });
  if (watchReturnsMs !== undefined) await walkDue({ ...walk, status: 'settled' }, ports, look);
  notReached += await leftDue(walk, watchReturnsMs, ports);
  for (;;) {
    const before = looks;
    await walkDue({ ...walk, status: 'accepted' }, ports, look);
    const counts = await ledger.counts(batchId);
    if (counts.accepted === 0 || signal?.aborted === true || silence?.ended() !== undefined) break;
    const leftMs = (until ?? Number.NEGATIVE_INFINITY) - clock.monotonicMs();
    if (leftMs <= 0) break;
    // What became due behind this walk is met by the next one.
    if (looks > before) continue;
    const idleMs = Math.max(IDLE_MS_FIRST, (clock.monotonicMs() - lookedMs) / 8);
    const pause = Math.min(idleMs, IDLE_MS_MAX, ports.policy.pollMinMs, leftMs);
    await clock.sleep(Math.max(1, pause), signal).catch(() => undefined);
  }
  const watch = { due: answered + unanswered + notReached, unanswered, notReached };
  return { incidents, changes, watch };
}

interface DueWalk {
  readonly batchId: BatchId;
  readonly status: Watched['state']['status'];
  /** On the monotonic clock. */
  readonly until: number | undefined;
  readonly signal: AbortSignal | undefined;
}

async function walkDue(
  { batchId, status, until, signal }: DueWalk,
  ports: Ports,
  look: (payout: Payout, onAnswer: () => void) => Promise<unknown>,
): Promise<void> {
  const { clock } = ports;
  const { concurrency } = ports.policy;
  const mayStart = () => !isOver({ until, signal }, clock);
  const walk = { batchId, statuses: [status], dueBy: clock.now, concurrency, mayStart, signal };
  await eachDuePayout(ports, walk, async (payout, onAnswer) => void (await look(payout, onAnswer)));
}

const REPLACED_PAGE = 100;

/**
 * Payments whose replacement is in the file now: the service may still say that they were paid. How many were not
 * reached.
 */
async function walkReplaced(
  { batchId, until, signal }: Omit<DueWalk, 'status'>,
  { clock, ledger }: Ports,
  each: {
    /** False: it was cut off. */
    readonly look: (payout: Payout) => Promise<boolean>;
    readonly isFollowed: (payout: Payout) => boolean;
  },
): Promise<number> {
  const dueBy = clock.now();
  let after: PayoutId | undefined;
  for (let left = 0; ; ) {
    const page = await ledger.replacedTransfers(batchId, { dueBy, after, limit: REPLACED_PAGE });
    for (const payout of page.filter(each.isFollowed)) {
      if (isOver({ until, signal }, clock) || !(await each.look(payout))) left += 1;
    }
    after = page.at(-1)?.id;
    if (after === undefined || left > LEFT_MAX) return left;
  }
}

function isOver({ until, signal }: Pick<DueWalk, 'until' | 'signal'>, clock: Ports['clock']): boolean {
  return signal?.aborted === true || (until !== undefined && clock.monotonicMs() >= until);
}

const LEFT_PAGE = 500;
const LEFT_MAX = 100_000;

/** Final rows that were due and that nobody came to look at; counting ends at the limit. */
async function leftDue(
  { batchId, until, signal }: Omit<DueWalk, 'status'>,
  watchReturnsMs: number | undefined,
  ports: Ports,
): Promise<number> {
  if (!isOver({ until, signal }, ports.clock)) return 0;
  const statuses: readonly Status[] =
    watchReturnsMs === undefined ? ENDED_UNPAID : [...ENDED_UNPAID, 'settled'];
  const dueBy = ports.clock.now();
  let left = 0;
  let after: number | undefined;
  do {
    const page = await ports.ledger.page(batchId, { statuses, dueBy, after, limit: LEFT_PAGE });
    left += page.payouts.filter((payout) => isWatched(payout, watchReturnsMs, ports)).length;
    after = page.next;
  } while (after !== undefined && left < LEFT_MAX);
  return left;
}

/**
 * What a look came to. `unknown`: the service gave no usable answer. `unclear`: it answered, but no longer calls
 * unpaid what it had called so.
 */
export interface Looked {
  readonly kind: 'incident' | 'looked' | 'unknown' | 'unclear';
  readonly status: Status;
  /** Of what is unclear: a sentence with the transfer and what was seen of it. */
  readonly why?: string;
}

/** Asks once what became of a transfer that is on its way, or that the service called unpaid, however long ago, and records it. */
export async function pollAgain(
  payout: Payout,
  ports: Ports,
  signal: AbortSignal | undefined,
): Promise<Looked> {
  const watch = { signal, watchReturnsMs: undefined, failWatchMs: Number.POSITIVE_INFINITY };
  return lookOnce(payout, watch, ports);
}

interface Watch extends Pick<SettleOptions, 'signal' | 'watchReturnsMs'> {
  /** How long a failed or returned payment is asked about; undefined: as long as the policy watches it. */
  readonly failWatchMs?: number;
  /** The service has answered, and only writing that down is left. */
  readonly onAnswer?: (() => void) | undefined;
}

async function lookOnce(
  payout: Payout,
  { signal, watchReturnsMs, failWatchMs, onAnswer }: Watch,
  ports: Ports,
): Promise<Looked> {
  const same = (kind: Looked['kind']) => ({ kind, status: payout.state.status });
  if (!isWatched(payout, watchReturnsMs, ports, failWatchMs)) return same('looked');
  const { transferId } = payout.state;
  if (transferId === undefined) return same('looked');
  const asked = await ports.paymentService.transaction(transferId, signal).catch((error: unknown) => {
    if (signal?.aborted === true) return undefined;
    throw error;
  });
  onAnswer?.();
  if (asked === undefined) return same('unknown');
  const dueAt = nextLook(payout, asked, ports);
  const foreign = asked.kind === 'answered' ? await whyAnotherRow(payout, asked.answer, ports) : undefined;
  if (asked.kind === 'answered' && foreign !== undefined)
    return setForeign(payout, asked.answer, { why: foreign, dueAt }, ports);
  const event = asked.kind === 'answered' ? eventOf(payout, asked.answer, ports) : undefined;
  if (event === undefined) {
    await ports.ledger.schedule(payout.id, confirmedBy(suspectedAt(payout), dueAt, ports), 0);
    // A settled row is asked about because it may come back: “unknown transfer” does not answer that.
    if (asked.kind === 'unavailable' || (asked.kind === 'declined' && isIn(payout, 'settled')))
      return same('unknown');
    if (asked.kind === 'answered' && isIn(payout, 'settled') && tellUnproven(payout, asked.answer, ports))
      return same('unknown');
    const why = endedUnpaid(payout) ? await whyUnclear(payout, asked, ports) : undefined;
    return why === undefined ? same('looked') : { ...same('unclear'), why };
  }
  const suspected = event.kind === 'suspect' ? event.at : undefined;
  const recorded = await recordEvent(payout, event, ports, {
    dueAt: confirmedBy(suspected, dueAt, ports),
  });
  // Another row took the transfer's second name a moment ago.
  if (recorded.kind === 'taken' && asked.kind === 'answered')
    return setForeign(
      payout,
      asked.answer,
      { why: `another row has transfer ${asked.answer.id}`, dueAt },
      ports,
    );
  if (recorded.kind !== 'recorded') return same('looked');
  const { state } = recorded.payout;
  if (state.status !== 'settled' || !state.incident) return { kind: 'looked', status: state.status };
  await raiseIncident(payout, `the service said ${payout.state.status} and now says finished`, ports);
  return { kind: 'incident', status: state.status };
}

type Watched = PayoutIn<'accepted' | 'failed' | 'returned' | 'settled'>;

/** Whether a settled payment is said to have come back, by a look-up that may be about another one. */
function tellUnproven(payout: Watched & Payout, seen: Transaction, { policy, tell }: Ports): boolean {
  if (meaningOf(seen.status, policy) !== 'returned') return false;
  const why = unprovenIn(payout, seen, policy).join(' and ');
  const text = `Row ${payout.rowNumber}: the service says “${wordIn(payout, seen)}”, which does not count, because it ${why}.`;
  tell({ kind: 'warning', text });
  return true;
}

function eventOf(payout: Watched, seen: Transaction, { clock, policy }: Ports) {
  const discrepancies = discrepanciesOf(payout.instruction, payout.state.pricing, seen);
  const unproven = unprovenIn(payout, seen, policy);
  const status = wordIn(payout, seen);
  const { transferId, otherId } = payout.state;
  const isNew = seen.id !== transferId && otherId === undefined;
  const found = isNew ? { otherId: seen.id } : {};
  return eventOfPoll(payout, { status, discrepancies, unproven, ...found, at: clock.now() }, policy);
}

/** Asked only where it matters: comparing names takes time. */
function unprovenIn(
  { instruction, state }: Watched,
  seen: Transaction,
  policy: Ports['policy'],
): readonly string[] {
  if (!['failed', 'returned'].includes(meaningOf(seen.status, policy))) return [];
  return unprovenBy(instruction, state.pricing, { seen, lookUpFields: policy.lookUpFields });
}

/** The transfer of another row: the row stays where it is, and one on its way is named for a person to look at. */
async function setForeign(
  payout: Watched & Payout,
  seen: Transaction,
  { why, dueAt }: { readonly why: string; readonly dueAt: Timestamp },
  ports: Ports,
): Promise<Looked> {
  const { state } = payout;
  const discrepancies = [why, ...discrepanciesOf(payout.instruction, state.pricing, seen)];
  const isNews = isIn(payout, 'accepted') && payout.state.discrepancies.join() !== discrepancies.join();
  const serviceStatus = state.serviceStatus;
  const at = ports.clock.now();
  if (isNews)
    await recordEvent(payout, { kind: 'progress', serviceStatus, discrepancies, at }, ports, { dueAt });
  else await ports.ledger.schedule(payout.id, dueAt, 0);
  const { status } = state;
  // It is not the word that a settled row was asked for, nor one that an unpaid row is still unpaid.
  if (!endedUnpaid(payout)) return { kind: 'unknown', status };
  return {
    kind: 'unclear',
    status,
    why: `The service shows another payment for ${transferIn(payout)}: ${why}`,
  };
}

function endedUnpaid(payout: Payout): payout is PayoutIn<'failed' | 'returned'> & Payout {
  return isIn(payout, 'failed') || isIn(payout, 'returned');
}

function isWatched(
  payout: Payout,
  watchReturnsMs: number | undefined,
  { clock, policy }: Ports,
  failWatchMs = daysMs(policy.failWatchDays),
): payout is Payout & Watched {
  if (isIn(payout, 'accepted')) return true;
  if (isIn(payout, 'settled'))
    return watchReturnsMs !== undefined && clock.now() - payout.state.settledAt <= watchReturnsMs;
  if (!endedUnpaid(payout) || payout.state.transferId === undefined) return false;
  const { state } = payout;
  if (state.status === 'failed' && state.basis === 'refused') return false;
  const endedAt = state.status === 'failed' ? state.at : state.returnedAt;
  return clock.now() - endedAt <= failWatchMs;
}

/** A failure that was called so once is looked at as soon as a second word can confirm it. */
function confirmedBy(firstAt: Timestamp | undefined, dueAt: Timestamp, { clock, policy }: Ports): Timestamp {
  if (firstAt === undefined) return dueAt;
  const confirmAt = plusMs(firstAt, policy.failConfirmMs);
  return confirmAt > clock.now() && confirmAt < dueAt ? confirmAt : dueAt;
}

const suspectedAt = (payout: Payout): Timestamp | undefined =>
  isIn(payout, 'accepted') ? payout.state.suspicion?.firstAt : undefined;

const RETURN_LOOK_MAX_MS = hoursMs(24);
const UNANSWERED_MAX_MS = 5 * 60_000;

function nextLook({ state }: Watched, asked: Asked<Transaction>, { clock, policy }: Ports): Timestamp {
  const now = clock.now();
  // A look that got no answer does not count: the next one must not come a day later.
  if (state.status === 'settled' && asked.kind !== 'answered')
    return plusMs(now, Math.min(policy.pollMaxMs, UNANSWERED_MAX_MS));
  // A quarter of its age: a few looks on the first day, one a day later on.
  if (state.status === 'settled')
    return plusMs(now, Math.min(Math.max((now - state.settledAt) / 4, policy.pollMaxMs), RETURN_LOOK_MAX_MS));
  const speedSeconds = state.pricing.quote?.speedSeconds;
  return nextPollAt({ now, sentAt: state.sentAt ?? now, speedSeconds, random: clock.random() }, policy);
}
