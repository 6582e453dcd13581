/**
 * Limits of the configuration: rows above theirs wait for a person, also those that were priced before the limit was
 * set; a batch or a day above its limit is not approved.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { isIn } from '../../domain/payouts/payout.ts';
import { limitReasons, type OverLimit, overLimit, startOfUtcDay } from '../../domain/plan/limits.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { LedgerError } from '../../ports/ledger/errors.ts';
import type { LeaseBusy } from '../../ports/ledger/leases.ts';
import type { OfflinePorts, Ports } from '../ports.ts';
import { recordEvents } from '../record-event.ts';

/** A row that a person released from its limit goes on. */
export async function holdOverLimit(batchId: BatchId, ports: OfflinePorts): Promise<void> {
  const { limits } = ports.policy;
  if (limits.rowMax.length === 0) return;
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['quoted'] })) {
    const at = ports.clock.now();
    const holds = page.flatMap((payout) => {
      if (!isIn(payout, 'quoted')) return [];
      const { pricing, releases } = payout.state;
      const reasons = limitReasons(payout.instruction.amount, limits);
      const isReleased = releases.some(({ kinds }) => kinds.includes('limit'));
      if (reasons.length === 0 || isReleased) return [];
      return [{ payout, event: { kind: 'hold', reasons, pricing, at } as const }];
    });
    await recordEvents(holds, ports);
  }
}

export async function overLimitOf(plan: Plan, ports: OfflinePorts): Promise<OverLimit | undefined> {
  const { ledger, clock, policy } = ports;
  const needsDay = policy.limits.dayMax.length > 0 && plan.toApprove.length > 0;
  const day = needsDay ? await ledger.principalSince(startOfUtcDay(clock.now())) : [];
  return overLimit(plan, policy.limits, day);
}

/**
 * One approval at a time under a daily limit: the limit is a sum over all batches, so each approval sums up, agrees and
 * is written down before the next one sums up, also in another process.
 *
 * Units:   milliseconds. The turn of a process that died ends by itself.
 * Errors:  LedgerError `ledger_busy` when another approval takes longer than the wait.
 */

const LOOK_MS = 100;
const WAIT_MS = 30_000;

interface TurnOptions {
  readonly by: string;
  readonly signal?: AbortSignal | undefined;
}

/** The signal of the work aborts also when the turn was lost. */
export async function withApprovalLock<Result>(
  { by, signal }: TurnOptions,
  { ledger, clock, policy }: Pick<Ports, 'ledger' | 'clock' | 'policy'>,
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
