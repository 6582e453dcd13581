/**
 * The queue of look-ups. Rows that may still change get one look each; rows on their way are asked again and again.
 *
 * No row waits for the end of another row's look. A look without an answer is given up after a while, and its slot goes to
 * the next row. Rows whose last look showed no status come last, so that they delay no other row in the next run either.
 */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { ENDED_UNPAID, type Payout, type Status } from '../../domain/payouts/payout.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import { duePayouts, eachPayout } from '../each-due-payout.ts';
import type { Ports } from '../ports.ts';

export interface LookQueue {
  readonly batchId: BatchId;
  /** On the monotonic clock; undefined: every row that is due gets one look. */
  readonly until: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly watchesSettled: boolean;
  /** Whether a final payout may still change. */
  readonly isFollowed: (payout: Payout) => boolean;
  readonly look: (payout: Payout, limits: LookLimits) => Promise<void>;
}

export interface LookLimits {
  /** Aborts where the look is given up. */
  readonly signal: AbortSignal | undefined;
  /** The service has answered, and only writing that down is left. */
  readonly onAnswer: () => void;
}

/** How many final payouts were due and not reached. */
export async function lookAtAll(queue: LookQueue, ports: Ports): Promise<number> {
  const { clock, policy } = ports;
  const { signal } = queue;
  const startedAt = clock.now();
  const mayStart = () => !isOver(queue, clock);
  const open = openLooks();
  const patience = patienceOf(signal, ports);
  const source = payoutsToLookAt(queue, { startedAt, open }, ports);
  await eachPayout(source, { concurrency: policy.concurrency, mayStart, signal }, (payout, answered) =>
    open.during(payout.id, (onAnswered) =>
      patience.during((limit) => {
        const onAnswer = () => {
          limit.answered();
          onAnswered();
          answered();
        };
        return queue.look(payout, { signal: limit.signal, onAnswer });
      }),
    ),
  );
  return isOver(queue, clock) ? leftDue(queue, startedAt, ports) : 0;
}

function isOver({ until, signal }: Pick<LookQueue, 'until' | 'signal'>, clock: Ports['clock']): boolean {
  return signal?.aborted === true || (until !== undefined && clock.monotonicMs() >= until);
}

const IDLE_MS_FIRST = 250;
const IDLE_MS_MAX = 900;

interface Walk {
  readonly startedAt: Timestamp;
  readonly open: OpenLooks;
}

async function* payoutsToLookAt(
  queue: LookQueue,
  { startedAt, open }: Walk,
  ports: Ports,
): AsyncGenerator<Payout> {
  const { clock, ledger, silence } = ports;
  const { batchId, signal } = queue;
  for (const status of ENDED_UNPAID)
    yield* duePayouts(ports, { batchId, statuses: [status], dueBy: () => startedAt });
  for await (const payout of replacedPages(batchId, startedAt, ports))
    if (queue.isFollowed(payout)) yield payout;
  if (queue.watchesSettled)
    yield* duePayouts(ports, { batchId, statuses: ['settled'], dueBy: () => startedAt });
  for (let lookedMs = clock.monotonicMs(); ; ) {
    let found = 0;
    for await (const payout of unansweredLast(batchId, open, ports)) {
      found += 1;
      open.begin(payout.id);
      lookedMs = clock.monotonicMs();
      yield payout;
    }
    if (signal?.aborted === true || silence?.ended() !== undefined) return;
    const leftMs = (queue.until ?? Number.NEGATIVE_INFINITY) - clock.monotonicMs();
    if (leftMs <= 0) return;
    // The next pass finds rows that became due during this one.
    if (found > 0) continue;
    if ((await ledger.counts(batchId)).accepted === 0) return;
    const idleMs = Math.max(IDLE_MS_FIRST, (clock.monotonicMs() - lookedMs) / 8);
    await open.idle(
      Math.max(1, Math.min(idleMs, IDLE_MS_MAX, ports.policy.pollMinMs, leftMs)),
      signal,
      clock,
    );
  }
}

const PAGE_ROWS = 500;

async function* unansweredLast(batchId: BatchId, open: OpenLooks, ports: Ports): AsyncGenerator<Payout> {
  const isUnanswered = ({ look }: Payout) => look?.nothing !== undefined;
  let putOff = 0;
  for await (const payout of dueAndFree(batchId, open, ports)) {
    if (isUnanswered(payout)) putOff += 1;
    else yield payout;
  }
  if (putOff === 0) return;
  for await (const payout of dueAndFree(batchId, open, ports)) if (isUnanswered(payout)) yield payout;
}

/** Without rows that are looked at now, or were when the page was read: the page has an old state of them. */
async function* dueAndFree(
  batchId: BatchId,
  open: OpenLooks,
  ports: Pick<Ports, 'clock' | 'ledger'>,
): AsyncGenerator<Payout> {
  let taken: ReadonlySet<PayoutId> = new Set();
  const dueBy = () => {
    taken = open.ids();
    return ports.clock.now();
  };
  for await (const payout of duePayouts(ports, { batchId, statuses: ['accepted'], dueBy }))
    if (!taken.has(payout.id)) yield payout;
}

