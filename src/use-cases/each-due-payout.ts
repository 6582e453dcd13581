/**
 * The only concurrency of the application: walks the payouts that are due, page by page in file order, and
 * handles as many at once as are allowed. Fed lazily: never more closures than slots.
 */
import pLimit from 'p-limit';
import type { BatchId } from '../domain/payouts/instruction.ts';
import type { Payout, Status } from '../domain/payouts/payout.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { Ports } from './ports.ts';

export interface Walk {
  readonly batchId: BatchId;
  readonly statuses: readonly Status[];
  readonly dueBy?: Timestamp;
  readonly concurrency: number;
  /** Asked before each payout; resolves true to go on, false to start nothing more. May wait. */
  readonly mayStart?: () => boolean | Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

const PAGE_ROWS = 500;

/** Resolves when all that was started has ended. The first error stops the walk and is thrown after that. */
export async function eachDuePayout(
  ports: Pick<Ports, 'ledger'>,
  walk: Walk,
  handle: (payout: Payout) => Promise<void>,
): Promise<void> {
  const slots = openSlots(walk.concurrency);
  let after: number | undefined;
  try {
    do {
      const { batchId, statuses, dueBy } = walk;
      const question = { statuses, after, limit: PAGE_ROWS, ...(dueBy === undefined ? {} : { dueBy }) };
      const page = await ports.ledger.page(batchId, question);
      for (const payout of page.payouts) {
        await slots.free();
        if (slots.failed() || walk.signal?.aborted === true) return;
        if (walk.mayStart !== undefined && !(await walk.mayStart())) return;
        slots.start(() => handle(payout));
      }
      after = page.next;
    } while (after !== undefined);
  } finally {
    await slots.ended();
  }
}

function openSlots(concurrency: number) {
  const limit = pLimit(concurrency);
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  let inUse = 0;
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return {
    failed: () => failure !== undefined,
    async free(): Promise<void> {
      while (inUse >= concurrency) await changed();
    },
    start(task: () => Promise<void>): void {
      inUse += 1;
      void limit(task)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .then(() => {
          inUse -= 1;
          wake();
        });
    },
    async ended(): Promise<void> {
      while (inUse > 0) await changed();
      if (failure !== undefined) throw failure.error;
    },
  };
}
