/**
 * Releases held rows and withdraws unsent ones, with a reason and a person. A release names the concerns that the person saw;
 * one that comes up later holds the row again. A released name is remembered for the same account and the same two names, so
 * that next month nobody is asked again.
 */
import type { Concern, ConcernKind, Release } from '../../domain/payouts/concern.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { HoldReason } from '../../domain/payouts/payout.ts';
import { isIn, type Payout, type PayoutIn, type Status, UNSENT } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import { mayFollow } from '../../domain/payouts/payout-machine.ts';
import type { OfflinePorts, Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { type Choice, eachChosen } from './choose-payouts.ts';
import { blockedBy, mayBePaidAlready, withReasonsNow } from './held-now.ts';

export interface Decision {
  readonly by: string;
  readonly reason: string;
}

export interface ReleaseDecision extends Decision {
  /** Whoever decides knows that a payment in doubt, which a row repeats, may be this very payment. */
  readonly mayBePaid?: boolean | undefined;
  /** Concerns of these kinds alone; undefined: as the choice says. */
  readonly kinds?: readonly ConcernKind[] | undefined;
}

export interface Decided {
  readonly done: readonly number[];
  readonly refused: readonly RefusedRow[];
}

/** A row that stays as it is. */
export interface RefusedRow {
  readonly rowNumber: number;
  /** Where it stands and why that does not allow it. */
  readonly status: string;
  /** Time, evidence or a ruling may allow it later (exit code 10); otherwise naming the row was a mistake (64). */
  readonly isNotYet?: boolean;
  /** It may be paid already, and is released only by whoever says that this is known. */
  readonly isMaybePaid?: boolean;
  /** Another payment stands for the row: of rows that were not named it is no mistake. */
  readonly isElsewhere?: boolean;
}

/** What is never released together with everything else: each of these is looked at by itself. */
const ONE_BY_ONE: readonly ConcernKind[] = ['repeat', 'other_account', 'maybe_paid'];

export function releaseHeld(
  batchId: BatchId,
  choice: Choice,
  decision: ReleaseDecision,
  ports: OfflinePorts,
): Promise<Decided> {
  return recordEach({ batchId, choice, statuses: ['held'] }, ports, async (payout) => {
    const now = await withReasonsNow(payout, ports);
    if (!isIn(now, 'held')) return { status: payout.state.status };
    const { chosen, left } = chosenReasons(now.state.reasons, choice, decision.kinds);
    const [first] = chosen;
    if (first === undefined) return whyNothing(left, choice, decision.kinds);
    const blocked = await blockedBy(now, ports);
    if (blocked !== undefined) return { status: blocked, isNotYet: true };
    const maybe = await mayBePaidAlready(chosen, ports);
    if (maybe !== undefined && decision.mayBePaid !== true)
      return { status: maybe, isNotYet: true, isMaybePaid: true };
    const at = ports.clock.now();
    const saw = chosen.map(({ concern }) => concern);
    const release: Release = { saw, by: decision.by, reason: decision.reason, at };
    // First, because pricing accepts a name by this memory alone.
    await rememberName(now, release, ports);
    return { kind: 'release', release, at };
  });
}

function chosenReasons(
  reasons: readonly HoldReason[],
  { kind }: Choice,
  kinds: readonly ConcernKind[] | undefined,
): { readonly chosen: readonly HoldReason[]; readonly left: readonly HoldReason[] } {
  const isMeant = (concern: Concern) =>
    kinds === undefined ? kind !== 'all' || !ONE_BY_ONE.includes(concern.kind) : kinds.includes(concern.kind);
  return {
    chosen: reasons.filter(({ concern }) => isMeant(concern)),
    left: reasons.filter(({ concern }) => !isMeant(concern)),
  };
}

/** A row that was not named is passed over when it waits for something else. */
function whyNothing(
  left: readonly HoldReason[],
  { kind }: Choice,
  kinds: readonly ConcernKind[] | undefined,
): Omit<RefusedRow, 'rowNumber'> {
  const [first] = left;
  const status =
    first === undefined
      ? 'held'
      : kinds === undefined
        ? `held: ${first.text}. --all leaves such rows: name the row, or add --kind ${first.concern.kind}`
        : `held for another reason: ${first.text}`;
  return { status, isNotYet: true, ...(kind === 'all' ? { isElsewhere: true } : {}) };
}

/** Withdraws rows that were not sent. What is on the wire, in doubt or paid cannot be withdrawn here. */
export function cancelUnsent(
  batchId: BatchId,
  choice: Choice,
  decision: Decision & { readonly kinds?: readonly ConcernKind[] | undefined },
  ports: OfflinePorts,
): Promise<Decided> {
  const { by, reason, kinds } = decision;
  const statuses = kinds === undefined ? UNSENT : (['held'] as const);
  return recordEach({ batchId, choice, statuses }, ports, async (payout) => {
    const { state } = payout;
    if (!mayFollow(state, 'cancel')) return { status: state.status };
    const isMeant =
      kinds === undefined ||
      (isIn(payout, 'held') && payout.state.reasons.some(({ concern }) => kinds.includes(concern.kind)));
    if (!isMeant) return { status: `${state.status}, and for none of these reasons`, isElsewhere: true };
    return { kind: 'cancel', by, reason, at: ports.clock.now() };
  });
}

interface Chosen {
  readonly batchId: BatchId;
  readonly choice: Choice;
  /** Of the rows that are meant by “all”. */
  readonly statuses: readonly Status[];
}

/** Records what was decided about each chosen row, or lists the row with the reason why it stays. */
async function recordEach(
  { batchId, choice, statuses }: Chosen,
  ports: OfflinePorts,
  decide: (payout: Payout) => Promise<PayoutEvent | Omit<RefusedRow, 'rowNumber'>>,
): Promise<Decided> {
  const done: number[] = [];
  const refused: RefusedRow[] = [];
  await eachChosen(batchId, choice, statuses, ports, async (payout) => {
    const { rowNumber } = payout;
    const decided = await decide(payout);
    if (!('kind' in decided)) {
      refused.push({ rowNumber, ...decided });
      return;
    }
    const recorded = await recordEvent(payout, decided, ports);
    if (recorded.kind === 'recorded') done.push(rowNumber);
    else refused.push({ rowNumber, status: 'changed by somebody else just now', isNotYet: true });
  });
  return { done, refused };
}

async function rememberName(
  { instruction, state }: PayoutIn<'held'>,
  { saw, by, at, reason }: Release,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<void> {
  const resolvedName = state.pricing?.nameCheck.resolved;
  const { institutionId, account, name: writtenName } = instruction;
  if (resolvedName === undefined || writtenName === undefined) return;
  if (!saw.some(({ kind }) => kind === 'name')) return;
  const names = { institutionId, account: account.reveal(), writtenName, resolvedName };
  await ledger.rememberNameRelease({ ...names, by, at, reason });
}
