/**
 * Paying again: a new instruction that names the one it replaces, in its place in the file. It is priced and
 * approved like any other. Only what is proven unpaid can be paid again.
 */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import { hoursMs, type Policy } from '../../domain/policy.ts';
import { formatTimestamp, plusMs, type Timestamp } from '../../domain/timestamp.ts';
import { NotReplaceable } from '../../ports/ledger/moves.ts';
import type { OfflinePorts, Ports } from '../ports.ts';
import { explainPayout } from '../report/explain-payout.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { type Choice, eachChosen } from './choose-payouts.ts';
import type { Decided, RefusedRow } from './release-held.ts';

interface ReissueOptions {
  readonly by: string;
  /** Needed to pay again soon after the service reported a failure. */
  readonly evidence: string | undefined;
}

export async function reissue(
  batchId: BatchId,
  choice: Choice,
  options: ReissueOptions,
  ports: OfflinePorts,
): Promise<Decided> {
  const done: number[] = [];
  const refused: RefusedRow[] = [];
  const incidents = await notedIncidents(batchId, ports);
  await eachChosen(batchId, choice, ['failed'], ports, async (payout) => {
    const at = ports.clock.now();
    const objection =
      (await paidBefore(payout, incidents, ports)) ??
      whyNotPaidAgain(payout, options.evidence, { at, policy: ports.policy });
    if (objection !== undefined) {
      const isNotYet = ['failed', 'in_doubt'].includes(payout.state.status);
      refused.push({ rowNumber: payout.rowNumber, status: objection, ...(isNotYet ? { isNotYet } : {}) });
      return;
    }
    if (options.evidence !== undefined) {
      await ports.ledger.note(
        batchId,
        'reissue_evidence',
        { payout: payout.id, by: options.by, evidence: options.evidence },
        at,
      );
    }
    const { rowNumber } = payout;
    try {
      await ports.ledger.addReplacement(payout.id, options.by, at);
      done.push(rowNumber);
    } catch (error) {
      if (!(error instanceof NotReplaceable)) throw error;
      refused.push({
        rowNumber,
        status: 'changed by somebody else just now, or its file was not read to the end',
        isNotYet: true,
      });
    }
  });
  return { done, refused };
}

/**
 * An earlier instruction of the same row that was paid, or may be, rules out another one; so does a statement or a
 * late answer that showed one of them as paid.
 */
async function paidBefore(
  payout: Payout,
  incidents: ReadonlyMap<PayoutId, string>,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<string | undefined> {
  const earlier = (await explainPayout(payout, { ledger })).earlier.map((story) => story.payout);
  const noted = [...earlier, payout].find(({ id }) => incidents.has(id));
  if (noted !== undefined)
    return `incident: ${incidents.get(noted.id) ?? ''}; paying it again would pay twice`;
  const living = earlier.find(({ state }) => !['failed', 'returned', 'canceled'].includes(state.status));
  if (living === undefined) return undefined;
  return `its earlier instruction is ${living.state.status}: paying it again would pay twice`;
}

/** undefined when the payout may be paid again; else why not, in words. */
export function whyNotPaidAgain(
  payout: Payout,
  evidence: string | undefined,
  moment: { readonly at: Timestamp; readonly policy: Pick<Policy, 'reissueAfterHours'> },
): string | undefined {
  const { state } = payout;
  if (isIn(payout, 'returned') || isIn(payout, 'canceled')) return undefined;
  if (state.status === 'in_doubt') return 'in doubt: rule on it first (payfile resolve)';
  if (state.status !== 'failed') return `${state.status}: only what is proven unpaid can be paid again`;
  if (state.basis !== 'service_status' || evidence !== undefined) return undefined;
  const from = plusMs(state.at, hoursMs(moment.policy.reissueAfterHours));
  if (moment.at >= from) return undefined;
  return `the service's failure is recent: wait until ${formatTimestamp(from)} or give --evidence`;
}
