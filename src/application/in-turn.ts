/**
 * Approvals in turn: what a day may pay is a sum over all batches, so whoever approves under such a limit sums up,
 * agrees and writes it down before the next one sums up, in whatever process that is.
 *
 * Units:   milliseconds. The turn of a process that died ends by itself.
 * Errors:  LedgerError `ledger_busy` when another approval takes longer than the wait.
 */
import { formatTimestamp } from '../domain/timestamp.ts';
import type { LeaseBusy } from '../ports/lease.ts';
import { LedgerError } from '../ports/ledger-error.ts';
import type { World } from './world.ts';

const LOOK_MS = 100;
const WAIT_MS = 30_000;

export interface TurnOptions {
  readonly by: string;
  readonly signal?: AbortSignal | undefined;
}

/** The signal of the work aborts also when the turn was lost. */
export async function inTurn<Result>(
  { by, signal }: TurnOptions,
  { ledger, clock, policy }: Pick<World, 'ledger' | 'clock' | 'policy'>,
  work: (signal: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  if (policy.limits.dayMax.length === 0) return work(signal);
  const endMs = clock.monotonicMs() + WAIT_MS;
  let turn = await ledger.approvalTurn(by);
  while (turn.kind === 'busy') {
    if (clock.monotonicMs() >= endMs) throw tooLong(turn, ledger.identity.path);
    await clock.sleep(LOOK_MS, signal);
    turn = await ledger.approvalTurn(by);
  }
  try {
    return await work(signal === undefined ? turn.lost : AbortSignal.any([signal, turn.lost]));
  } finally {
    await turn.release();
  }
}

function tooLong({ holder, since }: LeaseBusy, path: string): LedgerError {
  const { user, pid, host } = holder;
  const text = `Another approval under the limit of a day is under way in ${path}: ${user} on ${host}, process ${pid}, since ${formatTimestamp(since)}. Nothing was approved; try again when it is done.`;
  return new LedgerError('ledger_busy', text);
}
