/** Another process runs this batch: who, since when, and what to do. Exit code 75. */
import { formatTimestamp } from './domain/timestamp.ts';
import type { LeaseBusy } from './ports/lease.ts';

export class BatchBusy extends Error {
  override readonly name = 'BatchBusy';
  readonly code = 'batch_busy';
  constructor({ holder, since }: LeaseBusy) {
    const { user, pid, host, command } = holder;
    super(
      `Another process runs this batch: “${command}” of ${user} on ${host}, process ${pid}, since ${formatTimestamp(since)}. ` +
        'Nothing was done; wait until it ends, or pause the batch from here.',
    );
  }
}

/** The result of the work, or BatchBusy. */
export function orBusy<Result>(result: Result | LeaseBusy): Result {
  if (isBusy(result)) throw new BatchBusy(result);
  return result;
}

function isBusy(result: unknown): result is LeaseBusy {
  return result !== null && typeof result === 'object' && 'kind' in result && result.kind === 'busy';
}