/**
 * Payments whose replacement is in the file now: the service may still say that they were paid.
 */
async function* replacedPages(
  batchId: BatchId,
  dueBy: Timestamp,
  { ledger }: Pick<Ports, 'ledger'>,
): AsyncGenerator<Payout> {
  let after: PayoutId | undefined;
  do {
    const page = await ledger.replacedTransfers(batchId, { dueBy, after, limit: PAGE_ROWS });
    yield* page;
    after = page.at(-1)?.id;
  } while (after !== undefined);
}

const LEFT_MAX = 100_000;

/** Final rows that were due and got no look; counting ends at the limit. */
async function leftDue(queue: LookQueue, startedAt: Timestamp, ports: Ports): Promise<number> {
  const { batchId, watchesSettled, isFollowed } = queue;
  const statuses: readonly Status[] = watchesSettled ? [...ENDED_UNPAID, 'settled'] : ENDED_UNPAID;
  const sources = [
    ...statuses.map((status) => duePayouts(ports, { batchId, statuses: [status], dueBy: () => startedAt })),
    replacedPages(batchId, startedAt, ports),
  ];
  let left = 0;
  for (const source of sources)
    for await (const payout of source) {
      if (left >= LEFT_MAX) return left;
      if (isFollowed(payout)) left += 1;
    }
  return left;
}

type OpenLooks = ReturnType<typeof openLooks>;

/** The rows that are looked at now. No row has two looks at a time. */
function openLooks() {
  const open = new Map<PayoutId, { isAnswered: boolean }>();
  let wake = () => {};
  return {
    ids: (): ReadonlySet<PayoutId> => new Set(open.keys()),
    begin: (id: PayoutId) => void open.set(id, { isAnswered: false }),
    async during(id: PayoutId, look: (onAnswered: () => void) => Promise<void>): Promise<void> {
      const own = { isAnswered: false };
      open.set(id, own);
      try {
        await look(() => {
          own.isAnswered = true;
          wake();
        });
      } finally {
        open.delete(id);
        wake();
      }
    },
    /** Waits until something changes, or for the given time. Writing an answer down changes something soon. */
    async idle(milliseconds: number, signal: AbortSignal | undefined, clock: Ports['clock']): Promise<void> {
      const changed = new AbortController();
      const change = new Promise<void>((resolve) => {
        wake = () => {
          changed.abort();
          resolve();
        };
      });
      if ([...open.values()].some(({ isAnswered }) => isAnswered)) return change;
      const either = [signal, changed.signal].filter((each) => each !== undefined);
      const sleep = clock.sleep(milliseconds, AbortSignal.any(either)).catch(() => undefined);
      await Promise.race([change, sleep]);
    },
  };
}

/** Longer than a slow service takes; short enough for the rows that wait. */
const LOOK_MS = 10_000;
const LOOK_MS_MAX = 60_000;
const LOOK_TIMES = 3;

/** The look took too long. */
export class LookGivenUp extends Error {
  override readonly name = 'LookGivenUp';
  readonly code = 'look_given_up';
  constructor(ms: number) {
    super(`no answer came within ${Math.round(ms / 1_000)} s`);
  }
}

interface Limit {
  readonly signal: AbortSignal | undefined;
  readonly answered: () => void;
}

/** How long one look may take: a multiple of the last look. There is no limit where `silence` is undefined. */
function patienceOf(signal: AbortSignal | undefined, { clock, silence }: Pick<Ports, 'clock' | 'silence'>) {
  let patienceMs = LOOK_MS;
  /** Used again, because each joined signal stays with those that it was joined from. */
  const free: { readonly giveUp: AbortController; readonly signal: AbortSignal }[] = [];
  const newPlace = () => {
    const giveUp = new AbortController();
    const either = [signal, giveUp.signal].filter((each) => each !== undefined);
    return { giveUp, signal: AbortSignal.any(either) };
  };
  return {
    async during(look: (limit: Limit) => Promise<void>): Promise<void> {
      if (silence === undefined) return look({ signal, answered: () => undefined });
      const place = free.pop() ?? newPlace();
      const [limitMs, beganMs, over] = [patienceMs, clock.monotonicMs(), new AbortController()];
      void clock.sleep(limitMs, over.signal).then(
        () => {
          patienceMs = Math.max(patienceMs, Math.min(2 * limitMs, LOOK_MS_MAX));
          place.giveUp.abort(new LookGivenUp(limitMs));
        },
        () => undefined,
      );
      const answered = () => {
        if (over.signal.aborted || place.signal.aborted) return;
        over.abort();
        const tookMs = LOOK_TIMES * (clock.monotonicMs() - beganMs);
        patienceMs = Math.min(Math.max(tookMs, LOOK_MS), LOOK_MS_MAX);
      };
      try {
        await look({ signal: place.signal, answered });
      } finally {
        over.abort();
        if (!place.signal.aborted) free.push(place);
      }
    },
  };
}
