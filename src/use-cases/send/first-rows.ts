/**
 * Rows that are sent before the others, to prove the service: the canary of a batch and the first transfer of a live
 * ledger. They go one at a time. A row that somebody has to look at proves nothing.
 */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { LookConcern, Payout, PayoutIn, Status } from '../../domain/payouts/payout.ts';
import { isIn } from '../../domain/payouts/payout.ts';
import { isToLookAt, marksOf } from '../../domain/reporting/marks.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Ports } from '../ports.ts';
import type { SendGate } from './send-gate.ts';

export interface FirstRows {
  readonly gate: SendGate;
  readonly send: (payout: PayoutIn<'approved'> & Payout) => Promise<void>;
  readonly lookForPause: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Rows that nothing may be done with. */
  readonly odd: ReadonlyMap<PayoutId, unknown>;
  /** How long the look-ups may take. */
  readonly deadline: (() => Timestamp) | undefined;
  readonly incidents: number[];
}

const BAD_WORDS: Readonly<Partial<Record<Status, string>>> = {
  in_doubt: 'is in doubt',
  sending: 'is in doubt',
  failed: 'failed',
  returned: 'was returned',
};
const STUCK_WORDS: Readonly<Record<LookConcern, string>> = {
  missing: 'is not found at the service',
  unknown_word: 'has a status that no setting explains',
  late: 'takes too long',
};

/** Why nothing may follow the row, as the end of a sentence; undefined: it is as asked, on its way or settled. */
export function whyBad(payout: Payout): string | undefined {
  const { state } = payout;
  const marks = marksOf(payout);
  if (BAD_WORDS[state.status] !== undefined || !isToLookAt(marks)) return BAD_WORDS[state.status];
  if ('suspicion' in state && state.suspicion !== undefined)
    return `is called “${state.suspicion.word}” by the service`;
  if (marks.stuck !== undefined) return STUCK_WORDS[marks.stuck];
  const differences = 'discrepancies' in state ? state.discrepancies : [];
  return `differs from what was asked: ${differences.join('; ')}`;
}

const PAGE_ROWS = 500;

/** One row at a time: the first bad answer is the last. False when no row is left that may be sent. */
export async function sendNext(
  batchId: BatchId,
  ports: Pick<Ports, 'ledger'>,
  first: FirstRows,
): Promise<boolean> {
  const { gate, send, lookForPause } = first;
  await lookForPause();
  if (!(await gate.enter())) return false;
  const next = await nextApproved(batchId, ports, first);
  if (next === undefined) gate.leave(undefined);
  else await send(next);
  return next !== undefined;
}

/** The first approved row that may be sent, and whose institution is not set aside. */
async function nextApproved(batchId: BatchId, { ledger }: Pick<Ports, 'ledger'>, { gate, odd }: FirstRows) {
  let after: number | undefined;
  do {
    const page = await ledger.page(batchId, { statuses: ['approved'], after, limit: PAGE_ROWS });
    for (const payout of page.payouts) {
      if (!isIn(payout, 'approved') || odd.has(payout.id)) continue;
      if (!gate.isSetAside(payout.instruction.institutionId)) return payout;
    }
    after = page.next;
  } while (after !== undefined);
  return undefined;
}
