/**
 * The only concurrency of the application: walks the payouts that are due, page by page in file order or from a queue, and
 * handles as many at once as are allowed. Fed lazily: never more closures than slots.
 */
import type { BatchId } from '../domain/payouts/instruction.ts';
import type { Payout, Status } from '../domain/payouts/payout.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { Part } from '../ports/ledger/leases.ts';
import type { Ports } from './ports.ts';

export interface Walk {
  readonly batchId: BatchId;
  readonly statuses: readonly Status[];
  /** Asked for each page: what becomes due on the way is met on the way. */
  readonly dueBy?: () => Timestamp;
  readonly part?: Part | undefined;
  readonly concurrency: number;
  /** Asked before each payout; resolves true to go on, false to start nothing more. May wait. */
  readonly mayStart?: () => boolean | Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * `answered` gives the place to the next payout: the service has said what there is to say of this one, and only writing
 * it down is left.
 */
type Handle = (payout: Payout, answered: () => void) => Promise<void>;

const PAGE_ROWS = 500;

/** Resolves when all that was started has ended. The first error stops the walk and is thrown after that. */
export async function eachDuePayout(ports: Pick<Ports, 'ledger'>, walk: Walk, handle: Handle): Promise<void> {
  await eachPayout(duePayouts(ports, walk), walk, handle);
}

export async function* duePayouts(
  { ledger }: Pick<Ports, 'ledger'>,
  { batchId, statuses, dueBy, part }: Pick<Walk, 'batchId' | 'statuses' | 'dueBy' | 'part'>,
): AsyncGenerator<Payout> {
  let after: number | undefined;
  do {
    const due = dueBy === undefined ? {} : { dueBy: dueBy() };
    const page = await ledger.page(batchId, { statuses, after, part, limit: PAGE_ROWS, ...due });
    for (const payout of page.payouts) yield payout;
    after = page.next;
  } while (after !== undefined);
}

/** The same for payouts from anywhere. */
export async function eachPayout(
  payouts: AsyncIterable<Payout>,
  { concurrency, mayStart, signal }: Pick<Walk, 'concurrency' | 'mayStart' | 'signal'>,
  handle: Handle,
): Promise<void> {
  const slots = openSlots(concurrency);
  const isOver = () => slots.failed() || signal?.aborted === true;
  try {
    for await (const payout of payouts) {
      if (isOver() || (mayStart !== undefined && !(await mayStart()))) return;
      slots.start((answered) => handle(payout, answered));
      // The next payout is taken only when a slot is free: a queue must not offer work that nobody can start.
      await slots.free();
      if (isOver()) return;
    }
  } finally {
    await slots.ended();
  }
}

function openSlots(concurrency: number) {
  // As many again may be written down, so that a slow disk holds the asking back.
  const openMax = 2 * concurrency;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  let [inUse, open] = [0, 0];
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return {
    failed: () => failure !== undefined,
    async free(): Promise<void> {
      while (inUse >= concurrency || open >= openMax) await changed();
    },
    start(task: (answered: () => void) => Promise<void>): void {
      inUse += 1;
      open += 1;
      let isAnswered = false;
      const answered = () => {
        if (isAnswered) return;
        isAnswered = true;
        inUse -= 1;
        wake();
      };
      void Promise.resolve()
        .then(() => task(answered))
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .then(() => {
          answered();
          open -= 1;
          wake();
        });
    },
    async ended(): Promise<void> {
      while (open > 0) await changed();
      if (failure !== undefined) throw failure.error;
    },
  };
}
