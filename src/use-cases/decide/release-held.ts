/**
 * Releases held rows and withdraws unsent ones, with a reason and a person. A released name is remembered for the same
 * account and the same two names, and a changed account for the two accounts, so that next month nobody is asked again.
 *
 * A release covers what the person saw: it keeps the payments that stood in the way at that moment. Another repeat is
 * still stopped just before sending.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import {
  type HoldReason,
  isIn,
  type Payout,
  type PayoutIn,
  type Release,
  type Status,
  UNSENT,
} from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import { mayFollow } from '../../domain/payouts/payout-machine.ts';
import type { OfflinePorts, Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { type Choice, eachChosen } from './choose-payouts.ts';
import { mayBePaidAlready } from './held-now.ts';
import { sameRowObjection } from './same-row.ts';

export interface Decision {
  readonly by: string;
  readonly reason: string;
}

export interface ReleaseDecision extends Decision {
  /** Whoever decides knows that a payment in doubt, which a row repeats, may be this very payment. */
  readonly mayBePaid?: boolean | undefined;
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

export function releaseHeld(
  batchId: BatchId,
  choice: Choice,
  decision: ReleaseDecision,
  ports: OfflinePorts,
): Promise<Decided> {
  return recordEach({ batchId, choice, statuses: ['held'] }, ports, async (payout) => {
    if (!isIn(payout, 'held')) return { status: payout.state.status };
    const objection = await sameRowObjection(payout, ports);
    if (objection !== undefined) return { status: objection.text, isNotYet: objection.isNotYet };
    const maybe = await mayBePaidAlready(payout, ports);
    if (maybe !== undefined && decision.mayBePaid !== true)
      return { status: maybe, isNotYet: true, isMaybePaid: true };
    const at = ports.clock.now();
    const kinds: HoldReason['kind'][] = [...new Set(payout.state.reasons.map((reason) => reason.kind))];
    const repeats = payout.state.reasons.flatMap(({ kind, pointer }) =>
      kind === 'account_changed' ? [] : (pointer?.payoutId ?? []),
    );
    const release: Release = { kinds, repeats, by: decision.by, reason: decision.reason, at };
    // First, because pricing accepts a name by this memory alone.
    await rememberName(payout, release, ports);
    await rememberAccountChange(payout, release, ports);
    return { kind: 'release', release, at };
  });
}

/** Withdraws rows that were not sent. What is on the wire, in doubt or paid cannot be withdrawn here. */
export function cancelUnsent(
  batchId: BatchId,
  choice: Choice,
  decision: Decision,
  ports: OfflinePorts,
): Promise<Decided> {
  return recordEach({ batchId, choice, statuses: UNSENT }, ports, async ({ state }) =>
    mayFollow(state, 'cancel')
      ? { kind: 'cancel', ...decision, at: ports.clock.now() }
      : { status: state.status },
  );
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
  payout: PayoutIn<'held'>,
  release: Release,
  ports: Pick<Ports, 'ledger'>,
): Promise<void> {
  const { instruction, state } = payout;
  const resolved = state.pricing?.nameCheck.resolved;
  if (resolved === undefined || instruction.name === undefined) return;
  if (!release.kinds.some((kind) => kind === 'name_close_match' || kind === 'name_no_match')) return;
  await ports.ledger.rememberNameRelease({
    institutionId: instruction.institutionId,
    account: instruction.account.reveal(),
    writtenName: instruction.name,
    resolvedName: resolved,
    by: release.by,
    at: release.at,
    reason: release.reason,
  });
}

/** The change of account that the person saw; another one of the same person is asked about again. */
async function rememberAccountChange(
  { instruction, state }: PayoutIn<'held'>,
  { by, at }: Release,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<void> {
  const seen = state.reasons.find(({ kind }) => kind === 'account_changed')?.pointer;
  const from = seen === undefined ? undefined : (await ledger.payout(seen.payoutId))?.instruction;
  if (from !== undefined) await ledger.rememberAccountChange({ from, to: instruction, by, at });
}
