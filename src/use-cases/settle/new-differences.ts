/**
 * What a look shows otherwise than was asked, where the look before did not show it: told once, and named by the run.
 */
import { differenceOf } from '../../domain/payouts/difference.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import { meaningOf } from '../../domain/payouts/service-status.ts';
import type { Ports } from '../ports.ts';

/** More than was asked is an incident, on the day on which it is seen. */
export function lookedAt(payout: Payout, differs: readonly string[] | undefined) {
  if (differs === undefined) return { kind: 'looked' } as const;
  const kind = differenceOf(payout) === 'over' ? ('incident' as const) : ('looked' as const);
  return { kind, differs };
}

/** undefined where the last look showed the same, or nothing differs now. */
export function newDifferences(
  { state: was }: Payout,
  { state: now }: Payout,
): readonly string[] | undefined {
  if (!('discrepancies' in now) || now.discrepancies.length === 0) return undefined;
  const known = 'discrepancies' in was ? was.discrepancies.join() : '';
  return known === now.discrepancies.join() ? undefined : now.discrepancies;
}

/** Of a payment that was Finished; told once for each word and each difference. */
export function tellDifference(
  payout: Payout,
  differs: readonly string[],
  { policy, tell }: Pick<Ports, 'policy' | 'tell'>,
): void {
  const { rowNumber } = payout;
  if (!isIn(payout, 'settled')) return;
  const { serviceStatus = '', suspicion } = payout.state;
  const says = `Row ${rowNumber}: the service says “${serviceStatus}” after Finished`;
  const text =
    suspicion?.unproven !== undefined
      ? `${says}, which does not count, because it ${suspicion.unproven.join(' and ')}.`
      : suspicion !== undefined
        ? `${says}. It counts when the service says it again, ${policy.failConfirmMs / 60_000} minutes later.`
        : meaningOf(serviceStatus, policy) === 'pending'
          ? `${says}. If the word means paid, add it to statuses.finished.`
          : `Row ${rowNumber} differs from what was asked. ${differs.join('; ')}.`;
  tell({ kind: 'warning', text });
}
