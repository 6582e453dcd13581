/**
 * Limits of the configuration: a batch or a day above its limit is not approved. A row above its limit is held.
 */
import { type OverLimit, overLimit } from '../../domain/plan/limits.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { WallClock } from '../../domain/time-zone.ts';
import { formatTimestamp, type Timestamp } from '../../domain/timestamp.ts';
import { LedgerError } from '../../ports/ledger/errors.ts';
import type { LeaseBusy } from '../../ports/ledger/leases.ts';
import type { OfflinePorts, Ports } from '../ports.ts';

export async function overLimitOf(plan: Plan, ports: OfflinePorts): Promise<OverLimit | undefined> {
  const { ledger, policy } = ports;
  const needsDay = policy.limits.dayMax.length > 0 && plan.toApprove.length > 0;
  const day = needsDay ? await ledger.principalSince(startOfToday(ports)) : [];
  return overLimit(plan, policy.limits, day);
}

/** In the zone of the ledger. */
function startOfToday({ ledger, clock }: Pick<OfflinePorts, 'ledger' | 'clock'>): Timestamp {
  const days = new WallClock(ledger.identity.timeZone);
  return days.startOf(days.day(clock.now()));
}

/**
 * One approval at a time in a ledger: each looks for payments that come before and sums up the day, agrees, and is written
 * down before the next one looks, also in another process.
 *
 * Units:   milliseconds. The turn of a process that died ends by itself.
 * Errors:  LedgerError `ledger_busy` when another approval takes longer than the wait.
 */

const LOOK_MS = 100;
const WAIT_MS = 5 * 60_000;

interface TurnOptions {
  readonly by: string;
  readonly signal?: AbortSignal | undefined;
}

/** The signal of the work aborts also when the turn was lost. */
export async function withApprovalLock<Result>(
  { by, signal }: TurnOptions,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
  work: (signal: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
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
  const text = `Another approval is under way in ${path}: ${user} on ${host}, process ${pid}, since ${formatTimestamp(since)}. Nothing was approved; try again when it is done.`;
  return new LedgerError('ledger_busy', text);
}
